"""What the systems of bench folders scored on each question, averaged over the runs.

Everything later (comparisons, judges, slices) begins here, so the order of folders, files and lines is lost
here: it changes no digit.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.aggregate import ABSTAINED_RIGHT, Rules, metric_applies, rules_of
from aitia.evaluation.records import read_answers, read_builds, read_scores
from aitia.evaluation.statistics.slices import AskedQuestion

SETTINGS = "bench.toml"
DATASET = "dataset"
QUESTIONS = "questions_sha256"
JUDGES = "judges"
"""Keys of `SETTINGS`: the dataset's name, the hash that two folders must share to be compared, and the judges."""


class Measure(NamedTuple):
    """A metric and who judged it, empty where nobody did."""

    metric: str
    judge: str = ""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system's scores in [0, 1] by measure and question id, each the mean over the runs that have one.

    ``nan`` counts, in the same way, the scores that failed; ``failed`` the answers by question id that
    ended in an error. ``nodes`` of its graph are None where they were not recorded.
    """

    scores: Mapping[Measure, Mapping[str, float]]
    nan: Mapping[Measure, Mapping[str, int]]
    failed: Mapping[str, int]
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class BenchScores:
    """The scored systems of one or several folders, by name; ``unscored`` systems have answers alone.

    ``order`` is that in which the judges were asked, where all folders name the same ones. A system that
    several folders have bears the folder's name too: ``monday/hcg:S``.
    """

    dataset: str
    questions: Mapping[str, AskedQuestion]
    systems: Mapping[str, SystemScores]
    unscored: tuple[str, ...] = ()
    order: tuple[str, ...] = ()

    def measures(self) -> tuple[Measure, ...]:
        """All measures of any system, by name."""
        return tuple(sorted({measure for system in self.systems.values() for measure in system.scores}))

    def judges(self) -> tuple[str, ...]:
        """The judge models: in their order, then by name."""
        found = {measure.judge for measure in self.measures()} - {""}
        return tuple(dict.fromkeys((*(judge for judge in self.order if judge in found), *sorted(found))))


def read_bench_scores(folders: Sequence[Path]) -> BenchScores:
    """The scores of bench folders over the same questions.

    Raises:
        UsageError: a folder given twice, or folders whose questions differ.
        CorpusError: not a bench folder, one without scores, or one that contradicts itself.

    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UsageError("a bench folder is given twice; give each once")
    settings = [_read_settings(folder) for folder in folders]
    first = settings[0]
    for folder, other in zip(folders[1:], settings[1:], strict=True):
        if other.questions != first.questions:
            raise UsageError(
                f"{folders[0]} asks {first.dataset} ({first.questions[:12]}) and {folder} asks {other.dataset} "
                f"({other.questions[:12]}); only folders with the same questions can be compared"
            )
    questions: dict[str, AskedQuestion] = {}
    systems = {}
    unscored: set[str] = set()
    labels = _folder_labels(folders)
    for folder, kept in zip(folders, settings, strict=True):
        found, silent = _read_folder(folder, questions, rules_of(kept.dataset))
        systems.update({(name, labels[folder]): scores for name, scores in found.items()})
        unscored.update(silent)
    uses = Counter(name for name, _ in systems)
    named = {name if uses[name] == 1 else f"{label}/{name}": s for (name, label), s in systems.items()}
    return BenchScores(
        dataset=min(each.dataset for each in settings),
        questions=dict(sorted(questions.items())),
        systems=dict(sorted(named.items())),
        unscored=tuple(sorted(unscored)),
        order=first.judges if len({each.judges for each in settings}) == 1 else (),
    )


class _Settings(NamedTuple):
    dataset: str
    questions: str
    judges: tuple[str, ...]


def _read_settings(folder: Path) -> _Settings:
    path = folder / SETTINGS
    if not path.is_file():
        raise CorpusError(f"{folder} is no bench folder (it has no {SETTINGS}); expected one of aitia bench")
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
        judges = settings.get(JUDGES, ())
        return _Settings(str(settings[DATASET]), str(settings[QUESTIONS]), tuple(map(str, judges)))
    except KeyError as error:
        raise CorpusError(f"{path} names no {error}; expected {DATASET} and {QUESTIONS}") from error
    except (ValueError, TypeError) as error:
        raise CorpusError(f"{path} cannot be read ({error}); expected what aitia bench writes") from error


def _folder_labels(folders: Sequence[Path]) -> dict[Path, str]:
    names = Counter(folder.resolve().name for folder in folders)
    return {
        folder: folder.resolve().name if names[folder.resolve().name] == 1 else folder.as_posix()
        for folder in folders
    }


def _read_folder(
    folder: Path, questions: dict[str, AskedQuestion], rules: Rules
) -> tuple[dict[str, SystemScores], set[str]]:
    """The scored systems of a folder and the others; adds to the questions those that it asks.

    A metric is read of the question types that it is of.
    """
    failures = _read_failures(folder, questions)
    values = _read_values(folder)
    for by_measure in values.values():
        for measure, runs in by_measure.items():
            by_measure[measure] = {
                key: score
                for key, score in runs.items()
                if key[0] not in questions or _is_of(measure.metric, questions[key[0]].type, rules)
            }
    if not values:
        raise CorpusError(f"{folder} holds no scores; expected scores/*.jsonl, which aitia bench writes")
    nodes = _read_nodes(folder)
    systems = {}
    for name, by_measure in values.items():
        for id in {id for runs in by_measure.values() for id, _ in runs}:
            questions.setdefault(id, AskedQuestion("all"))
        systems[name] = SystemScores(
            scores={measure: _averages(runs) for measure, runs in by_measure.items()},
            nan={
                measure: Counter(id for (id, _), score in runs.items() if score is None)
                for measure, runs in by_measure.items()
            },
            failed=failures.get(name, {}),
            nodes=_nodes_of(name, nodes),
        )
    return systems, failures.keys() - systems.keys()


def _read_failures(folder: Path, questions: dict[str, AskedQuestion]) -> dict[str, Counter[str]]:
    """How many runs of each question ended in an error, by system; of a run asked again, if each time."""
    ended: dict[str, dict[tuple[str, int], bool]] = {}
    for path in sorted((folder / "answers").glob("*.jsonl")):
        for answer in read_answers(path):
            runs = ended.setdefault(answer.system, {})
            key = (answer.id, answer.run)
            runs[key] = runs.get(key, True) and answer.error is not None
            known = questions.get(answer.id)
            if known is not None and known.type != answer.type:
                raise CorpusError(
                    f"{path}: question {answer.id!r} is of type {answer.type!r} here and {known.type!r} before; "
                    "expected one type; run the bench again"
                )
            passages = max(answer.passages, known.passages if known else 0)
            questions[answer.id] = AskedQuestion(answer.type, passages)
    return {
        system: Counter(id for (id, _), failed in runs.items() if failed) for system, runs in ended.items()
    }


def _is_of(metric: str, kind: str, rules: Rules) -> bool:
    """As the report has it: a type that is not known to lack answers may have questions without one."""
    return metric == ABSTAINED_RIGHT or metric_applies(metric, kind, rules)


_Values = dict[str, dict[Measure, dict[tuple[str, int], float | None]]]


def _read_values(folder: Path) -> _Values:
    """Each score by system, measure, question and run."""
    values: _Values = {}
    for path in sorted((folder / "scores").glob("*.jsonl")):
        for record in read_scores(path):
            by_measure = values.setdefault(record.system, {})
            for metric, value in record.scores.items():
                runs = by_measure.setdefault(Measure(metric, record.judge), {})
                key = (record.id, record.run)
                score = None if value is None or math.isnan(value) else float(value)
                before = runs.get(key)
                if before is not None and score is not None and before != score:
                    raise CorpusError(
                        f"{path}: {record.system} has two values of {metric} for question {record.id!r}, "
                        f"run {record.run} ({before:g}, {score:g}); keep one line"
                    )
                runs[key] = before if score is None else score
    return values


def _averages(runs: Mapping[tuple[str, int], float | None]) -> dict[str, float]:
    by_question: dict[str, list[float]] = {}
    for (id, _), score in runs.items():
        if score is not None:
            by_question.setdefault(id, []).append(score)
    # fsum rounds once, so that the order of the runs does not show.
    return {id: math.fsum(scores) / len(scores) for id, scores in sorted(by_question.items())}


def _read_nodes(folder: Path) -> dict[str, int]:
    """The nodes of each build; the largest where it was made more than once."""
    nodes: dict[str, int] = {}
    for build in read_builds(folder / "builds.jsonl"):
        if build.nodes is not None:
            nodes[build.system] = max(build.nodes, nodes.get(build.system, 0))
    return nodes


def _nodes_of(system: str, nodes: Mapping[str, int]) -> int | None:
    build = system.partition("@")[0].partition("+")[0]
    return nodes.get(build, 0 if build.startswith("plain:") else None)

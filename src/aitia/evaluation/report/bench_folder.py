"""What a bench folder holds, read once, by system. Later lines of a file replace earlier ones of the same question."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.records import (
    AnswerRecord,
    BuildRecord,
    ScoreRecord,
    read_answers,
    read_builds,
    read_scores,
)
from aitia.evaluation.systems import parse_system

METHODS = ("hcg", "qcg", "hug", "plain", "peer")
TIERS = ("XS", "S", "M", "L")
_END = len(METHODS) + len(TIERS)


@dataclass(frozen=True, slots=True)
class Bench:
    """The records of a benchmark. ``systems`` is the order of every table; the mappings are by system.

    ``builds`` has the build that a system uses, where there is a record of one; several systems may share it.
    """

    systems: tuple[str, ...]
    builds: Mapping[str, BuildRecord]
    answers: Mapping[str, Sequence[AnswerRecord]]
    scores: Mapping[str, Sequence[ScoreRecord]]
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def dataset(self) -> str:
        """The dataset's name, empty where the folder does not tell."""
        return str(self.settings.get("dataset", ""))

    @property
    def types(self) -> tuple[str, ...]:
        """The types of question, in the order of the answers."""
        return tuple(dict.fromkeys(a.type for name in self.systems for a in self.answers.get(name, ())))


def read_bench(folder: Path) -> Bench:
    """Read the folder that ``aitia bench`` left.

    Raises:
        UsageError: there is no such folder, or it holds no records.
        CorpusError: a file of it cannot be read.

    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; expected the --out of aitia bench")
    settings = _settings(folder / "bench.toml")
    builds = {record.system: record for record in read_builds(folder / "builds.jsonl")}
    answers: dict[str, dict[tuple[str, int], AnswerRecord]] = {}
    for path in sorted((folder / "answers").glob("*.jsonl")):
        for answer in read_answers(path):
            answers.setdefault(answer.system, {})[answer.id, answer.run] = answer
    scores = _read_scores(folder / "scores")
    if not builds and not answers:
        raise UsageError(f"{folder} holds no records of a benchmark; expected the --out of aitia bench")
    systems = _order(settings, builds, [*answers, *scores])
    return Bench(
        systems=systems,
        builds={name: builds[build] for name in systems if (build := _build_of(name)) in builds},
        answers={name: tuple(found.values()) for name, found in answers.items()},
        scores=scores,
        settings=settings,
    )


def method_of(system: str) -> str:
    """``hcg`` of ``hcg:S+fused@3000``."""
    return re.split(r"[:+@]", system, maxsplit=1)[0]


def tier_of(system: str) -> str | None:
    """``S`` of ``hcg:S+fused``; None of a system that has no tier."""
    found = re.match(r"[^:+@]+:([^+@]*)", system)
    return found[1] if found and found[1] in TIERS else None


def family_of(system: str) -> str:
    """What is one colour and one column of a scale: the method, and of peers each peer."""
    return re.split(r"[+@]", system, maxsplit=1)[0] if method_of(system) == "peer" else method_of(system)


def _settings(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: not TOML ({error}); expected the file that aitia bench wrote") from error


def _read_scores(folder: Path) -> dict[str, tuple[ScoreRecord, ...]]:
    """The scores by system; metrics that stand on several lines of one question, run and judge as one."""
    found: dict[str, dict[tuple[str, int, str], dict[str, float | None]]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for record in read_scores(path):
            key = (record.id, record.run, record.judge)
            merged = found.setdefault(record.system, {}).setdefault(key, {})
            for metric, value in record.scores.items():
                if value is not None or metric not in merged:
                    merged[metric] = value
    return {
        system: tuple(ScoreRecord(id, system, run, judge, of) for (id, run, judge), of in by_key.items())
        for system, by_key in found.items()
    }


def _order(
    settings: Mapping[str, Any], builds: Mapping[str, BuildRecord], seen: Sequence[str]
) -> tuple[str, ...]:
    listed = settings.get("systems")
    named = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    used = {_build_of(name) for name in (*named, *seen)}
    failed = [name for name, build in builds.items() if build.error and name not in used]
    others = sorted({*seen, *failed} - set(named), key=_rank)
    return tuple(dict.fromkeys((*named, *others)))


def _rank(system: str) -> tuple[int, int, str]:
    method, tier = method_of(system), tier_of(system)
    return (
        METHODS.index(method) if method in METHODS else _END,
        TIERS.index(tier) if tier else _END,
        system,
    )


def _build_of(system: str) -> str:
    """The name of the build that a system uses; a name of no known form is its own."""
    try:
        return parse_system(system).build
    except UsageError:
        return system

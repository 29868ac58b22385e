"""A bench folder written by hand: scores given in full, so that every figure can be worked out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from aitia.evaluation.records import AnswerRecord, BuildRecord, Record, ScoreRecord

DIGEST = "0123456789abcdef" * 4
TYPE = "Fact Retrieval"
Scores = Mapping[str, Mapping[str, Sequence[float | None]]]
"""A value a run, by system and question id; None failed."""


def write_empty_bench(
    folder: Path, *, dataset: str = "medical", digest: str = DIGEST, judges: Sequence[str] = ()
) -> Path:
    """A folder without records."""
    for name in ("answers", "scores"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "bench.toml").write_text(
        f'dataset = "{dataset}"\nquestions_sha256 = "{digest}"\njudges = {json.dumps(list(judges))}\n',
        encoding="utf-8",
    )
    return folder


def add_scores(folder: Path, scores: Scores, metric: str = "evidence_recall", judge: str = "") -> None:
    """Scores of a metric, a line a question and run."""
    for system, by_question in scores.items():
        lines = [
            ScoreRecord(id, system, run, judge, {metric: value})
            for id, values in by_question.items()
            for run, value in enumerate(values)
        ]
        add_lines(folder / "scores" / f"{_slug(system)}.jsonl", lines)


def add_answers(
    folder: Path,
    system: str,
    types: Mapping[str, str],
    *,
    passages: Mapping[str, int] | None = None,
    failed: Sequence[str] = (),
) -> None:
    """One run's answers: a type by question id, and which of them failed."""
    lines = [
        AnswerRecord(
            *(id, system, 0, type, f"{id}?", "gold"),
            reply=None if id in failed else "reply",
            error="timed out" if id in failed else None,
            passages=(passages or {}).get(id, 0),
        )
        for id, type in types.items()
    ]
    add_lines(folder / "answers" / f"{_slug(system)}.jsonl", lines)


def add_builds(folder: Path, nodes: Mapping[str, int | None]) -> None:
    """The nodes of builds by name."""
    add_lines(folder / "builds.jsonl", [BuildRecord(name, count) for name, count in nodes.items()])


def add_lines(path: Path, records: Sequence[Record]) -> None:
    """Records at the end of a file."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(record)) + "\n" for record in records)


def _slug(system: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in system)

"""A bench folder of four systems, small enough to work its figures out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import tomli_w

from aitia.evaluation.records import AnswerRecord, BuildRecord, ScoreRecord, write_records

SYSTEMS = ("hcg:S", "hcg:L", "plain:hybrid", "peer:lightrag")
TYPES = {"q1": "Fact Retrieval", "q2": "Fact Retrieval", "q3": "Complex Reasoning"}
JUDGE = "judge-a"
CORRECTNESS: Mapping[str, Sequence[Mapping[str, float | None]]] = {
    "hcg:S": ({"q1": 0.5, "q2": 0.7, "q3": 0.9}, {"q1": 0.7, "q2": 0.5, "q3": 0.6}),
    "hcg:L": ({"q1": 0.8, "q2": 0.6, "q3": 0.7}, {"q1": 0.8, "q2": 0.6}),
    "plain:hybrid": ({"q1": 0.4, "q2": None, "q3": 0.6}, {"q1": 0.6, "q2": 0.5, "q3": 0.4}),
}
"""By system, run and question: hcg:L fails on q3 in run 1, the judge fails on q2 of plain:hybrid in run 0."""
FAILURE = "the adapter ended with exit status 1"
TIMEOUT = "no reply within 60 s"
BUILDS = {
    "hcg:S": BuildRecord("hcg:S", 900, 8100, 120.0, 800, 50, 1_600_000, 40_000),
    "hcg:L": BuildRecord("hcg:L", 1500, 15000, 300.0, 2200, 60, 4_400_000, 90_000),
    "plain:hybrid": BuildRecord("plain:hybrid", 0, 0, 6.0, 0, 40, 0, 0),
    "peer:lightrag": BuildRecord("peer:lightrag", error=FAILURE),
}


def write_tiny_bench(folder: Path, runs: int = 2, names: Mapping[str, str] | None = None) -> Path:
    """Write the folder, with other names for some of its systems where they are given; return it."""
    called = {name: (names or {}).get(name, name) for name in SYSTEMS}
    for part in ("answers", "scores"):
        (folder / part).mkdir(parents=True)
    settings = {
        "dataset": "mini",
        "questions_sha256": "0" * 64,
        "systems": list(called.values()),
        "runs": runs,
        "judges": [JUDGE],
    }
    (folder / "bench.toml").write_text(tomli_w.dumps(settings), "utf-8")
    builds = [
        BuildRecord(**{**{key: getattr(build, key) for key in build.__slots__}, "system": called[name]})
        for name, build in BUILDS.items()
    ]
    write_records(folder / "builds.jsonl", builds)
    for number, (name, by_run) in enumerate(CORRECTNESS.items()):
        answers, scores = [], []
        for run, values in enumerate(by_run[:runs]):
            for id, kind in TYPES.items():
                answers.append(_answer(id, called[name], run, kind, None if id in values else TIMEOUT))
                if id in values:
                    scores += _scores(id, called[name], run, values[id])
        write_records(folder / "answers" / f"{number}.jsonl", answers)
        write_records(folder / "scores" / f"{number}.jsonl", scores)
    return folder


def _answer(id: str, system: str, run: int, kind: str, error: str | None) -> AnswerRecord:
    return AnswerRecord(
        *(id, system, run, kind, f"What of {id}?", "gold"),
        reply=None if error else "reply",
        usage={} if error else {"llm_calls": 1, "prompt_tokens": 1000},
        seconds={} if error else {"embed": 0.004, "retrieve": 0.012, "answer": 1.5},
        error=error,
    )


def _scores(id: str, system: str, run: int, correctness: float | None) -> list[ScoreRecord]:
    recall = 0.5 if correctness is None else min(1.0, correctness + 0.1)
    return [
        ScoreRecord(id, system, run, "", {"evidence_recall": recall}),
        ScoreRecord(id, system, run, JUDGE, {"answer_correctness": correctness}),
    ]

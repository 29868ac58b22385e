"""The means of a benchmark, a row a system, in the order in which they were named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from aitia.evaluation.bench.folder import BenchFolder
from aitia.evaluation.bench.run import BenchOutcome
from aitia.evaluation.records import (
    AnswerRecord,
    BuildRecord,
    median_query_seconds,
    read_answers,
    read_builds,
)
from aitia.evaluation.statistics.question_scores import Measure, SystemScores, read_bench_scores
from aitia.evaluation.systems import System


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a system. Each score is the mean over the questions that have one, of the mean over runs.

    ``query_ms`` is the median time of embedding and retrieval; ``llm_calls`` and ``prompt_tokens`` are means
    a question. ``scored`` counts the questions behind each mean. ``failed`` says why there are no answers,
    ``error`` what the first of the ``errors`` was.
    """

    system: str
    questions: int
    errors: int
    build: BuildRecord | None
    query_ms: float | None
    llm_calls: float | None
    prompt_tokens: float | None
    scores: Mapping[Measure, float]
    scored: Mapping[Measure, int]
    failed: str | None = None
    error: str | None = None


def results(outcome: BenchOutcome) -> list[Result]:
    """A row for each system of a benchmark that has run."""
    folder = BenchFolder(outcome.folder)
    builds = {record.system: record for record in read_builds(folder.builds)}
    scored: Mapping[str, SystemScores] = {}
    if any((folder.path / "scores").glob("*.jsonl")):
        scored = read_bench_scores([folder.path]).systems
    return [
        _result(
            system,
            read_answers(folder.answers(system)),
            builds.get(system.build),
            scored.get(system.name),
            outcome.failed.get(system.name),
        )
        for system in outcome.systems
    ]


def _result(
    system: System,
    answers: Sequence[AnswerRecord],
    build: BuildRecord | None,
    scores: SystemScores | None,
    failed: str | None,
) -> Result:
    whole = [answer for answer in answers if answer.error is None]
    seconds = median_query_seconds(whole)
    values = {
        measure: of_question
        for measure, of_question in (scores.scores if scores else {}).items()
        if of_question
    }
    return Result(
        system=system.name,
        questions=len({answer.id for answer in whole}),
        errors=len(answers) - len(whole),
        build=build,
        query_ms=None if seconds is None else round(1000 * seconds, 2),
        llm_calls=_mean(whole, "llm_calls"),
        prompt_tokens=_mean(whole, "prompt_tokens"),
        scores={measure: fmean(of_question.values()) for measure, of_question in values.items()},
        scored={measure: len(of_question) for measure, of_question in values.items()},
        failed=failed,
        error=next((answer.error for answer in answers if answer.error is not None), None),
    )


def _mean(answers: Sequence[AnswerRecord], name: str) -> float | None:
    return fmean(answer.usage.get(name, 0.0) for answer in answers) if answers else None

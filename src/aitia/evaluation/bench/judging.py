"""Scores by a judge model, each asked for once; the replies are in the benchmark's ledger."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aitia.analyst.llm.judge import LLMJudge
from aitia.analyst.llm.prompt import load_prompts
from aitia.clients.cached import CachedEmbedder
from aitia.clients.protocols import Embedder, Ledger
from aitia.errors import UsageError
from aitia.evaluation.aggregate import Rules, metric_applies
from aitia.evaluation.bench.builds import Report
from aitia.evaluation.bench.limits import Limits
from aitia.evaluation.bench.scoring import tells
from aitia.evaluation.datasets import Question
from aitia.evaluation.metrics.accuracy import accuracy
from aitia.evaluation.metrics.answer_correctness import answer_correctness, fact_f1, semantic_similarity
from aitia.evaluation.metrics.context_relevance import context_relevance
from aitia.evaluation.metrics.coverage import coverage
from aitia.evaluation.metrics.faithfulness import faithfulness
from aitia.evaluation.metrics.judged_answer import JudgedAnswer, Scores
from aitia.evaluation.metrics.judged_evidence_recall import judged_evidence_recall
from aitia.evaluation.records import AnswerRecord, ScoreRecord
from aitia.evaluation.systems import System
from aitia.workflows.analysts import ModelOptions, llm_settings, open_analyst

AT_ONCE = 100
"""Answers whose requests are sent together."""

Asked = Sequence[JudgedAnswer]


@dataclass(frozen=True)
class Judge:
    """A judge by the name of its model, the metrics wanted of it, and the embedder of likeness.

    ``rules``: the question types that a metric is of.
    """

    name: str
    llm: LLMJudge
    embedder: Embedder
    metrics: tuple[str, ...]
    report: Report
    rules: Rules = field(default_factory=dict)

    def score(
        self,
        system: System,
        answers: Sequence[AnswerRecord],
        questions: Mapping[str, Question],
        kept: Mapping[tuple[str, int], ScoreRecord],
    ) -> list[ScoreRecord]:
        """A record an answer, in their order; a score that ``kept`` has is taken from there.

        Raises:
            LimitReached, ModelError: as the model does; replies that came are in the ledger.

        """
        known = {key: dict(record.scores) for key, record in kept.items()}
        for name in self.metrics:
            missing = [
                each
                for each in answers
                if metric_applies(name, each.type, self.rules)
                and _applies(name, system, each, questions[each.id])
                and known.get((each.id, each.run), {}).get(name) is None
            ]
            for start in range(0, len(missing), AT_ONCE):
                part = missing[start : start + AT_ONCE]
                self.report(f"{system.name}: {name} by {self.name}", start, len(missing))
                judged = [_judged(each, questions[each.id]) for each in part]
                for each, value in zip(part, METRICS[name].score(self, judged).tolist(), strict=True):
                    scores = known.setdefault((each.id, each.run), {})
                    scores[name] = None if math.isnan(value) else value
        return [
            ScoreRecord(each.id, each.system, each.run, self.name, known[each.id, each.run])
            for each in answers
            if (each.id, each.run) in known
        ]


@dataclass(frozen=True, slots=True)
class _Metric:
    """How answers are scored, and what a score needs: something written, something retrieved, or evidence."""

    score: Callable[[Judge, Asked], Scores]
    of_answer: bool = False
    of_context: bool = False
    of_evidence: bool = False


def _correctness(judge: Judge, answers: Asked) -> Scores:
    f1 = fact_f1(answers, judge.llm, judge.llm)
    written = judge.embedder.embed([each.answer for each in answers])
    references = judge.embedder.embed([each.reference for each in answers])
    return answer_correctness(f1, semantic_similarity(written, references))


METRICS: Mapping[str, _Metric] = {
    "answer_correctness": _Metric(_correctness, of_answer=True),
    "coverage": _Metric(lambda judge, of: coverage(of, judge.llm, judge.llm), of_answer=True),
    "faithfulness": _Metric(
        lambda judge, of: faithfulness(of, judge.llm, judge.llm), of_answer=True, of_context=True
    ),
    "accuracy": _Metric(lambda judge, of: accuracy(of, judge.llm), of_answer=True),
    "context_relevance": _Metric(lambda judge, of: context_relevance(of, judge.llm), of_context=True),
    "judged_evidence_recall": _Metric(
        lambda judge, of: judged_evidence_recall(of, judge.llm), of_context=True, of_evidence=True
    ),
}


def check_metrics(names: Sequence[str] | None) -> tuple[str, ...]:
    """The judged metrics of these names, all without any.

    Raises:
        UsageError: a name that is none.

    """
    unknown = [name for name in names or () if name not in METRICS]
    if unknown:
        raise UsageError(f"judged metric {unknown[0]!r} is unknown; expected some of {', '.join(METRICS)}")
    return tuple(name for name in METRICS if not names or name in names)


@contextmanager
def open_judge(
    options: ModelOptions,
    wanted: tuple[tuple[str, ...], Rules],
    embedder: Embedder,
    ledger: Ledger,
    limits: Limits,
    report: Report,
) -> Iterator[Judge]:
    """The judge that the options name; what got no usable reply is asked for again by the next benchmark.

    ``wanted``: the metrics, and the question types that they are of.

    Raises:
        UsageError: the options name no model.

    """
    chosen: ModelOptions = {**limits.within(options), "analyst": "llm"}
    settings = llm_settings(chosen)
    prompts = load_prompts(Path(options["prompts"]) if options.get("prompts") else None)
    opened = open_analyst(chosen, ledger)
    assert opened.llm is not None  # a model with a ledger has one
    judge = LLMJudge(opened.llm, settings, prompts)
    try:
        yield Judge(settings.model, judge, CachedEmbedder(embedder, ledger), wanted[0], report, wanted[1])
    finally:
        ledger.retire([key for part in judge.unread for key in part.keys])
        opened.close()


def _applies(name: str, system: System, answer: AnswerRecord, question: Question) -> bool:
    metric = METRICS[name]
    told = system.context == "evidence" and tells(system, answer)
    return (
        question.answerable
        and (not metric.of_answer or (answer.reply is not None and bool(answer.gold.strip())))
        and (not metric.of_context or told)
        and (not metric.of_evidence or bool(question.evidence))
    )


def _judged(answer: AnswerRecord, question: Question) -> JudgedAnswer:
    return JudgedAnswer(answer.question, answer.reply or "", answer.gold, answer.contexts, question.evidence)

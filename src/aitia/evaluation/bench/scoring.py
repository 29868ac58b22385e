"""Scores that ask no model: of what was retrieved, and of the words of an answer.

A metric that does not apply to a question (documents where none is named, words where nothing was written)
is left out of its record; one that applies and could not be had is None. A question without an answer in the
corpus has ``abstained_right`` alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from aitia.evaluation import evidence_recall
from aitia.evaluation.aggregate import metric_applies, rules_of
from aitia.evaluation.datasets import Question, read_corpus_text
from aitia.evaluation.evidence_recall import PreparedEvidence
from aitia.evaluation.metrics.average_precision import average_precision, multihop_average_precision
from aitia.evaluation.metrics.found_at_k import all_at_k, hits_at_k, recall_at_k
from aitia.evaluation.metrics.judged_answer import Scores
from aitia.evaluation.metrics.match import contains_match, exact_match
from aitia.evaluation.metrics.ndcg import ndcg
from aitia.evaluation.metrics.ranked_hits import RankedHits, find_documents, find_facts
from aitia.evaluation.metrics.reciprocal_rank import reciprocal_rank
from aitia.evaluation.metrics.rouge_l import rouge_l
from aitia.evaluation.records import AnswerRecord, ScoreRecord
from aitia.evaluation.systems import PUBLISHED, System

K = 10
"""Of the measures of a ranking."""

RankingMetrics = Mapping[str, tuple[Callable[[RankedHits], Scores], int | None]]
"""By name: the metric, and of how many ranks; None: all."""

DOCUMENT_METRICS: RankingMetrics = {
    "documents_recall": (recall_at_k, None),
    "hits@5": (hits_at_k, 5),
    "hits@10": (hits_at_k, 10),
    "all@5": (all_at_k, 5),
    "all@10": (all_at_k, 10),
    f"map@{K}": (average_precision, K),
    f"mrr@{K}": (reciprocal_rank, K),
    f"ndcg@{K}": (ndcg, K),
}
FACT_METRICS: RankingMetrics = {
    "facts_recall@10": (recall_at_k, 10),
    "facts_hits@4": (hits_at_k, 4),
    "facts_hits@10": (hits_at_k, 10),
    "facts_map@10": (multihop_average_precision, 10),
    "facts_mrr@10": (reciprocal_rank, 10),
}
"""Of MultiHop-RAG, whose evidence is sentences that a context holds whole or not at all."""
BY_FACTS = "multihop-rag"
ANSWER_METRICS: Mapping[str, Callable[[Sequence[str], Sequence[str]], Scores]] = {
    "rouge_l": rouge_l,
    "exact_match": exact_match,
    "contains_match": contains_match,
}
EVIDENCE_METRICS = ("evidence_recall", "evidence_hit")

Row = dict[str, float | None]


class Scorer:
    """Scores answers to a dataset's questions; the corpus is read when evidence is first looked for."""

    def __init__(
        self, questions: Sequence[Question], corpus: Path, budget_words: int, dataset: str = ""
    ) -> None:
        self._questions = {question.id: question for question in questions}
        self._corpus = corpus
        self._budget_words = budget_words
        self._by_facts = dataset == BY_FACTS
        self._rules = rules_of(dataset)

    def score(self, system: System, answers: Sequence[AnswerRecord]) -> list[ScoreRecord]:
        """A record an answer, in their order; none of them may have an error."""
        rows: dict[tuple[str, int], Row] = defaultdict(dict)
        if system.context == "evidence":
            shown = [answer for answer in answers if tells(system, answer)]
            self._add_evidence(rows, system, shown)
            self._add_documents(rows, system, shown)
            if self._by_facts:
                self._add_facts(rows, system, shown)
            self._add_unknown(rows, system, answers)
        self._add_words(rows, [answer for answer in answers if answer.reply is not None])
        return [ScoreRecord(each.id, each.system, each.run, "", rows[each.id, each.run]) for each in answers]

    @cached_property
    def _prepared(self) -> PreparedEvidence:
        questions = [question for question in self._questions.values() if question.evidence]
        return evidence_recall.prepare(questions, read_corpus_text(self._corpus))

    def _add_evidence(
        self, rows: dict[tuple[str, int], Row], system: System, answers: Sequence[AnswerRecord]
    ) -> None:
        with_evidence = [answer for answer in answers if self._questions[answer.id].evidence]
        for run in sorted({answer.run for answer in with_evidence}):
            contexts = {each.id: found_by(system, each) for each in with_evidence if each.run == run}
            questions = [self._questions[id] for id in contexts]
            budget = system.budget_words or self._budget_words
            found = evidence_recall.score(self._prepared, contexts, budget, questions)
            for id, recall, hit in zip(found.ids, found.recall.tolist(), found.hit.tolist(), strict=True):
                rows[id, run] |= {"evidence_recall": recall, "evidence_hit": hit}

    def _add_documents(
        self, rows: dict[tuple[str, int], Row], system: System, answers: Sequence[AnswerRecord]
    ) -> None:
        asked = [
            answer
            for answer in answers
            if self._questions[answer.id].evidence_documents and (answer.documents or not system.is_peer)
        ]
        ranked = [answer.documents if found_by(system, answer) else () for answer in asked]
        wanted = [self._questions[answer.id].evidence_documents for answer in asked]
        _add_ranking(rows, asked, DOCUMENT_METRICS, lambda k: find_documents(ranked, wanted, k))

    def _add_facts(
        self, rows: dict[tuple[str, int], Row], system: System, answers: Sequence[AnswerRecord]
    ) -> None:
        asked = [answer for answer in answers if self._questions[answer.id].evidence]
        contexts = [found_by(system, answer) for answer in asked]
        facts = [self._questions[answer.id].evidence for answer in asked]
        _add_ranking(rows, asked, FACT_METRICS, lambda k: find_facts(contexts, facts, k))

    def _add_unknown(
        self, rows: dict[tuple[str, int], Row], system: System, answers: Sequence[AnswerRecord]
    ) -> None:
        """None for what a peer did not tell: no passages, or no names of documents."""
        for answer in answers:
            question = self._questions[answer.id]
            names = (
                *(EVIDENCE_METRICS if question.evidence and not tells(system, answer) else ()),
                *(DOCUMENT_METRICS if question.evidence_documents else ()),
                *(FACT_METRICS if self._by_facts and question.evidence and not tells(system, answer) else ()),
            )
            for name in names if system.is_peer else ():
                rows[answer.id, answer.run].setdefault(name, None)

    def _add_words(self, rows: dict[tuple[str, int], Row], answers: Sequence[AnswerRecord]) -> None:
        for answer in answers:
            if not self._questions[answer.id].answerable:
                rows[answer.id, answer.run] = {"abstained_right": float(answer.abstained)}
        asked = [each for each in answers if self._questions[each.id].answerable and each.gold.strip()]
        for name, metric in ANSWER_METRICS.items():
            of = [each for each in asked if metric_applies(name, each.type, self._rules)]
            _add(rows, of, name, metric([each.reply or "" for each in of], [each.gold for each in of]))


def tells(system: System, answer: AnswerRecord) -> bool:
    """Whether an answer says what was retrieved: a peer may not, and then it says nothing."""
    return bool(answer.contexts) or not system.is_peer


def found_by(system: System, answer: AnswerRecord) -> tuple[str, ...]:
    """What the system itself retrieved: a graph that matched nothing found nothing, whatever stood in for it."""
    fell_back = system.retrieval == PUBLISHED and not answer.graph_matched
    return () if fell_back else answer.contexts


def _add_ranking(
    rows: dict[tuple[str, int], Row],
    answers: Sequence[AnswerRecord],
    metrics: RankingMetrics,
    find: Callable[[int | None], RankedHits],
) -> None:
    for k in dict.fromkeys(k for _, k in metrics.values()):
        hits = find(k)
        for name, (metric, of) in metrics.items():
            if of == k:
                _add(rows, answers, name, metric(hits))


def _add(
    rows: dict[tuple[str, int], Row], answers: Sequence[AnswerRecord], name: str, values: Scores
) -> None:
    for answer, value in zip(answers, values.tolist(), strict=True):
        rows[answer.id, answer.run][name] = None if math.isnan(value) else value

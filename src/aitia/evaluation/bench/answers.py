"""Asking the questions of a benchmark: a record each, on the disk before the next is asked for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from aitia.analyst.protocols import AnswerWriter
from aitia.answering.answer import Answer
from aitia.errors import AitiaError, LimitReached
from aitia.evaluation.bench.builds import said
from aitia.evaluation.bench.metering import Meter, MeteredEmbedder
from aitia.evaluation.datasets import Question
from aitia.evaluation.metrics.abstention import abstains
from aitia.evaluation.peers.peer import Peer
from aitia.evaluation.records import AnswerRecord
from aitia.evaluation.systems import System
from aitia.retrieval.result import Retrieval
from aitia.workflows.asking import CONTEXT_TOKENS, Asking, ask
from aitia.workflows.index import Index, QueryOptions

_MARKS = re.compile(r" (?:\[(\d+)\])+(?= |$)")


class Respondent(Protocol):
    """Who answers the questions of one run of a system."""

    @property
    def jobs(self) -> int:
        """How many questions it may be asked at once."""
        ...

    def respond(self, blank: AnswerRecord) -> AnswerRecord:
        """The record of a question with its answer.

        Raises:
            AitiaError: it has none.

        """
        ...


@dataclass(frozen=True)
class Writing:
    """Who writes: makes a writer for a question, that has room for ``tokens``; ``jobs`` of them at once."""

    open: Callable[[], AnswerWriter]
    tokens: int = CONTEXT_TOKENS
    jobs: int = 1


class IndexRespondent:
    """Answers from an index; without ``writing`` it retrieves only."""

    def __init__(
        self, index: Index, system: System, budget_words: int, writing: Writing | None, meter: Meter
    ) -> None:
        index.__dict__["embedder"] = MeteredEmbedder(index.embedder, meter)
        self._index = index
        self._system = system
        self._writing = writing
        self._meter = meter
        self._options: QueryOptions = {
            "retrieval": system.retrieval,
            "budget_words": system.budget_words or budget_words,
            "settings": dict(system.settings),
        }

    @property
    def jobs(self) -> int:
        """As many as its writer takes."""
        return self._writing.jobs if self._writing else 1

    def warm_up(self, question: str) -> None:
        """Load what the first question would wait for."""
        with suppress(AitiaError):
            self._index.retrieve_all([question], **self._options)

    def respond(self, blank: AnswerRecord) -> AnswerRecord:
        """Evidence, and what is written from it."""
        self._meter.reset()
        began = time.perf_counter()
        if self._writing is None:
            found = self._index.retrieve_all([blank.question], **self._options)[0]
            return replace(self._with_evidence(blank, found), usage=self._meter.usage())
        how = Asking(self._system.context, None, self._writing.tokens)
        answer = ask(self._index, blank.question, self._writing.open(), self._options, how)
        record = self._with_evidence(blank, answer.retrieval)
        written = max(0.0, time.perf_counter() - began - sum(record.seconds.values()))
        return replace(
            record,
            reply=without_marks(answer),
            abstained=not answer.sufficient,
            usage=self._meter.usage(),
            seconds={**record.seconds, "answer": round(written, 6)},
        )

    def _with_evidence(self, blank: AnswerRecord, retrieval: Retrieval) -> AnswerRecord:
        """Its contexts, unless the writer is given something else."""
        evidence = retrieval.evidence if self._system.context == "evidence" else ()
        return replace(
            blank,
            contexts=tuple(each.text for each in evidence),
            documents=tuple(each.document for each in evidence),
            graph_matched=retrieval.graph_matched,
            seconds={name: round(value, 6) for name, value in retrieval.seconds.items()},
        )


class PeerRespondent:
    """Answers by a peer that is open, one question after the other."""

    jobs = 1

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def respond(self, blank: AnswerRecord) -> AnswerRecord:
        """What the peer answered; its failure is the record's error. Few tell that they abstain: their words do."""
        answer = self._peer.ask(blank.question)
        abstained = answer.abstained or (answer.reply is not None and abstains(answer.reply))
        return replace(blank, **{**asdict(answer), "abstained": abstained})


def without_marks(answer: Answer) -> str:
    """The answer as prose: no reference has citation marks to be like."""
    numbers = {str(each.number) for each in answer.citations}
    return _MARKS.sub(lambda match: "" if match[1] in numbers else match[0], answer.text)


def blank_record(question: Question, system: System, run: int) -> AnswerRecord:
    """The record of a question that nobody has answered yet."""
    return AnswerRecord(
        id=question.id,
        system=system.name,
        run=run,
        type=question.type,
        question=question.text,
        gold=question.answer,
        passages=len(question.evidence) or len(question.evidence_documents),
    )


def answered(blanks: Sequence[AnswerRecord], respondent: Respondent) -> Iterator[AnswerRecord]:
    """The records as they come. What one question fails of is the error of its record.

    Raises:
        LimitReached: a limit ends all; no question that had not begun is asked.

    """
    if respondent.jobs == 1:
        yield from (_respond(respondent, blank) for blank in blanks)
        return
    pool = ThreadPoolExecutor(respondent.jobs)
    try:
        futures = [pool.submit(_respond, respondent, blank) for blank in blanks]
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _respond(respondent: Respondent, blank: AnswerRecord) -> AnswerRecord:
    try:
        return respondent.respond(blank)
    except LimitReached:
        raise
    except Exception as error:
        return replace(blank, error=said(error))

"""Answers: what the writer drafted, checked against the evidence that it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aitia.analyst.protocols import AnswerDraft, NumberedEvidence
from aitia.retrieval.result import Evidence, Retrieval

NO_EVIDENCE = "No evidence in the corpus."
INSUFFICIENT = "The evidence found does not answer the question."


@dataclass(frozen=True, slots=True)
class Citation:
    """An evidence number of an answer, the place it stands for, and the first sentence that cites it."""

    number: int
    evidence: Evidence | NumberedEvidence
    sentence: str = ""

    @property
    def place(self) -> str:
        """How a person finds the place."""
        return self.evidence.citation


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose every sentence cites evidence by number, as ``text [1][3]``.

    ``sufficient`` is false when there was no evidence, or the writer found that it holds no answer.
    ``dropped`` lists citation numbers that stood for nothing; ``uncited`` counts sentences left bare.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    sufficient: bool
    retrieval: Retrieval
    dropped: tuple[int, ...] = ()
    uncited: int = 0


def number_evidence(evidence: Sequence[Evidence]) -> list[NumberedEvidence]:
    """Evidence numbered from 1, as an answer cites it."""
    return [NumberedEvidence(number, item.text, item.citation) for number, item in enumerate(evidence, 1)]


def without_evidence(question: str, retrieval: Retrieval) -> Answer:
    """The answer to a question that nothing in the corpus speaks of. No writer was asked."""
    return Answer(question, NO_EVIDENCE, (), False, retrieval)


def check_answer(
    question: str,
    draft: AnswerDraft,
    sources: Sequence[Evidence | NumberedEvidence],
    retrieval: Retrieval,
) -> Answer:
    """The draft with every citation checked; ``sources[n - 1]`` is what number n stands for."""
    known = range(1, len(sources) + 1)
    parts: list[str] = []
    used: dict[int, str] = {}
    dropped: list[int] = []
    uncited = 0
    for sentence in draft.sentences:
        valid = [number for number in dict.fromkeys(sentence.citations) if number in known]
        dropped += [number for number in sentence.citations if number not in known]
        uncited += not valid
        used = {**dict.fromkeys(valid, sentence.text), **used}
        marks = "".join(f"[{number}]" for number in valid)
        parts.append(f"{sentence.text} {marks}".rstrip())
    text = " ".join(parts) if parts else INSUFFICIENT
    citations = tuple(Citation(number, sources[number - 1], used[number]) for number in sorted(used))
    return Answer(
        question, text, citations, draft.sufficient and bool(parts), retrieval, tuple(dropped), uncited
    )

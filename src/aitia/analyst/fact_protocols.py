"""The seam of the judged metrics: facts taken out of texts, and facts judged against texts.

There is no rules implementation: without a judge model only model-free metrics are printed. Every method
takes many requests, so that the client asks them at once; None stands for a request without a usable reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FactRequest:
    """A text whose atomic facts are wanted; the question says what its pronouns stand for."""

    question: str
    text: str


@dataclass(frozen=True, slots=True)
class FactSets:
    """The facts of an answer and those of the reference."""

    question: str
    answer: tuple[str, ...]
    reference: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactCounts:
    """Facts of the answer that the reference supports (``tp``) or not (``fp``), and reference facts missed."""

    tp: int
    fp: int
    fn: int


@dataclass(frozen=True, slots=True)
class SupportRequest:
    """Facts to look for in a text: each is supported by it or is not."""

    question: str
    facts: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RelevanceRequest:
    """A question and the context that was retrieved for it; ``sample`` tells independent ratings apart."""

    question: str
    context: str
    sample: int = 0


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """An answer to be judged against the reference."""

    question: str
    answer: str
    reference: str


class FactExtractor(Protocol):
    """Takes the atomic facts out of texts."""

    def extract_facts(self, requests: Sequence[FactRequest]) -> list[tuple[str, ...] | None]:
        """The facts of each text, in its order."""
        ...


class FactJudge(Protocol):
    """Judges facts, contexts and answers."""

    def compare_facts(self, requests: Sequence[FactSets]) -> list[FactCounts | None]:
        """One call a request labels all facts of both sides."""
        ...

    def find_support(self, requests: Sequence[SupportRequest]) -> list[tuple[bool, ...] | None]:
        """For each request a verdict a fact."""
        ...

    def rate_relevance(self, requests: Sequence[RelevanceRequest]) -> list[int | None]:
        """0: nothing in the context helps, 1: it answers in part, 2: it answers."""
        ...

    def judge_answers(self, requests: Sequence[AnswerPair]) -> list[bool | None]:
        """Whether each answer is correct: it says what the reference says, and nothing against it."""
        ...

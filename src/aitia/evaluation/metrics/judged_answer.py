"""What the judged metrics judge: a question with its answer, the reference, and what was retrieved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.fact_protocols import FactRequest

Scores = NDArray[np.float64]
"""A score a question, in [0, 1]; NaN where there is none, because a judge failed or nothing is to be judged."""


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """``contexts`` in rank order, ``evidence`` the passages that a good retrieval finds; either may be empty."""

    question: str
    answer: str
    reference: str
    contexts: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def context(self) -> str:
        """All contexts, one a line, as the published runner joins them."""
        return "\n".join(self.contexts)


def facts_of(answer: JudgedAnswer, characters: int | None = None) -> FactRequest:
    """What asks for the facts of the answer, or of its first ``characters``."""
    return FactRequest(answer.question, answer.answer[:characters])


def facts_of_reference(answer: JudgedAnswer, characters: int | None = None) -> FactRequest:
    """What asks for the facts of the reference, or of its first ``characters``."""
    return FactRequest(answer.question, answer.reference[:characters])


def share(verdicts: Sequence[bool] | None) -> float:
    """The share that is true; NaN for a failure and where there is nothing to judge."""
    return math.nan if not verdicts else sum(verdicts) / len(verdicts)


def scores(values: Iterable[float]) -> Scores:
    """Scores as an array."""
    return np.fromiter(values, dtype=np.float64)

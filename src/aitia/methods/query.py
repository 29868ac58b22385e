"""What a method is asked, and what it answers: an order of units of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.graph_protocols import PathRefiner
from aitia.retrieval.dense import Vectors
from aitia.retrieval.fuse import Scores
from aitia.retrieval.rankings import TextScores
from aitia.retrieval.select import Units


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its unit vector, shape (dimensions,), and the method's settings by name.

    ``explain`` and ``chains`` say which of a result's `Ranked.trace` and `Ranked.chains` will be called for;
    ``refiner`` judges the chains, without one the rules do. ``allowed``, shape (chunks,), says on which passages
    they may rest; None for all.
    """

    question: str
    vector: Vectors
    settings: dict[str, Any] = field(default_factory=dict)
    explain: bool = False
    chains: bool = False
    refiner: PathRefiner | None = None
    allowed: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """Units best first, their scores by unit, the text's similarities, and the method's trace.

    ``graph_matched`` is false when a graph had no match and the order is the recorded fallback. ``chains``
    is the part of the trace that belongs to an answer even if nobody asks how it was found.
    """

    order: Iterable[int]
    units: Units
    scores: Scores
    text: TextScores
    graph_matched: bool
    trace: Callable[[], Mapping[str, Any]]
    chains: Callable[[], Mapping[str, Any]] = dict


class Retriever(Protocol):
    """A method's index, opened for questions."""

    def rank(self, query: Query, retrieval: str) -> Ranked:
        """Units in order for a question, by one of the method's retrievals.

        Raises:
            UsageError: a setting that is unknown or cannot be.

        """
        ...

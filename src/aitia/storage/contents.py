"""What an index holds, as one value: a build makes it, a store writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus, Document, Skipped
from aitia.graph.causal import CausalGraph
from aitia.graph.domain import DomainGraph
from aitia.spec.claims import Rejection, Verdict
from aitia.spec.model import Dimension

Array = NDArray[np.generic]


@dataclass(frozen=True)
class IndexContents:
    """Everything an index is made of. ``facts`` are plain JSON values by name (settings, counts, texts).

    ``records`` are rows of a method's own kinds (query nodes, entities, modules, gates), as JSON objects.
    ``machine`` is what the graph was before any decision, with what a replay needs.
    """

    facts: Mapping[str, Any]
    corpus: Corpus
    chunks: Sequence[Chunk]
    arrays: Mapping[str, Array]
    dimensions: Sequence[Dimension] = ()
    graph: CausalGraph | None = None
    rejected: Sequence[Rejection] = field(default=())
    verdicts: Sequence[Verdict] = field(default=())
    records: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    machine: DomainGraph | None = None


class Store(Protocol):
    """A readable index. Reads what is asked for, when it is asked for; never embeds, never scores."""

    def facts(self) -> dict[str, Any]:
        """The plain values by name."""
        ...

    def documents(self) -> list[Document]:
        """All documents, in path order."""
        ...

    def skipped(self) -> list[Skipped]:
        """What was found and not read."""
        ...

    def chunks(self, rows: Sequence[int] | None = None) -> list[Chunk]:
        """Chunks by row, in the order asked for; all of them without ``rows``."""
        ...

    def document_text(self, document_id: str) -> str:
        """The text of a document."""
        ...

    def document_names(self) -> dict[str, str]:
        """The name users know, by document id."""
        ...

    def array(self, name: str) -> Array:
        """One array, read-only."""
        ...

    def arrays(self) -> Mapping[str, Array]:
        """All arrays, each read whenever it is asked for."""
        ...

    def dimensions(self) -> list[Dimension]:
        """The dimensions of the specification."""
        ...

    def graph(self) -> CausalGraph | None:
        """The causal graph, if the method has one."""
        ...

    def machine(self) -> DomainGraph | None:
        """What the machine made of the corpus, before any decision; None if the method has no graph."""
        ...

    def rejected(self) -> list[Rejection]:
        """Claims that were not accepted."""
        ...

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The records of a kind, in their order; none if the method has no such kind."""
        ...

    def verdicts(self) -> list[Verdict]:
        """What the judge said of the pairs it was asked about, by source and target; none if it costs nothing."""
        ...

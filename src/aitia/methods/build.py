"""What every method's build is given and gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from aitia.analyst.graph_protocols import ExtractedEntities
from aitia.analyst.protocols import Analyst, Unread
from aitia.clients.protocols import Embedder, Vectors
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.graph.causal import CausalGraph
from aitia.retrieval.text_index import TextIndex
from aitia.spec.claims import Rejection, Verdict
from aitia.spec.decisions import Decided, Decision
from aitia.spec.model import Dimension, DomainSpec, OutcomeConfig, Quote
from aitia.storage.contents import Array


class BuildSettings(Protocol):
    """What the settings of every method's build have."""

    @property
    def seed(self) -> int:
        """The seed of every sample."""
        ...

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """The settings by name."""
        ...


@dataclass(frozen=True, slots=True)
class GivenModule:
    """A community of a graph that someone already has: the names of its entities, and what it is about.

    ``title`` and ``summary`` may be empty.
    """

    members: tuple[str, ...]
    title: str = ""
    summary: str = ""


@dataclass(frozen=True)
class GivenGraph:
    """An entity graph that is not read from the corpus: its names stay as they are, and its modules, if any."""

    found: ExtractedEntities
    modules: tuple[GivenModule, ...] = ()


@dataclass(frozen=True)
class BuildRequest:
    """A corpus in chunks with its text index, and who judges and embeds.

    ``questions``: unit vectors of sentences that stand in for questions when thresholds are set. ``given``:
    the graph of an import, which hug takes for what it would find. ``decisions``: what people decided, which
    hug replays as it builds; over a causal graph they are replayed afterwards. ``read_under``: the path that a
    document (by id) was first read under, where it is another now.
    """

    corpus: Corpus
    chunks: Sequence[Chunk]
    text: TextIndex
    analyst: Analyst
    embedder: Embedder
    questions: Vectors
    outcomes: OutcomeConfig | None = None
    report: Callable[[str], None] = lambda step: None
    given: GivenGraph | None = None
    decisions: Sequence[Decision] = ()
    read_under: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """What a method adds to the text index: arrays, facts, and for HCG-RAG the graph and its sources.

    ``unread`` are the parts of the corpus that got no usable reply; ``verdicts`` what a judge that costs
    money said, for an update to keep; ``quotes`` those of each variable, by key; ``decided`` what became of the
    decisions of a method that replays them itself.
    """

    arrays: Mapping[str, Array] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    dimensions: Sequence[Dimension] = ()
    graph: CausalGraph | None = None
    spec: DomainSpec | None = None
    outcomes: OutcomeConfig | None = None
    rejected: Sequence[Rejection] = ()
    records: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    unread: Sequence[Unread] = ()
    verdicts: Sequence[Verdict] = ()
    quotes: Mapping[str, tuple[Quote, ...]] = field(default_factory=dict)
    decided: Sequence[Decided] = ()

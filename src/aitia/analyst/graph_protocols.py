"""The seam of QCG-RAG and HugRAG: questions, entities, modules, gates and paths, as small protocols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from aitia.corpus.chunk import Chunk
from aitia.spec.model import Quote


@dataclass(frozen=True, slots=True)
class QuestionClaim:
    """A question that a chunk answers, and the answer in the chunk's words (Doc2Query)."""

    chunk_id: str
    question: str
    answer: str


class QuestionWriter(Protocol):
    """Writes the questions that chunks answer."""

    def write_questions(self, chunks: Sequence[Chunk], count: int) -> list[QuestionClaim]:
        """At most ``count`` distinct questions a chunk, in the order of the chunks."""
        ...


@dataclass(frozen=True, slots=True)
class EntityMention:
    """An entity as a chunk names it."""

    chunk_id: str
    name: str
    kind: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class LinkClaim:
    """A stated relation between two entities of a chunk, named as the chunk names them.

    ``relation`` is a verb or a few words; ``causal`` says that the source brings the target about, and
    ``negated`` that the text denies it: such a link is kept and never followed.
    """

    source: str
    target: str
    relation: str
    quote: Quote
    causal: bool = False
    confidence: float = 1.0
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ExtractedEntities:
    """What extraction found, in the order of the chunks."""

    mentions: tuple[EntityMention, ...] = ()
    links: tuple[LinkClaim, ...] = ()


class EntityExtractor(Protocol):
    """Finds entities and the relations stated between them."""

    def extract_entities(self, chunks: Sequence[Chunk]) -> ExtractedEntities:
        """Mentions and links of each chunk, names not yet merged."""
        ...


@dataclass(frozen=True, slots=True)
class ModuleRequest:
    """A module to summarise: its entities and links in words, most important first."""

    key: str
    entities: tuple[str, ...]
    links: tuple[str, ...]
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleSummary:
    """A title and two to four sentences about a module."""

    key: str
    title: str
    summary: str


class ModuleSummarizer(Protocol):
    """Summarises modules of an entity graph."""

    def summarize_modules(self, requests: Sequence[ModuleRequest]) -> list[ModuleSummary]:
        """A summary for each module that could be summarised, in the order of the requests."""
        ...


@dataclass(frozen=True, slots=True)
class GateRequest:
    """Two modules, and the quotes that speak of members of both.

    ``told``: of a graph that someone else made, the quotes of its causes from the first to the second, and of
    those back. Their direction is known and need not be read.
    """

    first: ModuleSummary
    second: ModuleSummary
    first_members: tuple[str, ...]
    second_members: tuple[str, ...]
    quotes: tuple[Quote, ...] = ()
    told: tuple[tuple[Quote, ...], tuple[Quote, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class GateClaim:
    """How sure it is that a mechanism leads from the first module to the second, and back."""

    first: str
    second: str
    forward: float
    backward: float
    reason: str


class CausalGateJudge(Protocol):
    """Judges whether one module brings about what another describes, both directions at once."""

    def judge_gates(self, requests: Sequence[GateRequest]) -> list[GateClaim]:
        """A claim for each pair that could be judged, in the order of the requests."""
        ...


@dataclass(frozen=True, slots=True)
class PathRequest:
    """A way through the graph: names of nodes, edge types and relation words between them, and its passages.

    ``confidences`` are how sure each edge is, in [0, 1]; without them nothing is known against any.
    """

    number: int
    nodes: tuple[str, ...]
    edge_types: tuple[str, ...]
    relations: tuple[str, ...]
    passages: tuple[str, ...] = ()
    confidences: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PathVerdict:
    """Whether a path explains the question or only looks as if."""

    number: int
    verdict: Literal["causal", "spurious"]
    reason: str
    confidence: float


@runtime_checkable
class PathRefiner(Protocol):
    """Separates causal from spurious paths for a question."""

    def refine_paths(self, question: str, paths: Sequence[PathRequest]) -> list[PathVerdict]:
        """A verdict for each path, in their order."""
        ...

"""What responses look like, for the OpenAPI document. Values are sent as they are; these models only describe them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class Problem(BaseModel):
    """Every error: one line that says what happened, what was expected, and what to do."""

    error: str


class Rows(BaseModel):
    """A part of a list: ``total`` rows in all, these from ``offset`` on."""

    total: int
    offset: int
    rows: list[dict[str, Any]]


class Found(BaseModel):
    """Evidence in rank order: lists of equal length, and how it was found if that was asked for."""

    question: str
    contexts: list[str]
    chunks: list[str]
    documents: list[str]
    scores: list[float]
    matched: bool
    graph_matched: bool
    seconds: dict[str, float]
    citations: list[str]
    chunk_ids: list[list[str]]
    spans: list[tuple[int, int]]
    trace: dict[str, Any] | None = None


class Cited(BaseModel):
    """What a number of an answer stands for; a node or a whole document has no chunk."""

    number: int
    place: str
    text: str
    document: str | None = None
    chunk: str | None = None
    span: tuple[int, int] | None = None


class Answered(BaseModel):
    """An answer with its citations ``[1]``, and the evidence it was written from."""

    question: str
    answer: str
    sufficient: bool
    citations: list[Cited]
    dropped: list[int]
    uncited: int
    retrieval: Found


class Placed(BaseModel):
    """A passage in the order of a question: ``rank`` of its best part among the ``of`` passages that the order has.

    ``last_rank`` is that of the last chosen one; ranks by ``cosine`` and ``bm25`` are among all passages;
    ``graph`` is what the method's walk says of it.
    """

    chunk: str
    chosen: bool
    rank: int | None
    of: int
    last_rank: int
    cosine: float
    cosine_rank: int
    bm25: float
    bm25_rank: int
    graph: dict[str, Any] | None
    retrieval: str
    budget_words: int


class MetricGraph(BaseModel):
    """The graph from afar: metrics, and for each ordered pair of them what is between their variables."""

    metrics: list[dict[str, Any]]
    links: list[dict[str, Any]]


class EvidencePiece(BaseModel):
    """A span of a document that an edge rests on, and how it was found; without a quote, the chunk was."""

    found_by: str
    quote: str
    place: str
    document: str
    chunk: str
    start: int
    end: int


class EdgeWhole(BaseModel):
    """An edge with its evidence, in the order it was found."""

    source: str
    target: str
    polarity: str
    confidence: float
    mechanism: str
    evidence: list[EvidencePiece]


class Passage(BaseModel):
    """A stored chunk: a verbatim span of its document, what stands around it, and the edges that rest on it."""

    chunk: str
    document: str
    path: str
    place: str
    start: int
    end: int
    page: int | None
    headings: list[str]
    text: str
    before: str
    after: str
    previous: str | None
    next: str | None
    edges: list[dict[str, Any]]

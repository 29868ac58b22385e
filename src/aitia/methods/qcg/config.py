"""Settings of QCG-RAG, with the published defaults where there are any (`papers.md` 2.2; design 2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from aitia.methods.settings import Seed, Weight, check_names, read_settings
from aitia.spec.model import Frozen

NodeForm = Literal["query+answer", "query", "answer", "sentence"]
Score = Literal["mean", "sum", "max", "topm"]


class BuildSettings(Frozen):
    """How the graph is built: M questions a chunk, the share alpha of them kept, k neighbours a node.

    ``node`` is what of a pair is embedded; ``sentence`` asks nobody and takes the sentences of the chunk.
    ``symmetric`` lets an edge be walked both ways, ``cross_chunk_only`` leaves out those inside a chunk.
    """

    questions: int = Field(default=20, ge=1, le=100)
    keep: float = Field(default=0.8, gt=0, le=1)
    scope: Literal["chunk", "global"] = "chunk"
    node: NodeForm = "query+answer"
    neighbours: int = Field(default=3, ge=1, le=100)
    symmetric: bool = False
    cross_chunk_only: bool = False
    seed: Seed = 0


class QuerySettings(Frozen):
    """How a question is answered: nodes of cosine >= gamma - 1, at most n of them, h hops, a score for each chunk.

    ``chunks`` (K): where fewer are found the nearest by cosine follow, and no more are given; without it the
    budget of words decides. ``score`` is published as ``mean``, which a further node can only lower; ``max`` does
    better (docs/benchmarks.md). ``node_weight`` and ``graph_weight`` are of the retrieval ``fused`` only.
    """

    gamma: float = Field(default=1.0, ge=0, le=2)
    nodes: int = Field(default=15, ge=1)
    hops: int = Field(default=1, ge=0, le=10)
    score: Score = "max"
    top_m: int = Field(default=2, ge=1)
    chunks: int | None = Field(default=None, ge=1)
    node_weight: Weight = 2.0
    graph_weight: Weight = 1.0

    @property
    def min_cosine(self) -> float:
        """The threshold on the cosine; the paper adds 1 to it, so that gamma lies in [0, 2]."""
        return self.gamma - 1


def query_settings(values: Mapping[str, Any]) -> QuerySettings:
    """Settings from plain values.

    Raises:
        UsageError: a name that is no setting of qcg queries, or a value out of range.

    """
    check_names(values, "setting {} of qcg", QuerySettings)
    return read_settings(values, QuerySettings)

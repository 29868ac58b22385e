"""Settings of HCG-RAG, with the published defaults (`papers.md` 1.1; design 2.2 to 2.4)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aitia.methods.settings import Seed, Weight
from aitia.spec.model import Frozen

Order = Literal["cones", "nearest"]


class BuildSettings(Frozen):
    """How the graph is built.

    ``max_pairs`` is for an analyst that costs money: at most so many pairs of variables are asked about, those
    that a quote states already are not, and the verdicts are kept for an update.
    """

    tier: str = "S"
    max_variables: int | None = Field(default=None, ge=1)
    exhaustive: bool = False
    link_all: bool = False
    pairs_per_call: int = Field(default=40, ge=1)
    max_pairs: int | None = Field(default=None, ge=0)
    similar_metrics: int = Field(default=20, ge=0)
    summary_quotes: int = Field(default=5, ge=1)
    prefix_characters: int = Field(default=200, ge=20)
    semantic_chunks: int = Field(default=2, ge=0)
    mention_chunks: int = Field(default=50, ge=0)
    seed: Seed = 0


class QuerySettings(Frozen):
    """How a question is answered from the graph. ``tau_min`` is the index's own unless it is given."""

    tau_min: float | None = Field(default=None, ge=-1, le=1)
    metrics: int = Field(default=5, ge=1)
    beta: float = Field(default=0.20, ge=0, le=1)
    per_metric: int = Field(default=3, ge=1)
    max_hops: int = Field(default=4, ge=0)
    max_cones: int = Field(default=6, ge=1)
    graph_weight: Weight = 0.1


class Ablation(Frozen):
    """Switches that leave a part of the published retrieval out, or replace it."""

    cones: bool = True
    edges: Literal["induced", "traversed"] = "induced"
    band: Literal["min", "max"] = "min"
    stop_at_outcomes: bool = False
    order: Order = "cones"

"""Settings of HugRAG (`papers.md` 3; design 2.6) and the two published sets of weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from aitia.methods.settings import Seed, Weight, check_names, read_settings
from aitia.spec.model import Frozen

Preset = Literal["paper", "skill"]

WEIGHTS: dict[Preset, tuple[float, float, float]] = {"paper": (0.8, 1.0, 1.2), "skill": (1.0, 1.2, 1.5)}
"""Of structural, hierarchical and causal edges."""

GAMMAS: dict[Preset, float] = {"paper": 0.7, "skill": 0.85}

SAFE_GAMMA = (0.7, 0.95)
SAFE_LEVELS = 4
SAFE_DOCUMENTS = 50_000


class BuildSettings(Frozen):
    """How the graph is built.

    ``levels`` counts the entities' own; by default 3 under 10,000 documents, else 4. An entity that fewer than
    ``min_chunks`` chunks name is kept only if it is an end of a stated cause. Gates: two modules are asked
    about if their summaries' cosine exceeds ``gate_cosine`` and most of their members are more than
    ``gate_hops`` hops apart, at most ``max_gates`` a module; ``tau`` is the least confidence of a gate.
    """

    levels: int | None = Field(default=None, ge=2)
    merge_cosine: float = Field(default=0.85, ge=0, le=1)
    min_chunks: int = Field(default=2, ge=1)
    gates: bool = True
    tau: float = Field(default=0.7, ge=0, le=1)
    gate_cosine: float = Field(default=0.3, ge=-1, le=1)
    gate_hops: Literal[0, 1, 2] = 2
    max_gates: int = Field(default=10, ge=0)
    seed: Seed = 0


class QuerySettings(Frozen):
    """How a question is answered. What is not given is the preset's."""

    preset: Preset = "skill"
    structural: Weight | None = None
    hierarchical: Weight | None = None
    causal: Weight | None = None
    gamma: float | None = Field(default=None, gt=0, le=1)
    dense_share: float = Field(default=0.7, ge=0, le=1)
    seeds: int = Field(default=3, ge=1)
    nodes: int = Field(default=200, ge=1)
    tokens: int = Field(default=6_000, ge=1)
    floor: float = Field(default=0.0, ge=0)
    paths: int = Field(default=10, ge=0)
    graph_weight: Weight = 0.1

    @property
    def weights(self) -> tuple[float, float, float]:
        """Of structural, hierarchical and causal edges."""
        given = self.structural, self.hierarchical, self.causal
        preset = WEIGHTS[self.preset]
        first, second, third = (
            known if own is None else own for own, known in zip(given, preset, strict=True)
        )
        return first, second, third

    @property
    def fall(self) -> float:
        """What a hop leaves of the gain."""
        return GAMMAS[self.preset] if self.gamma is None else self.gamma


class Ablation(Frozen):
    """Switches that leave a part of the method out. Gates are reached over the hierarchy only."""

    gates: bool = True
    hierarchy: bool = True
    filter: bool = True


def build_warnings(settings: BuildSettings, documents: int) -> list[str]:
    """What is unusual about a build."""
    warnings = []
    if settings.levels is not None and settings.levels > SAFE_LEVELS:
        warnings.append(f"{settings.levels} levels; modules of more than {SAFE_LEVELS} levels say little")
    if documents > SAFE_DOCUMENTS:
        warnings.append(
            f"{documents:,} documents; above {SAFE_DOCUMENTS:,} the modules grow too coarse, split the corpus"
        )
    return warnings


def query_warnings(settings: QuerySettings) -> list[str]:
    """What is unusual about a question's settings."""
    low, high = SAFE_GAMMA
    if low <= settings.fall <= high:
        return []
    return [
        f"gamma {settings.fall:g} is outside {low:g} to {high:g}: the search stays too near or drifts away"
    ]


def query_settings(values: Mapping[str, Any]) -> tuple[QuerySettings, Ablation]:
    """Settings and ablation switches from plain values.

    Raises:
        UsageError: a name that is no setting of hug questions, or a value out of range.

    """
    check_names(values, "setting {} of hug", QuerySettings, Ablation)
    return read_settings(values, QuerySettings), read_settings(values, Ablation)

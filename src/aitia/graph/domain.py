"""A domain as one value: its dimensions, its graph, and what the graph was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aitia.graph.causal import CausalGraph
from aitia.spec.model import Dimension, DomainSpec, Quote, Relation


@dataclass(frozen=True)
class DomainGraph:
    """The graph of a domain with its dimensions, seed relations, and the quotes of each variable by key.

    As the machine made it, or as it is in force, with all decisions replayed: both are of this form.
    """

    dimensions: tuple[Dimension, ...]
    graph: CausalGraph
    relations: tuple[Relation, ...] = ()
    quotes: Mapping[str, tuple[Quote, ...]] = field(default_factory=dict)

    @property
    def spec(self) -> DomainSpec:
        """The specification of the graph, in the order it has here."""
        return DomainSpec(
            dimensions=self.dimensions,
            metrics=self.graph.metrics,
            variables=self.graph.variables,
            relations=self.relations,
        )

"""What decisions change in the graph that is in force, counted before they are applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aitia.graph.domain import DomainGraph
from aitia.spec.decisions import Decision, edge_key
from aitia.storage.contents import Store
from aitia.workflows.decided import replay_stored


@dataclass(frozen=True, slots=True)
class Effect:
    """Counts by table (entities, metrics, variables, edges): what goes, comes, and is otherwise than before.

    ``judged``: metrics whose templates and edges are judged again. ``known``: false where the index has no
    causal graph to compare, and is built again by `apply`.
    """

    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    judged: tuple[str, ...] = ()
    known: bool = True

    @property
    def line(self) -> str:
        """In words, on one line."""
        if not self.known:
            return "the graph, built again from the replies that are kept"
        parts = [
            f"{table} {', '.join(f'{number:,} {word}' for word, number in counts.items())}"
            for table, counts in self.counts.items()
        ]
        if self.judged:
            parts.append(f"judged again: {', '.join(self.judged)}")
        return "; ".join(parts) or "nothing of the graph, but it is settled"


def effect_of(store: Store, before: Sequence[Decision], after: Sequence[Decision]) -> Effect:
    """The difference between decisions and those with some more, over the same machine's graph."""
    old, new = replay_stored(store, before), replay_stored(store, after)
    if old is None or new is None:
        return Effect(known=False)
    tables = _tables(old.domain), _tables(new.domain)
    counts = {name: found for name in tables[0] if (found := _difference(tables[0][name], tables[1][name]))}
    if all(each.action == "rename" for each in after[len(before) :]):
        counts = {name: _renamed(found) for name, found in counts.items()}
    edited = {name for name, metric in new.edited.items() if old.edited.get(name) != metric}
    judged = {
        one.name for one in new.state.measures if one.alive and one.into is None and one.edited & edited
    }
    return Effect(counts, tuple(sorted(judged)))


def _tables(domain: DomainGraph) -> dict[str, dict[str, Any]]:
    keys = [variable.key for variable in domain.graph.variables]
    return {
        "dimensions": {each.name: each.description for each in domain.dimensions},
        "entities": {f"{each.name}/{entity}": None for each in domain.dimensions for entity in each.entities},
        "metrics": {metric.name: metric for metric in domain.graph.metrics},
        "variables": dict.fromkeys(keys),
        "edges": {
            edge_key(keys[edge.source], keys[edge.target]): (
                edge.mechanism,
                edge.polarity,
                edge.confidence,
                edge.evidence,
            )
            for edge in domain.graph.edges
        },
    }


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, int]:
    both = old.keys() & new.keys()
    counts = {
        "gone": len(old) - len(both),
        "new": len(new) - len(both),
        "changed": sum(old[name] != new[name] for name in both),
    }
    return {word: number for word, number in counts.items() if number}


def _renamed(counts: dict[str, int]) -> dict[str, int]:
    """What goes by one name and comes by another is the same."""
    same = min(counts.get("gone", 0), counts.get("new", 0))
    left = {word: number - same * (word != "changed") for word, number in counts.items()}
    return {word: number for word, number in {"renamed": same, **left}.items() if number}

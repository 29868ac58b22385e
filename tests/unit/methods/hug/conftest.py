"""A graph of two modules of three entities and one gate, which a person can walk.

    pump - valve - gasket  (wet)        fuse - relay - switch  (dry)
    wet => dry by a gate, stated in chunks 2 and 5; "relay" causes "switch" by a stated cause, in chunk 4

All vectors are of two dimensions; the question is the first axis.
"""

from __future__ import annotations

import numpy as np
import pytest

from aitia.analyst.graph_protocols import ModuleSummary
from aitia.methods.hug.entities import Entity, EntityGraph, Link
from aitia.methods.hug.gates import Gate
from aitia.methods.hug.hierarchy import Hierarchy
from aitia.methods.hug.nodes import node_arrays, read_nodes
from aitia.spec.model import Quote

NAMES = ["pump", "valve", "gasket", "fuse", "relay", "switch"]
COSINES = [0.1, 0.05, 0.02, 0.9, 0.3, 0.2, 0.05, 0.6]
"""Of the entities, then of the modules wet and dry, to the question."""


def link(source, target, *, causal=False, negated=False, chunk="c0"):
    quote = Quote(text=f"{NAMES[source]} {NAMES[target]}", chunk_id=chunk)
    return Link(source, target, "drive", causal, negated, 0.9 if causal else 0.5, (quote,))


@pytest.fixture
def graph():
    """Entity i is named by chunk i, and the fuse by chunk 0 too."""
    entities = tuple(
        Entity(name, "part", (name,), (0, 3) if name == "fuse" else (row,)) for row, name in enumerate(NAMES)
    )
    links = (
        link(0, 1),
        link(1, 2, chunk="c1"),
        link(3, 4, chunk="c3"),
        link(4, 5, causal=True, chunk="c4"),
        link(3, 5, negated=True, chunk="c5"),
    )
    return EntityGraph(entities, links)


@pytest.fixture
def hierarchy():
    return Hierarchy(
        ("wet", "dry"),
        np.array([1, 1]),
        np.array([-1, -1]),
        (np.array([1, 0, 2]), np.array([4, 3, 5])),
        (ModuleSummary("wet", "Wet", "pump"), ModuleSummary("dry", "Dry", "fuse")),
    )


def unit(cosines):
    return np.array([[value, (1 - value**2) ** 0.5] for value in cosines], np.float32)


@pytest.fixture
def nodes(graph, hierarchy):
    """The graph as it is read from an index of six chunks."""
    stated = tuple(Quote(text="wet so dry", chunk_id=chunk) for chunk in ("c2", "c5"))
    gates = [Gate(1, 0, 0.4, 0.3, "too weak", False), Gate(0, 1, 0.75, 0.0, "stated", True, stated)]
    rows = {f"c{row}": row for row in range(6)}
    return read_nodes(node_arrays(graph, hierarchy, gates, unit(COSINES), rows), 6)

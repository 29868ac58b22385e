from __future__ import annotations

import numpy as np
import pytest

from aitia.workflows.check import METHOD_CHECKS
from aitia.workflows.check_entities import ENTITY_CHECKS

WHOLE = {
    "node_levels": [0, 0, 1],
    "node_vectors": np.eye(3, dtype=np.float32),
    "edge_sources": [0, 0, 1],
    "edge_targets": [1, 2, 2],
    "edge_types": [0, 1, 1],
    "edge_records": [0, -1, -1],
    "place_entities": [0, 1],
    "place_chunks": [0, 0],
    "said_edges": [0],
    "said_chunks": [0],
    "chunk_words": [3],
}


class Chunk:
    id, text = "c0", "The pump broke."


class Index:
    """As much of an index as the checks read."""

    settings = {"embedder": {"dimensions": 3}}  # noqa: RUF012

    def __init__(self, **changed):
        self.values = {**WHOLE, **changed}
        self.kept = {
            "entities": [{}, {}],
            "modules": [{}],
            "links": [{"quotes": [["c0", changed.get("quote", "The pump")]]}],
            "gates": [{"quotes": [["c0", changed.get("gate_quote", "The pump")]]}],
        }

    @property
    def store(self):
        return self

    def array(self, name):
        return np.asarray(self.values[name])

    def records(self, kind):
        return self.kept[kind]

    def chunks(self):
        return [Chunk()]


def findings(**changed):
    return [finding for check in ENTITY_CHECKS for finding in check(Index(**changed))]


def test_a_whole_index_has_no_finding():
    assert findings() == []
    assert METHOD_CHECKS["hug"] is ENTITY_CHECKS


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"node_levels": [0, 1, 1]}, "entities: 2 records of 1 nodes"),
        ({"edge_targets": [1, 3, 2]}, "edges: 1 ends are no node"),
        ({"edge_records": [4, -1, -1]}, "edges: 1 have no record among the links"),
        ({"edge_types": [2, 1, 1], "edge_records": [4, -1, -1]}, "edges: 1 have no record among the gates"),
        ({"place_chunks": [0, 1]}, "places: 1 are of no entity or no chunk"),
        ({"place_entities": [0, 0]}, "places: 1 entities are named by no chunk"),
        ({"quote": "The pumps"}, "links: 1 quotes do not stand in their chunk"),
        ({"gate_quote": "The pumps"}, "gates: 1 quotes do not stand in their chunk"),
        ({"said_chunks": [1]}, "edges: 1 are stated by no chunk of the index"),
        ({"said_edges": [3]}, "edges: 1 are stated by no chunk of the index"),
    ],
)
def test_each_damage_is_said_in_a_line(changed, finding):
    assert finding in findings(**changed)

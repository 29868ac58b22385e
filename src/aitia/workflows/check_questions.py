"""Checks of a graph of questions: what its nodes point at is there, and is what the records say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aitia.workflows.check_text import wrong_vectors
from aitia.workflows.index import Index


def _nodes(index: Index) -> Iterator[str]:
    """Every node has a chunk, a unit vector and a record that names the same chunk."""
    store = index.store
    chunk_of = np.asarray(store.array("qcg_node_chunk"), np.int64)
    ids = [chunk.id for chunk in store.chunks()]
    yield from wrong_vectors("qcg_node_vectors", store.array("qcg_node_vectors"), len(chunk_of), index)
    outside = int(((chunk_of < 0) | (chunk_of >= len(ids))).sum())
    if outside:
        yield f"nodes: {outside} point at no chunk"
    elif [record["chunk"] for record in store.records("query_nodes")] != [ids[row] for row in chunk_of]:
        yield "nodes: the records are not those of the nodes"


def _neighbours(index: Index) -> Iterator[str]:
    """Every edge leads to another node."""
    table = np.asarray(index.store.array("qcg_node_neighbours"), np.int64)
    nodes = len(index.store.array("qcg_node_chunk"))
    if len(table) != nodes:
        yield f"neighbours: of {len(table):,} nodes, but there are {nodes:,}"
        return
    wrong = int(((table < -1) | (table >= nodes)).sum()) + int((table == np.arange(nodes)[:, None]).sum())
    if wrong:
        yield f"neighbours: {wrong} edges lead nowhere or back to their node"


QUESTION_CHECKS = (_nodes, _neighbours)
"""The checks of qcg."""

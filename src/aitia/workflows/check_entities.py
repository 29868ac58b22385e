"""Checks of an entity graph: what its edges, places and records point at is there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aitia.workflows.check_text import wrong_vectors
from aitia.workflows.index import Index


def _nodes(index: Index) -> Iterator[str]:
    """Every node has a unit vector and a record: entities, then modules."""
    store = index.store
    levels = np.asarray(store.array("node_levels"), np.int64)
    yield from wrong_vectors("node_vectors", store.array("node_vectors"), len(levels), index)
    for kind, count in (("entities", int((levels == 0).sum())), ("modules", int((levels > 0).sum()))):
        found = len(store.records(kind))
        if found != count:
            yield f"{kind}: {found:,} records of {count:,} nodes"


def _edges(index: Index) -> Iterator[str]:
    """Every edge joins two nodes, and those that need one have a record."""
    store = index.store
    nodes = len(store.array("node_levels"))
    ends = np.concatenate(
        [np.asarray(store.array(f"edge_{end}"), np.int64) for end in ("sources", "targets")]
    )
    outside = int(((ends < 0) | (ends >= nodes)).sum())
    if outside:
        yield f"edges: {outside} ends are no node"
    types, records = (np.asarray(store.array(f"edge_{name}"), np.int64) for name in ("types", "records"))
    for type_, kind in ((0, "links"), (2, "gates")):
        rows = records[types == type_]
        missing = int(((rows < 0) | (rows >= len(store.records(kind)))).sum())
        if missing:
            yield f"edges: {missing} have no record among the {kind}"


def _places(index: Index) -> Iterator[str]:
    """Every entity is named by a chunk, and every chunk of it is there."""
    store = index.store
    entities, chunks = (np.asarray(store.array(f"place_{name}"), np.int64) for name in ("entities", "chunks"))
    edges, said = (np.asarray(store.array(f"said_{name}"), np.int64) for name in ("edges", "chunks"))
    count, texts = int((np.asarray(store.array("node_levels")) == 0).sum()), len(store.array("chunk_words"))
    outside = int(((entities < 0) | (entities >= count) | (chunks < 0) | (chunks >= texts)).sum())
    if outside:
        yield f"places: {outside} are of no entity or no chunk"
    outside = int(
        ((edges < 0) | (edges >= len(store.array("edge_types"))) | (said < 0) | (said >= texts)).sum()
    )
    if outside:
        yield f"edges: {outside} are stated by no chunk of the index"
    nowhere = count - len(np.unique(entities))
    if nowhere > 0:
        yield f"places: {nowhere} entities are named by no chunk"


def _quotes(index: Index) -> Iterator[str]:
    """Every quote of a link or gate stands in its chunk, word for word."""
    texts = {chunk.id: chunk.text for chunk in index.store.chunks()}
    for kind in ("links", "gates"):
        wrong = sum(
            text not in texts.get(chunk, "")
            for record in index.store.records(kind)
            for chunk, text in record["quotes"]
        )
        if wrong:
            yield f"{kind}: {wrong} quotes do not stand in their chunk"


ENTITY_CHECKS = (_nodes, _edges, _places, _quotes)
"""The checks of hug."""

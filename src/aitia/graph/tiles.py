"""The best columns of each row of a symmetric product of vectors, tile by tile, each tile read twice.

Half of the products do: the tile of blocks I and J is read by rows for I and by columns for J.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices

Scores = NDArray[np.float32]


class Candidates(NamedTuple):
    """Nodes that may be near each node, in no order, with float32 products that depend on the tiles.

    Shapes (nodes, count), -1 and -inf where there are fewer. No node that was left out has a product above
    ``bound``, shape (nodes,); it is -inf where none was left out.
    """

    ids: Indices
    scores: Scores
    bound: Scores


def best_by_tiles(rows: Scores, count: int, kinds: Indices, block: int) -> Candidates:
    """The ``count`` nodes of highest product for each, among those of another kind.

    ``rows`` is of shape (nodes, dimensions), ``kinds`` (nodes,). Beside the result a few tiles are held.
    """
    nodes = len(rows)
    ids = np.full((nodes, count), -1)
    scores = np.full((nodes, count), -np.inf, np.float32)
    found = Candidates(ids, scores, np.full(nodes, -np.inf, np.float32))
    blocks = [slice(start, min(start + block, nodes)) for start in range(0, nodes, block)]
    for here in blocks:
        _start(found, here, _tile(rows, kinds, here, here))
    for number, here in enumerate(blocks):
        for there in blocks[number + 1 :]:
            tile = _tile(rows, kinds, here, there)
            above = np.flatnonzero(tile > found.bound[here, None])
            _offer(found, here, *np.divmod(above, tile.shape[1]), there.start, tile.ravel()[above])
            above = np.flatnonzero(tile > found.bound[None, there])
            columns, order = _by_column(above, tile.shape[1])
            above = above[order]
            _offer(found, there, columns, above // tile.shape[1], here.start, tile.ravel()[above])
    return found


def _tile(rows: Scores, kinds: Indices, here: slice, there: slice) -> Scores:
    tile = rows[here] @ rows[there].T
    left, right = kinds[here], kinds[there]
    if left.min() <= right.max() and right.min() <= left.max():
        tile[left[:, None] == right] = -np.inf
    return np.asarray(tile, np.float32)


def _by_column(places: Indices, width: int) -> tuple[Indices, Indices]:
    columns = places % width
    order = np.argsort(columns, kind="stable")
    return columns[order], order


def _start(found: Candidates, here: slice, tile: Scores) -> None:
    """A block's product with itself gives each of its nodes a first bound."""
    kept = min(found.ids.shape[1], tile.shape[1])
    best = np.argpartition(tile, -kept, axis=1)[:, -kept:]
    scores = np.take_along_axis(tile, best, axis=1)
    found.scores[here, :kept] = scores
    found.ids[here, :kept] = np.where(scores > -np.inf, best + here.start, -1)
    found.bound[here] = found.scores[here].min(axis=1)


def _offer(
    found: Candidates, here: slice, places: Indices, others: Indices, first: int, scores: Scores
) -> None:
    """Take in products of the nodes at ascending ``places`` of a block with nodes ``first + others``."""
    if not len(places):
        return
    changed, starts, counts = np.unique(places, return_index=True, return_counts=True)
    seats = np.repeat(np.arange(len(changed)), counts), np.arange(len(places)) - np.repeat(starts, counts)
    new = np.full((len(changed), counts.max()), -np.inf, np.float32)
    names = np.full(new.shape, -1)
    new[seats], names[seats] = scores, first + others
    nodes = here.start + changed
    merged = np.concatenate([found.scores[nodes], new], axis=1)
    width = found.ids.shape[1]
    best = np.argpartition(merged, -width, axis=1)[:, -width:]
    found.ids[nodes] = np.take_along_axis(np.concatenate([found.ids[nodes], names], axis=1), best, axis=1)
    found.scores[nodes] = np.take_along_axis(merged, best, axis=1)
    found.bound[nodes] = found.scores[nodes].min(axis=1)

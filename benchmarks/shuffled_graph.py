"""A graph dealt anew, to see what its edges, and its links to the text, are good for.

Everything else of the index stays: nodes, vectors, text. Of hug's edges each kind is dealt among its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from aitia.storage.contents import Store
from aitia.workflows import Index

Part = Literal["edges", "text"]

ARRAYS: Mapping[tuple[str, Part], tuple[str, str | None]] = {
    ("hcg", "edges"): ("graph_targets", None),
    ("hcg", "text"): ("graph_chunk_of", None),
    ("qcg", "edges"): ("qcg_node_neighbours", None),
    ("qcg", "text"): ("qcg_node_chunk", None),
    ("hug", "edges"): ("edge_targets", "edge_types"),
    ("hug", "text"): ("place_chunks", None),
}
"""By method and part: the array whose values are dealt anew, and the one that names their groups."""


def shuffled(index: Index, part: Part, seed: int = 0) -> Index:
    """The same index, opened once more, with a part of its graph dealt anew.

    Raises:
        KeyError: its method has no graph.

    """
    name, groups = ARRAYS[index.method, part]
    values = index.store.array(name)
    order = np.arange(values.size)
    generator = np.random.default_rng(seed)
    kinds = index.store.array(groups) if groups else np.zeros(values.size, np.int64)
    for kind in np.unique(kinds):
        rows = np.flatnonzero(kinds == kind)
        order[rows] = generator.permutation(rows)
    dealt = values.ravel()[order].reshape(values.shape)
    other = Index(index.folder, _Dealt(index.store, name, dealt))  # type: ignore[arg-type]
    other.__dict__["embedder"] = index.embedder
    return other


@dataclass(frozen=True)
class _Dealt:
    """A store one of whose arrays is another."""

    store: Store
    name: str
    values: NDArray[np.generic]

    def array(self, name: str) -> NDArray[np.generic]:
        """As of the store, but for the one."""
        return self.values if name == self.name else self.store.array(name)

    def arrays(self) -> Mapping[str, NDArray[np.generic]]:
        """All of them."""
        return self._arrays

    @cached_property
    def _arrays(self) -> Mapping[str, NDArray[np.generic]]:
        stored = self.store.arrays()
        return {name: self.array(name) for name in stored}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

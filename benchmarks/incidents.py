"""How often does the search of HugRAG bring both documents of a planted chain (examples/incidents.py)?

    python examples/incidents.py FOLDER && aitia build FOLDER/docs --index INDEX --method hug
    python benchmarks/incidents.py FOLDER INDEX

For each preset, with all of the method and without a part: the chains whose two documents are both among the
passages reached within 100 nodes, how many documents that are, and the median place of the later of the two by
the walk's score. Beside it, rankings without a graph: both among as many documents as the gated search reached.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import numpy as np

from aitia.methods.query import Query
from aitia.retrieval.rankings import RANKINGS, best_first, rank_text, score_text
from aitia.workflows.index import Index, open_index

NODES = 100
VARIANTS = {
    "all": {},
    "no gates": {"gates": False},
    "no hierarchy": {"hierarchy": False},
}


@dataclass(frozen=True)
class Chain:
    """A question with its vector and the names of its two documents."""

    query: Query
    documents: frozenset[str]


def main(folder: Path, index: Index) -> None:
    """Print the table."""
    chains = read_chains(folder, index)
    for preset in ("paper", "skill"):
        for name, switches in VARIANTS.items():
            orders = [
                walked(index, chain, {"preset": preset, "nodes": NODES, **switches}) for chain in chains
            ]
            print(f"hug {preset}, {name:12s} {line(chains, orders)}")
            if not switches:
                reached = round(mean(len(order) for order in orders))
    for ranking in RANKINGS:
        orders = []
        for chain in chains:
            scores = score_text(index.text, chain.query.question, chain.query.vector)
            units, by_unit = rank_text(index.text, scores, ranking)
            orders.append(names(index, units.chunk[best_first(by_unit)].tolist())[:reached])
        print(f"plain:{ranking:18s} {line(chains, orders)}")


def read_chains(folder: Path, index: Index) -> list[Chain]:
    """The questions of the example, embedded."""
    questions = json.loads((folder / "questions.json").read_text("utf-8"))
    vectors = index.embedder.embed([each["question"] for each in questions])
    return [
        Chain(Query(each["question"], vector), frozenset(each["evidence_documents"]))
        for each, vector in zip(questions, vectors, strict=True)
    ]


def walked(index: Index, chain: Chain, settings: dict[str, object]) -> list[str]:
    """The documents that a search reached, best first."""
    query = Query(chain.query.question, chain.query.vector, settings)
    walk = index.retriever.walk(query)[0]  # type: ignore[attr-defined]
    return names(index, np.asarray(best_first(walk.chunks)).tolist())


def names(index: Index, rows: Iterable[int]) -> list[str]:
    """The documents of chunks in their order, each once."""
    return list(dict.fromkeys(index.names[chunk.document_id] for chunk in index.store.chunks(list(rows))))


def found(chains: list[Chain], orders: list[list[str]]) -> int:
    """Chains with both documents in their list."""
    return sum(chain.documents <= set(order) for chain, order in zip(chains, orders, strict=True))


def line(chains: list[Chain], orders: list[list[str]]) -> str:
    """What a list for each chain brings."""
    places = [
        max(order.index(name) + 1 if name in order else 201 for name in chain.documents)
        for chain, order in zip(chains, orders, strict=True)
    ]
    fifty = sum(place <= 50 for place in places)
    return (
        f"both {found(chains, orders):2d} of {len(chains)} in {mean(map(len, orders)):5.1f} documents, "
        f"in the first 50: {fifty:2d}, median place of the later {median(places):5.1f}"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), open_index(sys.argv[2]))

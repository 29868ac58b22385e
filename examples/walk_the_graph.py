"""Follow causes to their effects: the longest chains of a graph that end in an outcome, with their quotes.

    python examples/walk_the_graph.py INDEX

Needs networkx: pip install 'aitia[graph]'. Make an index first: aitia demo
"""

from __future__ import annotations

import itertools
import sys

import networkx

import aitia

CHAINS = 3


def main(index: str) -> None:
    """Print a shortest path from the farthest cause of each outcome, the longest first."""
    graph = aitia.open(index).graph.to_networkx()
    effects = networkx.DiGraph()
    effects.add_edges_from((a, b) for a, b, edge in graph.edges(data=True) if edge["polarity"] != "none")
    outcomes = sorted(node for node in effects if graph.nodes[node]["graph_role"] != "intermediate")
    chains = []
    for outcome in outcomes:
        paths = networkx.single_target_shortest_path(effects, outcome)
        chains.append(max(dict(paths).values(), key=lambda path: (len(path), path)))
    print(f"{len(graph)} variables, {graph.number_of_edges()} edges, {len(outcomes)} outcomes with a cause")
    for chain in sorted(chains, key=lambda path: (-len(path), path))[:CHAINS]:
        print("\n" + " -> ".join(chain))
        for source, target in itertools.pairwise(chain):
            edge = graph.edges[source, target]
            quote = next(iter(edge["quotes"]), edge["mechanism"])
            print(f"    {edge['polarity']}: {' '.join(quote.split())}")


if __name__ == "__main__":
    main(*sys.argv[1:])

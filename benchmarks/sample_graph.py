"""Draw metrics and edges of an index for a person to judge, with the quotes that they rest on.

    python benchmarks/sample_graph.py INDEX [--seed 0] [--edges 100] > sample.md

All metrics, and ``--edges`` edges drawn by the seed. An edge is shown with the first quote that it was
stated in, as a reader would meet it: nothing else of the graph.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from aitia.workflows import open_index


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--edges", type=int, default=100)
    arguments = parser.parse_args()
    graph = open_index(arguments.index).graph
    print("| # | metric | role | variables | description |\n|---|---|---|---|---|")
    for number, metric in enumerate(graph.metrics, 1):
        count = sum(variable.metric == metric.name for variable in graph.variables)
        print(f"| {number} | {metric.label} | {metric.graph_role} | {count} | {cell(metric.description)} |")
    print("\n| # | edge | sign | quote |\n|---|---|---|---|")
    drawn = random.Random(arguments.seed).sample(graph.edges, min(arguments.edges, len(graph.edges)))
    for number, edge in enumerate(drawn, 1):
        quote = next((item.quote for item in edge.evidence if item.found_by == "quote"), "")
        arrow = f"{graph.variables[edge.source].key} -> {graph.variables[edge.target].key}"
        print(f"| {number} | {cell(arrow)} | {edge.polarity} | {cell(quote)} |")


def cell(text: str) -> str:
    """Text as one Markdown table cell."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()

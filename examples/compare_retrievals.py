"""Which passages does each retrieval put first? Compares all that an index answers.

    python examples/compare_retrievals.py INDEX "QUESTION"

Make an index first: aitia demo
"""

from __future__ import annotations

import sys

import aitia


def main(index: str, question: str) -> None:
    """Print the first places of each retrieval, and how many of them the first one shares."""
    opened = aitia.open(index)
    found = {
        name: [item.citation for item in opened.retrieve(question, retrieval=name, budget_words=500).evidence]
        for name in opened.retrievals
    }
    default, *_ = opened.retrievals
    for name, places in found.items():
        shared = len(set(places) & set(found[default]))
        print(f"{name}: {len(places)} passages, {shared} of them in {default}")
        for place in places[:3]:
            print(f"    {place}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Build an index from a folder of documents, ask it a question, and print the answer with its sources.

    python examples/build_and_ask.py [FOLDER [INDEX [QUESTION]]]

Without arguments: the bundled texts on honey-bee health. No network, no key.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import aitia

BEES = str(files("aitia.testing") / "corpora" / "honeybees")


def main(
    folder: str = BEES, index: str = "bees-index", question: str = "What lowers the honey yield?"
) -> None:
    """Build, ask, print."""
    built = aitia.build(Path(folder), index, method="hcg", tier="S")
    answer = built.ask(question, budget_words=1000)
    print(answer.text)
    for citation in answer.citations:
        print(f"[{citation.number}] {citation.place}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""EpilepsyQA (HCG-RAG, arXiv 2607.22592), in a folder format of our own: its files are not ours to ship.

``epilepsyqa/questions.json`` (or ``.jsonl``, ``.csv``) in the plain layout with the six published types, and
the documents in ``epilepsyqa/corpus``. See docs/evaluation/datasets.md.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from aitia.errors import CorpusError
from aitia.evaluation.datasets.dataset import Dataset
from aitia.evaluation.datasets.plain import load_own

TYPES = {
    "Mechanistic": 102,
    "Multi-hop Causal": 102,
    "Synthesis": 69,
    "Clinical Reasoning": 57,
    "Counterfactual": 39,
    "Fact Retrieval": 6,
}
"""The published types, and how many of the 375 questions are of each."""


def load_epilepsyqa(data: Path) -> Dataset:
    """The questions of the folder, any number of them; each must be of one of the six types."""
    folder = data / "epilepsyqa"
    if not folder.is_dir():
        raise CorpusError(
            f"{folder}: EpilepsyQA is not here, and it is not ours to ship; expected questions.json and "
            "corpus/ in it, as docs/evaluation/datasets.md says"
        )
    if not (folder / "corpus").exists():
        raise CorpusError(
            f"{folder / 'corpus'}: the documents of EpilepsyQA are not here; expected the files that the paper names, "
            "as docs/evaluation/datasets.md says"
        )
    dataset = replace(load_own(folder, folder / "corpus"), name="epilepsyqa")
    strange = next((question for question in dataset.questions if question.type not in TYPES), None)
    if strange is not None:
        raise CorpusError(
            f"{folder}: question {strange.id!r}: found question_type {strange.type!r}, "
            f"expected one of {', '.join(TYPES)}"
        )
    return dataset

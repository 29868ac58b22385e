"""The question sets of the benchmarks and of users, in one shape; nothing is ever downloaded.

Halves are fixed by the id alone: tune on one, report on the other. See docs/evaluation/datasets.md.
"""

from aitia.evaluation.datasets.corpus_text import read_corpus_text
from aitia.evaluation.datasets.dataset import Dataset, prepare_corpus
from aitia.evaluation.datasets.folder import CORPORA, corpus_path, load_questions
from aitia.evaluation.datasets.load import DATASETS, load_dataset
from aitia.evaluation.datasets.plain import read_questions
from aitia.evaluation.datasets.question import Half, Question, half_of, in_half, questions_hash
from aitia.evaluation.datasets.rows import read_text

__all__ = [
    "CORPORA",
    "DATASETS",
    "Dataset",
    "Half",
    "Question",
    "corpus_path",
    "half_of",
    "in_half",
    "load_dataset",
    "load_questions",
    "prepare_corpus",
    "questions_hash",
    "read_corpus_text",
    "read_questions",
    "read_text",
]

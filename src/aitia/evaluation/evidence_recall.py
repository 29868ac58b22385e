"""How much of the evidence was retrieved, without any model and fairly for every chunk size.

    python -m aitia.evaluation.evidence_recall --questions Q.json --corpus C --retrieved R.jsonl

A sentence of evidence scores the largest share of its content stems in one window of what was
retrieved, divided by the same share in the whole corpus, at most 1: paraphrase cancels out. ``recall``
is the mean of a question's sentences, ``hit`` the share of them that score 0.95 or more. Sentences of
fewer than three stems, and those of which no window of the corpus holds half, are left out.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aitia.errors import AitiaError, CorpusError
from aitia.evaluation.datasets import Question, in_half, read_corpus_text, read_questions
from aitia.evaluation.retrieved import read_retrieved
from aitia.evaluation.stem_windows import StemVocabulary, best_shared, stems

DEFAULT_BUDGET = 6000
MIN_STEMS = 3
MIN_CEILING = np.float32(0.5)
HIT = np.float32(0.95)

_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|;\s+")
_BLOCK = 500  # sentences multiplied with the windows of a whole corpus at once


@dataclass(frozen=True, slots=True)
class SoughtEvidence:
    """A question's sentences of evidence that the corpus holds: stems, sizes and best shares in it."""

    question: Question
    sentences: csr_array
    sizes: NDArray[np.float32]
    ceilings: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PreparedEvidence:
    """A question set measured against its corpus: prepare once, score any number of systems."""

    vocabulary: StemVocabulary
    sought: tuple[SoughtEvidence, ...]


@dataclass(frozen=True, slots=True)
class EvidenceScores:
    """Scores by question, arrays of shape (questions,); ``missing`` is how many had no retrieved line."""

    ids: tuple[str, ...]
    types: tuple[str, ...]
    recall: NDArray[np.float64]
    hit: NDArray[np.float64]
    words: NDArray[np.int64]
    missing: int


def prepare(questions: Sequence[Question], corpus_text: str) -> PreparedEvidence:
    """Find how well the corpus itself can answer for each sentence of evidence."""
    sentences = [
        [found for found in map(stems, _split(question)) if len(found) >= MIN_STEMS] for question in questions
    ]
    flat = [sentence for of_question in sentences for sentence in of_question]
    vocabulary = StemVocabulary(flat)
    matrix = vocabulary.sentence_matrix(flat)
    sizes = np.array([len(sentence) for sentence in flat], dtype=np.float32)
    windows = vocabulary.window_matrix([corpus_text])
    blocks = [best_shared(matrix[start : start + _BLOCK], windows) for start in range(0, len(flat), _BLOCK)]
    # Shares are divided in float32 here and in score(), as in the published tool: a sentence at the
    # very edge of a hit would otherwise fall on the other side.
    best = np.concatenate([np.empty(0, np.float32), *blocks])
    ceilings: NDArray[np.float32] = np.divide(best, sizes, dtype=np.float32)
    sought, end = [], 0
    for question, of_question in zip(questions, sentences, strict=True):
        start, end = end, end + len(of_question)
        kept = start + np.flatnonzero(ceilings[start:end] >= MIN_CEILING)
        if kept.size:
            sought.append(SoughtEvidence(question, matrix[kept], sizes[kept], ceilings[kept]))
    return PreparedEvidence(vocabulary, tuple(sought))


def score(
    prepared: PreparedEvidence,
    retrieved: Mapping[str, Sequence[str]],
    budget_words: int = DEFAULT_BUDGET,
    questions: Sequence[Question] | None = None,
) -> EvidenceScores:
    """Score contexts in rank order, by question id, cut to a budget of words.

    Of the prepared questions, or of those among ``questions``, the ones that are not in ``retrieved``
    are counted as missing; an empty list of contexts scores 0.
    """
    wanted = None if questions is None else {question.id for question in questions}
    asked = [sought for sought in prepared.sought if wanted is None or sought.question.id in wanted]
    found = [sought for sought in asked if sought.question.id in retrieved]
    rows = [_score_question(prepared.vocabulary, sought, retrieved, budget_words) for sought in found]
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), 3).T
    return EvidenceScores(
        ids=tuple(sought.question.id for sought in found),
        types=tuple(sought.question.type for sought in found),
        recall=columns[0],
        hit=columns[1],
        words=columns[2].astype(np.int64),
        missing=len(asked) - len(found),
    )


def report(scores: EvidenceScores) -> str:
    """The scores by question type and of all, as lines."""
    if not scores.ids:
        raise CorpusError("no question of the set was found in --retrieved")
    types = np.array(scores.types)
    groups = [(kind, types == kind) for kind in dict.fromkeys(scores.types)]
    lines = [
        f"{kind:24s} n={member.sum():5d} recall={scores.recall[member].mean():.4f} "
        f"hit={scores.hit[member].mean():.4f}"
        for kind, member in [*groups, ("ALL", np.ones(len(types), dtype=bool))]
    ]
    used = f"words per question: mean {scores.words.mean():.0f}"
    return "\n".join([*lines, f"{used}; questions without contexts: {scores.missing}\n"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m aitia.evaluation.evidence_recall")
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--retrieved", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET, help="words a question")
    parser.add_argument("--half", choices=("even", "odd"), help="score one half of the questions")
    parser.add_argument(
        "--fallback-empty", action="store_true", help="score a line without a match in the graph as empty"
    )
    given = parser.parse_args(arguments)
    try:
        questions = read_questions(given.questions)
        lines = read_retrieved(given.retrieved, fallback_empty=given.fallback_empty)
        prepared = prepare(questions, read_corpus_text(given.corpus))
        contexts = {id: line.contexts for id, line in lines.items()}
        scores = score(prepared, contexts, given.budget, in_half(questions, given.half))
        sys.stdout.write(report(scores))
    except AitiaError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    return 0


def _split(question: Question) -> list[str]:
    return [sentence for passage in question.evidence for sentence in _SENTENCE_END.split(passage)]


def _score_question(
    vocabulary: StemVocabulary,
    sought: SoughtEvidence,
    retrieved: Mapping[str, Sequence[str]],
    budget_words: int,
) -> tuple[float, float, int]:
    contexts, used = _cut(retrieved[sought.question.id], budget_words)
    share = best_shared(sought.sentences, vocabulary.window_matrix(contexts)) / sought.sizes
    ratio = np.minimum(np.float32(1), share / sought.ceilings)
    return float(ratio.mean()), float((ratio >= HIT).mean()), used


def _cut(contexts: Sequence[str], budget_words: int) -> tuple[list[str], int]:
    kept, left = [], budget_words
    for context in contexts:
        if left <= 0:
            break
        words = context.split()[:left]
        kept.append(" ".join(words))
        left -= len(words)
    return kept, budget_words - left


if __name__ == "__main__":
    sys.exit(main())

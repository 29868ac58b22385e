"""Exact match of normalised texts (SQuAD: Rajpurkar et al., 2016), and containment, which is ours."""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections.abc import Sequence

from aitia.evaluation.metrics.judged_answer import Scores, scores

_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalise(text: str) -> str:
    """Lower case without punctuation, English articles and superfluous space, as SQuAD's script has it.

    Punctuation of every script goes, not of ASCII alone: a curly quote is no difference.
    """
    kept = "".join(character for character in text.lower() if not _is_punctuation(character))
    return " ".join(_ARTICLES.sub(" ", kept).split())


def exact_match(answers: Sequence[str], references: Sequence[str]) -> Scores:
    """1 where both are the same, shape (answers,); NaN where the reference is nothing but what is dropped."""
    return scores(
        float(normalise(answer) == wanted) if (wanted := normalise(reference)) else math.nan
        for answer, reference in zip(answers, references, strict=True)
    )


def contains_match(answers: Sequence[str], references: Sequence[str]) -> Scores:
    """1 where the answer has the reference in it, as whole words in one piece, shape (answers,); NaN likewise."""
    return scores(
        float(f" {wanted} " in f" {normalise(answer)} ") if (wanted := normalise(reference)) else math.nan
        for answer, reference in zip(answers, references, strict=True)
    )


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character).startswith("P")

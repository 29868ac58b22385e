"""Abstention: to a question that the corpus does not answer the right answer is to say so.

QCG-RAG (2025) asks LiHua-World's ``Null`` questions, MultiHop-RAG (2024) has its ``null_query``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from aitia.evaluation.metrics.judged_answer import Scores, scores

_FIRST_SENTENCE = re.compile(r"[^.!?\n]*")
_SAYS_SO = re.compile(
    r"\b(?:insufficient (?:information|evidence)|not enough (?:information|evidence)"
    r"|no (?:relevant )?(?:information|evidence) (?:is |was )?(?:available|found|provided|in the)"
    r"|(?:do not|don't|does not|doesn't) (?:have|contain|provide|include|mention) (?:\w+ ){0,3}information"
    r"|(?:do not|don't) know|(?:cannot|can't|not able to|unable to|could not) (?:\w+ ){0,2}(?:answer|determine)"
    r"|cannot be (?:answered|determined))\b",
    re.IGNORECASE,
)


def abstained_right(answerable: Sequence[bool], abstained: Sequence[bool]) -> Scores:
    """1 where a question without an answer was not answered, 0 where it was; NaN for every other question."""
    return scores(
        math.nan if has_answer else float(silent)
        for has_answer, silent in zip(answerable, abstained, strict=True)
    )


def abstains(reply: str) -> bool:
    """Whether a reply is blank, or its first sentence says in usual English words that there is no answer.

    For systems that do not tell; a reply that answers a part and then says what is missing does not abstain.
    """
    first = _FIRST_SENTENCE.match(reply.strip())
    return not reply.strip() or bool(first and _SAYS_SO.search(first.group().replace("’", "'")))

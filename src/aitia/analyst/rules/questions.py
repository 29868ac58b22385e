"""Questions by rules: every sentence is its own answer, and a definition answers "What is X?".

QCG-RAG's sentence nodes (ablation of the paper's section 4): rules cannot invert a sentence into a question
that a person would ask, and an odd question is worse than none. So most claims have an empty question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.analyst.rules.lexicon import lexicon
from aitia.corpus.chunk import Chunk
from aitia.corpus.sentences import sentence_spans

_SUBJECT = r"(?:(?:An?|The) )?[A-Z][\w-]*(?: (?!(?:is|are|was|were)\b)[\w-]+){0,4}"
_DEFINITION = re.compile(rf"(?P<subject>{_SUBJECT}) (?P<verb>is|are) (?:an?|the|one of) \w")
_WORD = re.compile(r"[^\W_]+")
_NO_SUBJECT = frozenset(
    ("i", "he", "she", "it", "we", "you", "they", "this", "that", "these", "those", "there", "here",
     "what", "who", "which", "where", "when", "why", "how")
)  # fmt: skip


def write_questions(chunks: Sequence[Chunk], count: int) -> list[QuestionClaim]:
    """At most ``count`` claims a chunk: its sentences in their order, those with most content words kept."""
    return [claim for chunk in chunks for claim in _claims(chunk, count)]


def sentences_of(chunk: Chunk) -> list[str]:
    """The sentences of a chunk that have a content word, in order, repeats once."""
    found = dict.fromkeys(chunk.text[start:end] for start, end in sentence_spans(chunk.text))
    return [sentence for sentence in found if _content(sentence)]


def _claims(chunk: Chunk, count: int) -> Iterator[QuestionClaim]:
    sentences = sentences_of(chunk)
    richest = sorted(range(len(sentences)), key=lambda row: (-len(_content(sentences[row])), row))
    for row in sorted(richest[:count]):
        yield QuestionClaim(chunk.id, _question(sentences[row]), sentences[row])


def _content(sentence: str) -> set[str]:
    return set(_WORD.findall(sentence.lower())) - lexicon().answers["stop"]


def _question(sentence: str) -> str:
    """The question that a definition answers; none for another sentence."""
    match = _DEFINITION.match(sentence)
    if match is None or match["subject"].split()[0].casefold() in _NO_SUBJECT:
        return ""
    article, _, rest = match["subject"].partition(" ")
    subject = f"{article.lower()} {rest}" if article in ("A", "An", "The") else match["subject"]
    return f"What {match['verb']} {subject}?"

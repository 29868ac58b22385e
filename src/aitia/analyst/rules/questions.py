"""Questions by rules: every sentence is its own answer, and a definition answers "What is X?".

QCG-RAG's sentence nodes (ablation of the paper's section 4): rules cannot invert a sentence into a question
that a person would ask, and an odd question is worse than none. So most claims have an empty question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.analyst.rules.lexicon import lexicon
from aitia.corpus.chunk import Chunk
from aitia.corpus.sentences import sentence_spans

_DEFINITION = re.compile(
    r"(?P<subject>(?:(?:An?|The) )?[\w-]+(?: (?!(?:is|are|was|were)\b)[\w-]+){0,5}) (?P<verb>is|are) "
    r"(?P<one>an?|the|one of the) (?P<complement>[\w'\u2019,-]+(?: [\w'\u2019,-]+)*)"
)
_REPEATED = re.compile(r"(?:(?:an?|the) )?(?P<name>.+) (?P<again>(?:(?:an?|the) )?(?P=name))", re.IGNORECASE)
"""A heading and the subject below it that repeats it."""
_PARTICIPLE = re.compile(r"\w+(?:ed|ing|en)|made|found|known|seen|left")
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = ("a", "an", "the")
_LONGEST_SUBJECT, _LONGEST_COMPLEMENT = 4, 6


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
    if match is None:
        return ""
    repeated = _REPEATED.fullmatch(match["subject"])
    subject = repeated["again"] if repeated else match["subject"]
    article, _, rest = subject.partition(" ")
    if article in ("A", "An", "The"):
        subject = f"{article.lower()} {rest}"
    return f"What {match['verb']} {subject}?" if _is_name(subject) and _is_class(match["complement"]) else ""


def _is_name(subject: str) -> bool:
    """Whether a subject is a name with at most one article, its first word, and no word that only links others."""
    words = subject.split()
    cased = words[1:] if words[0].lower() in _ARTICLES else words
    own = [word.lower() for word in cased]
    lists = lexicon().answers
    # A capital behind a small letter begins what a heading stands before: "Biopsy results Histology".
    headed = any(left.islower() and not right.islower() for left, right in pairwise(cased))
    return (
        0 < len(own) <= _LONGEST_SUBJECT
        and not headed
        and lists["stop"].isdisjoint(own)
        and own[0] not in lists["beginning"]
        and own[0] not in lists["judging"]
        and _singular(own[-1]) not in lists["unnamed"]
        and not own[-1].endswith("ed")
        and len(set(own)) == len(own)
    )


def _is_class(complement: str) -> bool:
    """Whether the first noun of a complement says what sort of thing something is, and does not judge it."""
    lists = lexicon().answers
    words = [word.strip(",") for word in complement.lower().split()][: _LONGEST_COMPLEMENT + 2]
    judged = False
    for place, word in enumerate(words):
        after = words[place + 1] if place + 1 < len(words) else ""
        if after == "of" and _singular(word) in lists["class_of"]:
            return True
        if word in lists["stop"] and word != "most":
            return False
        judged = judged or word == "most" or word in lists["judging"]
        ends = not after or after in lists["stop"] or bool(_PARTICIPLE.fullmatch(after))
        if ends and _singular(word) in lists["classes"]:
            return not judged
    return False


def _singular(noun: str) -> str:
    """A noun without its regular plural, as far as it is one."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun

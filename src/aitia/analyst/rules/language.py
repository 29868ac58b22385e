"""Sentences with part-of-speech tags and noun phrases: what every rule reads.

Tags are the coarse classes of `Tag`, mapped from the C5 tags of the Hanover Tagger (Wartena 2019),
whose English model ships in its wheel. Tagging 175,000 words takes about 16 s on one core, so a chunk
is tagged once and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from aitia.corpus.chunk import Chunk
from aitia.corpus.sentences import sentence_spans

TOKEN = re.compile(r"[^\W_]+(?:['’\-/.][^\W_]+)*(?:['’]s?\b)?|[^\w\s]|_", re.UNICODE)


class Tag(StrEnum):
    """Coarse word classes."""

    NOUN = "NOUN"
    PROPER = "PROPER"
    VERB = "VERB"
    MODAL = "MODAL"
    ADJECTIVE = "ADJECTIVE"
    ADVERB = "ADVERB"
    PREPOSITION = "PREPOSITION"
    DETERMINER = "DETERMINER"
    PRONOUN = "PRONOUN"
    CONJUNCTION = "CONJUNCTION"
    NUMBER = "NUMBER"
    NEGATION = "NEGATION"
    OTHER = "OTHER"


_COARSE = {
    "NN": Tag.NOUN, "NP": Tag.PROPER, "VM": Tag.MODAL, "VV": Tag.VERB, "VB": Tag.VERB, "VH": Tag.VERB,
    "VD": Tag.VERB, "AJ": Tag.ADJECTIVE, "AV": Tag.ADVERB, "PR": Tag.PREPOSITION, "TO": Tag.PREPOSITION,
    "AT": Tag.DETERMINER, "DT": Tag.DETERMINER, "DP": Tag.DETERMINER, "DPS": Tag.DETERMINER,
    "PN": Tag.PRONOUN, "DTQ": Tag.PRONOUN, "CJ": Tag.CONJUNCTION, "CR": Tag.NUMBER, "OR": Tag.NUMBER,
    "XX": Tag.NEGATION,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word with offsets into its chunk, lemma, coarse tag and the tagger's own tag (``VVN``, ``NN2``)."""

    text: str
    lemma: str
    tag: Tag
    fine: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Tokens ``first`` to ``last`` (inclusive) of a sentence: modifiers and a head, no determiner."""

    first: int
    last: int
    head: str
    text: str
    lemma: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a chunk, tagged; ``text`` is verbatim."""

    chunk_id: str
    text: str
    start: int
    tokens: tuple[Token, ...]
    phrases: tuple[NounPhrase, ...]


@cache
def _tagger() -> object:
    from HanTa import HanoverTagger

    return HanoverTagger.HanoverTagger("morphmodel_en.pgz")


def read_sentences(chunk: Chunk) -> tuple[Sentence, ...]:
    """The tagged sentences of a chunk, in order."""
    return _read(chunk.id, chunk.text)


@lru_cache(maxsize=65536)
def _read(chunk_id: str, text: str) -> tuple[Sentence, ...]:
    return tuple(_sentence(chunk_id, text[start:end], start) for start, end in sentence_spans(text))


def _sentence(chunk_id: str, text: str, start: int) -> Sentence:
    words = list(TOKEN.finditer(text))
    tagged = _tagger().tag_sent([word.group() for word in words]) if words else []  # type: ignore[attr-defined]
    tokens = tuple(
        Token(
            word.group(),
            lemma.lower(),
            coarse_tag(fine, word.group()),
            fine,
            start + word.start(),
            start + word.end(),
        )
        for word, (_, lemma, fine) in zip(words, tagged, strict=True)
    )
    return Sentence(chunk_id, text, start, tokens, tuple(_noun_phrases(tokens, text, start)))


def coarse_tag(fine: str, word: str) -> Tag:
    """The coarse class of a C5 tag; signs and symbols are `Tag.OTHER`."""
    if not any(character.isalnum() for character in word):
        return Tag.OTHER
    return _COARSE.get(fine[:3]) or _COARSE.get(fine[:2], Tag.OTHER)


def _noun_phrases(tokens: tuple[Token, ...], text: str, start: int) -> Iterator[NounPhrase]:
    """Maximal runs of adjectives, numbers, participles and nouns that end in a noun."""
    position = 0
    while position < len(tokens):
        if not _may_modify(tokens[position]):
            position += 1
            continue
        end = position
        while end < len(tokens) and _may_modify(tokens[end]):
            end += 1
        last = end - 1
        while last >= position and tokens[last].tag not in (Tag.NOUN, Tag.PROPER):
            last -= 1
        if last >= position:
            run = tokens[position : last + 1]
            words = " ".join(token.text.lower() for token in run[:-1])
            lemma = f"{words} {run[-1].lemma}".strip()
            yield NounPhrase(
                position, last, run[-1].lemma, text[run[0].start - start : run[-1].end - start], lemma
            )
        position = end


def _may_modify(token: Token) -> bool:
    if token.tag in (Tag.NOUN, Tag.PROPER, Tag.ADJECTIVE, Tag.NUMBER):
        return True
    return token.fine in ("VVN", "VVG") and token.text.isalpha()

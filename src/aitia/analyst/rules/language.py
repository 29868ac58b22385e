"""Sentences with part-of-speech tags and noun phrases: what every rule reads.

Tags are the coarse classes of `Tag`, mapped from the C5 tags of the Hanover Tagger (Wartena 2019),
whose English model ships in its wheel. Tagging 175,000 words takes about 16 s on one core, so a chunk
is tagged once and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache

from aitia.corpus.chunk import Chunk
from aitia.corpus.sentences import sentence_spans

TOKEN = re.compile(r"[^\W_]+(?:['’\-/.][^\W_]+)*(?:['’]s?\b)?|[^\w\s]|_", re.UNICODE)


TO_A_NOUN = ("lead", "contribute")
"""Verbs whose "to" is followed by a noun and never by a verb."""
LONGEST_WORD = 60
"""Letters of a word that the tagger is shown: its time grows with their square, and no longer word is one."""
CANDIDATES = 20
"""How far below the likeliest tag of a word, in log probability, others are looked at."""


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


_NOT = re.compile(r"(?:n['’]t|cannot)$", re.IGNORECASE)
_PRONOUN_VERB = re.compile(
    r"(?:i|you|he|she|it|we|they|that|this|what|who|there|here|how|where|when|let)['’](?:s|re|ll|ve|m|d)$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")
_ROMAN = re.compile(r"(?:X[LC]|L?X{0,3})(?:I[XV]|V?I{0,3})$")
_NOMINAL = (Tag.NOUN, Tag.PROPER)


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
    tokens: list[Token] = []
    for word, (lemma, fine) in zip(words, _tagged(text), strict=True):
        fine = _corrected(word.group(), fine, tokens[-1] if tokens else None)
        tokens.append(
            Token(
                word.group(),
                _POSSESSIVE.sub("", lemma.lower()),
                coarse_tag(fine, word.group()),
                fine,
                start + word.start(),
                start + word.end(),
            )
        )
    _mend_compounds(tokens)
    return Sentence(chunk_id, text, start, tuple(tokens), tuple(_noun_phrases(tokens, text, start)))


def _mend_compounds(tokens: list[Token]) -> None:
    """Make nouns of "crop" in "led to crop failure": to lead or contribute takes no infinitive.

    Only words that the tagger knows as nouns too, so that "contributed to reduce costs" stays as it is.
    """
    for at in range(1, len(tokens) - 2):
        before, joint, word, after = tokens[at - 1 : at + 3]
        if (
            word.fine == "VVI"
            and joint.fine == "TO0"
            and before.lemma in TO_A_NOUN
            and before.tag is Tag.VERB
            and after.tag is Tag.NOUN
            and _is_often_noun(word.text)
        ):
            tokens[at] = replace(joint, fine="PRP")
            tokens[at + 1] = replace(word, tag=Tag.NOUN, fine="NN1", lemma=word.text.lower())


@lru_cache(maxsize=4096)
def _is_often_noun(word: str) -> bool:
    """Whether a word by itself is more likely a noun than a verb."""
    likely = _tagger().tag_word(word.lower(), cutoff=CANDIDATES)  # type: ignore[attr-defined]
    return bool(likely) and max(likely, key=lambda each: each[1])[0] == "NN1"


@lru_cache(maxsize=65536)
def _tagged(text: str) -> tuple[tuple[str, str], ...]:
    """Lemma and tag of each word; kept by text, because a quote is read again apart from its chunk."""
    words = TOKEN.findall(text)
    shown = [word[:LONGEST_WORD] for word in words]
    tagged = _tagger().tag_sent(shown) if words else []  # type: ignore[attr-defined]
    return tuple(
        (lemma, fine) if len(word) <= LONGEST_WORD else (word.lower(), "UNC")
        for word, (_, lemma, fine) in zip(words, tagged, strict=True)
    )


def _corrected(word: str, fine: str, before: Token | None) -> str:
    """The tagger's tag, mended where its word model fails: contractions, acronyms, unknown words."""
    if _NOT.search(word):
        return "XX0"
    if _PRONOUN_VERB.match(word):
        return "PNP"
    if _POSSESSIVE.search(word) and fine != "NP0":
        return "NN1"
    if fine in ("UNC", "CRD", "AJ0") and is_acronym(word):
        return "NP0"
    if fine == "UNC" and word.isalpha() and len(word) > 4:
        return "NN1"
    if fine == "VVB" and before is not None and before.fine == "NP0" and is_acronym(before.text):
        return "NN1"
    return fine


def is_acronym(word: str) -> bool:
    """Whether a word is written like "MRI", "HER2" or "PD-L1"; a Roman numeral is not."""
    capitals = sum(character.isupper() for character in word)
    short = len(word) < 7 or (len(word) < 9 and not word.isupper())
    return capitals > 1 and short and word[0].isalpha() and not _ROMAN.match(word)


def coarse_tag(fine: str, word: str) -> Tag:
    """The coarse class of a C5 tag; signs and symbols are `Tag.OTHER`."""
    if not any(character.isalnum() for character in word):
        return Tag.OTHER
    return _COARSE.get(fine[:3]) or _COARSE.get(fine[:2], Tag.OTHER)


def _noun_phrases(tokens: Sequence[Token], text: str, start: int) -> Iterator[NounPhrase]:
    """Maximal runs of adjectives, numbers, participles and nouns that end in a noun."""
    position = 0
    while position < len(tokens):
        if not _may_modify(tokens[position]):
            position += 1
            continue
        end = position + 1
        while (
            end < len(tokens) and _may_modify(tokens[end]) and not _new_phrase(tokens[end - 1], tokens[end])
        ):
            end += 1
        last = end - 1
        while last >= position and tokens[last].tag not in _NOMINAL:
            last -= 1
        if last >= position:
            run = tokens[position : last + 1]
            words = " ".join(token.text.lower() for token in run[:-1])
            lemma = f"{words} {run[-1].lemma}".strip()
            yield NounPhrase(
                position, last, run[-1].lemma, text[run[0].start - start : run[-1].end - start], lemma
            )
        position = end


def _new_phrase(before: Token, token: Token) -> bool:
    """Whether one phrase ends and another begins between two words that could both be modifiers.

    So it is at a participle behind a noun ("a drug called aspirin"), and where a heading without a full
    stop runs into its text ("Imaging tests CT scans use ...").
    """
    if before.text.lower() == token.text.lower() or (before.tag in _NOMINAL and token.tag is Tag.VERB):
        return True
    if before.tag not in _NOMINAL or not token.text[0].isupper() or _POSSESSIVE.search(before.text):
        return False
    if before.fine == "NN2":
        return True
    return before.text.islower() and token.text[1:].islower() and token.tag is not Tag.PROPER


def _may_modify(token: Token) -> bool:
    if token.tag in (Tag.NOUN, Tag.PROPER, Tag.ADJECTIVE, Tag.NUMBER):
        return True
    return token.fine in ("VVN", "VVG") and token.text.isalpha()

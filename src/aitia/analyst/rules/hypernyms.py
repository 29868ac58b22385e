"""Statements that one term is a kind of another (Hearst 1992, and definitions).

treatments such as surgery         class first
fever and other symptoms           class last
symptoms (of X) include fever      class first, across "of X"
melanoma is a type of skin cancer  copula
a drug called aspirin              naming
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aitia.analyst.rules.language import Tag
from aitia.analyst.rules.terms import Key, Term, TermSentence
from aitia.analyst.rules.wordlists import Cues, word_lists

_FINITE = ("VVB", "VVZ", "VVD", "VBB", "VBZ", "VBD", "VHB", "VHZ", "VHD", "VDB", "VDZ", "VDD", "VM0")
_LOOK_BACK = 2
_BULLETS = frozenset("•–-*◦▪·:ho")
_LIST_WORDS = (
    frozenset({",", ";", "and", "or", "the", "a", "an", "/", "some", "your", "other", "certain"}) | _BULLETS
)
_LINKS = frozenset(["of", "for", "in", "from", "with", "to", "the", "a", "an", "your", "this", "that"])


@dataclass(frozen=True, slots=True)
class IsA:
    """``member`` is said to be a kind of ``general``, with a weight for the pattern's reliability."""

    general: Key
    member: Key
    weight: float
    pattern: str


def class_statements(read: TermSentence) -> Iterator[IsA]:
    """The statements of one sentence."""
    for position in range(len(read.terms)):
        yield from _class_first(read, position)
        yield from _class_last(read, position)
        yield from _includes(read, position)
        yield from _copula(read, position)
        yield from _naming(read, position)


def _class_first(read: TermSentence, position: int) -> Iterator[IsA]:
    term = read.terms[position]
    start = term.last + 1
    apart = read.words[start : start + 1] in ((",",), ("(",), ("—",))
    cue = _cue_at(read, start + apart, word_lists().class_first)
    if not cue:
        return
    general = _listed_class(read, position) if apart else term
    for member in _members(read, position + 1, start + apart + cue):
        yield IsA(general.key, member, 1, "first")


def _listed_class(read: TermSentence, position: int) -> Term:
    """The class word before ", such as": the first plural of "features of the cancer", else one further left."""
    start = _phrase_start(read, position)
    chain = [*range(start, position + 1), *range(start - 1, max(start - 1 - _LOOK_BACK, -1), -1)]
    plurals = [index for index in chain if read.sentence.tokens[read.terms[index].last].fine == "NN2"]
    return read.terms[plurals[0] if plurals else start]


def _cue_at(read: TermSentence, start: int, cues: Cues) -> int:
    """The length of the longest cue that begins at a token, or 0."""
    return max((len(cue) for cue in cues if read.words[start : start + len(cue)] == cue), default=0)


def _class_last(read: TermSentence, position: int) -> Iterator[IsA]:
    if position == 0:
        return
    general = read.terms[position]
    between = read.between(read.terms[position - 1], general)
    if not any(between[: len(cue)] == cue for cue in word_lists().class_last):
        return
    index = position - 1
    yield IsA(general.key, read.terms[index].key, 1, "last")
    while index > 0 and _continues(read, index - 1):
        index -= 1
        yield IsA(general.key, read.terms[index].key, 1, "last")


def _includes(read: TermSentence, position: int) -> Iterator[IsA]:
    term = read.terms[position]
    index = term.last + 1
    while index < len(read.words) and read.sentence.tokens[index].tag in (Tag.MODAL, Tag.ADVERB):
        index += 1
    if index >= len(read.words) or read.words[index] not in word_lists().include:
        return
    general = read.terms[_subject(read, position)]
    for member in _members(read, position + 1, index + 1):
        yield IsA(general.key, member, 1, "include")


def _subject(read: TermSentence, position: int) -> int:
    """The first term of the clause that ends at a term: no finite verb or comma between."""
    while position > 0:
        left, right = read.terms[position - 1], read.terms[position]
        between = read.sentence.tokens[left.last + 1 : right.first]
        if not between or any(token.fine in _FINITE or token.tag is Tag.OTHER for token in between):
            break
        position -= 1
    return position


def _copula(read: TermSentence, position: int) -> Iterator[IsA]:
    if position + 1 >= len(read.terms):
        return
    lists = word_lists()
    term, general = read.terms[position], read.terms[position + 1]
    between = read.between(term, general)
    if not between or between[0] not in lists.be or len(between) > 8:
        return
    if _follows_preposition(read, term):
        return
    rest = between[1:]
    tags = [token.tag for token in read.sentence.tokens[term.last + 2 : general.first]]
    if any(tag in (Tag.VERB, Tag.NEGATION, Tag.PRONOUN, Tag.CONJUNCTION, Tag.OTHER) for tag in tags):
        return
    if any(tag is Tag.PREPOSITION for tag in tags) and not (
        set(rest) & lists.class_of and rest[-1] in ("of", "a", "the")
    ):
        return
    plural = read.sentence.tokens[general.last].fine == "NN2"
    indefinite = rest[0] in ("a", "an", "one", "the") if rest else plural
    if (indefinite or set(rest) & lists.class_of) and not _has_complement(read, position):
        yield IsA(general.key, term.key, 2, "copula")


def _naming(read: TermSentence, position: int) -> Iterator[IsA]:
    term = read.terms[position]
    if position + 1 >= len(read.terms):
        return
    named = read.terms[position + 1]
    between = [word for word in read.between(term, named) if word not in ("a", "an", "the", "“", '"')]
    lists = word_lists()
    if tuple(between) not in lists.naming:
        return
    subject = between[0] not in lists.be or not _follows_preposition(read, term)
    if subject:
        yield IsA(term.key, named.key, 2, "naming")


def _follows_preposition(read: TermSentence, term: Term) -> bool:
    """Whether a term is inside a larger phrase, of which it is not the head ("the end of treatment is")."""
    position = term.first - 1
    while position >= 0 and read.sentence.tokens[position].tag in (Tag.DETERMINER, Tag.ADJECTIVE, Tag.VERB):
        position -= 1
    return position >= 0 and read.sentence.tokens[position].tag is Tag.PREPOSITION


def _phrase_start(read: TermSentence, position: int) -> int:
    """The first term of a chain "symptoms of lung cancer"."""
    while position > 0:
        left, right = read.terms[position - 1], read.terms[position]
        between = read.between(left, right)
        if not between or not _LINKS.issuperset(between) or between[0] not in ("of", "for", "in", "from"):
            break
        position -= 1
    return position


def _members(read: TermSentence, position: int, start: int) -> Iterator[Key]:
    """The members of a list that begins at a term, which must follow the token ``start`` directly."""
    if position >= len(read.terms) or not _LIST_WORDS.issuperset(
        read.words[start : read.terms[position].first]
    ):
        return
    for index in range(position, len(read.terms)):
        if not _has_complement(read, index):
            yield read.terms[index].key
        if not _continues(read, index):
            return


def _has_complement(read: TermSentence, index: int) -> bool:
    """Whether "of ..." completes a term, so that it alone does not name the thing ("loss of hearing")."""
    after = read.terms[index].last + 1
    return read.words[after : after + 1] == ("of",)


def _continues(read: TermSentence, index: int) -> bool:
    if index + 1 >= len(read.terms):
        return False
    return is_list_between(read.between(read.terms[index], read.terms[index + 1]))


def is_list_between(words: tuple[str, ...]) -> bool:
    """Whether these words make the terms around them members of one list."""
    return bool(words) and _LIST_WORDS.issuperset(words)

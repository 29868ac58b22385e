"""Variables that stand close together in a clause: a weak sign, good only under a well supported template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aitia.analyst.rules.arguments import Arguments, arguments_of
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import lexicon
from aitia.analyst.rules.limits import crosses_heading, is_set_apart
from aitia.analyst.rules.mentions import Mention
from aitia.spec.model import ANY

LONGEST_SENTENCE = 60
"""Tokens; a longer sentence is several glued together."""

WIDEST = 14
"""Units of a sentence's shape from the one to the other."""


VERBS = r"[ABt]*[VKEG][ABVEKGt]*"
CLASS = r"[AB]*BA*N(?:[op]N)?"
SERIES = r"(?:A?NA?,)*(?:NA?,?c)?"
ACTS_ON = re.compile(
    rf"(?:(?:,N)*,?cA?N)?A*(?:{CLASS})?(?:,?r)?{VERBS}(?:N(?:o|(?:[op]N)?A*t{VERBS}))?(?:pNp)?p?{SERIES}"
)
"""What may stand between: other subjects or their class, one verb, its object's "of" or purpose, members."""

OFFERED = re.compile(rf"{VERBS}{SERIES}")
"""The same behind "options for X": the verb and members of a series."""


def close_pairs(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Pairs of mentions with one verb between, in the order of the text, of which none is a mere place.

    What acts stands first; a passive, or "options for X include Y", may be read either way.
    """
    if len(mentions) < 2 or len(sentence.tokens) > LONGEST_SENTENCE:
        return
    arguments = arguments_of(sentence)
    places = [_place(arguments, mention) for mention in mentions]
    for second in range(1, len(mentions)):
        for first in range(second):
            start, end = places[first], places[second]
            if start is None or end is None or not _joined(arguments, sentence, start, end):
                continue
            pair = mentions[first], mentions[second]
            if _differ(*pair) and not any(is_set_apart(sentence, mention.first) for mention in pair):
                yield pair
                if _may_turn(sentence, pair):
                    yield pair[::-1]


def _place(arguments: Arguments, mention: Mention) -> int | None:
    """The unit whose head a mention holds; none for a mere modifier."""
    units = enumerate(arguments.units)
    return next((at for at, unit in units if mention.first <= unit.head <= mention.last), None)


def _joined(arguments: Arguments, sentence: Sentence, first: int, last: int) -> bool:
    """Whether the words between two units are a verb that may act from the one on the other."""
    between = arguments.symbols[first + 1 : last]
    if len(between) >= WIDEST or not ACTS_ON.fullmatch(between):
        return False
    start, end = arguments.units[first].last, arguments.units[last].start
    words = arguments.words
    tokens = sentence.tokens[start + 1 : end]
    if any(token.tag is Tag.NEGATION or words.has("excluding", token.text.lower()) for token in tokens):
        return False
    if crosses_heading(sentence, start, end):
        return False
    if any(words.has("static", token.lemma) for token in tokens):
        return _is_offered(arguments, first) and OFFERED.fullmatch(between) is not None
    return not words.has("placing", tokens[-1].text.lower()) if tokens else False


def _may_turn(sentence: Sentence, pair: tuple[Mention, Mention]) -> bool:
    between = sentence.tokens[pair[0].last + 1 : pair[1].first]
    return any(token.fine == "VVN" or lexicon().has("static", token.lemma) for token in between)


def _is_offered(arguments: Arguments, first: int) -> bool:
    """Whether a unit is what something is for: "options for X include Y" relates X and Y."""
    return first > 1 and arguments.symbols[first - 2 : first] in ("Np", "Hp")


def _differ(first: Mention, second: Mention) -> bool:
    """Whether both name entities, and share no word: "lymph node" and "node" are too much alike."""
    names = [
        {word for entity in mention.variable.entities if entity != ANY for word in entity.lower().split()}
        for mention in (first, second)
    ]
    return bool(names[0] and names[1]) and not names[0] & names[1]

"""Variables that stand close together in a clause: a weak sign, good only under a well supported template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aitia.analyst.rules.arguments import Arguments, arguments_of
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.mentions import Mention
from aitia.spec.model import ANY

LONGEST_SENTENCE = 60
"""Tokens; a longer sentence is several glued together."""

WIDEST = 14
"""Units of a sentence's shape from the one to the other."""


SAME_CLAUSE = re.compile(r"(?!.*,A*N[AB]*[VKB])(?=.*[VKEGp])[^;s,c][^;s]*")
"""What may stand between: a verb or preposition, but no other clause, and no comma or "and" at once."""


def close_pairs(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Pairs of mentions of one clause, in the order of the text, that are no members of one list."""
    if len(mentions) < 2 or len(sentence.tokens) > LONGEST_SENTENCE:
        return
    arguments = arguments_of(sentence)
    places = [_place(arguments, mention) for mention in mentions]
    for second in range(1, len(mentions)):
        for first in range(second):
            start, end = places[first], places[second]
            if start is None or end is None or not _in_one_clause(arguments, start, end):
                continue
            if _differ(mentions[first], mentions[second]):
                yield mentions[first], mentions[second]


def _place(arguments: Arguments, mention: Mention) -> int | None:
    """The unit whose head a mention holds; none for a mere modifier."""
    units = enumerate(arguments.units)
    return next((at for at, unit in units if mention.first <= unit.head <= mention.last), None)


def _in_one_clause(arguments: Arguments, first: int, last: int) -> bool:
    between = arguments.symbols[first + 1 : last]
    if not between or len(between) >= WIDEST or not SAME_CLAUSE.fullmatch(between):
        return False
    tokens = arguments.tokens[arguments.units[first].last : arguments.units[last].start]
    words = arguments.words
    return not any(t.tag is Tag.NEGATION or words.has("excluding", t.text.lower()) for t in tokens)


def _differ(first: Mention, second: Mention) -> bool:
    """Whether both name entities, and share no word: "lymph node" and "node" are too much alike."""
    names = [
        {word for entity in mention.variable.entities if entity != ANY for word in entity.lower().split()}
        for mention in (first, second)
    ]
    return bool(names[0] and names[1]) and not names[0] & names[1]

"""The sign of a link's end: "low oxygen" and "loss of water" turn round what is said of oxygen and water."""

from __future__ import annotations

from aitia.analyst.rules.arguments import Arguments, arguments_of
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import lexicon
from aitia.analyst.rules.mentions import Mention
from aitia.analyst.rules.units import NOUNS
from aitia.spec.model import Polarity

OPPOSITE: dict[Polarity, Polarity] = {"positive": "negative", "negative": "positive"}


def signed(sentence: Sentence, polarity: Polarity, cause: Mention, effect: Mention) -> Polarity:
    """The polarity that a cue gives two ends as named, turned round once for each end that is lowered.

    A state word inside a mention is the variable's own: "loss of water" is said of ``Loss(water)`` as it is.
    """
    flips = sum(_is_lowered(sentence, mention) for mention in (cause, effect))
    return OPPOSITE.get(polarity, polarity) if flips % 2 else polarity


def stands_for_complement(noun: str, preposition: str) -> bool:
    """Whether a noun says in which state its complement is: "loss of water", "a rise in prices"."""
    words = lexicon()
    state = words.has("lowering_nouns", noun) or words.has("raising_nouns", noun)
    return state and words.has("state_complements", preposition)


def _is_lowered(sentence: Sentence, mention: Mention) -> bool:
    """Whether an odd number of state words before a mention lower it, back to the noun it completes."""
    arguments = arguments_of(sentence)
    at = next((i for i, unit in enumerate(arguments.units) if unit.start <= mention.first <= unit.last), None)
    if at is None:
        return False
    lowered = _modified(sentence, arguments.units[at].start, mention.first)
    while (noun := _completed(arguments, at)) is not None:
        unit = arguments.units[noun]
        lowered ^= lexicon().has("lowering_nouns", sentence.tokens[unit.head].lemma)
        lowered ^= _modified(sentence, unit.start, unit.head)
        at = noun
    return lowered


def _completed(arguments: Arguments, at: int) -> int | None:
    """The unit of the noun that a phrase completes and whose state is the phrase's own, if there is one."""
    if at < 2 or arguments.symbols[at - 2] not in "NH":
        return None
    noun = arguments.tokens[arguments.units[at - 2].head].lemma
    preposition = arguments.lemma(at - 1)
    transparent = preposition == "of" and any(
        arguments.words.has(group, noun) for group in ("transparent", "vacuous")
    )
    return at - 2 if transparent or stands_for_complement(noun, preposition) else None


def _modified(sentence: Sentence, start: int, end: int) -> bool:
    """Whether an odd number of words from ``start`` to before ``end`` lower the noun that follows."""
    return sum(_lowers(sentence, at) for at in range(start, end)) % 2 == 1


def _lowers(sentence: Sentence, at: int) -> bool:
    """Whether a word lowers its noun, and not the adjective behind it ("less effective") nor by name.

    "A little X" is some.
    """
    tokens, words = sentence.tokens, lexicon()
    token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
    if not words.has("lowering", token.text.lower()) or (token.tag in NOUNS and token.text.istitle() and at):
        return False
    if (
        following is not None
        and words.has("comparing", token.text.lower())
        and following.tag is Tag.ADJECTIVE
    ):
        return False
    return not (token.text.lower() == "little" and at and tokens[at - 1].text.lower() == "a")

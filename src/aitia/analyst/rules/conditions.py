"""States that call for a decision: "if the cancer has spread, chemotherapy may be recommended"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from aitia.analyst.rules.arguments import Arguments, arguments_of
from aitia.analyst.rules.causal import CausalLink
from aitia.analyst.rules.heads import Argument
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue
from aitia.analyst.rules.patterns import GROUP, SUBJECTS

CONFIDENCE = 0.6
MAIN = re.compile(rf",A*(?:{SUBJECTS}){GROUP}[VKB]")
OCCASION = re.compile(rf"({SUBJECTS}),")
VERB = re.compile(r"[VKBE]")
VERB_GROUP = re.compile(r"[ABt]*[VKBE]?[ABVt]*")
PREDICATE_NOUN = re.compile(r"A*N")


def conditional_links(sentence: Sentence) -> Iterator[CausalLink]:
    """A link from what a condition is about to what is decided under it; refused decisions are negative."""
    arguments = arguments_of(sentence)
    for at in range(len(arguments.units)):
        if _opens_condition(arguments, at):
            condition, main = _clauses(arguments, at)
            causes = _about(arguments, *condition)
        elif _opens_occasion(arguments, at):
            causes, main = _occasion(arguments, at)
        else:
            continue
        decision = _decision(arguments, *main)
        if decision is not None:
            refused = _refused(arguments, main[0], decision[0])
            for cause, effect in product(causes, decision[1]):
                yield _link(arguments, at, cause, effect, refused)


def _link(arguments: Arguments, at: int, cause: Argument, effect: Argument, refused: bool) -> CausalLink:
    unit = arguments.units[at]
    return CausalLink(
        (cause.first, cause.last),
        (effect.first, effect.last),
        "negative" if refused else "positive",
        CONFIDENCE,
        Cue((arguments.lemma(at),), "before", "relate", "positive", CONFIDENCE),
        (unit.first, unit.last),
        cause.head,
        effect.head,
    )


def _opens_occasion(arguments: Arguments, at: int) -> bool:
    """Whether a clause begins with a preposition of occasion: "after surgery, rest is needed"."""
    opening = arguments.symbols[at] == "p" and (at == 0 or arguments.symbols[at - 1] == ";")
    return opening and arguments.words.has("occasions", arguments.lemma(at))


def _occasion(arguments: Arguments, at: int) -> tuple[list[Argument], tuple[int, int]]:
    """What stands behind the preposition, and the clause behind its comma."""
    found = OCCASION.match(arguments.symbols, at + 1)
    if found is None:
        return [], (at, at)
    end = arguments.symbols.find(";", found.end())
    return arguments.series(*found.span(1)), (found.end(), end if end >= 0 else len(arguments.symbols))


def _opens_condition(arguments: Arguments, at: int) -> bool:
    """Whether a unit is an "if" of condition, and not the "if" of "to see if"."""
    if arguments.symbols[at] not in "sA" or not arguments.words.has("conditions", arguments.lemma(at)):
        return False
    return at == 0 or not arguments.words.has("asking", arguments.tokens[arguments.units[at - 1].last].lemma)


def _clauses(arguments: Arguments, at: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The condition and the main clause as ranges of units; the main clause follows a comma or precedes."""
    symbols = arguments.symbols
    end = symbols.find(";", at)
    end = len(symbols) if end < 0 else end
    start = symbols.rfind(";", 0, at) + 1
    verb = VERB.search(symbols, at + 1, end)
    main = MAIN.search(symbols, verb.end(), end) if verb else None
    if VERB.search(symbols, start, at):
        return (at + 1, main.start() if main else end), (start, at)
    if main is None:
        return (at + 1, at + 1), (at, at)
    return (at + 1, main.start()), (main.start() + 1, end)


def _about(arguments: Arguments, first: int, end: int) -> list[Argument]:
    """The subject of a condition, or its object where the subject is a person or a pronoun."""
    verb = VERB.search(arguments.symbols, first, end)
    if verb is None:
        return []
    subjects = arguments.before(verb.start(), arguments.units[verb.start()])
    named = [subject for subject in subjects if _is_thing(arguments, subject)]
    return named or _complement(arguments, verb.start(), end)


def _decision(arguments: Arguments, first: int, end: int) -> tuple[int, list[Argument]] | None:
    """The place of a main clause's verb and what it decides: a passive's subject, else an object."""
    found = VERB.search(arguments.symbols, first, end)
    if found is None:
        return None
    at = found.start()
    group = VERB_GROUP.match(arguments.symbols, at, end)
    last = max(at, group.end() - 1 if group else at)
    subjects = [each for each in arguments.before(at, arguments.units[at]) if _is_thing(arguments, each)]
    if arguments.symbols[at] == "B" and subjects:
        return (last, subjects) if _is_decided(arguments, at, last, end) else None
    if arguments.words.has("decisions", arguments.lemma(last)):
        return last, _complement(arguments, last, end)
    return None


def _is_decided(arguments: Arguments, at: int, last: int, end: int) -> bool:
    noun = PREDICATE_NOUN.match(arguments.symbols, at + 1, end)
    if noun is None:
        return arguments.words.has("decisions", arguments.lemma(last))
    head = arguments.units[noun.end() - 1].head
    return arguments.words.has("decided", arguments.tokens[head].lemma)


def _complement(arguments: Arguments, at: int, end: int) -> list[Argument]:
    return [
        each
        for each in arguments.after(at)
        if _is_thing(arguments, each) and each.last <= arguments.units[end - 1].last
    ]


def _is_thing(arguments: Arguments, argument: Argument) -> bool:
    token = arguments.tokens[argument.head]
    return token.tag not in (Tag.PRONOUN, Tag.DETERMINER, Tag.NUMBER)


def _refused(arguments: Arguments, first: int, last: int) -> bool:
    units = arguments.units[first : last + 1]
    tokens = arguments.tokens[units[0].start : units[-1].last + 1] if units else ()
    return any(token.tag is Tag.NEGATION or token.lemma == "no" for token in tokens)

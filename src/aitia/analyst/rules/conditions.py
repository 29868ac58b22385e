"""States that call for a decision: "if the cancer has spread, chemotherapy may be recommended"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aitia.analyst.rules.arguments import GROUP, SUBJECTS, Argument, Arguments
from aitia.analyst.rules.causal import CausalLink
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue, lexicon

CONFIDENCE = 0.6
MAIN = re.compile(rf",A*(?:{SUBJECTS}){GROUP}[VKB]")
VERB = re.compile(r"[VKBE]")
VERB_GROUP = re.compile(r"[ABt]*[VKBE]?[ABVt]*")
PREDICATE_NOUN = re.compile(r"A*N")


def conditional_links(sentence: Sentence) -> Iterator[CausalLink]:
    """A link from what a condition is about to what is decided under it; refused decisions are negative."""
    arguments = Arguments(sentence, lexicon())
    for at, unit in enumerate(arguments.units):
        if not _opens_condition(arguments, at):
            continue
        condition, main = _clauses(arguments, at)
        decision = _decision(arguments, *main)
        if decision is None:
            continue
        place, effects = decision
        for cause in _about(arguments, *condition):
            for effect in effects:
                yield CausalLink(
                    (cause.first, cause.last),
                    (effect.first, effect.last),
                    "negative" if _refused(arguments, main[0], place) else "positive",
                    CONFIDENCE,
                    Cue((arguments.lemma(at),), "before", "relate", "positive", CONFIDENCE),
                    (unit.first, unit.last),
                    cause.head,
                    effect.head,
                )


def _opens_condition(arguments: Arguments, at: int) -> bool:
    """Whether a unit is an "if" of condition, and not the "if" of "to see if"."""
    if arguments.symbols[at] not in "sA" or not arguments.words.has("conditions", arguments.lemma(at)):
        return False
    before = arguments.units[at - 1].last if at else None
    asked = before is not None and (
        arguments.symbols[at - 1] in "VKGE" or arguments.words.has("asking", arguments.tokens[before].lemma)
    )
    return not asked


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

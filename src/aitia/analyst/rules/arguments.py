"""What stands before and behind a cue."""

from __future__ import annotations

import re
from functools import lru_cache

from aitia.analyst.rules import patterns
from aitia.analyst.rules.heads import Argument, Choice, Phrases
from aitia.analyst.rules.language import Sentence
from aitia.analyst.rules.lexicon import lexicon
from aitia.analyst.rules.units import Unit

VERBS = ("V", "K", "B")
LOOK_BACK = 120
"""Units before a cue that are searched, which bounds the work on a sentence without an end."""

AGREEING = {"VVZ": Choice.NEAR_SINGULAR, "VVB": Choice.NEAR_PLURAL}
"""What a relative clause belongs to, by the number of its verb."""

PATTERNS = {
    Choice.ROOT: (patterns.RESUMED, patterns.PLAIN, patterns.APPOSED),
    Choice.SINGULAR: (patterns.RESUMED, patterns.PLAIN, patterns.APPOSED),
    Choice.NEAR: (patterns.PLAIN, patterns.APPOSED),
    Choice.MEANS: (patterns.PURPOSE, patterns.PLAIN, patterns.APPOSED),
    Choice.EFFECT: (patterns.PLAIN, patterns.APPOSED, patterns.EXTRAPOSED),
    Choice.LAST_EFFECT: (patterns.PLAIN, patterns.APPOSED),
    Choice.LAST: (patterns.PLAIN,),
}


@lru_cache(maxsize=4096)
def arguments_of(sentence: Sentence) -> Arguments:
    """The arguments of a sentence's cues; a sentence is read for several kinds of cue in turn."""
    return Arguments(sentence, lexicon())


class Arguments(Phrases):
    """Finds the arguments of one sentence's cues, by the places of its units."""

    def before(self, at: int, unit: Unit) -> list[Argument]:
        """What stands before a cue: its grammatical subject or antecedent."""
        fine = self.tokens[unit.first].fine
        if found := self._find(patterns.RELATIVE, at):
            choice = Choice.EFFECT if unit.passive else AGREEING.get(fine, Choice.NEAR)
            return self.series(*found.span(1), choice) + self._classed(at)
        if (verb := self._verb_of_subject(at, unit)) is not None:
            return self.before(verb, self.units[verb])
        if fine == "VVG" and (found := self._find(patterns.CLAUSE, at)):
            subject_next = patterns.GERUND_SUBJECT.match(self.symbols, at + 1)
            return [] if subject_next else self._clause(*found.span(1))
        if self._dangles(at, unit) and (found := self._find(patterns.MAIN_CLAUSE, at)):
            return self._clause(*found.span(1))
        choice = self._choice(at, unit)
        if choice is Choice.NEAR and (verb := self._use(at)) is not None:
            if not self.words.has("instrumental", self.lemma(verb)):
                return []
            choice = Choice.MEANS
        return self._nearest_before(at, choice)

    def _nearest_before(self, at: int, choice: Choice) -> list[Argument]:
        found = next((met for pattern in PATTERNS[choice] if (met := self._find(pattern, at))), None)
        if found is None:
            return []
        members = self.series(*found.span(1), choice)
        own_clause = choice in (Choice.ROOT, Choice.SINGULAR) and self.symbols[: found.start()][-1:] in VERBS
        return (members[-1:] if own_clause else members) + self._also(at, choice)

    def _dangles(self, at: int, unit: Unit) -> bool:
        """Whether a participle hangs on the clause before it: "it is done in winter depending on snow"."""
        own_verb = self.symbols[max(at - 1, 0) : at] in VERBS
        return (
            self.tokens[unit.first].fine == "VVG"
            and not own_verb
            and self.words.has("dangling", self.lemma(at))
        )

    def _verb_of_subject(self, at: int, unit: Unit) -> int | None:
        """The verb whose subject is also the cue's: "X raises Y and causes", "X works by reducing"."""
        found = self._find(patterns.SHARED, at) if unit.symbol in VERBS else None
        if found is None and self.tokens[unit.first].fine == "VVG":
            found = self._find(patterns.MEANS, at)
        return found.start() if found else None

    def _use(self, at: int) -> int | None:
        """The verb whose subject or object an infinitive gives a purpose: "take aspirin to reduce pain"."""
        found = self._find(patterns.PURPOSE, at) or self._find(patterns.MEANT, at)
        return found.start("verb") if found else None

    def _also(self, at: int, choice: Choice) -> list[Argument]:
        """Subjects that share what is said: of a class, or of the user of a means ("it uses X to kill Y")."""
        if choice not in (Choice.EFFECT, Choice.NEAR, Choice.MEANS):
            return []
        used = self._find(patterns.MEANT, at) if choice is Choice.MEANS else None
        if used and self.words.has("using", self.lemma(used.start("verb"))):
            return self.before(used.start("verb"), self.units[used.start("verb")])
        return self._classed(at)

    def _classed(self, at: int) -> list[Argument]:
        """Germs, in "germs are organisms that cause disease": what is said of the class holds of it."""
        found = self._find(patterns.CLASSED, at)
        return self.series(*found.span(1)) if found else []

    def _choice(self, at: int, unit: Unit) -> Choice:
        before = self.symbols[max(at - 3, 0) : at]
        if unit.cue is not None and unit.cue.frame == "for":
            return Choice.LAST
        if unit.symbol == "p":
            return Choice.LAST_EFFECT
        if unit.passive and "B" not in before:
            return Choice.EFFECT
        if unit.cue is not None and unit.cue.frame == "behind":
            return Choice.EFFECT
        if before.endswith("t"):
            return Choice.NEAR
        return Choice.SINGULAR if self.tokens[unit.first].fine == "VVZ" else Choice.ROOT

    def after(self, at: int) -> list[Argument]:
        """What stands directly behind a cue: its object, complement or agent.

        Examples behind a comma are the object's; behind an agent they are taken to be the subject's
        ("symptoms caused by the spread, such as pain").
        """
        if not self.units[at].passive:
            found = patterns.OBJECTS.match(self.symbols, at + 1)
            return self.series(*found.span(1), Choice.OBJECT) if found else []
        reduced = self._choice(at, self.units[at]) is Choice.EFFECT
        found = (patterns.AGENTS_WITHIN if reduced else patterns.AGENTS).match(self.symbols, at + 1)
        return self.series(*found.span(1), Choice.AGENT) if found else []

    def object_relative(self, at: int) -> tuple[list[Argument], list[Argument]]:
        """The storm, the damage: "the damage that the storm caused"."""
        found = self._find(patterns.OBJECT_RELATIVE, at)
        if not found:
            return [], []
        return self.series(*found.span(2)), self.series(*found.span(1))

    def of_noun(self, at: int, influence: bool) -> tuple[list[Argument], list[Argument]]:
        """X and Y of "X is a cause of Y" and of "causes of Y are X"; of "the effect of Y on X"."""
        if influence and (found := patterns.INFLUENCE.match(self.symbols, at + 1)):
            return self.series(*found.span(2)), self.series(*found.span(1))
        after = self.after(at)
        if found := self._linked(at) or self._find(patterns.RELATIVE, at) or self._find(patterns.NAMED, at):
            return self.series(*found.span(1)), after
        if found := patterns.EQUATED.match(self.symbols, at + 1):
            return self.series(*found.span(1)), after
        return self._listed(at), after

    def _listed(self, at: int) -> list[Argument]:
        """The items behind a colon, with or without commas: "symptoms include: Fever Dry cough"."""
        found = patterns.LISTED.match(self.symbols, at + 1)
        if found is None or self.tokens[self.units[found.start("colon")].first].text != ":":
            return []
        return self.items(*found.span(2))

    def ahead(self, at: int) -> list[Argument]:
        """The subject of the clause behind an opening phrase: "because of the drought, prices rose"."""
        if at and self.symbols[at - 1] not in ";,A":
            return []
        found = patterns.OPENING.match(self.symbols, at + 1)
        return self.series(*found.span(1)) if found else []

    def referent(self, argument: Argument) -> Argument:
        """The subject that a pronoun of the same sentence stands for; any other argument as it is."""
        word = self.tokens[argument.head].text.lower()
        plural = self.words.has("plural_pronouns", word)
        if not (plural or self.words.has("singular_pronouns", word)):
            return argument
        end = next(i for i, unit in enumerate(self.units) if unit.last >= argument.head)
        for found in reversed(list(patterns.SUBJECT.finditer(self.symbols, max(0, end - LOOK_BACK), end))):
            subject = self.argument(*found.span(1))
            if (self.tokens[subject.head].fine == "NN2") == plural and not self.is_pronoun(found.start(1)):
                return subject
        return argument

    def clauses_around(self, at: int) -> tuple[list[Argument], list[Argument]]:
        """The clauses on both sides of "therefore", each with its subject's head."""
        left, right = (
            self._find(patterns.CLAUSE_BEFORE, at),
            patterns.CLAUSE_BEHIND.match(self.symbols, at + 1),
        )
        if not (left and right):
            return [], []
        return self._clause(*left.span(1)), self._clause(*right.span(1))

    def _linked(self, at: int) -> re.Match[str] | None:
        """The subject that "is" or "plays" or "has" what the cue's noun says."""
        found = self._find(patterns.PREDICATE, at)
        if found and self.words.has("linking", self.lemma(found.start("verb"))):
            return found
        return None

    def _clause(self, first: int, end: int) -> list[Argument]:
        """A whole clause as one argument; its head is the subject's."""
        verb = max(self.symbols.rfind(symbol, first, end) for symbol in "VKB")
        subjects = self.before(verb, self.units[verb])
        head = subjects[0].head if subjects else self.units[end - 1].last
        return [Argument(self.units[first].first, self.units[end - 1].last, head)]

    def _find(self, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
        return pattern.search(self.symbols, max(0, at - LOOK_BACK), at)

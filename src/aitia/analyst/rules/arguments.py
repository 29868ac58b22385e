"""What stands before and after a cue: patterns over the shape of a sentence.

The patterns are written in the letters of `shape`. Those that look back end in ``$``, the cue's place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Lexicon, lexicon
from aitia.analyst.rules.shape import Unit, shape_of

VERBS = ("V", "K", "B")
LOOK_BACK = 120
"""Units before a cue that are searched, which bounds the work on a sentence without an end."""

NP = r"(?:H?G?N|H?G)"
ITEM = rf"{NP}(?:A?[op]A?{NP})*"
NEXT_VERB = r"(?!r?[ABV]*[VKB])"
SERIES = rf"{ITEM}(?:(?:,A?{ITEM})*,?cA?p?{ITEM}{NEXT_VERB})?"
CHAIN = rf"{ITEM}(?:A?EA?(?:[op]{NP})*|J[op]{NP})*"
SUBJECTS = rf"(?:{CHAIN}(?:,A?{CHAIN})*,?cA?)?{CHAIN}"
GROUP = r"[ABt]*"

RELATIVE = re.compile(rf"({SUBJECTS}),?p?r{GROUP}$")
PURPOSE = re.compile(rf"({SUBJECTS}){GROUP}B{GROUP}(?P<verb>[VKE])[^;,s]*t{GROUP}$")
MEANT = re.compile(rf"(?P<verb>[VKEG])[^VKEGB;,s]*t{GROUP}$")
CLASSED = re.compile(rf"({SUBJECTS})A*BA*{NP}(?:o{NP})*(?:,?r)?{GROUP}$")
RESUMED = re.compile(rf"({CHAIN}),?r{GROUP}[VK][AVt]*(?:p?{SUBJECTS})?,?{GROUP}$")
GERUND_SUBJECT = re.compile(rf"{SERIES}A*[VBK]")
SHARED = re.compile(rf"[VKB](?=[^VKB;s]*,?c{GROUP}$)")
MEANS = re.compile(rf"[VKB](?=[^VKB;s]*p{GROUP}$)")
NAMED = re.compile(rf"(?<![VKpo,])({CHAIN}),$")
APPOSED = re.compile(rf"(?<![VKpo,])({CHAIN}),[^;s]*,{GROUP}$")
PLAIN = re.compile(rf"({SUBJECTS}){GROUP}$")
CLAUSE = re.compile(rf"([^;s]*[VKB][^;s]*),{GROUP}$")
CLAUSE_BEFORE = re.compile(r"([^;s]*[VKB][^;s]*)[;,]c?$")
CLAUSE_BEHIND = re.compile(r",?([^;s]*[VKBE][^;s]*)")
SUBJECT = re.compile(rf"({ITEM}){GROUP}[VKB]")
OPENING = re.compile(rf"{SERIES},A*({SUBJECTS}){GROUP}[VKB]")
OBJECTS = re.compile(rf"[At]*({SERIES}(?:,?h{SERIES})?)")
AGENTS = re.compile(rf"[At]*({SERIES}(?:h{SERIES})?)")
AGENTS_WITHIN = re.compile(rf"[At]*({SUBJECTS})")
EXTRAPOSED = re.compile(rf"({CHAIN})[ABVEJ]+,A*$")
OBJECT_RELATIVE = re.compile(rf"({CHAIN})r?({CHAIN})A*$")
PREDICATE = re.compile(rf"({SUBJECTS})[ABV]*(?P<verb>[VBK])A*(?:No|p)?$")
EQUATED = re.compile(rf"{ITEM}[AV]*[VB]A*({SERIES})")
LISTED = re.compile(rf"{ITEM}[ABV]*[VB]A*(?P<colon>;)({ITEM}(?:[,;]?c?A?{ITEM}{NEXT_VERB})*)")
INFLUENCE = re.compile(rf"({NP}(?:o{NP}|cA?{NP})*)p({SERIES})")
INNER = re.compile(rf"{NP}(?:A?[op]A?{NP})+c{NP}")
ITEM_PATTERN = re.compile(ITEM)
HEADS = re.compile(rf"(?:^|[,ch])[Ap]*({ITEM})")


class Choice(Enum):
    """Which nouns of a phrase with complements are meant; all but SINGULAR take every member of a series."""

    OBJECT = 0
    ROOT = 1
    SINGULAR = 2
    NEAR = 3
    EFFECT = 4
    LAST_EFFECT = 5
    LAST = 6
    AGENT = 7
    NEAR_SINGULAR = 8
    NEAR_PLURAL = 9
    MEANS = 10


AGREEING = {"VVZ": Choice.NEAR_SINGULAR, "VVB": Choice.NEAR_PLURAL}
"""What a relative clause belongs to, by the number of its verb."""

PATTERNS = {
    Choice.ROOT: (RESUMED, PLAIN, APPOSED),
    Choice.SINGULAR: (RESUMED, PLAIN, APPOSED),
    Choice.NEAR: (PLAIN, APPOSED),
    Choice.MEANS: (PURPOSE, PLAIN, APPOSED),
    Choice.EFFECT: (PLAIN, APPOSED, EXTRAPOSED),
    Choice.LAST_EFFECT: (PLAIN, APPOSED),
    Choice.LAST: (PLAIN,),
}


@dataclass(frozen=True, slots=True)
class Argument:
    """Tokens ``first`` to ``last`` and the head noun among them."""

    first: int
    last: int
    head: int


@lru_cache(maxsize=4096)
def arguments_of(sentence: Sentence) -> Arguments:
    """The arguments of a sentence's cues; a sentence is read for several kinds of cue in turn."""
    return Arguments(sentence, lexicon())


class Arguments:
    """Finds the arguments of one sentence's cues, by the places of its units."""

    def __init__(self, sentence: Sentence, words: Lexicon) -> None:
        shape = shape_of(sentence, words)
        self.tokens = sentence.tokens
        self.units = shape.units
        self.symbols = shape.symbols
        self.words = words

    def lemma(self, at: int) -> str:
        """The lemma of a unit's first word."""
        return self.tokens[self.units[at].first].lemma

    def before(self, at: int, unit: Unit) -> list[Argument]:
        """What stands before a cue: its grammatical subject or antecedent."""
        fine = self.tokens[unit.first].fine
        if found := self._find(RELATIVE, at):
            choice = Choice.EFFECT if unit.passive else AGREEING.get(fine, Choice.NEAR)
            return self.series(*found.span(1), choice) + self._classed(at)
        for pattern in ((SHARED,) if unit.symbol in VERBS else ()) + ((MEANS,) if fine == "VVG" else ()):
            if found := self._find(pattern, at):
                return self.before(found.start(), self.units[found.start()])
        if fine == "VVG" and (found := self._find(CLAUSE, at)):
            return self._clause(*found.span(1)) if not GERUND_SUBJECT.match(self.symbols, at + 1) else []
        choice = self._choice(at, unit)
        finite = choice in (Choice.ROOT, Choice.SINGULAR)
        if choice is Choice.NEAR and (verb := self._use(at)) is not None:
            if not self.words.has("instrumental", self.lemma(verb)):
                return []
            choice = Choice.MEANS
        for pattern in PATTERNS[choice]:
            if found := self._find(pattern, at):
                also = self._also(at, choice)
                members = self.series(*found.span(1), choice)
                own_clause = finite and self.symbols[found.start() - 1 : found.start()] in VERBS
                return (members[-1:] if own_clause else members) + also
        return []

    def _use(self, at: int) -> int | None:
        """The verb whose subject or object an infinitive gives a purpose: "take aspirin to reduce pain"."""
        found = self._find(PURPOSE, at) or self._find(MEANT, at)
        return found.start("verb") if found else None

    def _also(self, at: int, choice: Choice) -> list[Argument]:
        """Subjects that share what is said: of a class, or of the user of a means ("it uses X to kill Y")."""
        if choice not in (Choice.EFFECT, Choice.NEAR, Choice.MEANS):
            return []
        used = self._find(MEANT, at) if choice is Choice.MEANS else None
        if used and self.words.has("using", self.lemma(used.start("verb"))):
            return self.before(used.start("verb"), self.units[used.start("verb")])
        return self._classed(at)

    def _classed(self, at: int) -> list[Argument]:
        """Germs, in "germs are organisms that cause disease": what is said of the class holds of it."""
        found = self._find(CLASSED, at)
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
            found = OBJECTS.match(self.symbols, at + 1)
            return self.series(*found.span(1), Choice.OBJECT) if found else []
        reduced = self._choice(at, self.units[at]) is Choice.EFFECT
        found = (AGENTS_WITHIN if reduced else AGENTS).match(self.symbols, at + 1)
        return self.series(*found.span(1), Choice.AGENT) if found else []

    def object_relative(self, at: int) -> tuple[list[Argument], list[Argument]]:
        """The storm, the damage: "the damage that the storm caused"."""
        found = self._find(OBJECT_RELATIVE, at)
        if not found:
            return [], []
        return self.series(*found.span(2)), self.series(*found.span(1))

    def of_noun(self, at: int, influence: bool) -> tuple[list[Argument], list[Argument]]:
        """X and Y of "X is a cause of Y" and of "causes of Y are X"; of "the effect of Y on X"."""
        if influence and (found := INFLUENCE.match(self.symbols, at + 1)):
            return self.series(*found.span(2)), self.series(*found.span(1))
        after = self.after(at)
        if found := self._linked(at) or self._find(RELATIVE, at) or self._find(NAMED, at):
            return self.series(*found.span(1)), after
        if found := EQUATED.match(self.symbols, at + 1):
            return self.series(*found.span(1)), after
        return self._listed(at), after

    def _listed(self, at: int) -> list[Argument]:
        """The items behind a colon, with or without commas: "symptoms include: Fever Dry cough"."""
        found = LISTED.match(self.symbols, at + 1)
        if found is None or self.tokens[self.units[found.start("colon")].first].text != ":":
            return []
        items = ITEM_PATTERN.finditer(self.symbols, *found.span(2))
        return [self._argument(*item.span(), Choice.ROOT) for item in items]

    def ahead(self, at: int) -> list[Argument]:
        """The subject of the clause behind an opening phrase: "because of the drought, prices rose"."""
        if at and self.symbols[at - 1] not in ";,A":
            return []
        found = OPENING.match(self.symbols, at + 1)
        return self.series(*found.span(1)) if found else []

    def referent(self, argument: Argument) -> Argument:
        """The subject that a pronoun of the same sentence stands for; any other argument as it is."""
        word = self.tokens[argument.head].text.lower()
        plural = self.words.has("plural_pronouns", word)
        if not (plural or self.words.has("singular_pronouns", word)):
            return argument
        end = next(i for i, unit in enumerate(self.units) if unit.last >= argument.head)
        for found in reversed(list(SUBJECT.finditer(self.symbols, max(0, end - LOOK_BACK), end))):
            subject = self._argument(*found.span(1), Choice.ROOT)
            if (self.tokens[subject.head].fine == "NN2") == plural and not self._is_pronoun(found.start(1)):
                return subject
        return argument

    def clauses_around(self, at: int) -> tuple[list[Argument], list[Argument]]:
        """The clauses on both sides of "therefore", each with its subject's head."""
        left, right = self._find(CLAUSE_BEFORE, at), CLAUSE_BEHIND.match(self.symbols, at + 1)
        if not (left and right):
            return [], []
        return self._clause(*left.span(1)), self._clause(*right.span(1))

    def _linked(self, at: int) -> re.Match[str] | None:
        """The subject that "is" or "plays" or "has" what the cue's noun says."""
        found = self._find(PREDICATE, at)
        if found and self.words.has("linking", self.lemma(found.start("verb"))):
            return found
        return None

    def _clause(self, first: int, end: int) -> list[Argument]:
        """A whole clause as one argument; its head is the subject's."""
        verb = max(self.symbols.rfind(symbol, first, end) for symbol in "VKB")
        subjects = self.before(verb, self.units[verb])
        head = subjects[0].head if subjects else self.units[end - 1].last
        return [Argument(self.units[first].first, self.units[end - 1].last, head)]

    def series(self, first: int, end: int, choice: Choice = Choice.ROOT) -> list[Argument]:
        """The members of a series of phrases; only the first where a singular verb says so."""
        text = self.symbols[first:end]
        members = [(first + found.start(1), first + found.end(1)) for found in HEADS.finditer(text)]
        if choice not in (Choice.EFFECT, Choice.LAST_EFFECT, Choice.AGENT) and INNER.fullmatch(text):
            members = members[:1]
        if len(members) > 1 and self._is_pronoun(members[-1][0]):
            members = members[-1:]
        if choice is Choice.SINGULAR and "h" not in text:
            members = members[:1]
        return [self._argument(*member, choice) for member in members]

    def _argument(self, first: int, end: int, choice: Choice) -> Argument:
        """A phrase with its complements; nouns like "risk of" give way to what they stand for."""
        position = first
        while position + 1 < end and self._transparent(position):
            position += 1 + (self.symbols[position + 1] == "o")
        heads = [
            at
            for at in range(position, end)
            if self.symbols[at] in "NH" or (self.symbols[at] == "G" and self.symbols[at + 1 : end][:1] != "N")
        ]
        effects = [at for at in heads if self.words.is_effect(self.tokens[self.units[at].head].lemma)]
        head = heads[0]
        if effects and choice in (Choice.EFFECT, Choice.LAST_EFFECT):
            head = effects[0] if choice is Choice.EFFECT else effects[-1]
        elif choice in (Choice.NEAR_SINGULAR, Choice.NEAR_PLURAL):
            head = self._agreeing(heads, choice is Choice.NEAR_PLURAL)
        elif choice in (Choice.NEAR, Choice.EFFECT, Choice.LAST):
            head = self._nearest(heads)
        begin = position if head == heads[0] else head
        return Argument(self.units[begin].first, self.units[end - 1].last, self.units[head].head)

    def _nearest(self, heads: Sequence[int]) -> int:
        """The last noun that is no complement of "of"."""
        return next((at for at in reversed(heads) if self.symbols[at - 1] != "o" or at == heads[0]), heads[0])

    def _agreeing(self, heads: Sequence[int], plural: bool) -> int:
        """The last noun of a number, else the nearest."""
        of_number = [at for at in heads if (self.tokens[self.units[at].head].fine == "NN2") == plural]
        return of_number[-1] if of_number else self._nearest(heads)

    def _is_pronoun(self, position: int) -> bool:
        return self.tokens[self.units[position].head].tag is Tag.PRONOUN

    def _transparent(self, position: int) -> bool:
        if self.symbols[position : position + 2] not in ("No", "HN", "HG", "HH"):
            return False
        token = self.tokens[self.units[position].head]
        return self.words.has("transparent", token.lemma) or self.words.has("transparent", token.text.lower())

    def _find(self, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
        return pattern.search(self.symbols, max(0, at - LOOK_BACK), at)

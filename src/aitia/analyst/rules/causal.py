"""Stated causes and effects within a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue, Lexicon, lexicon
from aitia.analyst.rules.shape import Shape, Unit, shape_of
from aitia.spec.model import Polarity

Span = tuple[int, int]

NP = r"(?:H?G?N|H?G)"
ITEM = rf"{NP}(?:A?[op]A?{NP})*"
NEXT_VERB = r"(?!r?[ABV]*[VKB])"
SERIES = rf"{ITEM}(?:(?:,A?{ITEM})*,?cA?p?{ITEM}{NEXT_VERB})?"
CHAIN = rf"{ITEM}(?:A?EA?(?:p{NP})?(?:[op]{NP})*|J[op]{NP})*"
SUBJECTS = rf"(?:{CHAIN}(?:,A?{CHAIN})*,?cA?)?{CHAIN}"
GROUP = r"[ABt]*"

RELATIVE = re.compile(rf"({SUBJECTS}),?p?r{GROUP}$")
PURPOSE = re.compile(rf"({SUBJECTS}){GROUP}B{GROUP}([VKE])[^;,s]*t{GROUP}$")
MEANT = re.compile(rf"([VKEG])[^VKEGB;,s]*t{GROUP}$")
CLASSED = re.compile(rf"({SUBJECTS})A*BA*{NP}(?:o{NP})*(?:,?r)?{GROUP}$")
RESUMED = re.compile(rf"({CHAIN}),?r{GROUP}[VK][AVt]*(?:p?{SUBJECTS})?,?{GROUP}$")
GERUND_SUBJECT = re.compile(rf"{SERIES}A*[VBK]")
SHARED = re.compile(rf"[VKB](?=[^VKB;s]*,?c{GROUP}$)")
MEANS = re.compile(rf"[VKB](?=[^VKB;s]*p{GROUP}$)")
APPOSED = re.compile(rf"(?<![VKpo,])({CHAIN}),[^;s]*,{GROUP}$")
PLAIN = re.compile(rf"({SUBJECTS}){GROUP}$")
CLAUSE = re.compile(rf"([^;s]*[VKB][^;s]*),{GROUP}$")
OBJECTS = re.compile(rf"[At]*({SERIES}(?:,?h{SERIES})?)")
OBJECT_RELATIVE = re.compile(rf"({CHAIN})r?({CHAIN})A*$")
PREDICATE = re.compile(rf"({SUBJECTS})[ABV]*([VBK])A*(?:No|p)?$")
EQUATED = re.compile(rf"{ITEM}[AV]*[VB]A*({SERIES})")
INFLUENCE = re.compile(rf"({NP}(?:o{NP}|cA?{NP})*)p({SERIES})")
INNER = re.compile(rf"{NP}(?:A?[op]A?{NP})+c{NP}")
HEADS = re.compile(rf"(?:^|[,ch])[Ap]*({ITEM})")


@dataclass(frozen=True, slots=True)
class CausalLink:
    """Cause and effect as token spans ``(first, last)``, both inclusive, and the head noun of each.

    ``polarity`` is ``none`` for a stated non-effect; ``confidence`` is in (0, 1).
    """

    cause: Span
    effect: Span
    polarity: Polarity
    confidence: float
    cue: Cue
    cue_span: Span
    cause_head: int
    effect_head: int


@lru_cache(maxsize=65536)
def causal_links(sentence: Sentence) -> tuple[CausalLink, ...]:
    """The links that the cues of a sentence state, in the order of the cues."""
    words = lexicon()
    shape = shape_of(sentence, words)
    finder = _Finder(sentence, shape, words)
    found = {
        (link.cause_head, link.effect_head): link
        for at, unit in reversed(list(enumerate(shape.units)))
        if unit.cue is not None
        for link in finder.links(at, unit, unit.cue)
    }
    return tuple(sorted(found.values(), key=lambda link: (link.cue_span, link.cause, link.effect)))


class _Choice(Enum):
    """Which nouns of a phrase with complements are meant; all but SINGULAR take every member of a series."""

    OBJECT = 0
    ROOT = 1
    SINGULAR = 2
    NEAR = 3
    EFFECT = 4
    LAST_EFFECT = 5


PATTERNS = {
    _Choice.ROOT: (RESUMED, PLAIN, APPOSED),
    _Choice.SINGULAR: (RESUMED, PLAIN, APPOSED),
    _Choice.NEAR: (PURPOSE, PLAIN, APPOSED),
    _Choice.EFFECT: (PLAIN, APPOSED),
    _Choice.LAST_EFFECT: (PLAIN, APPOSED),
}


@dataclass(frozen=True, slots=True)
class Argument:
    """Tokens ``first`` to ``last`` and the head noun among them."""

    first: int
    last: int
    head: int


class _Finder:
    """Finds the arguments of one sentence's cues."""

    def __init__(self, sentence: Sentence, shape: Shape, words: Lexicon) -> None:
        self.tokens = sentence.tokens
        self.units = shape.units
        self.symbols = shape.symbols
        self.words = words

    def links(self, at: int, unit: Unit, cue: Cue) -> Iterator[CausalLink]:
        """The links of the cue at a unit."""
        for cause, effect in self._pairs(at, unit, cue):
            links = (self._link(at, each, cause, effect) for each in self.words.readings(cue))
            if (link := next((link for link in links if link is not None), None)) is not None:
                yield link

    def _pairs(self, at: int, unit: Unit, cue: Cue) -> Iterator[tuple[Argument, Argument]]:
        if cue.frame == "influence":
            left, right = self._influence(at)
        elif cue.frame in ("noun", "reverse_noun"):
            left, right = self._noun_arguments(at)
        else:
            if self._agentless(at, unit, cue):
                return
            left, right = self._before(at, unit), self._after(at)
            if not right and not unit.passive:
                left, right = self._object_relative(at)
        if unit.passive != (cue.frame in ("reverse", "reverse_noun", "behind")):
            left, right = right, left
        for cause in left:
            for effect in right:
                yield cause, effect

    def _link(self, at: int, cue: Cue, cause: Argument, effect: Argument) -> CausalLink | None:
        if cue.gated and not self.words.is_effect(self.tokens[effect.head].lemma):
            return None
        if cause.head == effect.head or (
            cue.gated and self.words.has("times", self.tokens[cause.head].lemma)
        ):
            return None
        negated, hedged = self._mood(at)
        confidence = cue.confidence * (0.8 if hedged else 1.0)
        return CausalLink(
            (cause.first, cause.last),
            (effect.first, effect.last),
            "none" if negated else cue.polarity,
            round(confidence, 3),
            cue,
            (self.units[at].first, self.units[at].last),
            cause.head,
            effect.head,
        )

    def _agentless(self, at: int, unit: Unit, cue: Cue) -> bool:
        """A passive that does not say by what: "the tumor was found"."""
        if unit.passive or cue.frame != "verb" or (len(cue.words) > 1 and not cue.active):
            return False
        group = self.symbols[:at][-4:]
        passive = "B" in group[len(group.rstrip("ABt")) :]
        return passive and self.tokens[unit.first].fine in ("VVN", "VVD", "AJ0")

    def _mood(self, at: int) -> tuple[bool, bool]:
        """Whether the words of the cue's verb group and of its object's determiner negate it, or hedge it."""
        first = at
        while first > 0 and self.symbols[first - 1] in "ABt":
            first -= 1
        start, end = self.units[first].start, self.units[at].last + 2
        tokens = self.tokens[start:end]
        group = [word for token in tokens for word in (token.lemma, token.text.lower())]
        negated = any(token.tag is Tag.NEGATION for token in tokens) or any(
            self.words.has("negations", word) for word in group
        )
        return negated and "only" not in group, any(self.words.has("hedges", word) for word in group)

    def _before(self, at: int, unit: Unit) -> list[Argument]:
        """What stands before a cue: its grammatical subject or antecedent."""
        prefix = self.symbols[:at]
        fine = self.tokens[unit.first].fine
        if found := RELATIVE.search(prefix):
            choice = _Choice.EFFECT if unit.passive else _Choice.NEAR
            return self._arguments(*found.span(1), choice) + self._classed(prefix)
        for pattern in (SHARED, *((MEANS,) if fine == "VVG" else ())):
            if found := pattern.search(prefix):
                return self._before(found.start(), self.units[found.start()])
        if fine == "VVG" and (found := CLAUSE.search(prefix)):
            return self._clause(*found.span(1)) if not GERUND_SUBJECT.match(self.symbols, at + 1) else []
        choice = self._choice(at, unit)
        if choice is _Choice.NEAR and not self._is_means(prefix):
            return []
        for pattern in PATTERNS[choice]:
            if found := pattern.search(prefix):
                classed = self._classed(prefix) if choice is _Choice.EFFECT else []
                return self._arguments(*found.span(1), choice) + classed
        return []

    def _is_means(self, prefix: str) -> bool:
        """Whether what stands before an infinitive is what one uses for it: "take aspirin to reduce pain"."""
        found = PURPOSE.search(prefix)
        at = found.start(2) if found else (met.start(1) if (met := MEANT.search(prefix)) else None)
        return at is None or self.words.has("instrumental", self.tokens[self.units[at].first].lemma)

    def _classed(self, prefix: str) -> list[Argument]:
        """Germs, in "germs are organisms that cause disease": what is said of the class holds of it."""
        found = CLASSED.search(prefix)
        return self._arguments(*found.span(1)) if found else []

    def _choice(self, at: int, unit: Unit) -> _Choice:
        before = self.symbols[max(at - 3, 0) : at]
        if unit.symbol == "p":
            return _Choice.LAST_EFFECT
        if unit.passive and "B" not in before:
            return _Choice.EFFECT
        if unit.cue is not None and unit.cue.frame == "behind":
            return _Choice.EFFECT
        if before.endswith("t"):
            return _Choice.NEAR
        return _Choice.SINGULAR if self.tokens[unit.first].fine == "VVZ" else _Choice.ROOT

    def _after(self, at: int) -> list[Argument]:
        found = OBJECTS.match(self.symbols, at + 1)
        return self._arguments(*found.span(1), _Choice.OBJECT) if found else []

    def _object_relative(self, at: int) -> tuple[list[Argument], list[Argument]]:
        """The storm, the damage: "the damage that the storm caused"."""
        found = OBJECT_RELATIVE.search(self.symbols[:at])
        if not found:
            return [], []
        return self._arguments(*found.span(2)), self._arguments(*found.span(1))

    def _noun_arguments(self, at: int) -> tuple[list[Argument], list[Argument]]:
        """X and Y of "X is a cause of Y" and of "causes of Y are X"."""
        after = self._after(at)
        prefix = self.symbols[:at]
        if found := self._linked(prefix) or RELATIVE.search(prefix) or APPOSED.search(prefix + ","):
            return self._arguments(*found.span(1)), after
        if found := EQUATED.match(self.symbols, at + 1):
            return self._arguments(*found.span(1)), after
        return [], []

    def _linked(self, prefix: str) -> re.Match[str] | None:
        """The subject that "is" or "plays" or "has" what the cue's noun says."""
        found = PREDICATE.search(prefix)
        if found and self.words.has("linking", self.tokens[self.units[found.start(2)].first].lemma):
            return found
        return None

    def _influence(self, at: int) -> tuple[list[Argument], list[Argument]]:
        found = INFLUENCE.match(self.symbols, at + 1)
        if not found:
            return [], []
        return self._arguments(*found.span(1)), self._arguments(*found.span(2))

    def _clause(self, first: int, end: int) -> list[Argument]:
        """A whole clause as one argument; its head is the subject's."""
        verb = max(self.symbols.rfind(symbol, first, end) for symbol in "VKB")
        subjects = self._before(verb, self.units[verb])
        head = subjects[0].head if subjects else self.units[end - 1].last
        return [Argument(self.units[first].first, self.units[end - 1].last, head)]

    def _arguments(self, first: int, end: int, choice: _Choice = _Choice.ROOT) -> list[Argument]:
        """The members of a series of phrases; only the first where a singular verb says so."""
        text = self.symbols[first:end]
        members = [(first + found.start(1), first + found.end(1)) for found in HEADS.finditer(text)]
        if choice is _Choice.OBJECT and INNER.fullmatch(text):
            members = members[:1]
        if len(members) > 1 and self._is_pronoun(members[-1][0]):
            members = members[-1:]
        if choice is _Choice.SINGULAR and "h" not in text:
            members = members[:1]
        return [self._argument(*member, choice) for member in members]

    def _argument(self, first: int, end: int, choice: _Choice) -> Argument:
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
        if effects and choice in (_Choice.EFFECT, _Choice.LAST_EFFECT):
            head = effects[0] if choice is _Choice.EFFECT else effects[-1]
        elif choice in (_Choice.NEAR, _Choice.EFFECT):
            head = self._nearest(heads)
        begin = position if head == heads[0] else head
        return Argument(self.units[begin].first, self.units[end - 1].last, self.units[head].head)

    def _nearest(self, heads: Sequence[int]) -> int:
        """The last noun that is no complement of "of"."""
        return next((at for at in reversed(heads) if self.symbols[at - 1] != "o" or at == heads[0]), heads[0])

    def _is_pronoun(self, position: int) -> bool:
        return self.tokens[self.units[position].head].tag is Tag.PRONOUN

    def _transparent(self, position: int) -> bool:
        if self.symbols[position : position + 2] not in ("No", "HN", "HG", "HH"):
            return False
        token = self.tokens[self.units[position].head]
        return self.words.has("transparent", token.lemma) or self.words.has("transparent", token.text.lower())

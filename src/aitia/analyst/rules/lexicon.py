"""The causal lexicon of a language, read from its data file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from aitia.spec.model import Polarity

Frame = Literal[
    "verb", "reverse", "noun", "reverse_noun", "influence", "behind", "before", "for", "suffix", "prefix"
]
Kind = Literal["produce", "change", "relate"]
AFFIXES = ("suffix", "prefix")


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase of lemmas with where its cause and effect stand; the data file explains the frames."""

    words: tuple[str, ...]
    frame: Frame
    kind: Kind
    polarity: Polarity
    confidence: float
    gated: bool = False
    active: bool = False
    agents: tuple[str, ...] = ("by",)

    @property
    def text(self) -> str:
        """The phrase as it is written in the lexicon."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Cues by first word, longest first, and the word lists of the grammar."""

    cues: dict[str, tuple[Cue, ...]]
    affixes: dict[str, Cue]
    words: dict[str, frozenset[tuple[str, ...]]]
    openers: dict[str, frozenset[str]]
    effect_suffixes: tuple[str, ...]
    remedy_suffixes: tuple[str, ...]
    answers: dict[str, frozenset[str]]
    cue_stems: frozenset[str]

    def has(self, group: str, *words: str) -> bool:
        """Whether a word list of the grammar holds these words."""
        return words in self.words[group]

    def opens(self, group: str, word: str) -> bool:
        """Whether a phrase of a word list begins with a word."""
        return word in self.openers[group]

    def readings(self, cue: Cue) -> list[Cue]:
        """The cue and others of the same words and frame: where the first is gated, the next may hold."""
        group = self.cues[cue.words[0]]
        return [other for other in group if (other.words, other.frame) == (cue.words, cue.frame)]

    def has_cue(self, words: Iterable[str]) -> bool:
        """Whether any of these lower-case words is a form of a causal verb or noun, without tagging them."""
        return any(stem_of(word) in self.cue_stems for word in words)

    def is_effect(self, noun: str) -> bool:
        """Whether a noun names something that happens or is felt, so that "from" behind it is a cause."""
        return (noun,) in self.words["effect_nouns"] or noun.endswith(self.effect_suffixes)

    def is_remedy(self, noun: str) -> bool:
        """Whether a noun names a remedy or test, so that "for" behind it says what it acts on."""
        return (noun,) in self.words["remedies"] or noun.endswith(self.remedy_suffixes)


@cache
def lexicon(language: str = "en") -> Lexicon:
    """The lexicon of a language; only English is bundled."""
    text = files("aitia.analyst.rules").joinpath("lexicon", f"{language}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    grammar = data["grammar"]
    effects, remedies = tuple(grammar.pop("effect_suffixes")), tuple(grammar.pop("remedy_suffixes"))
    words = {name: frozenset(tuple(phrase.split()) for phrase in _phrases(grammar[name])) for name in grammar}
    cues = [cue for table in data["cues"] for cue in _cues(table)]
    first: dict[str, list[Cue]] = {}
    for cue in cues:
        if cue.frame not in AFFIXES:
            first.setdefault(cue.words[0], []).append(cue)
    return Lexicon(
        {word: tuple(sorted(group, key=lambda cue: -len(cue.words))) for word, group in first.items()},
        {cue.text: cue for cue in cues if cue.frame in AFFIXES},
        words,
        {name: frozenset(phrase[0] for phrase in phrases) for name, phrases in words.items()},
        effects,
        remedies,
        {name: frozenset(text.split()) for name, text in data["answers"].items()},
        frozenset(stem_of(cue.words[0]) for cue in cues if cue.kind != "relate" and not cue.gated),
    )


def stem_of(word: str) -> str:
    """A verb without its regular endings, so that "causes", "caused" and "causing" are one."""
    for ending in ("ing", "ed", "es", "s", "d"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e")


def _cues(table: dict[str, Any]) -> list[Cue]:
    fields = {name: value for name, value in table.items() if name != "phrases"}
    if "agents" in fields:
        fields["agents"] = tuple(fields["agents"])
    return [Cue(tuple(phrase.split()), **fields) for phrase in _phrases(table["phrases"])]


def _phrases(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else value

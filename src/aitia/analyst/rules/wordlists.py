"""The word lists of a language, read from ``vocabulary/<language>.toml``; the file says what each is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from aitia.analyst.rules.folding import fold, vocabulary

Words = frozenset[str]
Cues = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class WordLists:
    """What the schema rules know of a language: words, not rules. All words are folded."""

    empty: Words
    vague: Words
    persons: Words
    modifiers: Words
    carriers: Words
    wide: Words
    class_first: Cues
    class_last: Cues
    class_of: Words
    include: Words
    naming: Cues
    renaming: Cues
    be: Words
    means: Words
    honorifics: Words
    speech: Words
    places: Words
    person: str
    subject: str
    place: str
    states: Mapping[str, str]
    state_of: Mapping[str, str]
    state: str
    attributes: Mapping[str, str]
    loose: Words
    terminal: Words
    weights: Mapping[str, float]
    endings: tuple[tuple[str, str], ...]


@cache
def word_lists(language: str = "english") -> WordLists:
    """The lists of a language, read once."""
    lists = vocabulary(language)

    def words(name: str) -> Words:
        return frozenset(map(fold, lists[name].split()))

    def cues(name: str) -> Cues:
        return frozenset(tuple(map(fold, phrase.split())) for phrase in lists[name])

    endings = ((ending, name) for name, found in lists["endings"].items() for ending in found.split())
    return WordLists(
        empty=words("empty"),
        vague=words("vague"),
        persons=words("persons"),
        modifiers=words("modifiers"),
        carriers=words("carriers"),
        wide=words("wide"),
        class_first=cues("class_first"),
        class_last=cues("class_last"),
        class_of=words("class_of"),
        include=words("include"),
        naming=cues("naming"),
        renaming=cues("renaming"),
        be=words("be"),
        means=words("means"),
        honorifics=words("honorifics"),
        speech=words("speech"),
        places=words("places"),
        person=lists["person"],
        subject=lists["subject"],
        place=lists["place"],
        states=_by_word(lists["states"]),
        state_of=lists["state_of"],
        state=lists["state"],
        attributes=_by_word(lists["attributes"]),
        loose=words("loose"),
        terminal=frozenset(_by_word({"terminal": lists["terminal"]})),
        weights=lists["weights"],
        endings=tuple(endings),
    )


def _by_word(lists: Mapping[str, str]) -> dict[str, str]:
    """Category by word, the first list that has a word deciding; ``side-effect`` stands for two words."""
    category: dict[str, str] = {}
    for name, words in lists.items():
        for word in words.split():
            category.setdefault(" ".join(map(fold, word.split("-"))), name)
    return category


def article(noun: str) -> str:
    """The indefinite article before a noun."""
    return "an" if noun[:1].lower() in "aeiou" else "a"

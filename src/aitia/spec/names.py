"""Names as they are stored and compared: cleaned, folded, split into words.

What two names have to do with each other is not decided here: see `aitia.spec.opposites`,
`aitia.spec.spelling` and `aitia.spec.endpoints`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from aitia.spec.tables import word_pairs, word_set

_FILE = "spelling.toml"
_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_SIGNS = (
    (re.compile(r"(?<=[^\W_])\+"), " positive "),
    (re.compile(r"(?<=[^\W_])\s?-(?![\s-]*[^\W_])"), " negative "),
    (re.compile(r"(?<![^\W_])(?<![^\W_]\s)-(?=[\d.])"), " minus "),
    (re.compile(r"\+"), " plus "),
    (re.compile(r"<|\u2264"), " below "),
    (re.compile(r">|\u2265"), " above "),
    (re.compile("%"), " percent "),
)
_SIGN_WORDS = frozenset(word.strip() for _, word in _SIGNS)
_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])")
_APOSTROPHES = re.compile(r"(?<=[^\W\d_])['\u2019\u02bc](?=[^\W\d_])")
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+|[^\w\s]|_")
_IGNORED = "-_"
_ROMAN = re.compile(r"(?=[ivx])(x{0,3}(?:ix|iv|v?i{0,3}))([a-e]?)")
_ROMAN_VALUE = {"i": 1, "v": 5, "x": 10}


@dataclass(frozen=True, slots=True)
class Folded:
    """A name ready to compare.

    ``key`` is equal for names that differ in case, space and hyphens only, ``singular`` for those that
    also differ in plural; ``text`` is the words with single spaces; ``words`` the words that count, in
    order and singular; ``strict`` those of them that make a difference on their own and have no spelling
    variants; ``directed`` says that the order of the words counts.
    """

    key: str
    singular: str
    text: str
    words: tuple[str, ...]
    strict: frozenset[str]
    directed: bool


def clean_name(name: str) -> str:
    """A name as it is stored: composed characters, single spaces, no control characters."""
    if name.isascii() and name.isprintable():
        return " ".join(name.split())
    return " ".join(
        "".join(
            " " if unicodedata.category(character) in ("Cc", "Cs") else character
            for character in unicodedata.normalize("NFC", name)
        ).split()
    )


def fold(name: str) -> Folded:
    """The name's forms for comparison; see `Folded`."""
    raw = _raw_words(name)
    lower = [word.casefold() for word in raw]
    singular = [_singular(word, known) for word, known in zip(raw, lower, strict=True)]
    empty = word_set(_FILE, "empty")
    counted = [
        (word, one)
        for word, one in zip(raw, singular, strict=True)
        if one not in empty and (one[0].isalnum() or unicodedata.category(one).startswith("S"))
    ]
    return Folded(
        key=_joined(lower) or name,
        singular=_joined(singular) or name,
        text=" ".join(lower) or name,
        words=tuple(one for _, one in counted),
        strict=frozenset(one for word, one in counted if _is_strict(word, one)),
        directed=not word_set(_FILE, "directed").isdisjoint(lower),
    )


def _raw_words(name: str) -> list[str]:
    """Words, numbers and symbols in order, hyphens dropped, signs and stage numerals spelled out."""
    text = _DASHES.sub("-", unicodedata.normalize("NFKC", name))
    if not re.search(r"\s", text):
        text = _CAMEL.sub(" ", text)
    text = _APOSTROPHES.sub("", text)
    for pattern, word in _SIGNS:
        text = pattern.sub(word, text)
    return list(_numbered([word for word in _WORD.findall(text) if word not in _IGNORED]))


def _numbered(words: list[str]) -> Iterator[str]:
    heads = word_set(_FILE, "numbered")
    previous = ""
    for word in words:
        roman = _ROMAN.fullmatch(word.casefold()) if previous in heads else None
        if roman:
            yield str(_roman_value(roman[1]))
            if roman[2]:
                yield word[-1]
        else:
            yield word
        previous = _singular(word, word.casefold())


def _roman_value(numeral: str) -> int:
    values = [_ROMAN_VALUE[letter] for letter in numeral]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def _singular(word: str, lower: str) -> str:
    if len(word) > 2 and word[-1] == "s" and word[:-1].isupper():
        return lower[:-1]  # "MRIs", but not "AIDS"
    if len(lower) < 4 or word.isupper() or not lower.endswith("s") or lower.endswith(("ss", "us", "is")):
        return lower
    if lower.endswith("ies") and len(lower) > 4:
        return lower[:-3] + "y"
    if lower.endswith(("ches", "shes", "sses", "xes", "zes")):
        return lower[:-2]
    return lower[:-1]


def _joined(words: list[str]) -> str:
    """Words without spaces, except between two digits, where a space is a difference."""
    text = ""
    for word in words:
        text += " " + word if text and text[-1].isdigit() and word[0].isdigit() else word
    return text


def _is_strict(word: str, lower: str) -> bool:
    if len(lower) <= 3 or not lower.isalpha() or _ROMAN.fullmatch(lower):
        return True
    if len(lower) <= 5 and sum(character.isupper() for character in word) > 1:
        return True
    if lower in _SIGN_WORDS or any(lower in pair for pair in word_pairs("opposites.toml", "prefixes")):
        return True
    return not lower.isascii() and any(unicodedata.category(character) == "Lo" for character in lower)

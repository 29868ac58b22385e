"""How terms are written: the form in which a folded key is shown."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from aitia.analyst.rules.folding import unpossessed
from aitia.analyst.rules.language import Tag, Token, is_acronym

_RARE = 50
_SINGULAR_SHARE = 0.1
_SINGULAR_VERBS = ("VBZ", "VVZ", "VHZ", "VDZ")


class Forms:
    """Counts the written forms of keys, and how often a noun is plural by its context."""

    def __init__(self) -> None:
        self._forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._plural: Counter[str] = Counter()
        self._singular: Counter[str] = Counter()

    def add(self, key: tuple[str, ...], tokens: Sequence[Token], first: int, last: int) -> None:
        """Count one use of a key at tokens ``first`` to ``last`` of a sentence."""
        self._forms[key][_written(tokens[first : last + 1])] += 1
        if last > first:
            self._forms[key[-1:]][_written(tokens[last : last + 1])] += 1
        article = first > 0 and tokens[first - 1].text.lower() in ("a", "an")
        verb = last + 1 < len(tokens) and tokens[last + 1].fine in _SINGULAR_VERBS
        plural = tokens[last].fine == "NN2" and not article and not verb
        (self._plural if plural else self._singular)[key[-1]] += 1

    def names(self) -> Mapping[tuple[str, ...], str]:
        """The form to show for each key."""
        return {key: self._best(key, found) for key, found in self._forms.items()}

    def _best(self, key: tuple[str, ...], forms: Counter[str]) -> str:
        """The most frequent singular form, made from the plural if the noun is plural throughout."""
        total = forms.total()
        best = min(
            forms,
            key=lambda form: (
                _looks_plural(form) or forms[form] * _RARE < total,
                -forms[form],
                not form.islower(),
                form,
            ),
        )
        word = key[-1]
        if not _looks_plural(best) or self._singular[word] > _SINGULAR_SHARE * self._plural[word]:
            return best
        return singular(best)


def singular(form: str) -> str:
    """A plural without its ending."""
    if form.endswith("ies") and len(form) > 4:
        return form[:-3] + "y"
    sibilant = re.search(r"(?:ss|x|ch|sh|zz|o)es$", form) and not re.search(r"[^eo]aches$", form)
    return form[:-2] if sibilant else form[:-1]


def _looks_plural(form: str) -> bool:
    return form.endswith("s") and not form.endswith(("ss", "us", "is"))


def _written(tokens: Sequence[Token]) -> str:
    """The words as written, in lower case unless a name or acronym."""
    words = []
    for token in tokens:
        text = unpossessed(token.text)
        acronym = any(is_acronym(part) for part in re.split(r"[-/]", text) if part)
        kept = acronym or (token.tag is Tag.PROPER and not text.isupper())
        words.append(text if kept else text.lower())
    return " ".join(words)

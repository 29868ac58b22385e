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
    """Counts the written forms of keys, and how often a noun is plural by its context.

    ``common`` are the words that the corpus writes in lower case somewhere, so that a capital means nothing.
    """

    def __init__(self, common: frozenset[str]) -> None:
        self._common = common
        self._forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._plural: Counter[str] = Counter()
        self._singular: Counter[str] = Counter()

    def add(self, key: tuple[str, ...], tokens: Sequence[Token], first: int, last: int) -> None:
        """Count one use of a key at tokens ``first`` to ``last`` of a sentence."""
        words = [self._written(tokens[position], position > 0) for position in range(first, last + 1)]
        self._forms[key][" ".join(words)] += 1
        if last > first:
            self._forms[key[-1:]][words[-1]] += 1
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

    def _written(self, token: Token, inside: bool) -> str:
        """A word as written, in lower case unless a name or acronym; inside a sentence a capital tells more."""
        text = unpossessed(token.text)
        acronym = any(is_acronym(part) for part in re.split(r"[-/]", text) if part)
        name = not text.isupper() and (
            token.tag is Tag.PROPER or (inside and text.lower() not in self._common)
        )
        return text if acronym or name else text.lower()


def singular(form: str) -> str:
    """A plural without its ending."""
    if form.endswith("ies") and len(form) > 4:
        return form[:-3] + "y"
    sibilant = re.search(r"(?:ss|x|ch|sh|zz|o)es$", form) and not re.search(r"[^eo]aches$", form)
    return form[:-2] if sibilant else form[:-1]


def _looks_plural(form: str) -> bool:
    return form.endswith("s") and not form.endswith(("ss", "us", "is"))

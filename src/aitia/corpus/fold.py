"""Text folded for comparison: what a quote may change and still be verbatim."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FOLDS = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'"}
)
_SPACE = re.compile(r"\s+")
_SPACES = re.compile(r"\s{2,}")


@dataclass(frozen=True)
class Folded:
    """A text in one case with single spaces and plain quotation marks, and where each character was."""

    text: str
    origin: NDArray[np.int64]


def fold_text(text: str) -> Folded:
    """Fold white space, case and quotation marks, keeping the offset of every folded character.

    Case is folded a character at a time, as Unicode defines it, so that a part of a text folds as it does
    inside the whole (``lower`` does not: it knows a final sigma). Some characters become several.
    """
    plain = text.translate(_FOLDS)
    folded = plain.casefold()
    origin = np.arange(len(text))
    if len(folded) != len(text):
        origin = np.repeat(origin, [len(character.casefold()) for character in plain])
    kept = np.ones(len(folded), bool)
    for run in _SPACES.finditer(folded):
        kept[run.start() + 1 : run.end()] = False
    return Folded(_SPACE.sub(" ", folded), origin[kept])

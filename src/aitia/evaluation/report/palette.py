"""One colour and one mark for each system, the same in every figure.

Hues are those of Okabe and Ito (Color Universal Design, 2008), which colour-blind readers tell apart; a method
has one hue, its systems have shades of it and marks of their own. No figure depends on colour alone: every
mark has its name beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aitia.evaluation.report.bench_folder import family_of

TEXT = "#1b1f24"
SOFT = "#626a73"
LINE = "#c4c9cf"
_METHODS = {"hcg": "#0072b2", "qcg": "#009e73", "hug": "#d55e00", "plain": "#757575"}
_OTHERS = ("#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31", "#a23b4b")
_MARKS = "osD^vPXphd"
_DARKEST, _LIGHTEST = 0.0, 0.6


@dataclass(frozen=True, slots=True)
class Style:
    """The fill, the darker edge, the mark, and a pale colour for a spread that many others cross."""

    fill: str
    edge: str
    mark: str
    pale: str


def styles(systems: Sequence[str]) -> dict[str, Style]:
    """The style of each system, from the names alone."""
    families = sorted({family_of(name) for name in systems} - _METHODS.keys())
    hues = _METHODS | {name: _OTHERS[place % len(_OTHERS)] for place, name in enumerate(families)}
    found = {}
    for family in dict.fromkeys(map(family_of, systems)):
        members = [name for name in systems if family_of(name) == family]
        for place, name in enumerate(members):
            at = place / (len(members) - 1) if len(members) > 1 else 0.5
            shade = _LIGHTEST + (_DARKEST - _LIGHTEST) * at
            hue = hues[family]
            mark = _MARKS[place % len(_MARKS)]
            found[name] = Style(_shade(hue, shade), _shade(hue, -0.25), mark, _shade(hue, 0.6))
    return found


def hue_of(family: str) -> str:
    """The hue of a method, darkened enough for a line on white."""
    return _shade(_METHODS.get(family, _OTHERS[0]), -0.1)


def _shade(colour: str, by: float) -> str:
    """A colour mixed with white (``by`` above 0, up to 1) or with black (below 0)."""
    parts = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    mixed = [round(part + (255 - part) * by if by > 0 else part * (1 + by)) for part in parts]
    return "#" + "".join(f"{part:02x}" for part in mixed)

"""Whether a name that came into a file may be another name of what is gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from aitia.spec.model import DomainSpec

ALIKE = 80.0
"""Of 100: a name so like another may be that of the same thing."""


@dataclass(frozen=True)
class Places:
    """Where two files list a name."""

    old: DomainSpec
    new: DomainSpec

    def like(self, axis: str | None, one: str, other: str) -> bool:
        """Whether the one may be called the other: alike, or in its place of the list.

        The list is the entities of the dimension ``axis``, or without one the metrics.
        """
        from rapidfuzz import fuzz

        if fuzz.WRatio(one.casefold(), other.casefold()) >= ALIKE:
            return True
        before, now = _listed(self.old, axis), _listed(self.new, axis)
        both = set(before) & set(now)
        return one in before and other in now and _between(before, one, both) == _between(now, other, both)


def _listed(spec: DomainSpec, axis: str | None) -> Sequence[str]:
    if axis is None:
        return [metric.name for metric in spec.metrics]
    return next((dimension.entities for dimension in spec.dimensions if dimension.name == axis), ())


def _between(names: Sequence[str], name: str, both: Collection[str]) -> tuple[str, str]:
    """The nearest names on either side that both lists have."""
    at = list(names).index(name)
    return (
        next((each for each in reversed(names[:at]) if each in both), ""),
        next((each for each in names[at + 1 :] if each in both), ""),
    )

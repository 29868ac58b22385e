"""How a person names a module, and how it is found again when its members are no longer the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aitia.spec.decisions import edge_key, split_key

MEMBERS = 50
"""Entities by which a module is remembered, most important first: a coarse one may have thousands."""
ALIKE = 0.5
"""Least overlap (Jaccard index) of members from which on a module is still the one that was meant."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the hierarchy: its key, its title, and its entities, most important first."""

    key: str
    title: str
    members: tuple[str, ...]


class Modules:
    """The modules of today by every name. ``entity_of`` gives the entity that a name belongs to today."""

    def __init__(self, modules: Sequence[Module], entity_of: Mapping[str, str] | None = None) -> None:
        self._entity_of = entity_of or {}
        self._members = {each.key: frozenset(each.members[:MEMBERS]) for each in modules}
        titles = Counter(each.title for each in modules)
        self.name_of = {each.key: _name(each, alone=titles[each.title] == 1) for each in modules}
        """What a person calls each module, by key: its title, where that is its alone and can stand in a key."""
        self._key_of = {name: key for key, name in self.name_of.items()}
        self._key_of |= {each.title: each.key for each in modules if titles[each.title] == 1}

    @property
    def names(self) -> list[str]:
        """All that can be typed, for near misses."""
        return list(self._key_of)

    def find(self, name: str, members: Sequence[str] = ()) -> str | None:
        """The key of a module; of one that is remembered by its members, that with the most of them."""
        if name in self._members:
            return name
        if not members:
            return self._key_of.get(name)
        meant = {self._entity_of.get(one, one) for one in members}
        share = {key: len(meant & there) / len(meant | there) for key, there in self._members.items()}
        best = max(share, key=lambda key: (share[key], key == self._key_of.get(name)), default=None)
        return best if best is not None and share[best] >= ALIKE else None

    def remembered(self, key: str) -> list[str]:
        """The members by which a module is known later, in order of their names."""
        return sorted(self._members[key])


def _name(module: Module, *, alone: bool) -> str:
    names = (module.title, f"{module.title} [{module.key[:8]}]")[not alone :]
    return next((name for name in names if _can_be_typed(name)), module.key)


def _can_be_typed(name: str) -> bool:
    try:
        ends = split_key(edge_key(name, "x")), split_key(edge_key("x", name))
    except ValueError:
        return False
    return ends == ((name, "x"), ("x", name)) and name.isprintable()

"""Consolidation: one call in which the model says which claims are one. Code decides what is merged.

A claim is in one group at most, names that are opposites never merge, and no claim is lost: what fits no
call, or is in no group, stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.corpus.tokens import count_tokens
from aitia.spec.claims import DimensionClaim, MetricClaim
from aitia.spec.names import fold
from aitia.spec.opposites import opposed

MOST_TOKENS = 12_000
"""What the claims of a call may take, where half the context holds as much."""


class Group(Protocol):
    """What a group of either reply has: the name of the whole, and the numbers of the claims."""

    @property
    def name(self) -> str:
        """The name that the merged claim gets."""
        ...

    @property
    def members(self) -> tuple[int, ...]:
        """Numbers of claims, from 1."""
        ...

    def model_dump_json(self) -> str:
        """The group as it came."""
        ...


ClaimT = TypeVar("ClaimT", DimensionClaim, MetricClaim)
ReplyT = TypeVar("ReplyT", bound=BaseModel)
GroupT = TypeVar("GroupT", bound=Group)


@dataclass(frozen=True)
class Consolidation(Generic[ClaimT, ReplyT, GroupT]):
    """How one kind of claim is shown (``line``), asked about and read."""

    prompt: str
    reply: type[ReplyT]
    groups_of: Callable[[ReplyT], Iterable[GroupT]]
    line: Callable[[ClaimT], str]


@dataclass(frozen=True)
class Grouping(Generic[ClaimT, GroupT]):
    """Groups of two or more claims, and the claims that are in none, in their order."""

    groups: list[tuple[GroupT, list[ClaimT]]]
    rest: list[ClaimT]


def ask_groups(
    inquiry: Inquiry,
    how: Consolidation[ClaimT, ReplyT, GroupT],
    claims: Sequence[ClaimT],
    limit: int,
) -> Grouping[ClaimT, GroupT]:
    """Which of the claims are one, asked in one call for the first ones that fit it."""
    lines = {
        number: f"{number}. {how.line(claim)} (support {claim.support})"
        for number, claim in enumerate(claims, start=1)
    }
    shown = _fitting(list(lines.values()), min(inquiry.settings.context_tokens // 2, MOST_TOKENS))

    def text(numbers: Sequence[int]) -> str:
        return "\n".join(lines[number] for number in numbers)

    def render(numbers: Sequence[int]) -> str:
        return inquiry.render(how.prompt, limit=str(limit), claims=text(numbers))

    def place(numbers: Sequence[int]) -> str:
        return f"claims {numbers[0]} to {numbers[-1]} of {len(claims)}"

    tasks = [Task(tuple(range(1, shown + 1)), render, place, text)] if shown > 1 else []
    groups: list[tuple[GroupT, list[ClaimT]]] = []
    taken: set[int] = set()
    for found in inquiry.asker.ask(how.prompt, how.prompt, how.reply, tasks):
        for group in how.groups_of(found.reply):
            numbers = _members(inquiry, how.prompt, group, found.units, taken)
            members = [claims[number - 1] for number in numbers]
            if len(members) > 1 and _may_merge(inquiry, how.prompt, group, [claim.name for claim in members]):
                taken.update(numbers)
                groups.append((group, members))
    return Grouping(groups, [claim for number, claim in enumerate(claims, start=1) if number not in taken])


def safe_name(name: str, members: Sequence[str]) -> str:
    """The model's name for a group, or its first member's where that would be another thing."""
    folded = fold(name)
    return members[0] if any(opposed(folded, fold(member)) for member in members) else name


def _fitting(lines: Sequence[str], tokens: int) -> int:
    """How many of the first lines have so many tokens together."""
    for number, line in enumerate(lines):
        tokens -= count_tokens(line)
        if tokens < 0:
            return number
    return len(lines)


def _members(inquiry: Inquiry, prompt: str, group: Group, shown: Sequence[int], taken: set[int]) -> list[int]:
    """The numbers of a group that stand for claims which are still free, in order."""
    numbers = sorted(set(group.members))
    unknown = [number for number in numbers if number not in shown]
    if unknown:
        inquiry.refuse(prompt, group, "malformed", f"no claims of these numbers were shown: {unknown}")
    return [number for number in numbers if number in shown and number not in taken]


def _may_merge(inquiry: Inquiry, prompt: str, group: Group, names: Sequence[str]) -> bool:
    for one, other in combinations(names, 2):
        if opposed(fold(one), fold(other)):
            inquiry.refuse(prompt, group, "ambiguous_name", f"{one!r} and {other!r} may be different things")
            return False
    return True

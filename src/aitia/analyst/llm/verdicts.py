"""Verdicts on facts under labels: a request has all of its verdicts, or it has failed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.facts import fenced
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.replies import SupportItem, SupportReply
from aitia.analyst.llm.vocabulary import one_line

Value = TypeVar("Value", bound=Hashable)

_NOT_LABEL = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """A fact and what a prompt calls it: ``F3``, ``A3``, ``R3``."""

    label: str
    fact: str


def labelled(letter: str, facts: Sequence[str]) -> tuple[LabelledFact, ...]:
    """Facts under a letter and their numbers from 1."""
    return tuple(LabelledFact(f"{letter}{number}", fact) for number, fact in enumerate(facts, start=1))


def fact_lines(facts: Sequence[LabelledFact], letter: str) -> str:
    """A line a fact, all in one fence."""
    return fenced("\n".join(f"{each.label}. {one_line(each.fact)}" for each in facts), letter)


def judge_facts(
    inquiry: Inquiry, prompt: str, tasks: Sequence[Task[LabelledFact]]
) -> list[dict[str, bool] | None]:
    """By task, the verdict on each label; the first of several. None where one is still missing.

    Facts that a reply passes over are asked about once more, without the others. A label that was not asked
    about is refused.
    """
    verdicts = _ask(inquiry, prompt, tasks)
    left = [
        tuple(unit for unit in task.units if unit.label not in given)
        for task, given in zip(tasks, verdicts, strict=True)
    ]
    # A request in which nothing is left out is the one that has just failed.
    rest = [number for number, units in enumerate(left) if 0 < len(units) < len(tasks[number].units)]
    again = _ask(inquiry, prompt, [replace(tasks[number], units=left[number]) for number in rest])
    for number, given in zip(rest, again, strict=True):
        verdicts[number] |= given
    return [
        given if len(given) == len(task.units) else None for task, given in zip(tasks, verdicts, strict=True)
    ]


def agreed(values: Iterable[Value]) -> Value | None:
    """The one value of a list; None where there is none, or where two differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def _ask(inquiry: Inquiry, prompt: str, tasks: Sequence[Task[LabelledFact]]) -> list[dict[str, bool]]:
    verdicts: list[dict[str, bool]] = [{} for _ in tasks]
    for found in inquiry.asker.ask(prompt, prompt, SupportReply, tasks):
        asked = {unit.label: unit for unit in found.units}
        for item in found.reply.verdicts:
            unit = _unit(asked, item)
            if unit is None:
                inquiry.refuse(prompt, item, "malformed", f"fact {item.fact} is none of those to be judged")
            else:
                verdicts[found.task].setdefault(unit.label, item.supported)
    return verdicts


def _unit(asked: Mapping[str, LabelledFact], item: SupportItem) -> LabelledFact | None:
    """By its label; a bare number is one, where all labels have one letter."""
    label = _NOT_LABEL.sub("", item.fact).upper()
    letters = {known[0] for known in asked}
    if label.isdigit() and len(letters) == 1:
        label = f"{letters.pop()}{label}"
    return asked.get(label)

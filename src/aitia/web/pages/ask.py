"""A question with its evidence; the answer is written by the browser's call of REST, and costs what that costs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aitia.errors import UsageError
from aitia.retrieval.result import Evidence, Retrieval
from aitia.web.pages.page import Visit
from aitia.web.shelf import Opened
from aitia.workflows.index import DEFAULT_BUDGET_WORDS

EXAMPLES: Mapping[str, str] = {"hcg": "Why does X cause Y?", "hug": "How does X lead to Y?"}


def ask(visit: Visit) -> Mapping[str, Any]:
    """The form, and without JavaScript the evidence for ``q``.

    Raises:
        AitiaError: the question, or how it is asked, cannot be.

    """
    index = visit.opened.index
    budget = visit.number("budget", DEFAULT_BUDGET_WORDS) or DEFAULT_BUDGET_WORDS
    retrieval = visit.query.get("retrieval") or index.retrievals[0]
    question = visit.query.get("q", "").strip()
    found = find_evidence(visit.opened, question, retrieval, budget) if question else None
    return {
        "question": question,
        "retrieval": retrieval,
        "retrievals": index.retrievals,
        "budget": budget,
        "found": found,
        "example": EXAMPLES.get(index.method, "What is said of X?"),
        "is_model": index.settings.get("analyst") == "llm",
        "method": index.method,
    }


@dataclass(frozen=True)
class Side:
    """One side of a comparison; ``problem`` says why there is no evidence."""

    name: str
    opened: Opened
    retrieval: str
    budget: int
    settings: str
    found: Retrieval | None = None
    problem: str = ""

    @property
    def chosen(self) -> dict[str, Any]:
        """The settings by name."""
        return parse_settings(self.settings)

    @property
    def covers(self) -> float:
        """The share of all passages that the evidence touches, 0 to 1."""
        touched = {chunk for each in self.found.evidence for chunk in each.chunk_ids} if self.found else set()
        return len(touched) / max(self.opened.chunk_count, 1)


def compare(visit: Visit) -> Mapping[str, Any]:
    """One question on two sides, ``a`` and ``b``, each an index with its retrieval and budget of words.

    Raises:
        AitiaError: the question, an index or a retrieval cannot be.

    """
    shelf = visit.server.shelf
    question = visit.query.get("q", "").strip()
    left, right = (_side(visit, name, question) for name in ("a", "b"))
    shared = _also_in(left.found, right.found)
    known = {each for name in shelf.names for each in shelf.get(name).index.retrievals}
    return {
        "question": question,
        "sides": [(left, shared), (right, _also_in(right.found, left.found))],
        "shared": sum(bool(each) for each in shared),
        "indexes_known": shelf.names,
        "retrievals_known": sorted(known),
    }


def _side(visit: Visit, name: str, question: str) -> Side:
    opened = visit.server.shelf.get(visit.query.get(name) or visit.opened.name)
    known = opened.index.retrievals
    retrieval = visit.query.get(f"{name}_retrieval") or known[0 if name == "a" else -1]
    budget = visit.number(f"{name}_budget", DEFAULT_BUDGET_WORDS) or DEFAULT_BUDGET_WORDS
    side = Side(name, opened, retrieval, budget, visit.query.get(f"{name}_set", "").strip())
    if not question:
        return side
    if retrieval not in known:
        line = f"{opened.name} does not have the retrieval {retrieval}; it has {', '.join(known)}"
        return replace(side, problem=line)
    try:
        return replace(side, found=find_evidence(opened, question, retrieval, budget, side.chosen))
    except UsageError as error:  # of one side; the other is shown all the same
        return replace(side, problem=str(error))


def parse_settings(text: str) -> dict[str, Any]:
    """``max_hops=2, gamma=0.7`` by name, each value a number, true, false, null, or else a word.

    Raises:
        UsageError: a part that is no name with a value.

    """
    settings: dict[str, Any] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, sign, value = (each.strip() for each in part.partition("="))
        if not (name and sign and value):
            raise UsageError(f"the setting {part[:60]!r}; expected name=value, for example max_hops=2")
        try:
            settings[name] = json.loads(value)
        except (ValueError, RecursionError):
            settings[name] = value
    return settings


def find_evidence(
    opened: Opened, question: str, retrieval: str, budget: int, settings: dict[str, Any] | None = None
) -> Retrieval:
    """Evidence for a question: one embedding, no call of a language model."""
    opened.warm()
    return opened.index.retrieve(question, retrieval=retrieval, budget_words=budget, settings=settings or {})


def _also_in(one: Retrieval | None, other: Retrieval | None) -> list[int]:
    """For each piece of evidence the number of the first on the other side that shares text with it, 0 for none."""
    if one is None or other is None:
        return []
    return [_first_shared(each, other.evidence) for each in one.evidence]


def _first_shared(piece: Evidence, others: Sequence[Evidence]) -> int:
    for number, other in enumerate(others, 1):
        if piece.document == other.document and piece.start < other.end and other.start < piece.end:
            return number
    return 0

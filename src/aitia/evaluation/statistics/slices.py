"""Which questions belong together: by what they ask for, by type, and by how much evidence they need.

HCG-RAG (section 5, on EpilepsyQA) compares systems on *hop-heavy* questions (multi-hop causal, counterfactual,
synthesis) and on *lookup-heavy* ones (fact retrieval, mechanistic). The types of the other benchmarks are
put beside them by what they ask for; a type that is neither (clinical reasoning, creative generation,
questions without an answer) is in neither slice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aitia.errors import UsageError

ALL = "all"
HOP_HEAVY = "hop-heavy"
LOOKUP_HEAVY = "lookup-heavy"

KINDS = {
    # EpilepsyQA, as published
    "multihopcausal": HOP_HEAVY,
    "counterfactual": HOP_HEAVY,
    "synthesis": HOP_HEAVY,
    "factretrieval": LOOKUP_HEAVY,
    "mechanistic": LOOKUP_HEAVY,
    # GraphRAG-Bench; its fact retrieval is above
    "complexreasoning": HOP_HEAVY,
    "contextualsummarize": HOP_HEAVY,
    # LiHua-World
    "multi": HOP_HEAVY,
    "single": LOOKUP_HEAVY,
    # MultiHop-RAG, where every question with an answer has evidence in several articles
    "inferencequery": HOP_HEAVY,
    "comparisonquery": HOP_HEAVY,
    "temporalquery": HOP_HEAVY,
}
"""Slice by question type: its letters alone, small."""

_MANY = 3


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What a slice looks at. ``passages``: of how many passages the evidence is, 0 where not known."""

    type: str
    passages: int = 0


def slices(questions: Mapping[str, AskedQuestion]) -> dict[str, frozenset[str]]:
    """The ids of each slice that holds a question: all, by kind, ``type=NAME``, ``evidence=1``, 2 and 3+."""
    members: dict[str, set[str]] = {}
    for id, question in questions.items():
        for name in _names(question):
            members.setdefault(name, set()).add(id)
    order = sorted(members, key=lambda name: (name != ALL, "=" in name, name))
    return {name: frozenset(members[name]) for name in order}


def choose(available: Mapping[str, frozenset[str]], names: Sequence[str]) -> dict[str, frozenset[str]]:
    """The slices of some names; ``type`` and ``evidence`` are all that begin so.

    Raises:
        UsageError: a name that no question belongs to.

    """
    chosen: dict[str, frozenset[str]] = {}
    for name in names:
        found = [slice for slice in available if slice == name or slice.startswith(f"{name}=")]
        if not found:
            raise UsageError(
                f"slice {name!r} holds no question here; expected type, evidence, or of {', '.join(available)}"
            )
        chosen.update((slice, available[slice]) for slice in found)
    return chosen


def _names(question: AskedQuestion) -> list[str]:
    letters = "".join(letter for letter in question.type.casefold() if letter.isalpha())
    names = [ALL, f"type={question.type}"]
    if letters in KINDS:
        names.append(KINDS[letters])
    if question.passages:
        names.append(f"evidence={question.passages if question.passages < _MANY else f'{_MANY}+'}")
    return names

"""What an expert decided: values of ``curation.yaml``, the only record of human will (design 2.9).

The list is append-only and replayed in its order over what the machine made. Targets are stable keys, as the
person saw them: a dimension's or metric's name, ``dimension/entity``, a variable's key, and for an edge
``source -> target``; of hug an entity's name, and for a gate or a merge the two names likewise.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from aitia.corpus.document import content_hash
from aitia.spec.model import Frozen

Kind = Literal["dimension", "entity", "metric", "variable", "edge", "merge", "gate"]
Action = Literal["rename", "merge", "flip", "edit", "role", "add", "delete", "accept", "reject", "undo"]

ARROW = " -> "
"""Between the two ends of an edge, a gate or a merge."""


class Decision(Frozen):
    """One decision. ``value`` holds, by action:

    rename: ``to``; merge: ``into`` (a key of the same kind); edit: ``field`` and ``to``; role: ``to``; add: the
    fields of what is added; undo: nothing, its target being the ``id`` of an earlier decision. ``author``
    is ``file`` for an edit found in ``graph_spec.yaml``; ``time`` is ISO 8601 in UTC.
    """

    action: Action
    kind: Kind
    target: str
    value: dict[str, Any] = Field(default_factory=dict)
    author: str = ""
    time: str = ""
    reason: str = ""

    @property
    def id(self) -> str:
        """Eight hex digits of all that it says, by which a person names it."""
        said = (f"{name}={value}" for name, value in sorted(self.value.items()))
        return content_hash(self.action, self.kind, self.target, *said, self.author, self.time)[:8]


def edge_key(source: str, target: str) -> str:
    """The stable key of an edge between two variables, or of a pair of names."""
    return f"{source}{ARROW}{target}"

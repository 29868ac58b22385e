"""What has become of the documents of an index: a document is its content, and its path is where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aitia.corpus.document import Document
from aitia.spec.decisions import Decision


@dataclass(frozen=True)
class Changes:
    """Documents by path, each in one of the five; ``renamed`` has the path of then and the one of now.

    A document is changed if other content stands at its path and its own stands nowhere. ``calls`` is what a
    model was asked for the update, by stage; ``taken`` the edits of ``graph_spec.yaml`` that became decisions.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    calls: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    taken: tuple[Decision, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is otherwise than it was."""
        return bool(self.added or self.changed or self.renamed or self.removed)


def compare_documents(before: Iterable[Document], now: Iterable[Document]) -> Changes:
    """What was added, changed, renamed, removed or neither, each in path order."""
    old = {document.id: document.path for document in before}
    new = {document.id: document.path for document in now}
    lost = {path for key, path in old.items() if key not in new}
    fresh = {path for key, path in new.items() if key not in old}
    moved = [(old[key], path) for key, path in new.items() if key in old and old[key] != path]
    return Changes(
        added=tuple(sorted(fresh - lost)),
        changed=tuple(sorted(fresh & lost)),
        renamed=tuple(sorted(moved)),
        removed=tuple(sorted(lost - fresh)),
        unchanged=tuple(sorted(path for key, path in new.items() if old.get(key) == path)),
    )

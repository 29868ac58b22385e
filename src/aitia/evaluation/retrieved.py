"""What a system retrieved, as ``aitia retrieve --out`` writes it: one JSON line a question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from aitia.errors import CorpusError
from aitia.evaluation.datasets import read_text


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Contexts and the names of their documents, both in rank order."""

    contexts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    graph_matched: bool = True


def read_retrieved(path: Path, *, fallback_empty: bool = False) -> dict[str, Retrieved]:
    """The lines of a file by question id; of two with one id, the later.

    With ``fallback_empty`` a line that says ``"graph_matched": false`` counts as empty: its contexts
    are those of the fallback, not of the graph. Raises CorpusError, with the line's number, for a line
    that is not such a record.
    """
    lines: dict[str, Retrieved] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            retrieved = Retrieved(
                tuple(record["contexts"]),
                tuple(record.get("documents", ())),
                record.get("graph_matched", True),
            )
            lines[record["id"]] = (
                Retrieved(graph_matched=False)
                if fallback_empty and not retrieved.graph_matched
                else retrieved
            )
        except (ValueError, KeyError, TypeError) as error:
            raise CorpusError(
                f'{path}:{number}: not a retrieved line; expected {{"id": ..., "contexts": [...]}}'
            ) from error
    return lines

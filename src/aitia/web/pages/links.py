"""The links between two entities of a hug index, or between the entities of two modules, with their quotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aitia.spec.decisions import edge_key
from aitia.web.pages.page import Visit
from aitia.web.refusals import Refused

Record = Mapping[str, Any]

MOST_LINKS = 20
MOST_QUOTES = 6


def links(visit: Visit) -> Mapping[str, Any]:
    """The links from ``source`` to ``target``, titles of modules or names of entities, those from ``first`` on.

    Raises:
        Refused: there is no such module or entity, or no link between the two.

    """
    store = visit.opened.index.store
    source, target = visit.query.get("source", ""), visit.query.get("target", "")
    one, other = (
        _entities(name, store.records("modules"), store.records("entities")) for name in (source, target)
    )
    found = [each for each in store.records("links") if each["source"] in one and each["target"] in other]
    if not found:
        raise Refused(404, f"no link from {source[:200]!r} to {target[:200]!r}")
    found.sort(key=lambda each: (-each["confidence"], -len(each["quotes"]), each["source"], each["target"]))
    first = visit.number("first")
    gates = [
        each["reason"]
        for each in store.records("gates")
        if each["accepted"] and (each["source_title"], each["target_title"]) == (source, target)
    ]
    return {
        "source": source,
        "target": target,
        "mechanism": next(iter(gates), ""),
        "total": len(found),
        "first": first,
        "next": first + MOST_LINKS if first + MOST_LINKS < len(found) else None,
        "edges": [_shown(visit, each) for each in found[first : first + MOST_LINKS]],
        "is_decided": False,
    }


def _entities(name: str, modules: Sequence[Record], entities: Sequence[Record]) -> frozenset[str]:
    members = [entity for module in modules if module["title"] == name for entity in module["entities"]]
    if not members:
        members = [entity["name"] for entity in entities if entity["name"] == name]
    if not members:
        raise Refused(404, f"no module or entity {name[:200]!r}")
    return frozenset(members)


def _shown(visit: Visit, link: Record) -> dict[str, Any]:
    rows = [visit.opened.chunk_row(chunk) for chunk, _ in link["quotes"][:MOST_QUOTES]]
    chunks = visit.opened.index.store.chunks(rows)
    evidence = []
    for (_, quote), chunk in zip(link["quotes"], chunks, strict=False):
        at = chunk.text.find(quote)
        start = chunk.start + max(at, 0)
        end = start + len(quote) if at >= 0 else chunk.end
        evidence.append({"quote": quote, "place": chunk.citation, "chunk": chunk.id, "start": start, "end": end,
                         "found_by": "quote"})  # fmt: skip
    return {
        "key": edge_key(link["source"], link["target"]),
        "source": link["source"],
        "target": link["target"],
        "polarity": "none" if link["negated"] else "causal" if link["causal"] else "related",
        "mechanism": link["relation"],
        "confidence": link["confidence"],
        "evidence": evidence,
        "more": len(link["quotes"]) - MOST_QUOTES,
    }

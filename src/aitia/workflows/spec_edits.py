"""What a person changed in ``graph_spec.yaml``, refused where it cannot have been meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aitia.graph.hand_edits import find_edits
from aitia.graph.link import QuoteFinder
from aitia.spec.decisions import Decision
from aitia.spec.model import DomainSpec, Quote
from aitia.spec.roles import canonical
from aitia.spec.yaml_check import SECTIONS, check_spec
from aitia.spec.yaml_nodes import Node, fail, parse_nodes
from aitia.spec.yaml_values import clip
from aitia.storage.contents import Store
from aitia.workflows import folder as files


def find_spec_edits(
    text: str, generated: str, waiting: Sequence[Decision], store: Store, time: str
) -> list[Decision]:
    """The decisions that lead from the text last generated, and those that wait, to the one that is there.

    Raises:
        SpecError: with file and line: the text breaks its rules, a section is missing, or a new quote stands
            nowhere in the document of its chunk.

    """
    root = parse_nodes(text, files.SPEC)
    before = check_spec(parse_nodes(generated, files.SPEC), files.SPEC)
    _check_sections(text, root, before)
    now = check_spec(root, files.SPEC)
    base, edited = canonical(before), canonical(now)
    if edited == base and not waiting:
        return []
    _check_quotes(root, before, now, store)
    return find_edits(base, edited, time, waiting, (before, now))


def _check_sections(text: str, root: Node, before: DomainSpec) -> None:
    """A file that was cut off must not delete what it lacks."""
    for name in SECTIONS if root.kind == "mapping" or root.empty else ():
        count = len(getattr(before, name))
        pair = root.pair(name)
        if count and (pair is None or pair[1].empty):
            line = len(text.splitlines()) if pair is None else pair[0].line
            fail(
                files.SPEC,
                max(line, 1),
                f"found no {name}, expected the {count:,} there were or what is left of them; if all are to go "
                f"write {name}: []",
            )


def _check_quotes(root: Node, before: DomainSpec, now: DomainSpec, store: Store) -> None:
    known = {quote for relation in before.relations for quote in relation.quotes}
    new = [(node, quote) for node, quote in _quotes(root, now) if quote not in known]
    if not new:
        return
    chunks = store.chunks()
    rows = {chunk.id: row for row, chunk in enumerate(chunks)}
    finder = QuoteFinder(store.documents(), chunks, max(len(quote.text) for _, quote in new))
    for node, quote in new:
        if quote.chunk_id not in rows:
            fail(files.SPEC, node.line, f"found the chunk {clip(quote.chunk_id)}, expected one of this index")
        if not finder.find(quote.text, rows[quote.chunk_id], "quote"):
            fail(
                files.SPEC,
                node.line,
                f"found the quote {clip(quote.text)}, expected words that stand in {chunks[rows[quote.chunk_id]].path}",
            )


def _quotes(root: Node, now: DomainSpec) -> Iterator[tuple[Node, Quote]]:
    """Every quote and where it stands."""
    pair = root.pair("relations")
    for node, relation in zip(pair[1].items if pair else (), now.relations, strict=True):
        listed = node.pair("quotes")
        yield from zip(listed[1].items if listed else (), relation.quotes, strict=True)

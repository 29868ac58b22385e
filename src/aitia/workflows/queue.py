"""What an expert should look at, riskiest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Literal

from aitia.corpus.sentences import sentence_spans
from aitia.graph.causal import CausalEdge, EdgeEvidence
from aitia.graph.curation import Replayed
from aitia.methods.hug.decide import read_gates, read_merges
from aitia.spec.claims import RelationClaim
from aitia.spec.curation_file import read_decisions
from aitia.spec.decisions import ARROW, Decision, Kind, edge_key, split_key, undone_by
from aitia.spec.keys import parse_key
from aitia.spec.model import Polarity, Quote
from aitia.workflows import folder as files
from aitia.workflows.decided import modules_of, replay_stored
from aitia.workflows.index import Index

QUOTES = 5
"""Pieces of evidence that an item shows; the strongest come first."""
SURE = 0.5
"""Confidence below which an edge is doubtful for that alone."""

Topic = Literal["edge", "rejected", "merge", "gate", "renewed"]


@dataclass(frozen=True, slots=True)
class PlacedQuote:
    """Words of the corpus that bear on an item: a span of its document, and the chunk (id) they stand in.

    ``found_by``: how the words were linked to an edge, ``quote`` and ``mention`` being verbatim.
    """

    text: str
    chunk: str
    document: str
    start: int
    end: int
    page: int | None = None
    found_by: str = ""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Something to decide. ``key`` is the target of a decision of kind ``decides`` about it.

    ``why``: what makes it risky, in words, gravest first. ``risk``: 0 to 1. ``says``: what is claimed, in words.
    ``value``: its fields (mechanism, confidence, polarity), which an ``add`` of it needs. ``needs``: a terminal
    metric, which must be given another role (intermediate) before this can be accepted.
    """

    topic: Topic
    decides: Kind
    key: str
    why: tuple[str, ...]
    risk: float
    says: str = ""
    value: Mapping[str, Any] = field(default_factory=dict)
    quotes: tuple[PlacedQuote, ...] = ()
    needs: str = ""


def queue(index: Index) -> list[QueueItem]:
    """All that is open, by descending risk, then key. Decisions that wait for `apply` count as applied.

    Raises:
        SpecError: ``curation.yaml`` breaks its rules.

    """
    decisions = read_decisions(index.folder / files.CURATION)
    replayed = replay_stored(index.store, decisions)
    if replayed is None:
        items = [*_merges(index, decisions), *_gates(index, decisions)]
    else:
        placed = _Places(index)
        items = [*_edges(replayed, placed), *_renewed(replayed, placed), *_rejected(index, replayed, placed)]
    return sorted(items, key=lambda item: (-item.risk, item.key, item.topic))


class _Places:
    """Where evidence stands, of an index whose chunks are read once."""

    def __init__(self, index: Index) -> None:
        self._chunks = index.store.chunks()
        self._row_of = {chunk.id: row for row, chunk in enumerate(self._chunks)}
        self._names = index.names

    def of(self, evidence: Iterable[EdgeEvidence]) -> tuple[PlacedQuote, ...]:
        """The first pieces of evidence; of one without a quote the words of its chunk."""
        found = []
        for item in list(evidence)[:QUOTES]:
            chunk = self._chunks[item.chunk]
            text = item.quote or chunk.text
            name = self._names.get(chunk.document_id, chunk.path)
            found.append(PlacedQuote(text, chunk.id, name, item.start, item.end, chunk.page, item.found_by))
        return tuple(found)

    def of_name(self, name: str, rows: Iterable[int]) -> tuple[PlacedQuote, ...]:
        """The first sentence with a name, of chunks by their rows, if one has it."""
        for chunk in (self._chunks[row] for row in rows):
            if name.casefold() not in chunk.text.casefold():
                continue  # sentences are dear
            for start, end in sentence_spans(chunk.text):
                text = chunk.text[start:end]
                if name.casefold() in text.casefold():
                    place = chunk.start + start, chunk.start + end
                    document = self._names.get(chunk.document_id, chunk.path)
                    return (PlacedQuote(text, chunk.id, document, *place, chunk.page, "mention"),)
        return ()

    def of_quote(self, quote: Quote | None) -> tuple[PlacedQuote, ...]:
        """A claim's quote, if its chunk is still there."""
        row = self._row_of.get(quote.chunk_id) if quote else None
        if quote is None or row is None:
            return ()
        chunk = self._chunks[row]
        at = max(chunk.text.find(quote.text), 0)
        start = chunk.start + at
        name = self._names.get(chunk.document_id, chunk.path)
        return (PlacedQuote(quote.text, chunk.id, name, start, start + len(quote.text), chunk.page, "quote"),)


def _edges(replayed: Replayed, placed: _Places) -> Iterator[QueueItem]:
    """The edges that nobody decided on and that something speaks against."""
    graph = replayed.domain.graph
    sign_of = {(edge.source, edge.target): edge.polarity for edge in graph.edges}
    for edge in graph.edges:
        key = edge_key(graph.variables[edge.source].key, graph.variables[edge.target].key)
        if key in replayed.settled:
            continue
        why = _doubts(edge, sign_of.get((edge.target, edge.source)))
        if why:
            risk = 1 - prod(1 - share for share in why.values())
            words = tuple(sorted(why, key=lambda word: -why[word]))
            yield QueueItem(
                "edge",
                "edge",
                key,
                words,
                round(risk, 4),
                edge.mechanism,
                _said(edge),
                placed.of(edge.evidence),
            )


def _doubts(edge: CausalEdge, back: Polarity | None) -> dict[str, float]:
    """What makes an edge doubtful, and how much: shares that add up as independent chances of a fault."""
    why: dict[str, float] = {}
    if back is not None:
        why["stated in both directions"] = 0.4
        if {edge.polarity, back} in ({"positive", "negative"}, {"positive", "none"}, {"negative", "none"}):
            why["contradicting signs"] = 0.5
    if not any(item.found_by == "quote" for item in edge.evidence):
        why["no verbatim evidence"] = 0.5
    if edge.confidence < SURE:
        why["low confidence"] = round(0.6 * (1 - edge.confidence / SURE), 4)
    return why


def _said(edge: CausalEdge) -> dict[str, Any]:
    return {"mechanism": edge.mechanism, "confidence": edge.confidence, "polarity": edge.polarity}


def _renewed(replayed: Replayed, placed: _Places) -> Iterator[QueueItem]:
    """Rejected edges that quotes speak for which nobody had seen."""
    for key, quotes in replayed.renewed.items():
        found = replayed.find(key)
        link = found[1] if found else None
        if link is not None:
            new = [item for item in link.evidence or () if item.quote in quotes]
            value = {"mechanism": link.mechanism, "confidence": link.confidence, "polarity": link.polarity}
            why = ("renewed support for a rejected edge",)
            yield QueueItem(
                "renewed",
                "edge",
                key,
                why,
                0.95,
                link.mechanism,
                value,
                placed.of(new),
                _silent(replayed, split_key(key)[0]),
            )


def _silent(replayed: Replayed, source: str) -> str:
    """The metric of a variable if it is terminal, and so has no effects; else nothing."""
    name = parse_key(source)[0]
    terminal = (metric.name for metric in replayed.domain.graph.metrics if metric.graph_role == "terminal")
    return name if name in terminal else ""


def _rejected(index: Index, replayed: Replayed, placed: _Places) -> Iterator[QueueItem]:
    """Claims of an effect between two variables that are there, which were not accepted, and nobody decided on."""
    there = {variable.key for variable in replayed.domain.graph.variables}
    best: dict[str, tuple[RelationClaim, str]] = {}
    for rejection in index.store.rejected():
        claim = rejection.claim
        if isinstance(claim, RelationClaim) and claim.source != claim.target:
            key = edge_key(claim.source, claim.target)
            if {claim.source, claim.target} <= there and not (
                key in best and best[key][0].confidence >= claim.confidence
            ):
                best[key] = claim, rejection.reason.replace("_", " ")
    for key, (claim, why) in best.items():
        found = replayed.find(key)
        if found is None or not (found[1].in_force or found[1].decided):
            value = {"mechanism": claim.mechanism, "confidence": claim.confidence, "polarity": claim.polarity}
            words = (f"rejected claim: {why}",)
            risk = round(0.3 * claim.confidence, 4)
            yield QueueItem(
                "rejected",
                "edge",
                key,
                words,
                risk,
                claim.mechanism,
                value,
                placed.of_quote(claim.quote),
                _silent(replayed, claim.source),
            )


def _merges(index: Index, decisions: Sequence[Decision]) -> Iterator[QueueItem]:
    """Of hug the merges that were only suggested, with a sentence of each name."""
    rows = index.store.records("merges")
    if not any(row["suggested"] for row in rows):
        return
    placed, arrays = _Places(index), index.store.arrays()
    names = enumerate(index.store.records("entities"))
    row_of = {name: row for row, entity in names for name in entity["names"]}

    def quotes(name: str) -> tuple[PlacedQuote, ...]:
        there = arrays["place_chunks"][arrays["place_entities"] == row_of.get(name, -1)]
        return placed.of_name(name, there.tolist())

    done = _merges_decided(decisions)
    for row in rows:
        pair = frozenset((row["kept"], row["merged"]))
        if row["suggested"] and pair not in done:
            key = edge_key(row["kept"], row["merged"])
            says = f"{row['merged']} may be {row['kept']} (cosine {row['cosine']:.2f})"
            risk = round(0.5 * row["cosine"], 4)
            both = (*quotes(row["kept"]), *quotes(row["merged"]))
            yield QueueItem(
                "merge", "merge", key, ("suggested merge",), risk, says, {"cosine": row["cosine"]}, both
            )


def _gates(index: Index, decisions: Sequence[Decision]) -> Iterator[QueueItem]:
    """Of hug the gates that are in force, the least sure first."""
    modules = modules_of(index.store)
    # Which gate is meant is asked of the modules of today: their keys change with every merge.
    done = {frozenset(pair) for pair in read_gates(read_merges(decisions, ()), modules).gates or ()}
    chunks = {chunk.id: chunk for chunk in index.store.chunks()} if index.method == "hug" else {}
    for row in index.store.records("gates"):
        if not row["accepted"] or frozenset((row["source"], row["target"])) in done:
            continue
        quotes = tuple(
            PlacedQuote(text, chunk, index.names[at.document_id], start, start + len(text), at.page, "quote")
            for chunk, text in row["quotes"]
            if (at := chunks.get(chunk)) and (start := at.start + max(at.text.find(text), 0)) >= 0
        )
        says = f"{row['source_title']} brings about {row['target_title']}: {row['reason']}"
        value = {"confidence": row["confidence"], "reverse": row["reverse"]}
        key = edge_key(modules.name_of[row["source"]], modules.name_of[row["target"]])
        risk = round(0.6 * (1 - row["confidence"]) + 0.3 * row["reverse"], 4)
        yield QueueItem("gate", "gate", key, ("causal gate",), risk, says, value, quotes)


def _merges_decided(decisions: Sequence[Decision]) -> set[frozenset[str]]:
    undone = undone_by(decisions)
    pairs = (
        each.target
        for each in decisions
        if each.kind == "merge" and each.action != "undo" and each.id not in undone
    )
    return {frozenset(split_key(pair)) for pair in pairs if ARROW in pair}

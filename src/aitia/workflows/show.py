"""What an index holds, as plain values for a person or a program to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from aitia.corpus.windows import words_of
from aitia.errors import UsageError
from aitia.graph.causal import CausalGraph
from aitia.spec import claims
from aitia.spec.keys import format_key
from aitia.spec.yaml_nodes import read_text
from aitia.workflows import folder as files
from aitia.workflows.index import Index

Rows = list[dict[str, Any]]

RECORDS = ("entities", "links", "modules", "gates", "merges")
"""Kinds of records of hug that are shown as they are."""

METHOD_COUNTS = ("query_nodes", "queries", *RECORDS, "gates_judged")
"""Facts of a method's own that statistics show."""

CAUSAL = ("dimensions", "metrics", "variables", "relations", "templates", "edges", "edges_with_verbatim_evidence",
          "edges_without_evidence", "non_effects", "polarity", "evidence", "effort")  # fmt: skip
"""Statistics that only a causal graph has."""

_QUESTIONS = ("qcg", "plain:d2q", "plain:d2q_minus")
_NO_GRAPH = CausalGraph((), (), (), ())

UNAPPLIED = "a decision could not be applied"
"""How the warning of such decisions begins."""


def find_warnings(index: Index) -> list[str]:
    """What a person should know of a whole index, a line each: that it is partial, that its graph is empty."""
    warnings = []
    unread = index.store.facts().get("unread", [])
    if unread:
        step, place, reason = unread[0]
        left = len(unread) - 1
        more = f", and {left:,} more part{'s' * (left != 1)}" if left else ""
        again = "the next build asks for what it lacks"
        warnings.append(f"partial: no usable reply for {step} of {place} ({reason}){more}; {again}")
    unapplied = index.store.facts().get("unapplied", [])
    if unapplied:
        more = f", and {len(unapplied) - 1:,} more" if len(unapplied) > 1 else ""
        warnings.append(f"{UNAPPLIED}: {unapplied[0]}{more}; aitia check lists them")
    if index.method == "hcg" and index.graph_is_empty and not unread:
        warnings.append(_empty_graph(index))
    return [*warnings, *index.store.facts().get("warnings", [])]


def _empty_graph(index: Index) -> str:
    documents = index.store.documents()
    words = sum(len(words_of(document.text)) for document in documents)
    reason = (
        f"no effect is stated between the {len(index.graph.variables):,} variables"
        if index.graph.variables
        else "no vocabulary was found"
        if index.settings.get("analyst") == "llm"
        else "the text names no attribute or class often enough"
    )
    corpus = f"{len(documents):,} document{'s' * (len(documents) != 1)}, {words:,} words"
    return f"no causal graph: {reason} ({corpus}); questions are answered from the text alone"


def show_stats(index: Index) -> dict[str, Any]:
    """Counts, shares and settings. An index without a graph counts none of its parts."""
    facts = index.store.facts()
    graph = index.store.graph() or _NO_GRAPH
    kinds = [{item.found_by for item in edge.evidence} for edge in graph.edges]
    return {
        "status": facts["status"],
        "warnings": find_warnings(index),
        "unread": [
            dict(zip(("step", "place", "reason"), part, strict=True)) for part in facts.get("unread", [])
        ],
        "method": index.method,
        "analyst": index.settings.get("analyst"),
        "embedder": index.settings["embedder"],
        "splitter": index.settings.get("splitter"),
        "build": index.settings.get("build", {}),
        "documents": len(index.names),
        "skipped": [{"path": item.path, "reason": item.reason} for item in index.store.skipped()],
        "notes": [{"path": path, "note": note} for path, note in facts.get("notes", [])],
        "chunks": len(index.store.array("chunk_words")),
        "dimensions": len(index.store.dimensions()),
        "metrics": len(graph.metrics),
        "variables": len(graph.variables),
        "relations": facts.get("relations", 0),
        "templates": len(graph.templates),
        "edges": len(graph.edges),
        "edges_with_verbatim_evidence": sum("quote" in kind for kind in kinds),
        "edges_without_evidence": sum(not kind for kind in kinds),
        "non_effects": sum(edge.polarity == "none" for edge in graph.edges),
        "polarity": _shares(edge.polarity for edge in graph.edges),
        "evidence": _counts(item.found_by for edge in graph.edges for item in edge.evidence),
        "rejected": _counts(rejection.reason for rejection in index.store.rejected()),
        "thresholds": index.settings["thresholds"],
        "effort": facts.get("effort", {}),
        **{name: facts[name] for name in METHOD_COUNTS if name in facts},
        "llm": index.settings.get("llm", {}),
        "llm_calls": facts.get("llm", {}),
    }


def read_spec_text(index: Index) -> str:
    """``graph_spec.yaml`` as it stands, with a person's edits; as built, where the file is gone.

    Raises:
        UsageError: the method has no specification.

    """
    built = str(index.store.facts().get("spec_text", ""))
    if not built:
        raise UsageError(f"{index.folder} was built with {index.method}, which has no specification")
    path = index.folder / files.SPEC
    return read_text(path) if path.exists() else built


def show_documents(index: Index) -> Rows:
    """Documents in path order, with the names and the number of chunks."""
    chunks = Counter(chunk.document_id for chunk in index.store.chunks())
    return [
        {"path": document.path, "name": document.name, "chunks": chunks[document.id]}
        for document in index.store.documents()
    ]


def show_metrics(index: Index) -> Rows:
    """Metrics in name order, with how many variables and edges out and in they have."""
    graph = index.graph
    metric_of = [variable.metric for variable in graph.variables]
    variables = Counter(metric_of)
    leaving = Counter(metric_of[edge.source] for edge in graph.edges)
    arriving = Counter(metric_of[edge.target] for edge in graph.edges)
    return [
        {
            "metric": metric.label,
            "role": metric.graph_role,
            "kind": metric.kind,
            "category": metric.category,
            "variables": variables[metric.name],
            "out": leaving[metric.name],
            "in": arriving[metric.name],
            "description": metric.description,
        }
        for metric in graph.metrics
    ]


def show_variables(index: Index) -> Rows:
    """Variables, those with the most edges first."""
    graph = index.graph
    leaving = Counter(edge.source for edge in graph.edges)
    arriving = Counter(edge.target for edge in graph.edges)
    rows = [
        {
            "variable": variable.key,
            "metric": variable.metric,
            "entities": list(variable.entities),
            "out": leaving[row],
            "in": arriving[row],
        }
        for row, variable in enumerate(graph.variables)
    ]
    return sorted(rows, key=lambda row: (-row["out"] - row["in"], row["variable"]))


def show_edges(index: Index) -> Rows:
    """Edges, the best supported first: by pieces of evidence, then confidence."""
    keys = [variable.key for variable in index.graph.variables]
    rows = [
        {
            "source": keys[edge.source],
            "target": keys[edge.target],
            "polarity": edge.polarity,
            "confidence": edge.confidence,
            "evidence": len(edge.evidence),
            "mechanism": edge.mechanism,
        }
        for edge in index.graph.edges
    ]
    return sorted(rows, key=lambda row: (-row["evidence"], -row["confidence"], row["source"], row["target"]))


def show_evidence(index: Index) -> Rows:
    """Every piece of evidence of every edge, in edge order; without a quote, the chunk was found by vector."""
    keys = [variable.key for variable in index.graph.variables]
    chunks = index.store.chunks()
    return [
        {
            "source": keys[edge.source],
            "target": keys[edge.target],
            "polarity": edge.polarity,
            "found_by": item.found_by,
            "place": chunks[item.chunk].citation,
            "chunk": chunks[item.chunk].id,
            "start": item.start,
            "end": item.end,
            "quote": item.quote,
        }
        for edge in index.graph.edges
        for item in edge.evidence
    ]


def show_questions(index: Index) -> Rows:
    """The questions that were written for chunks, and of qcg their nodes; a sentence has no question of its own.

    Raises:
        UsageError: the method writes none.

    """
    if index.method not in _QUESTIONS:
        raise UsageError(
            f"{index.folder} was built with {index.method}, which has no questions; {', '.join(_QUESTIONS)} have"
        )
    place = {chunk.id: chunk.citation for chunk in index.store.chunks()}
    records = index.store.records("query_nodes")
    rows = [{"place": place[each["chunk"]], **each} for each in records]
    return rows if index.method != "qcg" else [{"node": number, **row} for number, row in enumerate(rows)]


def show_records(index: Index, kind: str) -> Rows:
    """The records of one of `RECORDS`, in their order; of gates those accepted first, the surest first.

    Raises:
        UsageError: the method keeps none.

    """
    if index.method != "hug":
        raise UsageError(f"{index.folder} was built with {index.method}, which has no {kind}; hug has")
    records = index.store.records(kind)
    if kind == "gates":
        return sorted(records, key=lambda gate: (not gate["accepted"], -gate["confidence"]))
    return records


def show_rejected(index: Index) -> Rows:
    """Claims that were not accepted, with the reason."""
    return [
        {
            "reason": rejection.reason,
            "kind": type(rejection.claim).__name__.removesuffix("Claim").lower(),
            "claim": _claim_text(rejection.claim),
            "detail": rejection.detail,
            "candidates": list(rejection.candidates),
            "quote": _quote_text(rejection.claim),
        }
        for rejection in index.store.rejected()
    ]


def _claim_text(claim: claims.Claim) -> str:
    if isinstance(claim, claims.RelationClaim | claims.TemplateClaim):
        return f"{claim.source} -> {claim.target}"
    if isinstance(claim, claims.VariableClaim):
        return format_key(claim.metric, claim.entities)
    if isinstance(claim, claims.MetricClaim):
        return format_key(claim.name, claim.signature)
    if isinstance(claim, claims.OutcomeClaim):
        return f"{claim.metric}: {claim.role}"
    if isinstance(claim, claims.MalformedClaim):
        return f"{claim.kind}: {claim.text}"
    return claim.name


def _quote_text(claim: claims.Claim) -> str:
    quote = getattr(claim, "quote", None)
    return quote.text if quote else ""


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _shares(values: Iterable[str]) -> dict[str, float]:
    counts = _counts(values)
    total = sum(counts.values())
    return {name: round(count / total, 4) for name, count in counts.items()}

"""Evidence, answers and traces as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aitia.answering.answer import Answer
from aitia.cli.chains import entity_reasons, named_chains, write_answer_chains, write_search
from aitia.cli.output import write, write_styled, write_table
from aitia.cli.query_nodes import node_reasons, write_nodes
from aitia.cli.text import counted, excerpt, safe_line
from aitia.retrieval.result import Evidence, Retrieval

QUOTE = 160
"""Characters of a source that are shown under an answer."""

GRAPH_PARTS = ("gate", "queries", "seeds")
"""Parts of a trace that only the retrieval of a graph has."""


def write_answer(answer: Answer, explained: bool = False) -> None:
    """The answer, then its sources by number; what is ``explained`` has its chains there."""
    write_styled(answer.text)
    write_sources(answer, explained)


def write_sources(answer: Answer, explained: bool = False) -> None:
    """The places that an answer cites, by number, and the chains that they belong to."""
    if answer.citations:
        write()
        write_styled("Sources", "bold")
    for citation in answer.citations:
        write_styled(f"[{citation.number}] {safe_line(citation.place)}{named_chains(answer, citation)}")
        cited = citation.sentence or _body(citation.evidence.text)
        write_styled(f"\u201c{excerpt(cited, QUOTE)}\u201d", "dim", indent=4)
    if not explained:
        write_answer_chains(answer)


def _body(text: str) -> str:
    """A passage without the Markdown heading it may begin with, which its citation names; dots where it is cut."""
    first, _, rest = text.lstrip().partition("\n")
    body = rest if first.startswith("#") and rest.strip() else text
    return f"... {body}" if body[:1].islower() else body


def write_passages(retrieval: Retrieval) -> None:
    """The evidence in rank order, whole."""
    for number, item in enumerate(retrieval.evidence, 1):
        if number > 1:
            write()
        write_styled(f"[{number}] {safe_line(item.citation)}  (score {item.score:.4f})", "bold")
        write_styled(item.text.strip(), indent=4)
    if not retrieval.evidence:
        write_styled("No evidence in the corpus.")


UNMATCHED = {
    "hcg": "no variable of the graph matches the question",
    "qcg": "no node of the graph is close enough to the question",
}
"""What it means that a graph had no match."""


def text_only(method: str, graph_is_empty: bool) -> str:
    """Why the evidence is from the text alone."""
    reason = UNMATCHED.get(method, "nothing of the graph is close enough to the question")
    if graph_is_empty:
        reason = "the graph of this index is empty"
    return f"{reason}: this evidence is from its text alone"


def write_trace(retrieval: Retrieval, graph_is_empty: bool, cited: Sequence[int] = ()) -> None:
    """How the evidence was found: gate, matches, reach, cones, and why each passage, or each that is cited."""
    trace = retrieval.trace
    write()
    write_styled(f"How this was found: retrieval {trace['retrieval']}", "bold")
    if "gate" in trace:
        _write_walk(trace, graph_is_empty)
    if "queries" in trace:
        write_nodes(trace)
    if "seeds" in trace:
        write_search(trace)
    write()
    reasons = [
        _reasons(number, item, trace)
        for number, item in enumerate(retrieval.evidence, 1)
        if not cited or number in cited
    ]
    graph = ", its place in the graph" if any(part in trace for part in GRAPH_PARTS) else ""
    write_table(reasons, f"Why each passage: its ranks by meaning and by word{graph}")


def _write_walk(trace: Any, graph_is_empty: bool) -> None:
    reach, cones = trace["reach"], trace["cones"]
    if graph_is_empty:
        write("The graph of this index is empty; the text ranking stands alone.")
        return
    if not trace["gate"]:
        write("No variable of the graph is close enough to the question; the text ranking stands alone.")
        return
    write()
    write_table(trace["gate"], "Metrics that passed the gate (best cosine sigma, band tau)")
    write_table(trace["matches"], "Variables matched")
    shares = ", ".join(f"{share:.0%} after {hop}" for hop, share in enumerate(reach["share_by_hop"], 1))
    size = f"{counted(reach['variables'], 'variables')} and {counted(reach['edges'], 'edges')}"
    write_styled(f"Reach: {size}", "bold")
    write(f"Share of all variables reached, by hops: {shares}")
    if reach["isolated_matches"]:
        write(f"Matches without an effect of their own: {', '.join(reach['isolated_matches'])}")
    write()
    write_table(
        cones["kept"], f"Outcome cones kept, of {cones['found']} found ({cones['tied']} tied on convergence)"
    )


def _reasons(number: int, item: Evidence, trace: Any) -> dict[str, Any]:
    text = trace["text"].get(item.chunk_id, {})
    reasons = {
        "passage": f"[{number}]",
        "place": item.citation,
        "score": item.score,
        "meaning": text.get("cosine_rank", "-"),
        "word": text.get("bm25_rank", "-") if text.get("bm25") else "-",
    }
    if "query_chunks" in trace:
        near = [trace["query_chunks"][each] for each in item.chunk_ids if each in trace["query_chunks"]]
        return {**reasons, **node_reasons(near)}
    if "entity_chunks" in trace:
        brought = [trace["entity_chunks"][each] for each in item.chunk_ids if each in trace["entity_chunks"]]
        return {**reasons, **entity_reasons(brought)}
    if "chunks" not in trace:
        return reasons
    linked = [trace["chunks"][each] for each in item.chunk_ids if each in trace["chunks"]]
    if not linked:
        return {**reasons, "cone": "-", "hops": "-", "edges": "-"}
    found = min(linked, key=lambda each: (each["cone_rank"], each["hops"]))
    edges = "; ".join(found["edges"])
    return {**reasons, "cone": found["cone_rank"], "hops": found["hops"], "edges": edges}

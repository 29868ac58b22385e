"""Causal chains and the search that found them, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aitia.answering.answer import Answer, Citation
from aitia.cli.output import write, write_styled, write_table
from aitia.cli.text import counted, safe_line
from aitia.retrieval.result import Evidence

SHOWN = 3
"""Chains under an answer, beside those that its sources name."""


def named_chains(answer: Answer, citation: Citation) -> str:
    """The chains that a cited source belongs to, as ``  (P1, P3)``."""
    names = _chains_of(answer, citation)
    return f"  ({', '.join(names)})" if names else ""


def _chains_of(answer: Answer, citation: Citation) -> list[str]:
    chains: Mapping[str, list[str]] = answer.retrieval.trace.get("chains_of", {})
    source = citation.evidence
    ids = source.chunk_ids if isinstance(source, Evidence) else ()
    return list(dict.fromkeys(name for each in ids for name in chains.get(each, ())))


def write_answer_chains(answer: Answer) -> None:
    """The first chains of an answer, and those that its sources name."""
    trace = answer.retrieval.trace
    named = {name for each in answer.citations for name in _chains_of(answer, each)}
    paths = trace.get("causal_paths", ())
    shown = [path for row, path in enumerate(paths) if row < SHOWN or path["name"] in named]
    _write_chains(trace, shown)
    if len(shown) < len(paths):
        write_styled(f"... and {len(paths) - len(shown)} more; --explain has all", "dim")


def _write_chains(trace: Mapping[str, Any], paths: Iterable[Mapping[str, Any]]) -> None:
    """Chains in arrows with the words of their relations, or that there is none."""
    if "causal_paths" not in trace:
        return
    write()
    if trace["chains_note"]:
        write_styled(f"Chains: {trace['chains_note']}", "bold")
        return
    write_styled("Chains", "bold")
    for path in paths:
        write_styled(f"{path['name']}  {safe_line(_arrows(path))}")
        write_styled(
            f"confidence {path['confidence']:g}; {safe_line(', '.join(path['evidence_documents']))}",
            "dim",
            indent=4,
        )


def _arrows(path: Mapping[str, Any]) -> str:
    """``frost -[cause]-> leak -[part of]- [module]``: an arrow only where a cause is stated, from it to its effect."""
    parts = [path["path"][0]]
    for node, kind, relation in zip(path["path"][1:], path["edge_types"], path["relations"], strict=True):
        begin = "<-" if kind.endswith(", against") else "-"
        end = "->" if kind in ("causal", "gate") else "-"
        parts.append(f"{begin}[{relation}]{end} {node}")
    return " ".join(parts)


def write_search(trace: Mapping[str, Any]) -> None:
    """Of hug: seeds, what was reached and what stopped it, gates, and all chains with those that do not hold."""
    found = trace["search"]
    write()
    seeds = [
        {"seed": seed.get("entity") or f"[{seed['module']}]", "similarity": seed["similarity"]}
        for seed in trace["seeds"]
    ]
    if seeds:
        write_table(seeds, "Seeds of every level (modules in brackets)")
    else:
        write_styled("No seed: nothing of the graph is like the question", "bold")
    size = f"{counted(found['nodes'], 'nodes')}, {counted(found['passages'], 'passages')}"
    write_styled(f"Reach: {size}; stopped by {found['stopped']}", "bold")
    for warning in trace["warnings"]:
        write(f"Warning: {warning}")
    if trace["gates"]:
        write_table(trace["gates"], "Causal gates on the way")
    _write_chains(trace, trace.get("causal_paths", ()))
    refused = trace.get("spurious", ())
    if refused:
        write()
        rows = [{"way": each["name"], "nodes": _arrows(each), "reason": each["reason"]} for each in refused]
        write_table(rows, "Ways that are no causal chain")


def entity_reasons(found: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Of a passage its best place in the order of the search, and the entity that brought it."""
    best = min(found, key=lambda each: each["rank"], default=None)
    return {"graph": best["rank"] if best else "-", "entity": best["entity"] if best else "-"}

"""Causal chains and the search that found them, as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aitia.answering.answer import Answer, Citation
from aitia.cli.output import write, write_styled, write_table
from aitia.cli.text import counted, safe_line
from aitia.retrieval.result import Evidence

SHOWN = 3
"""Chains under an answer; ``--json`` has all."""


def named_chains(answer: Answer, citation: Citation) -> str:
    """The chains that a cited source belongs to, as ``  (P1, P3)``."""
    chains: Mapping[str, list[str]] = answer.retrieval.trace.get("chains_of", {})
    source = citation.evidence
    ids = source.chunk_ids if isinstance(source, Evidence) else ()
    names = dict.fromkeys(name for each in ids for name in chains.get(each, ()))
    return f"  ({', '.join(names)})" if names else ""


def write_chains(trace: Mapping[str, Any]) -> None:
    """The causal chains in arrows with the words of their relations, or that there is none."""
    if "causal_paths" not in trace:
        return
    write()
    if trace["chains_note"]:
        write_styled(f"Chains: {trace['chains_note']}", "bold")
        return
    write_styled("Chains", "bold")
    for path in trace["causal_paths"][:SHOWN]:
        write_styled(f"{path['name']}  {safe_line(_arrows(path))}")
        write_styled(
            f"confidence {path['confidence']:g}; {safe_line(', '.join(path['evidence_documents']))}",
            "dim",
            indent=4,
        )


def _arrows(path: Mapping[str, Any]) -> str:
    """``frost -[cause]-> leak -[part of]- [module]``: an arrow only where a cause is stated."""
    parts = [path["path"][0]]
    for node, kind, relation in zip(path["path"][1:], path["edge_types"], path["relations"], strict=True):
        end = "->" if kind in ("causal", "gate") else "-"
        parts.append(f"-[{relation}]{end} {node}")
    return " ".join(parts)


def write_search(trace: Mapping[str, Any]) -> None:
    """Of hug: seeds, what was reached and what stopped it, gates."""
    found = trace["search"]
    write()
    write_table(
        [
            {"seed": seed.get("entity") or f"[{seed['module']}]", "similarity": seed["similarity"]}
            for seed in trace["seeds"]
        ],
        "Seeds of every level (modules in brackets)",
    )
    size = f"{counted(found['nodes'], 'nodes')}, {counted(found['passages'], 'passages')}"
    write_styled(f"Reach: {size}; stopped by {found['stopped']}", "bold")
    for warning in trace["warnings"]:
        write(f"Warning: {warning}")
    if trace["gates"]:
        write_table(trace["gates"], "Causal gates on the way")
    write_chains(trace)

"""What an index took: calls and tokens by stage as the ledger keeps them, pairs judged, bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aitia.clients.protocols import LedgerTotals
from aitia.storage.ledger import SqliteLedger
from aitia.workflows import folder as files
from aitia.workflows.index import Index


def show_cost(index: Index, ledger: Path | None = None) -> dict[str, Any]:
    """What all builds and answers of the index's ledger, or of the one given, took.

    ``last_build`` is what the last build or update asked now, and what the ledger answered in its place;
    ``stages`` is all that the ledger keeps. ``cost`` is there where the index records prices.
    """
    facts = index.store.facts()
    path = ledger or index.folder / files.LEDGER
    kept = SqliteLedger(path) if path.exists() else None
    prices = index.settings.get("llm", {})
    stages = [_stage(total, prices) for total in kept.totals()] if kept else []
    return {
        "llm_calls": sum(stage["calls"] for stage in stages),
        "stages": stages,
        "last_build": facts.get("llm", {}),
        "reading_windows": facts.get("windows", 0),
        "effort": facts.get("effort", {}),
        "embeddings_kept": kept.count(index.settings["embedder"]["hash"]) if kept else 0,
        "ledger_bytes": path.stat().st_size if kept else 0,
        "index_bytes": (index.folder / files.DATABASE).stat().st_size,
    }


def _stage(total: LedgerTotals, prices: Mapping[str, Any]) -> dict[str, Any]:
    row = {
        "stage": total.stage,
        "model": total.model,
        "calls": total.calls,
        "prompt_tokens": total.prompt_tokens,
        "reply_tokens": total.completion_tokens,
        "retries": total.attempts - total.calls,
        "seconds": round(total.seconds, 1),
    }
    if total.model == prices.get("model"):
        price = price_of(total.prompt_tokens, total.completion_tokens, prices)
        return row if price is None else {**row, "cost": round(price, 6)}
    return row


def price_of(prompt_tokens: float, reply_tokens: float, prices: Mapping[str, Any]) -> float | None:
    """What tokens cost at ``price_in`` and ``price_out`` per million; None where one is not given."""
    if "price_in" not in prices or "price_out" not in prices:
        return None
    return float(prompt_tokens * prices["price_in"] + reply_tokens * prices["price_out"]) / 1e6

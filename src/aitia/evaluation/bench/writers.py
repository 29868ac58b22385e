"""Who writes the answers of one run: the rules, or a model whose replies of each run are its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import Ledger
from aitia.evaluation.bench.answers import Writing
from aitia.evaluation.bench.limits import Limits
from aitia.evaluation.bench.metering import Meter, MeteredLLM
from aitia.workflows.analysts import (
    ModelOptions,
    check_analyst,
    llm_settings,
    open_analyst,
    prompts_hash,
    recorded_settings,
)

NOBODY = {"analyst": "none"}
"""Who writes where there is retrieval only."""
_NO_MATTER = ("price_in", "price_out", "run")


@contextmanager
def open_writing(
    options: ModelOptions, run: int, ledger: Ledger, limits: Limits, meter: Meter
) -> Iterator[Writing]:
    """The writer of a run; its connections are closed with the block.

    Raises:
        AitiaError: the options name no writer.

    """
    if options.get("analyst", "rules") == "rules":
        from aitia.analyst.rules.analyst import RulesAnalyst

        rules = RulesAnalyst()
        yield Writing(lambda: rules)
        return
    from aitia.analyst.llm.analyst import LLMAnalyst
    from aitia.analyst.llm.prompt import load_prompts

    limited = limits.within(options)
    first = llm_settings(limited).run
    limited["llm"] = {**limited.get("llm", {}), "run": first + run}
    settings = llm_settings(limited)
    prompts = load_prompts(Path(options["prompts"]) if options.get("prompts") else None)
    opened = open_analyst(limited, ledger)
    assert opened.llm is not None  # a model with a ledger has one
    metered = MeteredLLM(opened.llm, meter)
    try:
        # With a limit the ledger's model asks one thing at a time anyway.
        jobs = settings.jobs if {"max_calls", "max_cost"}.isdisjoint(limited) else 1
        yield Writing(lambda: LLMAnalyst(metered, settings, prompts), settings.context_tokens, jobs)
    finally:
        opened.close()


def told(options: ModelOptions) -> dict[str, Any]:
    """Who judges language, as ``bench.toml`` has it: what changes a reply, and no address.

    Raises:
        UsageError: an unknown analyst, no model, or a setting that cannot be.

    """
    name = check_analyst(options.get("analyst", "rules"))
    if name == "rules":
        return {"analyst": name}
    settings = _without_prices(recorded_settings(llm_settings(options)))
    if options.get("prompts"):
        from aitia.analyst.llm.prompt import load_prompts

        settings["prompts"] = prompts_hash(load_prompts(Path(options["prompts"])))
    return {"analyst": name, **settings}


def _without_prices(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in _NO_MATTER}


def chat_settings(*options: ModelOptions) -> LLMSettings | None:
    """The settings of the first that names a model; None where none does."""
    named = [each for each in options if each.get("model")]
    return llm_settings({**named[0], "analyst": "llm"}) if named else None

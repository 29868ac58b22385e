"""Who judges language: the rules, or a model behind an endpoint with its ledger and its limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from pydantic import ValidationError

from aitia.analyst.protocols import Analyst
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import Ledger
from aitia.corpus.document import content_hash
from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.analyst.llm.prompt import Prompt
    from aitia.clients.ledgered import LedgerLLM

ANALYSTS = ("rules", "llm")
OWN_OPTIONS = ("model", "base_url", "jobs")
"""Settings of a model that have an option of their own."""
RECORDED = ("model", "context_tokens", "max_output_tokens", "temperature", "run", "price_in", "price_out")
"""The settings of a model that an index records. Never its address."""


class ModelOptions(TypedDict, total=False):
    """Options that say who judges language, by the names of the command line's."""

    analyst: str
    model: str
    base_url: str
    api_key: str
    jobs: int
    llm: dict[str, Any]
    prompts: str | Path
    ledger: str | Path
    max_calls: int
    max_cost: float


@dataclass(frozen=True)
class OpenAnalyst:
    """An analyst, and for a model the client that counts what it takes and the settings to record.

    ``close`` closes the model's connections.
    """

    analyst: Analyst
    llm: LedgerLLM | None = None
    recorded: Mapping[str, Any] | None = None
    close: Callable[[], None] = lambda: None

    @property
    def tally(self) -> dict[str, dict[str, Any]]:
        """What this run asked by stage, as plain values."""
        tallies = self.llm.tally.items() if self.llm else ()
        return {stage: {**asdict(tally), "seconds": round(tally.seconds, 1)} for stage, tally in tallies}


def check_analyst(name: str) -> str:
    """The analyst of a name.

    Raises:
        UsageError: there is none.

    """
    if name not in ANALYSTS:
        raise UsageError(f"unknown analyst {name!r}; expected one of {', '.join(ANALYSTS)}")
    return name


def llm_settings(options: ModelOptions, recorded: Mapping[str, Any] | None = None) -> LLMSettings:
    """The settings of the model; what an index recorded stands behind the options.

    Raises:
        UsageError: no model, an unknown setting, or an option of a model with a value that cannot be.

    """
    _check_limits(options)
    given = options.get("llm", {})
    known = sorted(set(LLMSettings.model_fields) - set(OWN_OPTIONS))
    if not isinstance(given, Mapping):
        raise UsageError(f"llm: found {given!r}; expected settings by name, as context_tokens")
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise UsageError(f"unknown setting --llm {unknown[0]}; expected one of {', '.join(known)}")
    kept = {name: value for name, value in (recorded or {}).items() if name in LLMSettings.model_fields}
    own = {name: value for name, value in options.items() if name in OWN_OPTIONS and value is not None}
    values: dict[str, Any] = {**kept, **given, **own}
    if not values.get("model"):
        raise UsageError("the llm analyst needs a model; give one with --model, or set AITIA_MODEL")
    try:
        return LLMSettings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        option = f"--{name.replace('_', '-')}" if name in OWN_OPTIONS else f"--llm {name}"
        raise UsageError(f"{option}: found {first['input']!r}; {first['msg'].lower()}") from None


def _check_limits(options: ModelOptions) -> None:
    calls, cost, key = (options.get(name) for name in ("max_calls", "max_cost", "api_key"))
    if calls is not None and (isinstance(calls, bool) or not isinstance(calls, int) or calls < 0):
        raise UsageError(f"--max-calls {calls}; expected a whole number from 0 on")
    if cost is not None and not (isinstance(cost, int | float) and 0 <= cost < inf):
        raise UsageError(f"--max-cost {cost}; expected a number from 0 on")
    if key is not None and not isinstance(key, str):
        raise UsageError(f"the API key is of type {type(key).__name__}; expected a text")


def open_analyst(
    options: ModelOptions,
    ledger: Ledger | None,
    progress: Callable[[str, int, int], None] | None = None,
    recorded: Mapping[str, Any] | None = None,
) -> OpenAnalyst:
    """The analyst that the options name; a model's replies are kept in the ledger, if there is one.

    Raises:
        UsageError: an unknown analyst, no model, or an option that cannot be.

    """
    if check_analyst(options.get("analyst", "rules")) == "rules":
        from aitia.analyst.rules.analyst import RulesAnalyst

        return OpenAnalyst(RulesAnalyst())
    from aitia.analyst.llm.analyst import LLMAnalyst
    from aitia.analyst.llm.prompt import load_prompts
    from aitia.clients.ledgered import LedgerLLM
    from aitia.clients.openai_llm import OpenAILLM

    settings = llm_settings(options, recorded)
    prompts = load_prompts(Path(options["prompts"]) if options.get("prompts") else None)
    client = OpenAILLM(settings, options.get("api_key"))
    recorded_now = recorded_settings(settings)
    if prompts != load_prompts():
        recorded_now["prompts"] = prompts_hash(prompts)
    if ledger is None:
        return OpenAnalyst(LLMAnalyst(client, settings, prompts), None, recorded_now, client.close)
    llm = LedgerLLM(
        client,
        ledger,
        settings=settings,
        max_calls=options.get("max_calls"),
        max_cost=options.get("max_cost"),
        progress=progress,
    )
    return OpenAnalyst(LLMAnalyst(llm, settings, prompts), llm, recorded_now, client.close)


def embedder_options(options: ModelOptions) -> dict[str, Any]:
    """How an embedder is reached, for `aitia.clients.embedders.open_embedder`.

    Raises:
        UsageError: fewer than one job.

    """
    jobs = options.get("jobs")
    if jobs is not None and not (isinstance(jobs, int) and jobs >= 1):
        raise UsageError(f"{jobs} jobs; expected at least 1")
    reached = {"base_url": options.get("base_url"), "api_key": options.get("api_key"), "threads": jobs}
    if options.get("analyst") == "llm":
        patience = options.get("llm", {})
        reached |= {name: patience[name] for name in ("attempts", "timeout_s") if name in patience}
    return reached


def prompts_hash(prompts: Mapping[str, Prompt]) -> str:
    """Identifies prompt files that a user gave, so that an update is read by the same ones."""
    texts = (text for name in sorted(prompts) for text in (name, prompts[name].system, prompts[name].user))
    return content_hash(*texts)


def recorded_settings(settings: LLMSettings) -> dict[str, Any]:
    """What ``aitia.toml`` says of a model."""
    values = settings.model_dump(exclude_none=True)
    return {name: values[name] for name in RECORDED if name in values}

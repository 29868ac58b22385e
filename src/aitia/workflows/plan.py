"""What a build with a model will ask and cost, before it asks anything (design 2.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from aitia.analyst.graph_protocols import QuestionWriter
from aitia.clients.embedders import open_embedder
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.planning import PlanningLLM
from aitia.clients.protocols import LLMRequest
from aitia.corpus.chunk import Chunk
from aitia.corpus.tokens import count_tokens
from aitia.errors import UsageError
from aitia.methods import check_method
from aitia.methods.build import BuildSettings as MethodSettings
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.foresee import Foreseen, foresee
from aitia.spec.tiers import Tier, tier
from aitia.spec.yaml_file import read_outcomes
from aitia.storage.ledger import SqliteLedger
from aitia.workflows import folder as files
from aitia.workflows.analysts import check_analyst, embedder_options, llm_settings
from aitia.workflows.build import (
    DEFAULT_METHOD,
    DEFAULT_SPLITTER,
    BuildOptions,
    build_settings,
    read_chunks,
)
from aitia.workflows.cost import price_of
from aitia.workflows.earlier import earlier_outcomes
from aitia.workflows.index import check_options
from aitia.workflows.presets import find_preset

if TYPE_CHECKING:
    from aitia.analyst.llm.prompt import Prompt

STAGE1 = ("dimensions", "consolidate_dimensions", "metrics", "consolidate_metrics", "outcomes", "claims")
STAGES = (*STAGE1, "metric_edges", "node_edges")
USELESS = 3
"""Replies that one request can cost: a useless one, and those of its two halves."""

# What a step that cannot be rendered yet adds to its prompts, and what replies take, in tokens. How long replies
# are is the model's affair: these are those of the stand-in, which lists all that it finds.
DIMENSION_LINE, METRIC_LINE, CLAIM_LINE = 110, 32, 40
SOURCE_TOKENS, PAIR_TOKENS = 900, 45
CALL_TOKENS = 8_000
PAIRS_PER_WORD, TEMPLATE_SHARE = 0.06, 0.55
REPLY_SHARE = {"dimensions": 0.3, "metrics": 0.3, "claims": 0.9}
REPLY_TOKENS = {
    "consolidate_dimensions": 300,
    "consolidate_metrics": 600,
    "outcomes": 400,
    "metric_edges": 2_500,
}
PAIR_REPLY_TOKENS = 25
QUESTION_REPLY_TOKENS = 40

UNNAMED = "any"
"""The model of a plan that is given none: where no reply is kept, its name changes nothing."""

QUESTIONS_ONLY = ("qcg", "plain:d2q", "plain:d2q_minus")
"""Methods that ask a model for the questions of each chunk, and nothing else."""


@dataclass(frozen=True)
class StagePlan:
    """What a step still has to ask. ``exact``: its ``calls`` are known; else they are an expectation.

    ``prompt_tokens`` are counted where the prompt is known already, and ``reply_tokens`` are a guess.

    ``at_most`` holds whatever the replies are, as long as the model takes prompts of the context it is given.
    """

    stage: str
    kept: int
    calls: int
    at_most: int
    prompt_tokens: int
    reply_tokens: int
    exact: bool


@dataclass(frozen=True)
class BuildPlan:
    """The steps in their order; ``kept`` replies are in the ledger and cost nothing more."""

    stages: tuple[StagePlan, ...]
    settings: LLMSettings
    windows: int

    def total(self, name: str) -> int:
        """The sum of a field over the steps."""
        return sum(int(getattr(stage, name)) for stage in self.stages)

    @property
    def cost(self) -> float | None:
        """What the expected tokens cost, if prices are given."""
        prices = self.settings.model_dump(include={"price_in", "price_out"}, exclude_none=True)
        return price_of(self.total("prompt_tokens"), self.total("reply_tokens"), prices)


def plan_build(
    sources: str | Path | Sequence[str | Path],
    index: str | Path | None = None,
    **options: Unpack[BuildOptions],
) -> BuildPlan:
    """Plan a build with a model. Replies in the ledger of ``index`` are taken into account; nobody is asked.

    Raises:
        UsageError: an option that cannot be, or a method without a plan.

    """
    from aitia.analyst.llm.analyst import LLMAnalyst
    from aitia.analyst.llm.prompt import load_prompts

    check_options(options, BuildOptions)
    preset = find_preset(options.get("preset"), options.get("method"))
    method = check_method(options.get("method", preset.method if preset else DEFAULT_METHOD))
    options.setdefault("analyst", "llm")
    if check_analyst(options["analyst"]) != "llm" or method not in ("hcg", *QUESTIONS_ONLY):
        raise UsageError(
            f"no plan for {method} with the analyst {options['analyst']}; expected the analyst llm and one of "
            f"{', '.join(('hcg', *QUESTIONS_ONLY))}"
        )
    if not (index or options.get("ledger") or options.get("model")):
        options["model"] = UNNAMED
    model = llm_settings(options)
    chosen = build_settings(method, options)
    if method == "hcg" and cast(BuildSettings, chosen).max_pairs is None:
        raise UsageError(
            "no plan has a bound without a cap on the pairs of tier 2; give one with --set max_pairs=N"
        )
    splitter = options.get("splitter", preset.splitter if preset else DEFAULT_SPLITTER)
    corpus, chunks = read_chunks(sources, splitter, options)
    folder = Path(index) if index else None
    path = Path(options["ledger"]) if options.get("ledger") else folder / files.LEDGER if folder else None
    if options.get("ledger") and not Path(options["ledger"]).is_file():
        raise UsageError(f"{options['ledger']} is no ledger; expected a file that a build has written")
    outcomes = read_outcomes(Path(options["outcomes"])) if options.get("outcomes") else None
    if folder and outcomes is None:
        outcomes = earlier_outcomes(folder)
    llm = PlanningLLM(model.model, SqliteLedger(path) if path and path.exists() else None)
    prompts = load_prompts(Path(options["prompts"]) if options.get("prompts") else None)
    analyst = LLMAnalyst(llm, model, prompts)
    if method in QUESTIONS_ONLY:
        return _plan_questions(llm, model, analyst, chunks, chosen)
    settings = cast(BuildSettings, chosen)
    spec = options.get("embedder", "minilm")
    # Only how alike metrics are is asked of it here; an API would be paid for that.
    embedder = open_embedder("minilm" if spec.startswith("openai:") else spec, **embedder_options(options))
    seen = foresee(corpus, chunks, analyst, embedder, outcomes, settings)
    words = sum(len(chunk.text.split()) for chunk in chunks)
    planner = _Planner(llm, model, settings, seen, words, prompts, outcomes is None)
    return BuildPlan(tuple(planner.stage(name) for name in STAGES), model, len(seen.window_tokens))


def _plan_questions(
    llm: PlanningLLM,
    model: LLMSettings,
    analyst: QuestionWriter,
    chunks: Sequence[Chunk],
    settings: MethodSettings,
) -> BuildPlan:
    """One step, known exactly: a call a chunk, unless the sentences are the nodes."""
    values = settings.model_dump()
    if values.get("node") != "sentence":
        analyst.write_questions(chunks, values["questions"])
    calls = len(llm.missing)
    stage = StagePlan(
        "questions",
        len(llm.kept),
        calls,
        calls * USELESS,
        sum(_tokens(request) for request in llm.missing.values()),
        calls * values["questions"] * QUESTION_REPLY_TOKENS,
        exact=True,
    )
    return BuildPlan((stage,), model, len(chunks))


@dataclass(frozen=True)
class _Planner:
    """Turns the requests that were made, and the sizes of what could not be asked yet, into steps."""

    llm: PlanningLLM
    model: LLMSettings
    settings: BuildSettings
    seen: Foreseen
    words: int
    prompts: Mapping[str, Prompt]
    asks_outcomes: bool

    @cached_property
    def _kept(self) -> dict[str, list[LLMRequest]]:
        return _by_stage(self.llm.kept)

    @cached_property
    def _missing(self) -> dict[str, list[LLMRequest]]:
        return _by_stage(self.llm.missing)

    @cached_property
    def _first(self) -> str | None:
        """The first step that has something to ask."""
        return next((name for name in STAGES if self._missing.get(name)), None)

    @cached_property
    def _tier(self) -> Tier:
        return tier(self.settings.tier)

    def stage(self, name: str) -> StagePlan:
        """The plan of a step: exact up to the first that has something to ask, an estimate behind it."""
        kept, missing = len(self._kept.get(name, ())), self._missing.get(name, [])
        if self._first is None or STAGES.index(name) <= STAGES.index(self._first):
            tokens = sum(_tokens(request) for request in missing)
            calls, exact = len(missing), True
            most = calls * USELESS
        elif name in STAGE1:
            calls, tokens = self._stage1(name)
            exact, most = True, calls * USELESS
        else:
            calls, tokens, most = self._tier1() if name == "metric_edges" else self._tier2()
            exact = False
        return StagePlan(name, kept, calls, most, tokens, self._reply_tokens(name, calls), exact)

    def _stage1(self, name: str) -> tuple[int, int]:
        """Calls are known by the windows; of the prompts only what earlier steps put into them is not."""
        read = [*self._kept.get("dimensions", ()), *self._missing.get("dimensions", ())]
        dimensions = self._expected_dimensions * DIMENSION_LINE
        metrics = self._expected_metrics * METRIC_LINE
        windows = len(read)
        if name in ("metrics", "claims"):
            shown = (
                dimensions + (metrics if name == "claims" else 0) + count_tokens(self.prompts[name].system)
            )
            passages = sum(count_tokens(request.user) for request in read)
            return windows, passages + windows * shown
        if name == "outcomes" and not self.asks_outcomes:
            return 0, 0
        lines = {"consolidate_dimensions": 3 * windows, "consolidate_metrics": 10 * windows}
        listed = min(12_000, lines.get(name, 0) * CLAIM_LINE) if name in lines else metrics + 3_500
        return 1, listed + 600

    def _tier1(self) -> tuple[int, int, int]:
        metrics = self.seen.metrics if self._known_vocabulary else self._expected_metrics
        tokens = metrics * SOURCE_TOKENS
        most = self.seen.metrics if self._known_vocabulary else self._tier.max_metrics
        return ceil(tokens / CALL_TOKENS), tokens, most * USELESS

    def _tier2(self) -> tuple[int, int, int]:
        cap = self.settings.max_pairs or 0
        if self._known_vocabulary:
            most = self.seen.most_pairs
            pairs = round(most * TEMPLATE_SHARE) if self.seen.metrics else 0
        else:
            pairs = round(self.words * PAIRS_PER_WORD)
            most = cap
        pairs, most = min(pairs, cap), min(most, cap)
        size = self.settings.pairs_per_call
        return ceil(pairs / size), pairs * PAIR_TOKENS, ceil(most / size) * USELESS

    @property
    def _known_vocabulary(self) -> bool:
        return self._first is not None and self._first not in STAGE1

    @property
    def _expected_dimensions(self) -> int:
        return min(self._tier.max_dimensions, 3 + self.words // 4_000)

    @property
    def _expected_metrics(self) -> int:
        return min(self._tier.max_metrics, max(4, self.words // 200))

    def _reply_tokens(self, name: str, calls: int) -> int:
        if name in REPLY_SHARE:
            tokens = sum(self.seen.window_tokens) / max(1, len(self.seen.window_tokens))
            return int(calls * min(tokens * REPLY_SHARE[name], self.model.max_output_tokens))
        if name == "node_edges":
            return calls * self.settings.pairs_per_call * PAIR_REPLY_TOKENS
        return calls * REPLY_TOKENS[name]


def _by_stage(requests: Mapping[str, LLMRequest]) -> dict[str, list[LLMRequest]]:
    stages: dict[str, list[LLMRequest]] = {}
    for request in requests.values():
        stages.setdefault(request.stage, []).append(request)
    return stages


def _tokens(request: LLMRequest) -> int:
    return count_tokens(f"{request.system}\n{request.user}")

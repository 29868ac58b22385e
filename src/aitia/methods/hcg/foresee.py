"""What a build will ask of a model, as far as replies that are kept tell: the build's own steps, up to its links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from aitia.analyst.protocols import Analyst
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.corpus.tokens import count_tokens
from aitia.methods.hcg.build import metric_candidates, read_in_order
from aitia.methods.hcg.candidates import collect_mentions
from aitia.methods.hcg.choose import choose_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.generate import generate_spec
from aitia.methods.hcg.judge import judge_pairs
from aitia.methods.hcg.templates import judge_templates
from aitia.spec.model import OutcomeConfig
from aitia.spec.tiers import tier


@dataclass(frozen=True)
class Foreseen:
    """Tokens of each reading window; how many metrics and variables are known; pairs tier 2 may ask about.

    ``pairs``: under the templates that are known. ``most_pairs``: if every candidate were a template. A cap on
    the pairs is in neither.
    """

    window_tokens: tuple[int, ...]
    metrics: int
    variables: int
    pairs: int
    most_pairs: int


def foresee(
    corpus: Corpus,
    chunks: Sequence[Chunk],
    analyst: Analyst,
    embedder: Embedder,
    outcomes: OutcomeConfig | None,
    settings: BuildSettings,
) -> Foreseen:
    """Go through stages 1 and 2 with an analyst that asks nobody (`aitia.clients.planning.PlanningLLM`).

    Its client knows afterwards which requests were made; those of a step depend on the steps before.
    """
    level = replace(tier(settings.tier), max_variables=settings.max_variables)
    windows, order, _ = read_in_order(corpus, chunks, level.reading_tokens)
    tokens = tuple(count_tokens("\n".join(chunk.text for chunk in window.chunks)) for window in windows)
    stage1 = generate_spec(windows, analyst, level, outcomes)
    spec = stage1.spec
    if not spec.variables:
        return Foreseen(tokens, len(spec.metrics), 0, 0, 0)
    rows = {chunk.id: row for row, chunk in enumerate(chunks)}
    mentions = collect_mentions(spec.variables, stage1.quotes, rows, order)
    candidates = metric_candidates(spec, mentions, embedder, settings)
    first = judge_templates(spec, mentions, candidates, analyst, settings)
    judge_pairs(spec, mentions, first.templates, analyst, settings)
    known = [(template.source, template.target) for template in first.templates]
    every = [
        (spec.metrics[source].name, spec.metrics[target].name) for source, target in np.argwhere(candidates)
    ]
    choices = [choose_pairs(spec, mentions, names, settings) for names in (known, every)]
    pairs, most = (len(choice.ask) + choice.left_out for choice in choices)
    return Foreseen(tokens, len(spec.metrics), len(spec.variables), pairs, most)

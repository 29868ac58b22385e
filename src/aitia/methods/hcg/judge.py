"""Stage 2 of HCG-RAG: tier 1 judges pairs of metrics, tier 2 pairs of variables under accepted templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.protocols import Analyst, NodeEdgeRequest, VariablePair
from aitia.graph.causal import Template
from aitia.methods.hcg.candidates import Mentions, shared_chunks, shared_sentences
from aitia.methods.hcg.choose import choose_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import Earlier, Pair
from aitia.methods.hcg.templates import QUOTES_A_PAIR, judge_templates, stray_reason
from aitia.spec.claims import Rejection, RelationClaim, Verdict
from aitia.spec.merge import merge_relations
from aitia.spec.model import DomainSpec, Relation


@dataclass(frozen=True)
class Effort:
    """What stage 2 evaluated: pairs and calls by tier, beside the published bound on pairs.

    ``pairs_left_out`` are candidates that a cap on the pairs left out.
    """

    metric_pairs: int
    metric_calls: int
    variable_pairs: int
    variable_calls: int
    bound: int
    pairs_left_out: int = 0


@dataclass(frozen=True)
class Judged:
    """Accepted templates and relations, what was refused, the effort, and the verdicts that are to be kept."""

    templates: tuple[Template, ...]
    relations: tuple[Relation, ...]
    rejected: tuple[Rejection, ...]
    effort: Effort
    verdicts: tuple[Verdict, ...] = ()


def judge_edges(
    spec: DomainSpec,
    mentions: Mentions,
    candidates: NDArray[np.bool_],
    analyst: Analyst,
    settings: BuildSettings,
) -> Judged:
    """Both tiers. ``candidates[source, target]`` are the metric pairs to judge."""
    first = judge_templates(spec, mentions, candidates, analyst, settings)
    judged = judge_pairs(spec, mentions, first.templates, analyst, settings)
    return replace(
        judged,
        rejected=(*first.rejected, *judged.rejected),
        effort=replace(judged.effort, metric_pairs=first.pairs, metric_calls=first.calls),
    )


def judge_pairs(
    spec: DomainSpec,
    mentions: Mentions,
    templates: tuple[Template, ...],
    analyst: Analyst,
    settings: BuildSettings,
    earlier: Earlier | None = None,
) -> Judged:
    """Tier 2 under accepted templates; with ``earlier`` verdicts only new pairs are asked about.

    A seed relation whose metrics have no accepted template is refused as ``not_judged_causal``; one inside
    a single metric stays, because tier 1 has no self-loops to judge it by (docs/decisions/0006). What a
    judge says of a pair that it was not asked about is refused too.
    """
    names = [(template.source, template.target) for template in templates]
    choice = choose_pairs(spec, mentions, names, settings, earlier)
    batches = _batches(spec, mentions, choice.ask, settings.pairs_per_call)
    said = analyst.judge_node_edges(batches)
    asked = {(pair.source.key, pair.target.key): pair for batch in batches for pair in batch.pairs}
    known = [claim for verdict in choice.standing for claim in verdict.claims]
    relations, refused = _relations([*known, *said], {*asked, *choice.pairs}, spec, names)
    verdicts: tuple[Verdict, ...] = ()
    if settings.max_pairs is not None:
        verdicts = _verdicts(
            [*choice.standing, *choice.asleep], asked, said, _grounds(spec, mentions, choice.ask)
        )
    bound = _bound(spec, names)
    effort = Effort(0, 0, len(choice.ask), len(batches), bound, choice.left_out)
    return Judged(templates, relations, tuple(refused), effort, verdicts)


def _relations(
    claims: Sequence[RelationClaim],
    asked: Collection[Pair],
    spec: DomainSpec,
    templates: Collection[tuple[str, str]],
) -> tuple[tuple[Relation, ...], list[Rejection]]:
    """Seed relations under the templates and claims about the pairs asked; the others are refused."""
    metric_of = {variable.key: variable.metric for variable in spec.variables}
    terminal = {metric.name for metric in spec.metrics if metric.graph_role == "terminal"}
    emitting_none = {key for key, metric in metric_of.items() if metric in terminal}
    accepted = set(templates)
    kept: list[Relation] = []
    refused: list[Rejection] = []
    for relation in spec.relations:
        ends = metric_of[relation.source], metric_of[relation.target]
        if ends[0] == ends[1] or ends in accepted:
            kept.append(relation)
        else:
            refused.append(_without_template(relation))
    for claim in claims:
        if (claim.source, claim.target) in asked:
            kept.append(_relation(claim))
        else:
            reason = stray_reason(claim, metric_of, emitting_none, "unknown_endpoint")
            refused.append(Rejection(claim=claim, reason=reason))
    return tuple(merge_relations(kept)), refused


def _verdicts(
    earlier: Sequence[Verdict],
    asked: Mapping[Pair, VariablePair],
    said: Sequence[RelationClaim],
    grounds: Mapping[Pair, tuple[str, ...]],
) -> tuple[Verdict, ...]:
    """Those that are kept and those of today, by pair."""
    claims: dict[Pair, list[RelationClaim]] = {}
    for claim in said:
        claims.setdefault((claim.source, claim.target), []).append(claim)
    kept = {(verdict.source, verdict.target): verdict for verdict in earlier}
    for (source, target), pair in asked.items():
        shown = [quote.chunk_id for quote in pair.evidence]
        kept[source, target] = Verdict(
            source=source,
            target=target,
            claims=tuple(claims.get((source, target), ())),
            shown=bool(shown),
            chunks=tuple(dict.fromkeys(shown)) or grounds[source, target],
        )
    return tuple(kept[pair] for pair in sorted(kept))


def _grounds(spec: DomainSpec, mentions: Mentions, pairs: NDArray[np.int64]) -> dict[Pair, tuple[str, ...]]:
    """For each pair the chunks that name both, at most `QUOTES_A_PAIR`; without any the first of each end."""
    starts, columns = mentions.chunks.indptr.tolist(), mentions.chunks.sorted_indices().indices.tolist()
    first = [columns[start : min(start + 1, end)] for start, end in pairwise(starts)]
    keys, ids = [variable.key for variable in spec.variables], mentions.chunk_ids
    return {
        (keys[source], keys[target]): tuple(
            dict.fromkeys(ids[row] for row in both or first[source] + first[target])
        )
        for (source, target), both in zip(
            pairs.tolist(),
            (rows.tolist() for rows in shared_chunks(mentions, pairs, QUOTES_A_PAIR)),
            strict=True,
        )
    }


def _batches(
    spec: DomainSpec, mentions: Mentions, pairs: NDArray[np.int64], size: int
) -> list[NodeEdgeRequest]:
    """As few as possible. The pairs are in canonical order, so that a batch shares its source."""
    sentences = shared_sentences(mentions, pairs)
    listed = [
        VariablePair(
            spec.variables[source],
            spec.variables[target],
            tuple(mentions.quotes[column] for column in columns[:QUOTES_A_PAIR]),
        )
        for (source, target), columns in zip(pairs.tolist(), sentences, strict=True)
    ]
    metric_of = {variable.key: variable.metric for variable in spec.variables}
    support = Counter((metric_of[one.source], metric_of[one.target]) for one in spec.relations)
    return [
        NodeEdgeRequest(tuple(listed[first : first + size]), spec.metrics, spec.dimensions, support)
        for first in range(0, len(listed), size)
    ]


def _relation(claim: RelationClaim) -> Relation:
    fields = claim.model_dump(exclude={"quote"})
    return Relation(**fields, quotes=(claim.quote,) if claim.quote else ())


def _without_template(relation: Relation) -> Rejection:
    claim = RelationClaim(
        **relation.model_dump(exclude={"quotes"}), quote=relation.quotes[0] if relation.quotes else None
    )
    return Rejection(claim=claim, reason="not_judged_causal", detail="no template between the two metrics")


def _bound(spec: DomainSpec, templates: Sequence[tuple[str, str]]) -> int:
    """|M|(|M|-1) + the sum over templates of |V_s||V_t|: pairs that could be evaluated at most."""
    counts: dict[str, int] = {}
    for variable in spec.variables:
        counts[variable.metric] = counts.get(variable.metric, 0) + 1
    metrics = len(spec.metrics)
    return metrics * (metrics - 1) + sum(counts.get(s, 0) * counts.get(t, 0) for s, t in templates)

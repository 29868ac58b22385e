"""Metrics: one call a window lists them over the fixed dimensions, one more merges what is the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from aitia.analyst.llm.consolidate import Consolidation, ask_groups, safe_name
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.replies import MetricGroup, MetricGroupsReply, MetricItem, MetricsReply
from aitia.analyst.llm.vocabulary import dimension_lines, metric_name, one_line, outcome_lines
from aitia.analyst.llm.windows import passages_of, text_of, window_tasks
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import MetricClaim
from aitia.spec.keys import format_key
from aitia.spec.model import Dimension, OutcomeConfig
from aitia.spec.names import clean_name, fold
from aitia.spec.support import best_description, most_frequent, total_support, usual_name

LINE_WORDS = 40
"""Words of a description by which a consolidation knows a metric."""

Likeness = tuple[str, tuple[str, ...]]


def find_metrics(
    inquiry: Inquiry,
    windows: Sequence[ReadingWindow],
    dimensions: Sequence[Dimension],
    outcomes: OutcomeConfig,
) -> list[MetricClaim]:
    """A claim for each metric of each window.

    ``support`` counts the passages of the window that have all words of its name, at least the one of its
    quote. Without a verbatim quote it is 0.
    """
    named = outcome_lines(outcomes)

    def render(chunks: Sequence[Chunk]) -> str:
        known = dimension_lines(dimensions, text_of(chunks))
        passages = passages_of(chunks).render()
        return inquiry.render("metrics", outcomes=named, dimensions=known, passages=passages)

    found = inquiry.asker.ask("metrics", "metrics", MetricsReply, window_tasks(windows, render))
    return [claim for part in found for claim in _claims(part.units, part.reply)]


def consolidate_metrics(inquiry: Inquiry, claims: Sequence[MetricClaim], limit: int) -> list[MetricClaim]:
    """One claim a name and signature, then one a group that the model names; best first, none lost."""
    alike: dict[Likeness, list[MetricClaim]] = defaultdict(list)
    for claim in claims:
        alike[_likeness(claim.name, claim.signature)].append(claim)
    united = _ranked([_united(usual_name(group), "", "", group) for group in alike.values()])
    grouping = ask_groups(inquiry, _CONSOLIDATION, united, limit)
    return _ranked([*(_merged(group, members) for group, members in grouping.groups), *grouping.rest])


def _claims(chunks: Sequence[Chunk], reply: MetricsReply) -> list[MetricClaim]:
    """One claim a name and signature: what a reply lists twice is counted once."""
    passages = passages_of(chunks)
    words = [frozenset(fold(chunk.text).words) for chunk in chunks]
    alike: dict[Likeness, list[MetricItem]] = defaultdict(list)
    for item in reply.metrics:
        alike[_likeness(metric_name(item.name), item.signature)].append(item)
    claims = []
    for items in alike.values():
        quotes = (passages.locate(item.passage, item.quote) for item in items)
        quote = next((quote for quote in quotes if quote), None)
        name = metric_name(items[0].name)
        signature = tuple(map(clean_name, items[0].signature))
        claims.append(
            MetricClaim(
                name=name,
                signature=signature,
                description=one_line(items[0].description),
                category=one_line(items[0].category),
                support=max(1, _count_passages(name, signature, words)) if quote else 0,
                quote=quote,
            )
        )
    return claims


def _count_passages(name: str, signature: Sequence[str], passages: Iterable[frozenset[str]]) -> int:
    """The passages with all words of the name; those of its own dimensions need not be there."""
    of_dimensions = {word for dimension in signature for word in fold(dimension).words}
    wanted = frozenset(fold(name).words)
    wanted = wanted - of_dimensions or wanted
    return sum(wanted <= words for words in passages)


def _merged(group: MetricGroup, members: Sequence[MetricClaim]) -> MetricClaim:
    """The members as one; the model's signature counts only with dimensions that a member has."""
    name = safe_name(metric_name(group.name), [member.name for member in members])
    merged = _united(name, group.description, group.category, members)
    known = {fold(dimension).singular: dimension for one in members for dimension in one.signature}
    signature = [known.get(fold(dimension).singular) for dimension in group.signature]
    named = tuple(dimension for dimension in signature if dimension)
    if not named or len(named) < len(signature):
        return merged
    return merged.model_copy(update={"signature": named})


def _united(name: str, description: str, category: str, group: Sequence[MetricClaim]) -> MetricClaim:
    """The claims as one, with the signature and the quote of the best supported."""
    ranked = _ranked(group)
    return MetricClaim(
        name=name,
        signature=ranked[0].signature,
        description=one_line(description) or best_description(group),
        category=one_line(category) or _usual_category(group),
        support=total_support(group),
        quote=next((claim.quote for claim in ranked if claim.quote), None),
    )


def _usual_category(group: Iterable[MetricClaim]) -> str:
    counts: Counter[str] = Counter()
    for claim in group:
        counts[claim.category] += claim.support
    return most_frequent(counts)


def _likeness(name: str, signature: Sequence[str]) -> Likeness:
    return fold(name).singular, tuple(fold(dimension).singular for dimension in signature)


def _ranked(claims: Sequence[MetricClaim]) -> list[MetricClaim]:
    return sorted(claims, key=lambda claim: (-claim.support, claim.name, claim.signature))


def _line(claim: MetricClaim) -> str:
    return f"{format_key(claim.name, claim.signature)}: {one_line(claim.description, LINE_WORDS)}"


_CONSOLIDATION: Consolidation[MetricClaim, MetricGroupsReply, MetricGroup] = Consolidation(
    "consolidate_metrics", MetricGroupsReply, lambda reply: reply.groups, _line
)

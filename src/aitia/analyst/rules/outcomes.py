"""Outcomes: which metrics are ends rather than means, by their nouns and by what the text says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aitia.analyst.rules.candidates import RELATION
from aitia.analyst.rules.causal import causal_links
from aitia.analyst.rules.dimensions import sentences_of
from aitia.analyst.rules.mentions import MentionIndex, attribute_words
from aitia.analyst.rules.states import STATE
from aitia.analyst.rules.wordlists import word_lists
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import OutcomeClaim
from aitia.spec.model import Metric

_RESULTS = ("outcome", "manifestation")
_MIN_RECEIVED = 4
_RATIO = 3


def propose_outcomes(metrics: Sequence[Metric], windows: Sequence[ReadingWindow]) -> list[OutcomeClaim]:
    """``terminal`` for what chains end in (survival); ``outcome`` for metrics whose noun names a result.

    So is a metric that the text makes an effect at least three times as often as a cause. State metrics
    stand for entities, which may be both, and get no role.
    """
    received, emitted = _roles_in_text(metrics, windows)
    claims = []
    for metric in metrics:
        noun = " ".join(attribute_words(metric))
        if metric.category == STATE:
            continue
        if noun in word_lists().terminal:
            claims.append(
                OutcomeClaim(metric=metric.name, role="terminal", reason="chains of effects end in it")
            )
        elif word_lists().attributes.get(noun, metric.category) in _RESULTS:
            claims.append(OutcomeClaim(metric=metric.name, role="outcome", reason="its noun names a result"))
        elif received[metric.name] >= max(_MIN_RECEIVED, _RATIO * emitted[metric.name]):
            reason = f"an effect {received[metric.name]} times, a cause {emitted[metric.name]} times"
            claims.append(OutcomeClaim(metric=metric.name, role="outcome", reason=reason))
    return claims


def _roles_in_text(
    metrics: Sequence[Metric], windows: Sequence[ReadingWindow]
) -> tuple[Counter[str], Counter[str]]:
    """How often each attribute is an effect, and a cause."""
    index = MentionIndex((), [metric for metric in metrics if metric.category not in (STATE, RELATION)])
    received: Counter[str] = Counter()
    emitted: Counter[str] = Counter()
    for sentence in sentences_of(windows):
        mentions = index.find(sentence)
        for link in causal_links(sentence) if mentions else ():
            for mention in mentions:
                emitted[mention.variable.metric] += mention.first <= link.cause_head <= mention.last
                received[mention.variable.metric] += mention.first <= link.effect_head <= mention.last
    return received, emitted

"""The vocabulary as prompts show it: one line each for dimensions, metrics and outcomes, within bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aitia.analyst.llm.passages import count_mentions
from aitia.spec.keys import parse_key
from aitia.spec.model import Dimension, Metric, OutcomeConfig

MAX_ENTITIES = 40
UNNAMED_ENTITIES = 5
"""How many entities stand as examples where the text names none."""
DESCRIPTION_WORDS = 16
"""64 metrics and 7 dimensions stay under 3,500 tokens with it."""

_WORD = re.compile(r"[^\W_]+")


def dimension_lines(dimensions: Sequence[Dimension], text: str) -> str:
    """A line a dimension; of its entities at most 40, those that the text names, most mentions first."""
    return "\n".join(_dimension_line(dimension, text) for dimension in dimensions) or "(none)"


def metric_lines(metrics: Sequence[Metric]) -> str:
    """A line a metric, with the beginning of its description."""
    return "\n".join(f"- {metric_line(metric)}" for metric in metrics) or "(none)"


def metric_line(metric: Metric) -> str:
    """A metric's label and the beginning of its description."""
    return f"{metric.label}: {one_line(metric.description, DESCRIPTION_WORDS)}"


def outcome_lines(outcomes: OutcomeConfig) -> str:
    """A line an outcome that the user has named, with its role."""
    lines = [f"- {one_line(name)} (terminal)" for name in outcomes.terminal]
    lines += [f"- {one_line(name)} (outcome)" for name in outcomes.outcome]
    return "\n".join(lines) or "(none given)"


def one_line(text: str, words: int | None = None) -> str:
    """The text on one line, cut after so many words."""
    all_words = text.split()
    kept = all_words[:words]
    return " ".join(kept) + (" ..." if len(kept) < len(all_words) else "")


def metric_name(text: str) -> str:
    """A metric's name as it is stored: CamelCase, without a signature that a model wrote behind it."""
    try:
        name, _ = parse_key(text)
    except ValueError:
        name = text
    words = _WORD.findall(name)
    return "".join(word[:1].upper() + word[1:] for word in words) or name


def _dimension_line(dimension: Dimension, text: str) -> str:
    description = one_line(dimension.description, DESCRIPTION_WORDS).rstrip(".")
    entities = _best_entities(dimension, text)
    listed = f" Entities: {'; '.join(entities)}" if entities else ""
    return f"- {dimension.name}: {description}.{listed}"


def _best_entities(dimension: Dimension, text: str) -> list[str]:
    counts = count_mentions((*dimension.entities, *dimension.aliases), text)
    mentions = {name: counts[name] for name in dimension.entities}
    for alias, entity in dimension.aliases.items():
        mentions[entity] = mentions.get(entity, 0) + counts[alias]
    named = [name for name in dimension.entities if mentions[name]]
    best = sorted(named, key=lambda name: (-mentions[name], name))[:MAX_ENTITIES]
    return best or sorted(dimension.entities)[:UNNAMED_ENTITIES]

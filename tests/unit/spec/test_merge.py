from __future__ import annotations

import pytest

from aitia.spec.merge import merge_polarities, merge_relations, ordered_quotes
from aitia.spec.model import Quote, Relation


def relation(confidence: float, mechanism: str = "m", polarity: str = "positive", *quotes: Quote) -> Relation:
    return Relation(
        source="A(x)",
        target="B(x)",
        mechanism=mechanism,
        confidence=confidence,
        polarity=polarity,  # type: ignore[arg-type]
        quotes=quotes,
    )


@pytest.mark.parametrize(
    ("stated", "merged"),
    [
        (["positive"], "positive"),
        (["positive", "positive", "unclear"], "positive"),
        (["negative", "unclear"], "negative"),
        (["positive", "negative"], "unclear"),
        (["none"], "none"),
        (["none", "none"], "none"),
        (["none", "positive"], "unclear"),
        (["none", "unclear"], "unclear"),
        (["unclear"], "unclear"),
    ],
)
def test_signs_agree_or_become_unclear(stated, merged) -> None:
    assert merge_polarities(stated) == merged
    assert merge_polarities(reversed(stated)) == merged


def test_quotes_are_distinct_and_ordered() -> None:
    first, second, third = (Quote(text=text, chunk_id=chunk) for text, chunk in ("b1", "a2", "c1"))
    assert ordered_quotes([second, third, None, first, second]) == (first, third, second)


def test_a_repeated_relation_keeps_the_surest_mechanism_and_all_quotes() -> None:
    here, there = Quote(text="x", chunk_id="1"), Quote(text="y", chunk_id="2")
    group = [
        relation(0.5, "by doubt", "positive", there),
        relation(0.9, "", "unclear", here),
        relation(0.9, "by spread", "positive", here),
        relation(0.9, "by trust", "negative"),
    ]
    expected = relation(0.9, "by spread", "unclear", here, there)
    assert merge_relations(group) == [expected]
    assert merge_relations(group[::-1]) == [expected]


def test_merging_again_changes_nothing() -> None:
    once = merge_relations([relation(0.5), relation(0.7)])
    assert merge_relations([*once, *once, relation(0.5)]) == once == [relation(0.7)]


def test_a_stated_non_effect_is_kept_but_not_traversable() -> None:
    assert not relation(0.5, polarity="none").traversable
    assert relation(0.5, polarity="unclear").traversable

"""Dimensions of a small corpus: names, entities, aliases, and what a tier's cap does."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.dimensions import consolidate_dimensions, find_dimensions
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import DimensionClaim, EntityClaim
from aitia.spec.model import OutcomeConfig


def entities(claims: list[DimensionClaim]) -> dict[str, set[str]]:
    return {claim.name: {entity.name for entity in claim.entities} for claim in claims}


def claim(name: str, support: int, *names: str) -> DimensionClaim:
    return DimensionClaim(name=name, support=support, entities=tuple(EntityClaim(name=n) for n in names))


def test_classes_that_the_text_names_are_dimensions_with_their_members(workshop: list[ReadingWindow]) -> None:
    found = entities(find_dimensions(workshop, OutcomeConfig()))
    assert found["machine"] == {"lathe", "press", "drill", "saw", "mill"}
    assert {"rust", "leak", "dent"} <= found["defect"]


def test_mentions_are_counted_and_the_quote_is_verbatim(workshop: list[ReadingWindow]) -> None:
    machine = next(c for c in find_dimensions(workshop, OutcomeConfig()) if c.name == "machine")
    assert next(e for e in machine.entities if e.name == "drill").mentions == 4
    assert machine.quote is not None
    texts = {chunk.id: chunk.text for window in workshop for chunk in window.chunks}
    assert machine.quote.text in texts[machine.quote.chunk_id]


def test_the_order_of_documents_changes_no_entity(workshop: list[ReadingWindow]) -> None:
    forward = find_dimensions(workshop, OutcomeConfig())
    backward = find_dimensions(workshop[::-1], OutcomeConfig())
    assert entities(forward) == entities(backward)
    assert [c.support for c in forward] == [c.support for c in backward]


@pytest.mark.parametrize("text", ["", "Hello.", "42 % !", "日本語の文章です。"])
def test_text_without_classes_gives_no_dimension(text: str, window: object) -> None:
    assert find_dimensions([window(text)], OutcomeConfig()) == []  # type: ignore[operator]


def test_an_entity_stays_in_the_narrowest_claim_that_the_cap_keeps() -> None:
    claims = [claim("tumor", 3, "glioma"), claim("disease", 9, "flu", "glioma"), claim("test", 5, "scan")]
    assert entities(consolidate_dimensions(claims, 3)) == {
        "disease": {"flu"},
        "test": {"scan"},
        "tumor": {"glioma"},
    }
    assert entities(consolidate_dimensions(claims, 2))["disease"] == {"flu", "glioma"}


def test_one_claim_a_name_best_first() -> None:
    merged = consolidate_dimensions([claim("test", 1, "a"), claim("test", 4, "b"), claim("drug", 2, "c")], 9)
    assert [(c.name, c.support) for c in merged] == [("test", 4), ("drug", 2)]

from __future__ import annotations

import pytest

from aitia.analyst.rules.extract import extract_entities
from aitia.corpus.chunk import Chunk


def chunk(text: str, name: str = "d") -> Chunk:
    return Chunk(name, f"{name}.txt", 0, 0, len(text), text)


def links_of(text):
    found = extract_entities([chunk(text)])
    return {
        (link.source, link.target): (link.relation, link.causal, link.negated, link.confidence)
        for link in found.links
    }


def test_mentions_are_noun_phrases_once_a_chunk_with_a_kind():
    found = extract_entities(
        [
            chunk("A worn brush caused sparks. The worn brush was replaced."),
            chunk("Sparks ruined a coil.", "e"),
        ]
    )
    assert [(mention.name, mention.kind) for mention in found.mentions] == [
        ("worn brush", "brush"),
        ("spark", "spark"),
        ("spark", "spark"),
        ("coil", "coil"),
    ]
    assert len({mention.chunk_id for mention in found.mentions}) == 2


def test_a_kind_is_the_category_of_the_head_where_one_is_known():
    (mention,) = extract_entities([chunk("The patient risk was high.")]).mentions
    assert mention.name == "patient risk"
    assert mention.kind == "cause"


def test_a_stated_cause_points_from_cause_to_effect_in_either_voice():
    assert links_of("The storm caused a leak.")["storm", "leak"] == ("cause", True, False, 0.9)
    assert links_of("The leak was caused by the storm.")["storm", "leak"] == ("cause", True, False, 0.9)


def test_what_stands_beside_a_head_is_linked_less_surely():
    links = links_of("Frost in the pipe caused a leak.")
    assert links["frost", "leak"][3] == 0.9
    assert links["pipe", "leak"] == ("cause", True, False, pytest.approx(0.9 * 0.85))
    assert links["frost", "pipe"] == ("in", False, False, 0.5)


def test_a_denied_cause_is_negated_and_not_causal():
    (link,) = links_of("The storm had no effect on the leak.").values()
    assert link[1:3] == (False, True)


def test_words_that_run_from_effect_to_cause_are_told_as_such():
    links = links_of("The leak resulted from the storm. Nausea is a side effect of aspirin.")
    assert links["storm", "leak"][:2] == ('causes ("result from")', True)
    assert links["aspirin", "nausea"][:2] == ('causes ("side effect of")', True)


def test_what_a_clause_denies_an_effect_on_is_no_end_of_what_follows_from_it():
    text = (
        "The acid has no effect on mites in capped brood, so the efficacy of the acid falls with the season."
    )
    links = links_of(text)
    causes = {ends for ends, (_, causal, _, _) in links.items() if causal}
    assert not {end for ends in causes for end in ends} & {"mite", "capped brood"}
    assert ("acid", "mite") in {ends for ends, link in links.items() if link[2]}


def test_a_noun_that_can_be_a_verb_begins_a_compound_behind_led_to():
    assert links_of("Floods led to crop failure.")["flood", "crop failure"][:2] == ("lead to", True)
    assert links_of("Floods led to harvest loss.")["flood", "harvest loss"][1]


def test_use_and_test_are_no_cause():
    assert not links_of("Engineers measured latency on the router.")["engineer", "latency"][1]


def test_neighbours_are_linked_by_the_verb_between_two_terms_on_and_no_farther():
    links = links_of("The mason heard the stone near the wall of the tower.")
    assert links["mason", "stone"][0] == "hear"
    assert links["stone", "wall"][0] == "near"
    assert ("mason", "wall") in links
    assert ("mason", "tower") not in links


def test_every_quote_is_a_sentence_of_its_chunk():
    text = "The storm caused a leak. The mason carried the stone."
    piece = chunk(text)
    for link in extract_entities([piece]).links:
        assert link.quote.chunk_id == piece.id
        assert link.quote.text in text


def test_nothing_in_nothing_out():
    found = extract_entities([chunk("So it goes.")])
    assert found.links == ()

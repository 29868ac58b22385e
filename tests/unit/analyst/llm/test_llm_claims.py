"""Variables and relations: both from one reply, with quotes that are checked."""

from __future__ import annotations

from aitia.analyst.llm.claims import read_windows, relation_claims, variable_claims
from aitia.analyst.llm.windows import SentenceQuotes
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.corpus.tokens import count_tokens
from aitia.spec.assemble import assemble
from aitia.spec.claims import RelationClaim, VariableClaim
from aitia.spec.model import Dimension, Metric, OutcomeConfig, Quote

SALT = "Salt corrodes the hull of a trawler"
REPAIRS = "A corroded hull needs more repairs, and repairs of the hull cost a lot."


def relation(**changes):
    return {
        "source": "Corrosion(trawler)",
        "target": "RepairCost(any)",
        "mechanism": "a corroded hull  needs more repairs",
        "polarity": "positive",
        "confidence": 0.8,
        "passage": "P1",
        "quote": "A corroded hull needs more repairs",
    } | changes


def variable(metric="Corrosion", entities=("trawler",), quote=SALT, passage="P1"):
    return {"metric": metric, "entities": list(entities), "passage": passage, "quote": quote}


def read(ask, harbour, ship, ship_metrics, variables=(), relations=()):
    inquiry, llm = ask({"variables": list(variables), "relations": list(relations)})
    return read_windows(inquiry, [harbour], [ship], ship_metrics), llm


def test_a_relation_and_its_ends(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [variable()], [relation()])
    quote = Quote(text=REPAIRS, chunk_id=harbour.chunks[0].id)
    assert relation_claims(found) == [
        RelationClaim(
            source="Corrosion(trawler)",
            target="RepairCost(any)",
            mechanism="a corroded hull needs more repairs",
            confidence=0.8,
            polarity="positive",
            quote=quote,
        )
    ]
    assert variable_claims(found, [ship], ship_metrics) == [
        VariableClaim(
            metric="Corrosion",
            entities=("trawler",),
            quote=Quote(text=f"{SALT}.", chunk_id=harbour.chunks[0].id),
        ),
        VariableClaim(metric="Corrosion", entities=("trawler",), quote=quote),
        VariableClaim(metric="RepairCost", entities=("any",), quote=quote),
    ]


def test_a_stated_non_effect_keeps_its_polarity(ask, harbour, ship, ship_metrics):
    quote = "Red paint has no effect on the speed of a ferry"
    found, _ = read(
        ask, harbour, ship, ship_metrics, [], [relation(polarity="none", quote=quote, passage="P2")]
    )
    (claim,) = relation_claims(found)
    assert (claim.polarity, claim.quote) == ("none", Quote(text=f"{quote}.", chunk_id=harbour.chunks[1].id))


def test_a_quote_of_another_passage_is_that_passages(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [], [relation(passage="P2")])
    (claim,) = relation_claims(found)
    assert claim.quote.chunk_id == harbour.chunks[0].id
    assert claim.confidence == 0.8


def test_a_made_up_quote_halves_the_confidence_and_brings_no_ends(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [], [relation(quote="rust is never sleeping here")])
    (claim,) = relation_claims(found)
    assert (claim.quote, claim.confidence) == (None, 0.4)
    assert variable_claims(found, [ship], ship_metrics) == []


def test_a_variable_written_as_a_key_is_read(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [variable("Corrosion(trawler)", ())])
    (claim,) = variable_claims(found, [ship], ship_metrics)
    assert (claim.metric, claim.entities) == ("Corrosion", ("trawler",))


def test_a_new_entity_that_the_passage_does_not_name_has_no_quote(ask, harbour, ship, ship_metrics):
    named = [variable(entities=[entity]) for entity in ("trawler", "Hulls", "hu", "tugboat")]
    # a ferry is listed and a repair is named, here or elsewhere in the passage; an oil tanker is neither
    ends = relation(source="Corrosion(repair)", target="RepairCost(oil tanker)")
    found, _ = read(ask, harbour, ship, ship_metrics, [*named, variable(entities=["ferry"])], [ends])
    claims = variable_claims(found, [ship], ship_metrics)
    assert {claim.entities[0]: claim.quote is not None for claim in claims} == {
        "trawler": True,
        "Hulls": True,
        "hu": False,
        "tugboat": False,
        "ferry": True,
        "repair": True,
        "oil tanker": False,
    }
    refused = assemble([ship], ship_metrics, claims, [], OutcomeConfig()).rejected
    assert sorted((one.claim.entities[0], one.reason) for one in refused) == [
        ("hu", "unknown_entity"),
        ("oil tanker", "unknown_entity"),
        ("tugboat", "unknown_entity"),
    ]


def test_a_new_entity_of_a_text_without_spaces(ask, ship, ship_metrics):
    text = "盐会腐蚀渔船的船体，因此需要更多的修理。"
    window = ReadingWindow((Chunk("d", "d.md", 0, 0, len(text), text),))
    claimed = [variable(entities=[entity], quote=text) for entity in ("渔船", "货船")]
    found, _ = read(ask, window, ship, ship_metrics, claimed)
    claims = variable_claims(found, [ship], ship_metrics)
    assert [claim.quote is not None for claim in claims] == [True, False]


def test_names_outside_the_vocabulary_are_left_to_assembly(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [variable("Weather")], [relation(source="Weather(")])
    assert variable_claims(found, [ship], ship_metrics)[0].metric == "Weather"
    assert relation_claims(found)[0].source == "Weather("


def test_the_vocabulary_is_bounded_and_constant_parts_come_first(ask, harbour):
    dimensions = [
        Dimension(
            name=f"dimension {n}",
            description="Substances, tools and machines that people of this trade use in their daily work. "
            * 2,
            entities=tuple(f"entity {n} {m}" for m in range(300)),
        )
        for n in range(7)
    ]
    metrics = [
        Metric(
            name=f"MetricName{n}",
            signature=("dimension 1", "dimension 2"),
            description="The amount of a substance on a machine, which depends on use and drives the wear. "
            * 5,
            category="x",
        )
        for n in range(64)
    ]
    inquiry, llm = ask({"variables": [], "relations": []})
    read_windows(inquiry, [harbour], dimensions, metrics)
    vocabulary, passages = llm.requests[0].user.split("## Passages")
    assert count_tokens(vocabulary) < 3_500
    assert vocabulary.index("## Metrics") < vocabulary.index("## Dimensions")
    assert "Salt corrodes" in passages


def test_of_many_entities_those_of_the_window_are_listed(ask, harbour, ship_metrics):
    ships = Dimension(
        name="ship",
        description="Ships.",
        entities=("ark", *(f"boat {n}" for n in range(90)), "trawler", "vessel"),
        aliases={"ferry": "vessel", "ferries": "vessel"},
    )
    inquiry, llm = ask({"variables": [], "relations": []})
    read_windows(inquiry, [harbour], [ships], ship_metrics)
    assert "- ship: Ships. Entities: vessel; trawler\n" in llm.requests[0].user


def test_without_metrics_nothing_is_asked(ask, harbour, ship):
    inquiry, llm = ask({"variables": [], "relations": []})
    assert list(read_windows(inquiry, [harbour], [ship], [])) == []
    assert llm.requests == []


def test_quotes_are_whole_sentences_unless_very_long(ask, harbour):
    across = SentenceQuotes(harbour.chunks).locate("P2", "from the hull. Red paint has")
    assert across.text == ("Paint keeps salt from the hull. Red paint has no effect on the speed of a ferry.")
    long_text = "Salt eats iron " + "and more iron " * 50 + "at last."
    assert (
        SentenceQuotes([Chunk("d", "d.md", 0, 0, len(long_text), long_text)])
        .locate("P1", "Salt eats iron and")
        .text
        == "Salt eats iron and"
    )

"""Variables and relations: both from one reply, with quotes that are checked."""

from __future__ import annotations

from aitia.analyst.llm.claims import read_windows, relation_claims, variable_claims
from aitia.analyst.llm.windows import SentenceQuotes
from aitia.corpus.chunk import Chunk
from aitia.corpus.tokens import count_tokens
from aitia.spec.claims import RelationClaim, VariableClaim
from aitia.spec.model import Dimension, Metric, Quote

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
    assert variable_claims(found) == [
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
    assert variable_claims(found) == []


def test_a_variable_written_as_a_key_is_read(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [variable("Corrosion(trawler)", ())])
    (claim,) = variable_claims(found)
    assert (claim.metric, claim.entities) == ("Corrosion", ("trawler",))


def test_names_outside_the_vocabulary_are_left_to_assembly(ask, harbour, ship, ship_metrics):
    found, _ = read(ask, harbour, ship, ship_metrics, [variable("Weather")], [relation(source="Weather(")])
    assert variable_claims(found)[0].metric == "Weather"
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

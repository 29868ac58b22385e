"""Entities and links: grounded in the passages, in every chunk that names them."""

from __future__ import annotations

from dataclasses import replace

from aitia.analyst.graph_protocols import EntityMention, LinkClaim
from aitia.analyst.llm.entities import extract_entities
from aitia.corpus.chunk import Chunk
from aitia.spec.model import Quote

SALT = "Salt corrodes the hull of a trawler."
RED = "Red paint has no effect on the speed of a ferry."


def entity(name, kind="Thing"):
    return {"name": name, "kind": kind}


def link(source, target, quote=SALT, passage="P1", **given):
    said = {"relation": "acts  on", "causal": True, "negated": False, "confidence": 0.9}
    return {"source": source, "target": target, "passage": passage, "quote": quote, **said, **given}


def reply(entities=(), links=()):
    return {"entities": list(entities), "links": list(links)}


def one_document(harbour):
    return [replace(chunk, document_id="d") for chunk in harbour.chunks]


def test_an_entity_is_mentioned_in_every_chunk_that_names_it(ask, harbour):
    inquiry, llm = ask(reply([entity("salt", "Substance"), entity("Hulls"), entity("Ferry")]))
    first, second = one_document(harbour)
    found = extract_entities(inquiry, [first, second])
    assert found.mentions == (
        EntityMention(first.id, "salt", "substance"),
        EntityMention(first.id, "Hulls", "thing"),
        EntityMention(second.id, "salt", "substance"),
        EntityMention(second.id, "Hulls", "thing"),
        EntityMention(second.id, "Ferry", "thing"),
    )
    assert len(llm.requests) == 1


def test_a_name_of_no_passage_and_half_a_word_are_refused(ask, harbour):
    inquiry, _ = ask(reply([entity("anchor"), entity("rawl"), entity("paint")]))
    found = extract_entities(inquiry, one_document(harbour))
    assert [mention.name for mention in found.mentions] == ["paint"]
    assert [rejection.reason for rejection in inquiry.rejected] == ["unknown_entity"] * 2


def test_a_link_has_the_sentence_of_its_quote_and_ends_by_one_spelling(ask, harbour):
    inquiry, _ = ask(
        reply([entity("hull"), entity("Salt")], [link("salt", "hulls", "corrodes the hull", "P2")])
    )
    first, second = one_document(harbour)
    found = extract_entities(inquiry, [first, second])
    quote = Quote(text=SALT, chunk_id=first.id)
    assert found.links == (LinkClaim("Salt", "hull", "acts on", quote, causal=True, confidence=0.9),)


def test_an_end_that_was_not_listed_is_an_entity_too(ask, harbour):
    inquiry, _ = ask(reply([], [link("Salt", "trawler", causal=False)]))
    found = extract_entities(inquiry, harbour.chunks[:1])
    assert [(mention.name, mention.kind) for mention in found.mentions] == [("Salt", ""), ("trawler", "")]
    assert [one.causal for one in found.links] == [False]


def test_a_denied_cause_is_no_cause(ask, harbour):
    inquiry, _ = ask(reply([], [link("Red paint", "speed", RED, negated=True)]))
    (claim,) = extract_entities(inquiry, harbour.chunks[1:]).links
    assert (claim.causal, claim.negated) == (False, True)


def test_what_does_not_stand_in_the_text_is_refused_with_its_reason(ask, harbour):
    links = [
        link("Salt", "hull", "Salt eats the hull of a boat."),
        link("Salt", "anchor"),
        link("Salt", "salts"),
        link("Salt", "hull", confidence=2),
    ]
    inquiry, _ = ask(reply([], links))
    found = extract_entities(inquiry, harbour.chunks[:1])
    assert found.links == found.mentions == ()
    assert sorted((one.reason, one.detail) for one in inquiry.rejected) == [
        ("malformed", "confidence: 2 is not between 0 and 1"),
        ("malformed", "its quote stands in none of the passages"),
        ("self_loop", ""),
        ("unknown_endpoint", "'anchor' stands in none of the passages"),
    ]


def test_documents_do_not_share_calls_and_long_ones_take_several(ask, harbour):
    inquiry, llm = ask(reply())
    extract_entities(inquiry, harbour.chunks)
    assert len(llm.requests) == 2
    text = "a word " * 700
    chunks = [Chunk("long", "long.md", number, 0, len(text), text) for number in range(4)]
    extract_entities(inquiry, chunks)
    assert len(llm.requests) == 2 + 4
    assert extract_entities(inquiry, []).mentions == ()


def test_a_name_written_as_one_word_is_found(ask, harbour):
    chunk = replace(harbour.chunks[0], text="LiHua plans a dinner.")
    inquiry, _ = ask(reply([entity("LiHua", "person")]))
    assert [mention.name for mention in extract_entities(inquiry, [chunk]).mentions] == ["LiHua"]


def test_the_example_and_a_useless_reply(ask, harbour):
    inquiry, _ = ask(reply([entity("smoofing")], [link("Red quillow", "smoofing")]), "no", "no")
    assert extract_entities(inquiry, harbour.chunks).mentions == ()
    assert {rejection.reason for rejection in inquiry.rejected} == {"from_example"}
    assert [(one.step, one.place) for one in inquiry.asker.unread] == [("entities", "harbour1.md, passage 2")]

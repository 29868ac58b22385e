"""Dimensions: claims with counted support; what is merged and what never is."""

from __future__ import annotations

from aitia.analyst.llm.dimensions import consolidate_dimensions, find_dimensions, unite_entities
from aitia.spec.claims import DimensionClaim, EntityClaim
from aitia.spec.model import OutcomeConfig, Quote


def item(name, entities, quote="Salt corrodes the hull", passage="P1", description="Ships that sail."):
    listed = [{"name": entity, "aliases": list(aliases)} for entity, *aliases in entities]
    return {"name": name, "description": description, "entities": listed, "passage": passage, "quote": quote}


def test_support_counts_the_mentions_in_the_window(ask, harbour):
    inquiry, llm = ask({"dimensions": [item("ship", [("ferry", "Ferries"), ("trawler", "fishing boat")])]})
    assert find_dimensions(inquiry, [harbour], OutcomeConfig()) == [
        DimensionClaim(
            name="ship",
            description="Ships that sail.",
            entities=(
                EntityClaim(name="ferry", aliases=(), mentions=1),
                EntityClaim(name="trawler", aliases=("fishing boat",), mentions=1),
            ),
            support=2,
            quote=Quote(text="Salt corrodes the hull", chunk_id=harbour.chunks[0].id),
        )
    ]
    assert len(llm.requests) == 1
    assert "(none given)" in llm.requests[0].user


def test_a_dimension_without_a_verbatim_quote_counts_for_nothing(ask, harbour):
    inquiry, _ = ask({"dimensions": [item("ship", [("ferry",)], quote="Salt dissolves every hull")]})
    (claim,) = find_dimensions(inquiry, [harbour], OutcomeConfig())
    assert (claim.support, claim.quote, claim.entities[0].mentions) == (0, None, 0)


def test_what_one_reply_lists_twice_is_counted_once(ask, harbour):
    inquiry, _ = ask({"dimensions": [item("ship", [("ferry",)]), item("Ships", [("Ferry",), ("trawler",)])]})
    (claim,) = find_dimensions(inquiry, [harbour], OutcomeConfig())
    assert [entity.name for entity in claim.entities] == ["Ferry", "trawler"]
    assert claim.support == 2


def test_a_bad_entity_and_the_example_s_leave_their_dimension(ask, harbour):
    ship = item("ship", [("ferry",), ("drask vorpel",)])
    ship["entities"].append({"aliases": []})
    inquiry, _ = ask({"dimensions": [ship]})
    (claim,) = find_dimensions(inquiry, [harbour], OutcomeConfig())
    assert [entity.name for entity in claim.entities] == ["ferry"]
    assert [(one.claim.text, one.reason) for one in inquiry.rejected] == [
        ('{"aliases":[],"name":"drask vorpel"}', "from_example"),
        ('{"aliases":[]}', "malformed"),
    ]


def test_the_outcomes_stand_in_the_prompt(ask, harbour):
    inquiry, llm = ask({"dimensions": []})
    find_dimensions(inquiry, [harbour], OutcomeConfig(terminal=("Loss",), outcome=("Speed",)))
    assert "## Outcomes\n- Loss (terminal)\n- Speed (outcome)\n" in llm.requests[0].user


def claim(name, support, *entities, description=""):
    listed = tuple(EntityClaim(name=entity, mentions=support) for entity in entities)
    return DimensionClaim(name=name, support=support, entities=listed, description=description)


def test_groups_merge_and_the_rest_stays(ask):
    reply = {"groups": [{"name": "vessel", "description": "What sails.", "members": [1, 3]}]}
    inquiry, llm = ask(reply)
    merged = consolidate_dimensions(
        inquiry,
        [
            claim("vessel", 5, "ferry"),
            claim("coating", 4, "paint"),
            claim("boat", 2, "ferry", "trawler"),
            claim("Coatings", 3, "tar"),
        ],
        2,
    )
    # by support: coating 7, vessel 5, boat 2; so 1 and 3 are coating and boat
    assert [(one.name, one.support) for one in merged] == [("vessel", 9), ("vessel", 5)]
    assert [entity.name for entity in merged[0].entities] == ["paint", "tar", "ferry", "trawler"]
    assert "## Limit\n2\n" in llm.requests[0].user
    assert "1. coating: . Entities: paint; tar (support 7)\n2. vessel: " in llm.requests[0].user


def test_an_entity_of_two_members_is_one_with_the_mentions_of_both(ask):
    inquiry, _ = ask({"groups": [{"name": "vessel", "description": "What sails.", "members": [1, 2]}]})
    (merged,) = consolidate_dimensions(
        inquiry, [claim("vessel", 5, "ferry"), claim("boat", 2, "Ferries", "raft")], 5
    )
    assert merged == DimensionClaim(
        name="vessel",
        description="What sails.",
        support=7,
        entities=(EntityClaim(name="ferry", mentions=7), EntityClaim(name="raft", mentions=2)),
    )


def test_opposites_never_merge_and_the_group_is_kept_as_refused(ask):
    inquiry, _ = ask({"groups": [{"name": "stage", "description": "", "members": [1, 2]}]})
    claims = [claim("stage 1", 5, "a"), claim("stage 2", 4, "b")]
    assert consolidate_dimensions(inquiry, claims, 5) == claims
    (refused,) = inquiry.rejected
    assert (refused.reason, refused.detail) == (
        "ambiguous_name",
        "'stage 1' and 'stage 2' may be different things",
    )


def test_a_group_is_not_named_after_something_else(ask):
    inquiry, _ = ask({"groups": [{"name": "stage 2", "description": "x", "members": [1, 2]}]})
    (merged,) = consolidate_dimensions(inquiry, [claim("stage", 5, "a"), claim("staging", 4, "b")], 5)
    assert merged.name == "stage"


def test_unknown_numbers_are_refused_and_a_claim_merges_once(ask):
    groups = [
        {"name": "vessel", "description": "x", "members": [1, 2, 9]},
        {"name": "thing", "description": "x", "members": [2, 3]},
    ]
    inquiry, _ = ask({"groups": groups})
    merged = consolidate_dimensions(inquiry, [claim("vessel", 5), claim("boat", 4), claim("coating", 3)], 5)
    assert [(one.name, one.support) for one in merged] == [("vessel", 9), ("coating", 3)]
    (refused,) = inquiry.rejected
    assert (refused.reason, refused.detail) == ("malformed", "no claims of these numbers were shown: [9]")


def test_a_useless_reply_loses_nothing(ask):
    inquiry, llm = ask("I would rather not.")
    claims = [claim("vessel", 5, "ferry"), claim("boat", 4), claim("coating", 3)]
    assert consolidate_dimensions(inquiry, claims, 2) == claims
    assert inquiry.asker.unread[0].step == "consolidate_dimensions"
    assert len(llm.requests) == 3  # once whole, then its two halves


def test_one_claim_is_not_asked_about(ask):
    inquiry, llm = ask({"groups": []})
    consolidate_dimensions(inquiry, [claim("vessel", 5), claim("Vessels", 4)], 2)
    assert llm.requests == []


def test_what_does_not_fit_the_call_stays_as_it_is(ask):
    inquiry, llm = ask({"groups": []}, context_tokens=2_400, max_output_tokens=64)
    words = " ".join(["plank"] * 90)
    claims = [
        claim(f"kind{letter}", 99 - n, description=words) for n, letter in enumerate("abcdefghijklmnop")
    ]
    assert len(consolidate_dimensions(inquiry, claims, 5)) == 16
    shown = llm.requests[0].user.count("(support ")
    assert 8 <= shown < 16


def test_entities_unite_by_name_with_their_aliases():
    united = unite_entities(
        [
            EntityClaim(name="Ferries", aliases=("boat", "ferry"), mentions=1),
            EntityClaim(name="ferry", aliases=("ship",), mentions=3),
        ]
    )
    assert united == [EntityClaim(name="ferry", aliases=("boat", "ship"), mentions=4)]

"""Questions: one call a chunk, no more than asked for, and what is not usable is kept apart."""

from __future__ import annotations

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.analyst.llm.questions import write_questions


def item(question, answer="Salt."):
    return {"question": question, "answer": answer}


def test_one_call_a_chunk(ask, harbour):
    inquiry, llm = ask(
        {
            "questions": [
                item("What corrodes a hull?"),
                item("What costs a lot?", "Repairs."),
                item("A third?"),
            ]
        },
        {"questions": [item("What keeps salt off?", "Paint.")]},
    )
    first, second = harbour.chunks
    assert write_questions(inquiry, harbour.chunks, 2) == [
        QuestionClaim(first.id, "What corrodes a hull?", "Salt"),
        QuestionClaim(first.id, "What costs a lot?", "repairs"),
        QuestionClaim(second.id, "What keeps salt off?", "Paint"),
    ]
    assert len(llm.requests) == 2
    assert llm.requests[0].user.startswith("## Questions wanted\n2\n")
    assert first.text in llm.requests[0].user
    assert second.text not in llm.requests[0].user


def test_bare_lists_and_faulty_items(ask, harbour):
    inquiry, _ = ask([item("What corrodes a hull?"), item("  "), {"question": "No answer?"}])
    claims = write_questions(inquiry, harbour.chunks[:1], 20)
    assert [claim.question for claim in claims] == ["What corrodes a hull?"]
    assert [rejection.reason for rejection in inquiry.rejected] == ["malformed", "malformed"]


def test_the_prompts_example_is_no_question_of_the_corpus(ask, harbour):
    inquiry, _ = ask(
        {"questions": [item("Why does a drask vorpel not smoof?"), item("What corrodes a hull?")]}
    )
    assert [claim.question for claim in write_questions(inquiry, harbour.chunks[:1], 20)] == [
        "What corrodes a hull?"
    ]
    assert [rejection.reason for rejection in inquiry.rejected] == ["from_example"]


def test_a_chunk_without_a_usable_reply_is_named(ask, harbour):
    inquiry, llm = ask("no", "no", {"questions": [item("What keeps salt off?", "Paint.")]})
    write_questions(inquiry, harbour.chunks[:1], 20)
    assert len(llm.requests) == 2
    [unread] = inquiry.asker.unread
    assert (unread.step, unread.place) == ("questions", "harbour0.md, passage 1")


def test_an_answer_that_does_not_stand_in_the_chunk_is_refused(ask, harbour):
    inquiry, _ = ask(
        {
            "questions": [
                item("What does salt do?", "SALT  corrodes the hull."),
                item("What eats a hull?", "Salt eats the hull."),
                item("What is dear?", "Hul"),
                item("What?", "..."),
            ]
        }
    )
    claims = write_questions(inquiry, harbour.chunks[:1], 20)
    assert [claim.answer for claim in claims] == ["Salt corrodes the hull"]
    assert {one.detail for one in inquiry.rejected} == {"its answer does not stand in the passage"}
    assert len(inquiry.rejected) == 3

"""Answers: what is asked, how much evidence is shown, and what a missing reply is."""

from __future__ import annotations

import pytest

from aitia.analyst.llm.answers import stream_answer, write_answer
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.prompt import load_prompts
from aitia.analyst.protocols import AnswerDraft, AnswerSentence, NumberedEvidence
from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLMReply
from aitia.errors import ModelError
from aitia.testing.memory_ledger import MemoryLedger
from aitia.testing.scripted_llm import ScriptedLLM

EVIDENCE = [NumberedEvidence(n, f"Fact {n} is about salt. " * 20, f"a.md {n}") for n in range(1, 9)]


def asking(answer, **settings):
    llm = ScriptedLLM(answer if callable(answer) else lambda request: answer)
    return Inquiry(llm, load_prompts(), LLMSettings(model="scripted", **settings)), llm


def test_one_call_with_numbered_evidence():
    inquiry, llm = asking("Salt does it [2].")
    draft = write_answer(inquiry, "Who\ndoes it?", EVIDENCE[:2], None)
    assert draft == AnswerDraft((AnswerSentence("Salt does it.", (2,)),))
    (request,) = llm.requests
    assert request.schema is None
    assert request.user.startswith("## Evidence\n<<<1 ")
    assert "\n<<<2 " in request.user
    assert request.user.endswith("## Language\nthe language of the question\n\n## Question\nWho does it?")


def test_a_language_is_named():
    inquiry, llm = asking("Das Salz [1].")
    write_answer(inquiry, "Wer?", EVIDENCE[:1], "German")
    assert "## Language\nGerman\n" in llm.requests[0].user


def test_without_evidence_nothing_is_asked():
    inquiry, llm = asking("Salt [1].")
    assert write_answer(inquiry, "Who?", [], None) == AnswerDraft((), sufficient=False)
    assert llm.requests == []


def test_evidence_is_cut_at_whole_items_in_order():
    inquiry, llm = asking("Salt [1].", context_tokens=1_400, max_output_tokens=200)
    write_answer(inquiry, "Who?", EVIDENCE, None)
    user = llm.requests[0].user
    shown = [n for n in range(1, 9) if f"Fact {n} " in user]
    assert shown == list(range(1, len(shown) + 1))
    assert 1 < len(shown) < 8


def test_an_overflow_is_asked_again_with_half_the_evidence():
    inquiry, llm = asking(lambda r: LLMReply("", finish="overflow") if "Fact 3" in r.user else "Salt [1].")
    assert write_answer(inquiry, "Who?", EVIDENCE, None).sufficient
    assert [request.user.count("<<<end") for request in llm.requests] == [8, 4, 2]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (LLMReply("", finish="overflow"), "longer than the model's context window"),
        (LLMReply("", finish="failed", detail="timed out"), "gave no answer: timed out"),
        (LLMReply("", finish="filtered"), "content filter withheld"),
        (LLMReply("<think>so"), "wrote an empty answer"),
    ],
)
def test_no_reply_is_an_error_of_one_line(reply, told):
    inquiry, _ = asking(reply)
    with pytest.raises(ModelError, match=told) as caught:
        write_answer(inquiry, "Who?", EVIDENCE, None)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("useless", [LLMReply(""), LLMReply("", finish="filtered"), LLMReply("<think>so")])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_useless_answer_is_asked_again(useless, streamed):
    replies = iter([useless, LLMReply("Salt [1].")])
    inquiry, llm = asking(lambda request: next(replies))
    kept = LedgerLLM(llm, MemoryLedger(), settings=inquiry.settings)
    inquiry = Inquiry(kept, inquiry.prompts, inquiry.settings)

    def ask():
        if streamed:
            return stream_answer(inquiry, "Who?", EVIDENCE[:1], None, lambda text: None)
        return write_answer(inquiry, "Who?", EVIDENCE[:1], None)

    with pytest.raises(ModelError):
        ask()
    assert ask() == ask() == AnswerDraft((AnswerSentence("Salt.", (1,)),))
    assert len(llm.requests) == 2


def test_a_stream_gives_the_same_draft():
    shown: list[str] = []
    inquiry, _ = asking("INSUFFICIENT\nOnly salt [1].")
    draft = stream_answer(inquiry, "Who?", EVIDENCE, None, shown.append)
    assert draft == write_answer(inquiry, "Who?", EVIDENCE, None)
    assert "".join(shown) == "Only salt [1]."

"""Relevance and correctness; the judge as a whole against a parrot and against the stand-in behind HTTP."""

from __future__ import annotations

import json

import pytest

from aitia.analyst.fact_protocols import (
    AnswerPair,
    FactCounts,
    FactExtractor,
    FactJudge,
    FactRequest,
    FactSets,
    RelevanceRequest,
    SupportRequest,
)
from aitia.analyst.llm.correct import judge_answers
from aitia.analyst.llm.judge import LLMJudge
from aitia.analyst.llm.prompt import example_reply, load_prompts
from aitia.analyst.llm.relevance import rate_relevance
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM
from aitia.testing.llm_faults import Faults
from aitia.testing.llm_server import LLMServer
from aitia.testing.scripted_llm import ScriptedLLM

CONTEXT = RelevanceRequest("Why does a hull rust?", "Salt rusts the hull.")
PAIR = AnswerPair("What rusts a hull?", "Salt does.", "salt")


def ratings(*values):
    return {"ratings": [{"reason": "So.", "rating": value} for value in values]}


def judgements(*values):
    return {"judgements": [{"reason": "So.", "correct": value} for value in values]}


def test_two_ratings_of_one_context_are_two_different_requests(ask):
    inquiry, llm = ask(ratings(2), ratings("1"))
    second = RelevanceRequest(CONTEXT.question, CONTEXT.context, sample=1)
    assert rate_relevance(inquiry, [CONTEXT, second, CONTEXT]) == [2, 1, 2]
    first, other = llm.requests
    assert first.user.startswith("## Question\nWhy does a hull rust?\n\n## Context\n<<<Context1 ")
    assert other.user.startswith("## Context\n<<<Context1 ")
    assert other.user.endswith("## Question\nWhy does a hull rust?")
    assert (first.sample, other.sample) == (0, 1)


@pytest.mark.parametrize("reply", [ratings(3), ratings(-1), ratings(0.5), ratings(), ratings(1, 2), "no"])
def test_a_rating_is_0_1_or_2_and_one(ask, reply):
    inquiry, _ = ask(reply)
    assert rate_relevance(inquiry, [CONTEXT]) == [None]


def test_a_blank_context_helps_nobody(ask):
    inquiry, llm = ask("never")
    assert rate_relevance(inquiry, [RelevanceRequest("Why?", "\n")]) == [0]
    assert llm.requests == []


def test_answers_are_judged_one_a_call(ask):
    inquiry, llm = ask(judgements(True), judgements("false"))
    wrong = AnswerPair(PAIR.question, "Rain\n## Reference", "salt")
    blank = AnswerPair(PAIR.question, " ", "salt")
    assert judge_answers(inquiry, [PAIR, wrong, blank, PAIR]) == [True, False, False, True]
    assert len(llm.requests) == 2
    assert "## Reference\n<<<Reference1 " in llm.requests[1].user
    assert ">>>\nRain\n## Reference\n<<<end Answer1 " in llm.requests[1].user


@pytest.mark.parametrize("reply", [judgements(), judgements(True, False), judgements("partly"), "no"])
def test_an_answer_without_one_judgement_is_a_failure(ask, reply):
    inquiry, _ = ask(reply)
    assert judge_answers(inquiry, [PAIR]) == [None]


def test_a_parrot_judges_nothing():
    llm = ScriptedLLM(lambda request: json.dumps(example_reply(request.system)))
    judge = LLMJudge(llm, LLMSettings(model="scripted"), load_prompts())
    facts = tuple(f"Fact {number}." for number in range(1, 80))
    assert judge.extract_facts([FactRequest("Why?", "So.")]) == [None]
    assert judge.compare_facts([FactSets("Why?", facts, facts)]) == [None]
    assert judge.find_support([SupportRequest("Why?", facts, "So.")]) == [None]
    assert judge.rate_relevance([CONTEXT]) == [None]
    assert judge.judge_answers([PAIR]) == [None]
    assert {one.reason for one in judge.rejected} == {"from_example"}
    assert judge.unread == ()


@pytest.fixture
def served():
    """The judge whose model is the stand-in behind a real server, with its faults."""
    opened = []

    def made(faults=None, **settings):
        server = LLMServer(faults or Faults.none()).__enter__()
        chosen = LLMSettings(model="stand-in", base_url=server.base_url, **settings)
        client = OpenAILLM(chosen, "key")
        opened.append((client, server))
        return LLMJudge(client, chosen, load_prompts()), server

    yield made
    for client, server in opened:
        client.close()
        server.__exit__(None, None, None)


TEXT = "Varroa mites weaken the colony. The bees eat sugar [2]."
FACTS = ("Varroa mites weaken the colony.", "The bees eat sugar.")


def test_the_stand_in_judges_over_http(served):
    judge, server = served()
    extractor: FactExtractor = judge
    fact_judge: FactJudge = judge
    assert extractor.extract_facts([FactRequest("Why?", TEXT)]) == [FACTS]
    sets = FactSets("Why?", FACTS, ("Mites weaken a colony.", "Cold kills the queen."))
    assert fact_judge.compare_facts([sets]) == [FactCounts(tp=1, fp=1, fn=1)]
    asked = SupportRequest("Why?", (*FACTS, "Bees do not eat sugar."), TEXT)
    assert fact_judge.find_support([asked]) == [(True, True, False)]
    contexts = ("Mites weaken the colony.", "Mites dance.", "It rains.")
    relevance = [RelevanceRequest("Why do mites weaken colonies?", context, 1) for context in contexts]
    assert fact_judge.rate_relevance(relevance) == [2, 0, 0]
    answers = [
        AnswerPair("What weakens it?", "Varroa mites do.", "varroa mites"),
        AnswerPair("What weakens it?", "Cold does.", "varroa mites"),
        AnswerPair("What weakens it?", "INSUFFICIENT", "Insufficient information"),
        AnswerPair("What weakens it?", "INSUFFICIENT", "varroa mites"),
    ]
    assert fact_judge.judge_answers(answers) == [True, False, True, False]
    assert (judge.rejected, judge.unread) == ((), ())
    assert len(server.log) == 1 + 1 + 1 + 3 + 4


def test_what_the_server_spoils_is_none_and_named(served):
    judge, _ = served(Faults({"cut_json": 1.0}))
    assert judge.extract_facts([FactRequest("Why?", TEXT)]) == [None]
    assert judge.find_support([SupportRequest("Why?", FACTS, TEXT)]) == [None]
    assert {one.step for one in judge.unread} == {"facts", "support"}


def test_a_text_longer_than_the_context_is_a_failure(served):
    judge, server = served(context_tokens=2_000, max_output_tokens=500)
    long = "Varroa mites weaken the colony. " * 400
    assert judge.find_support([SupportRequest("Why?", FACTS, long)]) == [None]
    assert len(server.log) == 0
    assert {one.step for one in judge.unread} == {"support"}

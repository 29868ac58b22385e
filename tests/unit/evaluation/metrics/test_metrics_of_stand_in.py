"""Judged metrics from end to end: the LLM judge, a real HTTP client, the stand-in behind a server."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aitia.analyst.llm.judge import LLMJudge
from aitia.analyst.llm.prompt import load_prompts
from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM
from aitia.evaluation.metrics.accuracy import accuracy
from aitia.evaluation.metrics.answer_correctness import fact_f1
from aitia.evaluation.metrics.context_relevance import context_relevance
from aitia.evaluation.metrics.coverage import coverage
from aitia.evaluation.metrics.faithfulness import faithfulness
from aitia.evaluation.metrics.judged_answer import JudgedAnswer
from aitia.evaluation.metrics.judged_evidence_recall import judged_evidence_recall
from aitia.testing.llm_faults import Faults
from aitia.testing.llm_server import LLMServer
from aitia.testing.memory_ledger import MemoryLedger
from aitia.testing.scripted_llm import ScriptedLLM
from aitia.testing.stand_in import answer_prompt

REFERENCE = "Varroa mites weaken the colony. Cold kills the queen."
CASES = [
    JudgedAnswer(
        "Why do colonies die?",
        "Mites weaken a colony. Wasps rob honey.",
        REFERENCE,
        ("Mites weaken the colony.", "Colonies die."),
        ("Varroa mites weaken the colony.", "Cold kills the queen."),
    ),
    JudgedAnswer("Why do colonies die?", REFERENCE, REFERENCE, (REFERENCE,), (REFERENCE,)),
]


@pytest.fixture
def judge_of():
    opened = []

    def made(faults=None):
        server = LLMServer(faults or Faults.none()).__enter__()
        settings = LLMSettings(model="stand-in", base_url=server.base_url)
        client = OpenAILLM(settings, "key")
        opened.append((client, server))
        return LLMJudge(client, settings, load_prompts()), server

    yield made
    for client, server in opened:
        client.close()
        server.__exit__(None, None, None)


def test_every_judged_metric(judge_of):
    judge, server = judge_of()
    # The first answer has one fact of two right: TP 1, FP 1, FN 1.
    assert fact_f1(CASES, judge, judge).tolist() == [0.5, 1.0]
    assert len(server.log) == 2 + 2  # the second answer is the reference of both
    assert coverage(CASES, judge, judge).tolist() == [0.5, 1.0]
    assert faithfulness(CASES, judge, judge).tolist() == [0.5, 1.0]
    assert context_relevance(CASES, judge).tolist() == [1.0, 0.5]
    assert judged_evidence_recall(CASES, judge).tolist() == [0.5, 1.0]
    assert accuracy(CASES, judge).tolist() == [0.0, 1.0]
    assert (judge.rejected, judge.unread) == ((), ())


def test_a_judge_that_fails_is_nan_everywhere(judge_of):
    judge, _ = judge_of(Faults({"cut_json": 1.0}))
    failed = [
        fact_f1(CASES, judge, judge),
        coverage(CASES, judge, judge),
        faithfulness(CASES, judge, judge),
        context_relevance(CASES, judge),
        judged_evidence_recall(CASES, judge),
        accuracy(CASES, judge),
    ]
    assert np.isnan(failed).all()
    assert {one.step for one in judge.unread} == {"facts", "relevance", "support", "correct"}


def test_what_a_question_costs_and_what_its_second_system_does():
    llm = ScriptedLLM(lambda request: answer_prompt(request.system, request.user))
    settings = LLMSettings(model="scripted")
    ledger = MemoryLedger()

    def score(answer):
        before = len(llm.requests)
        judge = LLMJudge(LedgerLLM(llm, ledger, settings=settings), settings, load_prompts())
        case = [replace(CASES[0], answer=answer)]
        calls = []
        for measure in (
            lambda: fact_f1(case, judge, judge),
            lambda: coverage(case, judge, judge),
            lambda: faithfulness(case, judge, judge),
            lambda: context_relevance(case, judge),
            lambda: judged_evidence_recall(case, judge),
            lambda: accuracy(case, judge),
        ):
            measure()
            calls.append(len(llm.requests) - before - sum(calls))
        return calls

    assert score("Mites weaken a colony. Wasps rob honey.") == [3, 1, 1, 2, 1, 1]
    assert score("Cold kills a queen.") == [2, 1, 1, 0, 0, 1]  # of the same contexts and reference
    assert score("Cold kills a queen.") == [0] * 6

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from aitia.analyst.protocols import NumberedEvidence
from aitia.answering.answer import Answer, Citation
from aitia.clients.protocols import LLMReply
from aitia.errors import LimitReached, ModelError
from aitia.evaluation.bench.answers import PeerRespondent, answered, blank_record, without_marks
from aitia.evaluation.bench.metering import Meter
from aitia.evaluation.datasets import Question
from aitia.evaluation.peers.peer import PeerAnswer
from aitia.evaluation.systems import parse_system
from aitia.retrieval.result import Retrieval

SYSTEM = parse_system("plain:bm25")


def blanks(count):
    return [blank_record(Question(f"q{number}", "Why?", "so"), SYSTEM, 1) for number in range(count)]


class Scripted:
    """Answers by question id, or fails."""

    def __init__(self, faults, jobs=1):
        self.jobs = jobs
        self._faults = faults
        self.asked = []

    def respond(self, blank):
        self.asked.append(blank.id)
        if blank.id in self._faults:
            raise self._faults[blank.id]
        return blank


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_fault_is_the_error_of_its_question(jobs):
    faults = {"q1": ModelError("no\n  reply"), "q3": KeyError("x")}
    records = {each.id: each.error for each in answered(blanks(5), Scripted(faults, jobs))}
    assert records == {
        "q0": None,
        "q1": "no reply",
        "q2": None,
        "q3": "unexpected KeyError: 'x'",
        "q4": None,
    }


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_limit_ends_it(jobs):
    respondent = Scripted({"q2": LimitReached("enough")}, jobs)
    with pytest.raises(LimitReached):
        list(answered(blanks(200), respondent))
    assert len(respondent.asked) < 200


def test_a_blank_record():
    one = Question("q", "Why?", "so", "Why", ("a", "b"), ("d",))
    record = blank_record(one, SYSTEM, 2)
    assert (record.id, record.system, record.run, record.type) == ("q", "plain:bm25", 2, "Why")
    assert (record.question, record.gold, record.passages, record.reply) == ("Why?", "so", 2, None)
    assert blank_record(Question("q", "Why?", "so", evidence_documents=("d",)), SYSTEM, 0).passages == 1


def test_marks_are_taken_out_of_an_answer():
    source = NumberedEvidence(1, "text", "a.txt")
    citations = (Citation(1, source), Citation(12, source))
    text = "Mites [sic] kill. [1][12] So says Smith [3] of 1999. [1]"
    answer = Answer("Why?", text, citations, True, Retrieval("Why?", ()))
    assert without_marks(answer) == "Mites [sic] kill. So says Smith [3] of 1999."


def test_a_peer_says_in_words_that_it_does_not_know():
    given = PeerAnswer("I do not know.", contexts=("c",), usage={"llm_calls": 2})
    respondent = PeerRespondent(SimpleNamespace(ask=lambda question: given))
    record = respondent.respond(blanks(1)[0])
    assert (record.id, record.reply, record.abstained, record.contexts) == (
        "q0",
        "I do not know.",
        True,
        ("c",),
    )
    failed = PeerRespondent(SimpleNamespace(ask=lambda question: PeerAnswer(error="gone")))
    assert failed.respond(blanks(1)[0]).error == "gone"


def test_a_meter_counts_for_its_own_thread():
    meter = Meter()
    meter.count([LLMReply("a", prompt_tokens=5, completion_tokens=2), LLMReply("", "failed", 3)])
    seen = []
    thread = threading.Thread(target=lambda: seen.append(meter.usage()))
    thread.start()
    thread.join()
    assert seen == [dict.fromkeys(("llm_calls", "prompt_tokens", "reply_tokens", "embedding_calls"), 0)]
    assert meter.usage() == {"llm_calls": 1, "prompt_tokens": 8, "reply_tokens": 2, "embedding_calls": 0}
    meter.reset()
    assert meter.usage()["llm_calls"] == 0

from __future__ import annotations

import pytest

from aitia.analyst.protocols import AnswerDraft, AnswerSentence, NumberedEvidence
from aitia.answering.answer import (
    INSUFFICIENT,
    NO_EVIDENCE,
    Citation,
    check_answer,
    number_evidence,
    without_evidence,
)
from aitia.retrieval.result import Evidence, Retrieval

MITES = Evidence("Mites kill bees.", "c1", ("c1",), "mites", 'mites.pdf p. 3, "Harm"', 0, 16, 0.5)
COLD = Evidence("Cold kills bees.", "c2", ("c2",), "cold", "cold.md", 0, 16, 0.4)
RETRIEVAL = Retrieval("Why do bees die?", (MITES, COLD))


def check(*sentences, sufficient=True):
    draft = AnswerDraft(tuple(AnswerSentence(text, numbers) for text, numbers in sentences), sufficient)
    return check_answer("Why do bees die?", draft, RETRIEVAL.evidence, RETRIEVAL)


def test_evidence_is_numbered_from_one():
    assert number_evidence([MITES, COLD]) == [
        NumberedEvidence(1, "Mites kill bees.", 'mites.pdf p. 3, "Harm"'),
        NumberedEvidence(2, "Cold kills bees.", "cold.md"),
    ]
    assert number_evidence([]) == []


def test_every_sentence_carries_its_citations():
    answer = check(("Mites kill.", (1,)), ("Both do.", (2, 1)))
    assert answer.text == "Mites kill. [1] Both do. [2][1]"
    assert answer.citations == (
        Citation(1, MITES, "Mites kill."),
        Citation(2, COLD, "Both do."),
    )
    assert [citation.place for citation in answer.citations] == ['mites.pdf p. 3, "Harm"', "cold.md"]
    assert (answer.sufficient, answer.dropped, answer.uncited) == (True, (), 0)
    assert (answer.question, answer.retrieval) == ("Why do bees die?", RETRIEVAL)


@pytest.mark.parametrize("number", [0, 3, -1, 99])
def test_an_unknown_number_is_dropped_and_reported(number):
    answer = check(("Mites kill.", (number, 1)))
    assert answer.text == "Mites kill. [1]"
    assert answer.citations == (Citation(1, MITES, "Mites kill."),)
    assert (answer.dropped, answer.uncited) == ((number,), 0)


def test_a_sentence_left_bare_is_counted():
    answer = check(("Mites kill.", (7,)), ("So it is said.", ()), ("Cold kills.", (2,)))
    assert answer.text == "Mites kill. So it is said. Cold kills. [2]"
    assert (answer.dropped, answer.uncited, answer.sufficient) == ((7,), 2, True)
    assert answer.citations == (Citation(2, COLD, "Cold kills."),)


def test_a_number_given_twice_is_shown_once():
    answer = check(("Mites kill.", (1, 1)), ("They do.", (1,)))
    assert answer.text == "Mites kill. [1] They do. [1]"
    assert answer.citations == (Citation(1, MITES, "Mites kill."),)


def test_a_draft_that_finds_no_answer():
    answer = check(("Only mites are spoken of.", (1,)), sufficient=False)
    assert not answer.sufficient
    assert answer.text == "Only mites are spoken of. [1]"


@pytest.mark.parametrize("sufficient", [True, False])
def test_an_empty_draft_is_insufficient(sufficient):
    answer = check(sufficient=sufficient)
    assert (answer.text, answer.citations, answer.sufficient) == (INSUFFICIENT, (), False)


def test_sources_may_be_numbered_evidence_of_another_kind():
    triple = NumberedEvidence(1, "Mites -> Death: kill", "graph")
    draft = AnswerDraft((AnswerSentence("Mites kill.", (1, 2)),))
    answer = check_answer("Why?", draft, [triple], RETRIEVAL)
    assert answer.citations == (Citation(1, triple, "Mites kill."),)
    assert answer.citations[0].place == "graph"
    assert answer.dropped == (2,)


def test_without_evidence_nobody_is_asked():
    answer = without_evidence("Why?", Retrieval("Why?", (), matched=False))
    assert (answer.text, answer.citations, answer.sufficient) == (NO_EVIDENCE, (), False)

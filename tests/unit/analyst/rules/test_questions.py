from __future__ import annotations

import pytest

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.analyst.rules.questions import sentences_of, write_questions
from aitia.corpus.document import Document
from aitia.corpus.split import open_splitter

TEXT = "A nucleus is a small colony. And so on. It is the best one. Mites feed on the fat body of brood. They hide."


def chunk(text):
    return open_splitter("passage")(Document("a.txt", "a", text))[0]


def test_every_sentence_is_an_answer_and_a_definition_has_its_question():
    part = chunk(TEXT)
    assert write_questions([part], 20) == [
        QuestionClaim(part.id, "What is a nucleus?", "A nucleus is a small colony."),
        QuestionClaim(part.id, "", "It is the best one."),
        QuestionClaim(part.id, "", "Mites feed on the fat body of brood."),
        QuestionClaim(part.id, "", "They hide."),
    ]


def test_the_richest_sentences_are_kept_in_their_order():
    part = chunk(TEXT)
    assert [claim.answer for claim in write_questions([part], 2)] == [
        "A nucleus is a small colony.",
        "Mites feed on the fat body of brood.",
    ]
    assert write_questions([], 5) == []


def test_repeats_count_once():
    assert sentences_of(chunk("Bees dance.\n\nBees dance.\n\nOf the and.")) == ["Bees dance."]


@pytest.mark.parametrize(("sentence", "question"), [
    ("Varroa destructor is the parasite of bees.", "What is Varroa destructor?"),
    ("Drones are the males of a colony.", "What are drones?"),
    ("The queen is one of them.", "What is the queen?"),
    ("This is a colony.", ""),
    ("Colonies in winter and without food are hungry.", ""),
])  # fmt: skip
def test_questions_are_well_formed_or_none(sentence, question):
    [claim] = write_questions([chunk(sentence)], 5)
    assert claim.question.casefold() == question.casefold()

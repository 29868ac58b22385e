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
    ("Fever is one of the symptoms of an infection.", "What is fever?"),
    ("Ductal carcinoma is the most common type of breast cancer.", "What is ductal carcinoma?"),
    ("The prostate is a small, round gland found in men.", "What is the prostate?"),
    ("An MRI is a scan.", "What is an MRI?"),
    ("Image segmentation is a technique utilized to divide an image.", "What is image segmentation?"),
    ("Biopsy A biopsy is the removal of a sample.", "What is a biopsy?"),
    ("The kidneys The kidneys are a pair of organs.", "What are the kidneys?"),
])  # fmt: skip
def test_a_definition_has_its_question(sentence, question):
    [claim] = write_questions([chunk(sentence)], 5)
    assert claim.question.casefold() == question.casefold()


@pytest.mark.parametrize(
    "sentence",
    [
        "The queen is one of them.",
        "This is a colony.",
        "Colonies in winter and without food are hungry.",
        "In most regions varroa is the leading cause of winter losses.",
        "A high mite drop is a warning, whereas a low mite drop proves little.",
        "In the province of Abda is an extensive salt lake.",
        "If there is a history of infection, tell your doctor.",
        "Perhaps it is the town of the ancients.",
        "One of the causes is a disease of brood.",
        "The result is a law.",
        "The methodology employed is a method.",
        "The following is a sample of the questions.",
        "Surgery is the most effective treatment for thyroid cancer.",
        "Biopsy results Histology is the study of cells.",
        "Sharing clips is a great way to relive those moments.",
        "Coffee and music shopping is a great combo!",
        "Such are the spectacles of war.",
    ],
)
def test_another_sentence_has_none(sentence):
    [claim] = write_questions([chunk(sentence)], 5)
    assert claim.question == ""

from __future__ import annotations

import pytest

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.corpus.chunk import Chunk
from aitia.methods.qcg.wording import (
    context_of,
    matched_texts,
    node_text,
    says_something,
    speakers_of,
    words_to_match,
)

CHAT = "Time: 20260726_16:00\nLiHua: Hey! I planned a dinner.\nAnna Berg: Great."


def chunk(text=CHAT, path="20260726_1600.txt", headings=()):
    return Chunk("d", path, 0, 0, len(text), text, headings)


@pytest.mark.parametrize(("form", "text"), [
    ("query+answer", "Why?\nSo."), ("query", "Why?"), ("answer", "So."), ("sentence", "So."),
])  # fmt: skip
def test_what_a_node_says(form, text):
    assert node_text("Why?", "So.", form) == text


def test_a_node_without_question_has_no_line_break():
    assert node_text("", "So.", "query+answer") == "So."


def test_words_are_stems_and_joined_names_are_taken_apart():
    assert words_to_match("LiHua planned the dinners") == "li hua plan dinner"
    assert words_to_match("of the") == ""


@pytest.mark.parametrize(("sentence", "says"), [
    ("Mites weaken colonies.", True),
    ("LiHua: I planned a dinner.", True),
    ("Mite kills mite.", True),
    ("蜂群在冬天死亡", True),
    ("LiHua: Hey!", False),
    ("Time: 20260105_11:00", False),
    ("# Diseases of the brood", False),
    ("Anna Berg: Great, great!", False),
    ("Of the and.", False),
    ("12 34 56.", False),
])  # fmt: skip
def test_what_says_something(sentence, says):
    assert says_something(sentence) == says


@pytest.mark.parametrize(("path", "context"), [
    ("20260726_1600.txt", "26 July 2026"),
    ("notes/2026-01-02.md", "2 January 2026"),
    ("20261399.txt", ""),
    ("120260726.txt", ""),
])  # fmt: skip
def test_the_date_of_a_document_is_in_its_name(path, context):
    assert context_of(chunk(path=path)) == context


def test_headings_are_context():
    assert context_of(chunk(path="a.md", headings=("Winter", "Food"))) == "Winter Food"


def test_who_says_it_is_the_last_label_before():
    answers = ["Time: 20260726_16:00", "LiHua: Hey!", "I planned a dinner.", "Anna Berg: Great.", "not there"]
    assert speakers_of(chunk(), answers) == ["Time", "LiHua", "LiHua", "Anna Berg", "Time"]
    assert speakers_of(chunk("No label: here"), ["here"]) == [""]


def test_a_node_is_matched_with_its_context():
    claims = [QuestionClaim("c", "Who plans?", "I planned a dinner.")]
    assert matched_texts(chunk(), claims) == ["26 july 2026 li hua plan plan dinner"]

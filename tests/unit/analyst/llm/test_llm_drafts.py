"""Answers as models write them, read into sentences with citations."""

from __future__ import annotations

import pytest

from aitia.analyst.llm.drafts import Opening, read_draft
from aitia.analyst.protocols import AnswerSentence


def cited(text):
    return [(sentence.text, sentence.citations) for sentence in read_draft(text).sentences]


@pytest.mark.parametrize(
    "text",
    [
        "Salt eats iron [1]. Paint helps [2][3].",
        "Salt eats iron.[1] Paint helps. [2] [3]",
        "Salt eats iron【1】. Paint helps [2, 3].",
        "Salt eats iron [1].\nPaint helps [2-3].",
        "Salt eats iron. [1]\n\nPaint helps [2]【3†source】.",
        "- Salt eats iron [1].\n- **Paint** helps [2; 3].",
        "1. Salt eats iron [1].\n2. Paint helps [Evidence 2][3].",
        "## Answer\n\nSalt eats iron [1]. Paint helps [2][3].",
        "<think>Iron [9]?</think>Salt eats iron [1]. Paint helps [2][3].",
        "Iron [9]?</think>\nSalt eats iron [1]. Paint helps [2][3].",
        "```\nSalt eats iron [1]. Paint helps [2][3].\n```",
        "```markdown\nSalt eats iron [1]. Paint helps [2][3].\n```",
        "``` Salt eats iron [1]. Paint helps [2][3].```",
        "## Salt eats iron [1]. Paint helps [2][3].",
        "# Answer\n## Salt eats iron [1].\nPaint helps [2][3].\n### Sources",
        "[1] Salt eats iron.\n\n[2, 3] Paint helps.",
    ],
)
def test_marks_belong_to_the_sentence_they_stand_at(text):
    assert cited(text) == [("Salt eats iron.", (1,)), ("Paint helps.", (2, 3))]


def test_abbreviations_do_not_end_a_sentence():
    text = "Metals, e.g. iron, rust, as Dr. Smith et al. found in approx. 3 days [2]. Paint helps [1]."
    assert cited(text) == [
        ("Metals, e.g. iron, rust, as Dr. Smith et al. found in approx. 3 days.", (2,)),
        ("Paint helps.", (1,)),
    ]


def test_a_line_that_ends_in_a_colon_leads_into_the_next():
    assert cited("The causes are:\n- salt [1].\n- rain [2].") == [
        ("The causes are: salt.", (1,)),
        ("rain.", (2,)),
    ]


def test_wrapped_lines_are_one_sentence():
    assert cited("Salt eats\niron [1].") == [("Salt eats iron.", (1,))]


def test_other_languages():
    assert cited("盐会腐蚀铁[1]。油漆有帮助。[2]") == [("盐会腐蚀铁。", (1,)), ("油漆有帮助。", (2,))]
    assert cited("Le sel ronge le fer [1] ; la peinture aide [2].") == [
        ("Le sel ronge le fer ; la peinture aide.", (1, 2))
    ]


def test_what_is_no_mark_stays():
    assert cited("The dose [sic] is x[i] in 1990 [12345].") == [
        ("The dose [sic] is x[i] in 1990 [12345].", ())
    ]


def test_a_heading_goes_unless_there_is_nothing_else():
    assert cited("# Iron\nSalt eats it.") == [("Salt eats it.", ())]
    assert cited("# Salt eats iron\n# Paint helps") == [("Salt eats iron", ()), ("Paint helps", ())]
    assert cited("```\n```") == []
    assert cited("The causes are:\n## salt [1].") == [("The causes are: salt.", (1,))]


def test_an_absurd_range_is_its_ends():
    assert cited("So it is [1-900].") == [("So it is.", (1, 900))]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("INSUFFICIENT", ()),
        ("INSUFFICIENT\nIt only speaks of salt [2].", (("It only speaks of salt.", (2,)),)),
        ("**INSUFFICIENT** It only speaks of salt [2].", (("It only speaks of salt.", (2,)),)),
        ("INSUFFICIENT. [2] says salt.", (("says salt.", (2,)),)),
    ],
)
def test_insufficient_evidence(text, sentences):
    draft = read_draft(text)
    assert not draft.sufficient
    assert draft.sentences == tuple(AnswerSentence(*sentence) for sentence in sentences)


def test_the_word_elsewhere_is_a_word():
    assert read_draft("Insufficient paint lets salt in [1].").sufficient


def streamed(*pieces):
    shown: list[str] = []
    opening = Opening(shown.append)
    for piece in pieces:
        opening.take(piece)
    opening.end()
    return shown


def test_a_stream_is_passed_on_as_it_comes():
    assert streamed("Salt", " eats", " iron") == ["Salt", " eats", " iron"]


def test_a_stream_hides_thoughts_and_the_word_for_no_answer():
    assert streamed("<thi", "nk>Hm</b>", "</think>", "INSUF", "FICIENT\n", "Only", " salt") == [
        "Only",
        " salt",
    ]
    assert streamed("IN", "SUFFICIENT") == []
    assert streamed("I", "NK is black") == ["INK is black"]
    assert streamed("I") == ["I"]
    assert streamed("<think>never ends") == []


def test_a_stream_hides_a_thought_in_its_middle():
    assert (
        "".join(streamed("Salt [1]. <thi", "nk>hm", " [9]</thi", "nk> Paint [2].")) == "Salt [1].  Paint [2]."
    )
    assert (
        "".join(streamed("Salt <think>hm</think> and <thinking>so", "</thinking>", "rain"))
        == "Salt  and rain"
    )
    assert "".join(streamed("Salt [1].", "</think> Paint")) == "Salt [1]. Paint"
    assert streamed("Salt", " <think>never", " ends") == ["Salt", " "]


def test_a_stream_keeps_what_only_looks_like_a_thought():
    assert "".join(streamed("If a <", " b, then a </", " b.")) == "If a < b, then a </ b."
    assert "".join(streamed("Salt", " <b>iron</b> <thi")) == "Salt <b>iron</b> <thi"

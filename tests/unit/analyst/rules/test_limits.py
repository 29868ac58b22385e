"""What a link may not cross, in sentences of the vocabulary of smoking and cough."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.causal import causal_links
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.analyst.rules.limits import crosses_heading, is_about_the_text, is_set_apart
from aitia.corpus.chunk import Chunk


def sentence(text: str) -> Sentence:
    (read,) = read_sentences(Chunk("d", "d.txt", 0, 0, len(text), text))
    return read


def place(read: Sentence, word: str) -> int:
    return next(at for at, token in enumerate(read.tokens) if token.text == word)


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("The flood has spread beyond the dam.", True),
        ("The flood has moved outside of the old dam.", True),
        ("They moved it out of the range of the dam.", True),
        ("Causes other than the dam are rare.", True),
        ("The flood has spread to the dam.", False),
        ("The flood outside destroyed the dam.", False),
    ],
)
def test_a_preposition_may_keep_a_noun_out(text: str, apart: bool) -> None:
    read = sentence(text)
    assert is_set_apart(read, place(read, "dam")) == apart


@pytest.mark.parametrize(
    ("text", "crosses"),
    [
        ("They need blood tests For a biopsy they wait.", True),
        ("They saw floods Floods are rare.", True),
        ("They need blood tests for a biopsy.", False),
        ("They met Ivan in the Bulgarian town.", False),
    ],
)
def test_a_capital_without_a_stop_begins_a_clause(text: str, crosses: bool) -> None:
    read = sentence(text)
    assert crosses_heading(read, 0, len(read.tokens) - 1) == crosses


def test_a_sentence_may_be_about_its_own_text() -> None:
    assert is_about_the_text(sentence("This chapter explains how rain causes floods."))
    assert is_about_the_text(sentence("Chapter 2 explains how rain causes floods."))
    assert not is_about_the_text(sentence("Rain causes floods."))


def test_a_dangling_participle_is_said_of_the_main_clause() -> None:
    read = sentence("Pruning may be done before winter depending on the weather.")
    (link,) = causal_links(read)
    assert [read.tokens[at].text for at in (link.cause_head, link.effect_head)] == ["weather", "Pruning"]

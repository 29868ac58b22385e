"""Links of the rules analyst over arbitrary word order: bounded, well formed, and always the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.analyst.rules.causal import causal_links
from aitia.analyst.rules.conditions import conditional_links
from aitia.analyst.rules.language import read_sentences
from aitia.corpus.chunk import Chunk

WORDS = """
the storm storms damage causes caused by that which and , or of from because if when may not no be is are was to
reduce risk due ( ) [ : ; such as include effect on cause fever after surgery Therefore so it they treatment for
leading resulting in Symptoms recommended X-induced
"""


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
def test_links_lie_within_their_sentence(words: list[str]) -> None:
    text = " ".join(words)
    for sentence in read_sentences(Chunk(text, "a.txt", 0, 0, len(text), text)):
        for link in (*causal_links(sentence), *conditional_links(sentence)):
            for (first, last), head in ((link.cause, link.cause_head), (link.effect, link.effect_head)):
                assert 0 <= first <= last < len(sentence.tokens)
                assert first <= head <= last
            assert link.cause_head != link.effect_head
            assert 0 < link.confidence < 1


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_read_twice_alike(text: str) -> None:
    for sentence in read_sentences(Chunk(text, "a.txt", 0, 0, len(text), text)):
        assert list(conditional_links(sentence)) == list(conditional_links(sentence))
        assert causal_links(sentence) == causal_links.__wrapped__(sentence)

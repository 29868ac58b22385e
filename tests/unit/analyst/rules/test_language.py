from __future__ import annotations

from aitia.analyst.rules.language import read_sentences
from aitia.corpus.chunk import Chunk


def test_a_word_that_is_none_is_read_at_once_and_kept_whole():
    blob = "Q3" * 500
    text = f"The hive {blob} is warm."
    (sentence,) = read_sentences(Chunk("c", "d", 0, 0, len(text), text))
    assert [token.text for token in sentence.tokens] == ["The", "hive", blob, "is", "warm", "."]
    assert sentence.tokens[2].lemma == blob.lower()

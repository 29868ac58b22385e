from __future__ import annotations

from aitia.analyst.rules.language import read_sentences
from aitia.corpus.chunk import Chunk


def test_a_word_that_is_none_is_read_at_once_and_kept_whole():
    blob = "Q3" * 5_000
    (sentence,) = read_sentences(Chunk("c", "d", 0, 0, len(blob) + 12, f"The hive {blob} is warm."))
    assert [token.text for token in sentence.tokens] == ["The", "hive", blob, "is", "warm", "."]
    assert sentence.tokens[2].lemma == blob.lower()

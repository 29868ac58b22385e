from __future__ import annotations

import numpy as np
import pytest

from aitia.evaluation.stem_windows import StemVocabulary, best_shared, stems


def test_stems_are_six_letters_of_content_words():
    assert stems("The Chemotherapy of 2 patients, and THEIR chemotherapies.") == {"chemot", "2", "patien"}
    assert stems("What is it?") == frozenset()


def windows_of(text, sentence="alpha omega"):
    vocabulary = StemVocabulary([stems(sentence)])
    return vocabulary.window_matrix([text]).toarray().astype(int).tolist()


@pytest.mark.parametrize(
    ("words", "windows"), [(0, 1), (1, 1), (60, 1), (61, 2), (80, 2), (81, 3), (100, 3), (101, 4)]
)
def test_windows_of_60_words_begin_every_20(words, windows):
    assert len(windows_of("x " * words)) == windows


def test_a_window_holds_its_60_words():
    words = ["x"] * 100
    words[19], words[79] = "alpha", "omega"
    assert windows_of(" ".join(words)) == [[1, 0], [0, 1], [0, 1]]
    words[19], words[20] = "x", "alpha"
    assert windows_of(" ".join(words)) == [[1, 0], [1, 1], [0, 1]]


def test_a_repeated_stem_counts_once():
    assert windows_of("alpha alpha omega alphas") == [[1, 1]]


def test_the_best_window_counts_and_texts_do_not_join():
    sentences = [stems("alpha beta gamma"), stems("delta beta gamma"), stems("nowhere near it")]
    vocabulary = StemVocabulary(sentences)
    matrix = vocabulary.sentence_matrix(sentences)
    windows = vocabulary.window_matrix(["alpha beta", "gamma delta"])
    assert best_shared(matrix, windows).tolist() == [2.0, 2.0, 0.0]
    joined = vocabulary.window_matrix(["alpha beta gamma delta"])
    assert best_shared(matrix, joined).tolist() == [3.0, 3.0, 0.0]


def test_no_text_has_no_window():
    sentences = [stems("alpha beta gamma")]
    vocabulary = StemVocabulary(sentences)
    shared = best_shared(vocabulary.sentence_matrix(sentences), vocabulary.window_matrix([]))
    np.testing.assert_array_equal(shared, np.zeros(1, dtype=np.float32))

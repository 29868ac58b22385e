from aitia.corpus.words import LONGEST_WORD, word_starts


def test_words_are_runs_without_white_space():
    assert word_starts(" one two-three\n\t(four) ").tolist() == [1, 5, 16]


def test_a_chinese_or_japanese_character_is_a_word():
    assert word_starts("癌症 abc中x かな").tolist() == [0, 1, 3, 6, 7, 9, 10]


def test_a_run_without_spaces_counts_once_for_every_hundred_characters():
    assert word_starts("a" * 250).tolist() == [0, LONGEST_WORD, 2 * LONGEST_WORD]


def test_no_words_in_nothing():
    assert word_starts(" \n").tolist() == []

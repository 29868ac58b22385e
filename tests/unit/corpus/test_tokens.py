from aitia.corpus.tokens import count_tokens, token_starts


def test_tokens_begin_where_wordpiece_says():
    # "staging" is one token; "##melanoma" is split; accents are folded without moving offsets
    text = "Staging,  Élève"
    assert token_starts(text).tolist()[:2] == [0, 7]
    assert all(text[start] != " " for start in token_starts(text))


def test_long_unknown_words_count_a_token_for_every_four_characters():
    assert token_starts("ab " + "x" * 400).tolist() == [0, *range(3, 403, 4)]


def test_blocks_do_not_change_the_tokens():
    text = "The dose was 3.5 mg of doxorubicin. " * 400
    one = token_starts("The dose was 3.5 mg of doxorubicin. ")
    assert count_tokens(text) == 400 * len(one)


def test_odd_characters_are_taken():
    assert count_tokens("") == 0
    assert count_tokens("\ud800 a \0") >= 1
    assert token_starts("癌症 治疗").tolist() == [0, 1, 3, 4]

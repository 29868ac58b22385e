from aitia.corpus.readers.content import clean_text, place_heading


def test_halves_of_surrogate_pairs_are_joined_or_replaced():
    assert clean_text("a\ud83d\ude00b") == "a😀b"
    assert clean_text("a\ud83db") == "a\ufffdb"
    assert clean_text("plain 😀") == "plain 😀"


def test_headings_nest_by_level():
    path = []
    assert place_heading(path, 1, "A") == ("A",)
    assert place_heading(path, 3, "B") == ("A", "B")
    assert place_heading(path, 2, "C") == ("A", "C")
    assert place_heading(path, 1, "D") == ("D",)

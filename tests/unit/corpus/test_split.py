import pytest

from aitia.corpus.document import Document, Section
from aitia.corpus.split import open_splitter
from aitia.errors import UsageError


def split(spec, text, sections=()):
    return open_splitter(spec)(Document("d.txt", "d", text, tuple(sections)))


def texts(spec, text, sections=()):
    return [chunk.text for chunk in split(spec, text, sections)]


def test_a_passage_takes_whole_sentences_up_to_its_size():
    text = "One two three. Four five. Six seven eight nine. Ten."
    assert texts("passage:5", text) == ["One two three. Four five.", "Six seven eight nine. Ten."]
    assert texts("passage:4", text) == ["One two three.", "Four five.", "Six seven eight nine.", "Ten."]
    assert texts("passage", text) == [text]


def test_a_sentence_over_the_size_is_cut_at_words_and_its_rest_goes_on():
    assert texts("passage:3", "a b c d e f g. H.") == ["a b c", "d e f", "g. H."]


def test_a_passage_stays_under_one_heading_and_may_cross_pages():
    text = "Alpha one.\nBeta two.\nGamma three."
    sections = [Section(0, ("A",), 1), Section(11, ("A",), 2), Section(21, ("A", "B"), 2)]
    chunks = split("passage", text, sections)
    assert [chunk.text for chunk in chunks] == ["Alpha one.\nBeta two.", "Gamma three."]
    assert [(chunk.heading_path, chunk.page) for chunk in chunks] == [(("A",), 1), (("A", "B"), 2)]
    assert chunks[1].citation == 'd.txt p. 2, "B"'


def test_text_before_the_first_heading_is_a_passage_of_its_own():
    assert texts("passage", "Intro.\n# A\nText.", [Section(7, ("A",))]) == ["Intro.", "# A\nText."]


def test_word_windows_share_their_overlap():
    assert texts("words:4/1", "a b c d e f g h") == ["a b c d", "d e f g", "g h"]
    assert texts("words:4/0", "a b c d e f g h") == ["a b c d", "e f g h"]
    assert texts("words:9/8", "a b") == ["a b"]


def test_token_windows_share_their_overlap():
    assert texts("tokens:3/1", "one two three four five") == ["one two three", "three four five"]
    chunks = split("tokens:4/2", "a melanoma, a mole")
    assert all(chunk.text == "a melanoma, a mole"[chunk.start : chunk.end] for chunk in chunks)


@pytest.mark.parametrize("spec", ["passage", "words:1200/200", "tokens:1200/100", "tokens:512/64"])
@pytest.mark.parametrize("text", ["", " \n\t", "\u2003"])
def test_nothing_makes_no_chunk(spec, text):
    assert split(spec, text) == []


@pytest.mark.parametrize("spec", ["passage", "words:1200/200", "tokens:512/64"])
@pytest.mark.parametrize("unit", ["a", "癌", "e\u0301", "\u0301", "😀", "a" * 99 + " "])
def test_a_long_line_makes_bounded_chunks(spec, unit):
    text = unit * (100_000 // len(unit))
    chunks = split(spec, text)
    assert len(chunks) > 5
    assert max(len(chunk.text) for chunk in chunks) <= 1200 * 16
    assert chunks[0].start == 0
    assert chunks[-1].end == len(text.rstrip())


def test_a_gap_of_white_space_is_not_carried_along():
    chunks = split("passage", "One." + " " * 100_000 + "Two.")
    assert [chunk.text for chunk in chunks] == ["One.", "Two."]


def test_no_combined_character_is_cut():
    family = "👨\u200d👩\u200d👧"
    for chunk in split("passage:1", family * 100):
        assert chunk.text.replace(family, "") == ""


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "words",
        "passage:0",
        "words:10/10",
        "tokens:5/9",
        "tokens:0/0",
        "words:-1/0",
        "lines:3",
        "passage:x",
    ],
)
def test_an_unknown_spec_names_the_valid_ones_in_one_line(spec):
    with pytest.raises(UsageError, match=r"expected passage, passage:N .* words:N/M or tokens:N/M") as error:
        open_splitter(spec)
    assert "\n" not in str(error.value)
    assert repr(spec) in str(error.value)


def test_chunks_do_not_depend_on_the_path():
    one = open_splitter("passage")(Document("a.txt", "a", "Same text."))
    two = open_splitter("passage")(Document("b.txt", "b", "Same text."))
    assert [chunk.id for chunk in one] == [chunk.id for chunk in two]

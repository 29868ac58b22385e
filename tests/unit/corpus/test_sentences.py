import pytest

from aitia.corpus.sentences import sentence_spans


def sentences(text):
    return [text[start:end] for start, end in sentence_spans(text)]


def test_abbreviations_decimals_and_citations_do_not_end_a_sentence():
    text = "Dr. Smith et al. (2020) gave 3.5 mg.  It helped, see Fig. 3. Next?\nYes!"
    expected = ["Dr. Smith et al. (2020) gave 3.5 mg.", "It helped, see Fig. 3.", "Next?", "Yes!"]
    assert sentences(text) == expected


def test_a_wrapped_line_does_not_end_a_sentence_but_a_blank_one_does():
    assert sentences("A tumour\ngrows fast\n\nslowly too") == ["A tumour\ngrows fast", "slowly too"]


def test_list_items_headings_and_speakers_begin_a_sentence():
    text = "# Title\nText one\n- item a\n* item b\n2. two\nLi Hua: hello\nso: no"
    expected = ["# Title", "Text one", "- item a", "* item b", "2. two", "Li Hua: hello\nso: no"]
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天很好。“走吧！”他说。", ["今天很好。", "“走吧！”", "他说。"]),
        ("هل هذا سؤال؟ نعم", ["هل هذا سؤال؟", "نعم"]),
        ("یہ جملہ ہے۔ دوسرا", ["یہ جملہ ہے۔", "دوسرا"]),
        ("यह वाक्य है। दूसरा॥", ["यह वाक्य है।", "दूसरा॥"]),
    ],
)
def test_full_stops_of_other_scripts(text, expected):
    assert sentences(text) == expected


def test_an_emoji_belongs_to_the_sentence_that_it_follows():
    text = "I am here! 🎉 Lunch? 👨\u200d👩\u200d👧\nBo: Yes!\n🎶 Song"
    assert sentences(text) == ["I am here! 🎉", "Lunch? 👨\u200d👩\u200d👧", "Bo: Yes!", "🎶 Song"]


def test_control_characters_are_kept_in_place():
    assert sentences("One\0 two.\x01 Three.\x1c") == ["One\0 two.\x01 Three."]
    assert sentences("") == sentences(" \n\n\x1c") == []


def test_a_sentence_longer_than_a_block_is_cut_between_words():
    text = "word " * 5000
    pieces = sentences(text)
    assert len(pieces) == 3
    assert all(set(piece.split()) == {"word"} for piece in pieces)


@pytest.mark.parametrize("line", ["a", ".", "a.", "今", "\u0301", " ", "Yes. "])
def test_a_long_line_is_read_whole(line):
    text = line * (100_000 // len(line))
    spans = sentence_spans(text)
    assert sum(end - start for start, end in spans) >= len(text.replace(" ", ""))

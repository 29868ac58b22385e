import pytest

from aitia.corpus.readers.content import Unreadable
from aitia.corpus.readers.html import read_html


def text(markup):
    (piece,) = read_html(markup.encode()).pieces
    return piece.text


def test_scripts_styles_navigation_and_comments_are_left_out_but_not_what_follows():
    page = "<head><title>T</title></head><style>x{}</style><nav>skip</nav>kept<!-- c --> too<script>1<2</script>!"
    assert text(page) == "kept too!"


def test_inline_elements_do_not_break_a_sentence_and_blocks_do():
    assert text("<p>Hello <b>wor</b>ld !\n<i>How</i> are <a href=x>you</a>?</p><p>Fine.") == (
        "Hello world ! How are you?\n\nFine."
    )


def test_lists_tables_and_preformatted_text_keep_their_lines():
    page = (
        "<ul><li>one<li>two</ul><table><tr><th>Drug<th>Dose<tr><td>A<td>3 mg</table><pre>a\n  b</pre>x<br>y"
    )
    assert text(page) == "one\ntwo\n\nDrug\tDose\nA\t3 mg\n\na\n  b\n\nx\ny"


def test_headings_give_paths_at_their_place():
    page = "<p>intro<h1>Basal <b>cell</b>\n cancer</h1>text<h2>Stag<i>ing</i></h2>x<h3> </h3><h1>Next</h1>"
    (piece,) = read_html(page.encode()).pieces
    found = [
        (section.heading_path, piece.text[section.start : section.start + 7]) for section in piece.sections
    ]
    assert found == [
        (("Basal cell cancer",), "Basal c"),
        (("Basal cell cancer", "Staging"), "Staging"),
        (("Next",), "Next"),
    ]


def test_the_declared_encoding_is_used():
    page = '<meta charset="iso-8859-2"><p>Zażółć gęślą jaźń'
    assert read_html(page.encode("iso-8859-2")).pieces[0].text == "Zażółć gęślą jaźń"
    assert read_html(b'<?xml version="1.0" encoding="utf-8"?><p>\xc3\xa9').pieces[0].text == "é"


def test_broken_markup_and_odd_characters_are_read():
    assert text("<p>a < b & c</b></div><p>d &amp; &nbsp;e") == "a < b & c\n\nd & \xa0e"
    assert text("no markup at all") == "no markup at all"
    assert text("<p>a\0b &#0; 🎉") != ""


def test_what_cannot_be_read_whole_is_refused():
    with pytest.raises(Unreadable, match="nested too deeply"):
        text("<div>" * 5000 + "deep" + "</div>" * 5000)


@pytest.mark.parametrize("markup", ["<!DOCTYPE html>", "<html></html>", "<!--", "</p>", "<script>x</script>"])
def test_a_page_without_text_is_empty(markup):
    assert text(markup) == ""

import logging
from io import BytesIO

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from aitia.corpus.readers.content import Unreadable
from aitia.corpus.readers.pdf import read_pdf


def pdf(*pages, encrypt=None):
    target = BytesIO()
    canvas = Canvas(target, encrypt=encrypt, invariant=1)
    for page in pages:
        for number, line in enumerate(page):
            canvas.drawString(72, 750 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def test_pages_are_counted_from_one_and_empty_ones_left_out():
    (piece,) = read_pdf(pdf(["First page."], [], ["Third page,"], ["goes on."])).pieces
    assert piece.text == "First page.\n\nThird page,\ngoes on."
    assert [(section.page, section.start) for section in piece.sections] == [(1, 0), (3, 13), (4, 25)]


def test_words_divided_by_a_line_end_are_joined_as_the_rest_of_the_text_has_them():
    pages = [
        [
            "The treat-",
            "ment of a well-",
            "known, well-known and X-",
            "ray co-",
            "operation; cooperation. IL-",
            "2",
        ]
    ]
    (piece,) = read_pdf(pdf(*pages)).pieces
    assert (
        piece.text == "The treatment of a well-known, well-known and X-ray cooperation; cooperation. IL-\n2"
    )


def test_an_encrypted_pdf_is_refused_unless_its_password_is_empty():
    with pytest.raises(Unreadable, match="encrypted"):
        read_pdf(pdf(["Secret."], encrypt=StandardEncryption("user", "owner", strength=128)))
    open_to_all = pdf(["Public."], encrypt=StandardEncryption("", "owner", strength=128))
    assert read_pdf(open_to_all).pieces[0].text == "Public."


def test_a_pdf_without_text_says_that_it_may_be_scanned():
    with pytest.raises(Unreadable, match="no text on any page; scanned"):
        read_pdf(pdf([], []))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_pdf_is_refused_or_read_in_silence(share, capfd, caplog):
    data = pdf(*[[f"Page {number}."] for number in range(20)])
    try:
        (piece,) = read_pdf(data[: int(len(data) * share)]).pieces
        assert "Page" in piece.text
    except Unreadable as error:
        assert "\n" not in str(error)
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


@pytest.mark.parametrize("data", [b"%PDF-1.4\n", b"not a pdf", b"%PDF-1.7\n%%EOF"])
def test_rubbish_is_refused(data, capfd):
    with pytest.raises(Unreadable, match=r"^damaged PDF \(\w+\)$"):
        read_pdf(data)
    assert capfd.readouterr().err == ""


def test_the_logger_is_left_as_it_was():
    logger = logging.getLogger("pypdf")
    before = logger.propagate, list(logger.handlers)
    read_pdf(pdf(["x"]))
    assert (logger.propagate, list(logger.handlers)) == before

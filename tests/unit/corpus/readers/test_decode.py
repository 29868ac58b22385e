import codecs

import pytest

from aitia.corpus.readers.content import Unreadable
from aitia.corpus.readers.decode import decode

GERMAN = "Die Ärzte prüften die Größe des Tumors, außer für Männer.\n"
RUSSIAN = "Привет, мир! Это простой текст на русском языке, чтобы проверить кодировку.\n"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides(mark, encoding):
    assert decode(mark + GERMAN.encode(encoding)) == (GERMAN, None)
    assert decode(mark) == ("", None)


def test_utf_8_needs_no_note():
    assert decode((GERMAN + RUSSIAN + "癌 🎉").encode()) == (GERMAN + RUSSIAN + "癌 🎉", None)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["hi", GERMAN, RUSSIAN])
def test_utf_16_without_a_mark_is_detected_and_reported(encoding, text):
    assert decode(text.encode(encoding)) == (text, f"not UTF-8: read as {encoding} (detected)")


@pytest.mark.parametrize(
    ("text", "written", "reported"),
    [
        (GERMAN, "latin-1", "cp1252"),
        ("café", "latin-1", "cp1252"),
        ("Le café était très chaud. L’élève a mangé une crêpe à Noël, où ça coûte cher.", "cp1252", "cp1252"),
        ("A situação não é fácil, porém há soluções. Às vezes, é só ação.", "cp1252", "cp1252"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. Město leží na řece.", "cp1250", "cp1250"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("これは日本語のテキストです。文字コードを確認します。", "shift_jis", "cp932"),
        ("这是一个简单的中文文本，用于测试编码检测。", "gb18030", "gb18030"),
    ],
)
def test_other_encodings_are_detected_and_reported(text, written, reported):
    assert decode(text.encode(written)) == (text, f"not UTF-8: read as {reported} (detected)")


def test_a_declared_encoding_comes_before_detection_and_after_utf_8():
    polish = "Zażółć gęślą jaźń"
    assert decode(polish.encode("iso-8859-2"), "iso-8859-2") == (polish, None)
    assert decode(polish.encode(), "iso-8859-2") == (polish, None)
    assert decode(GERMAN.encode("latin-1"), "no-such-code") == (
        GERMAN,
        "not UTF-8: read as cp1252 (detected)",
    )


def test_lines_end_in_one_way_and_nul_and_stray_marks_go():
    assert decode(b"a\r\nb\rc\n\0d")[0] == "a\nb\nc\nd"
    assert decode("\ufeff\ufeffa".encode())[0] == "a"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        b"%PDF-1.4 text",
        bytes(1000),
        bytes(range(256)) * 4,
        b"text" + b"\x01\x02" * 50,
    ],
)
def test_binary_is_refused(data):
    with pytest.raises(Unreadable, match="binary"):
        decode(data)

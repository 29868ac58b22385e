from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.errors import UsageError
from aitia.workflows.sheet_file import BOM, read_sheet, write_sheet

COLUMNS = ("key", "to")
HOSTILE = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "'=1", "''+1", '"', 'a "b", c', "a\nb", "a\r\nb", "a;b\tc",
    "\u200f\u202eabc\u202c", "👩‍🔬 e\u0301", "<script>alert(1)</script>", "x" * 10_000, " x ",
    "Level(mite) -> Mortality(bee)",
]  # fmt: skip


def read(text: str, encoding: str = "utf-8"):
    return [cells for _, cells in read_sheet(text.encode(encoding), "q.csv", COLUMNS)]


def refused(data: bytes) -> str:
    with pytest.raises(UsageError) as error:
        read_sheet(data, "q.csv", COLUMNS)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("separator", ["comma", "semicolon", "tab"])
def test_hostile_cells_come_back_equal_and_none_is_a_formula(separator):
    rows = [{"key": cell, "to": f"{cell}!"} for cell in HOSTILE]
    text = write_sheet(COLUMNS, rows, separator)
    assert read(text) == rows
    sign = {"comma": ",", "semicolon": ";", "tab": "\t"}[separator]
    cells = [cell for row in csv.reader(io.StringIO(text[1:], newline=""), delimiter=sign) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
            st.text("'=+-@\t\r\n\";,"),
        ),
        max_size=4,
    )
)
def test_any_text_comes_back_equal(pairs):
    rows = [{"key": f"k{key}", "to": to} for key, to in pairs]
    assert read(write_sheet(COLUMNS, rows)) == rows


def test_as_excel_and_libreoffice_save_it():
    rows = [{"key": 'Straße; "x"', "to": "a\nb"}, {"key": "'quoted'", "to": ""}]
    made = write_sheet(COLUMNS, rows)
    assert made.startswith(BOM)
    for text in (
        made,
        made.removeprefix(BOM),  # LibreOffice leaves the mark out
        BOM
        + 'key;to\r\n"Straße; ""x""";"a\nb"\r\n\'quoted\';\r\n',  # Excel where a comma is the decimal sign
        BOM + 'sep=;\r\nKEY ; To\r\n"Straße; ""x""";"a\nb"\r\n\'quoted\'\r\n',
        'other,to,key\n1,"a\nb","Straße; ""x"""\n,,\n2,,\'quoted\'\n',  # columns moved, a blank row
        '"key","to"\n"Straße; ""x""","a\nb"\n"\'quoted\'",""\n',  # LibreOffice with every text in quotes
    ):
        assert read(text) == rows
    assert read('key\tto\r\n"Straße; ""x"""\t"a\nb"\r\n\'quoted\'\t\r\n', "utf-16") == rows  # "Unicode text"


def test_rows_have_the_numbers_that_a_spreadsheet_shows():
    data = b'key,to\n"a\nb",1\n\n,\nc,2\n'
    assert [number for number, _ in read_sheet(data, "q.csv", COLUMNS)] == [2, 5]


def test_what_is_no_sheet_is_refused_in_a_line():
    assert refused(b"") == "q.csv row 1: found nothing; expected columns key, to"
    assert refused(b"a,b\n") == "q.csv row 1: found a, b; expected columns key, to"
    assert refused(b"key,to,KEY\n") == "q.csv row 1: found a column twice; expected each once"
    assert refused(b"key,to\na,b,c\n") == "q.csv row 2: found 3 cells; expected 2"
    assert refused("key,to\nä,b\n".encode("cp1252")).startswith(
        "q.csv row 2: found bytes that are not UTF-8;"
    )
    assert refused(b"PK\x03\x04\0\0").startswith("q.csv row 1: found a zero byte; expected a CSV file")
    assert refused(b'key,to\na,b\nc,"d"e\n').startswith("q.csv row 3: found ")
    assert (
        refused(b"key,to\na,#NAME?\n")
        == "q.csv row 2: to: found #NAME?, a formula that failed; expected text"
    )

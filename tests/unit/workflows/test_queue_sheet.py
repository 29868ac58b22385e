from __future__ import annotations

import csv
import io

from aitia.workflows.queue import PlacedQuote, QueueItem
from aitia.workflows.queue_sheet import COLUMNS, READ, export_queue, place_of, sheet_row
from aitia.workflows.sheet_file import read_sheet

QUOTE = PlacedQuote('=HYPERLINK("x")\nsaid', "c1", "a.pdf", 0, 5, 12)


def test_a_row_has_what_a_person_needs():
    item = QueueItem(
        "edge", "edge", "=A(b) -> C(d)", ("low confidence", "no evidence"), 0.5, "-kills", {}, (QUOTE, QUOTE)
    )
    row = sheet_row(item)
    assert tuple(row) == COLUMNS
    quote = f"{QUOTE.text} [a.pdf p. 12]"
    assert list(row.values()) == [
        "=A(b) -> C(d)", "edge", "low confidence; no evidence", 0.5, "-kills", f"{quote}\n{quote}", "", "", "", "",
    ]  # fmt: skip
    assert place_of(QUOTE) == "a.pdf p. 12"
    text = export_queue([item])
    cells = list(csv.reader(io.StringIO(text, newline="")))[1]
    assert cells[0].startswith("'=") and cells[4] == "'-kills" and cells[5].startswith("'=HYPERLINK")
    ((number, read),) = read_sheet(text.encode(), "q.csv", READ)
    assert number == 2
    assert read == {name: str(row[name]) for name in READ}


def test_a_cell_never_passes_what_excel_holds():
    long = PlacedQuote("x" * 40_000, "c", "d", 0, 1)
    assert (
        len(str(sheet_row(QueueItem("edge", "edge", "a -> b", (), 0.1, quotes=(long,)))["quotes"])) == 32_004
    )

"""Spreadsheets as comma-separated text, as Aitia, Excel and LibreOffice write it. Knows nothing of decisions."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from aitia.errors import UsageError
from aitia.workflows.export_formats import original, write_table

BOM = "\ufeff"
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
LONGEST_CELL = 32_000
"""Characters; Excel cuts a cell at 32,767."""
_FAULTS = ("#NAME?", "#REF!", "#VALUE!", "#N/A", "#DIV/0!", "#NULL!", "#NUM!")
"""What a spreadsheet leaves where it took text for a formula."""


def write_sheet(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], separator: str = "comma"
) -> str:
    """The rows with a byte order mark, by which Excel knows UTF-8. No cell is a formula."""
    cells = ([row[name] for name in columns] for row in rows)
    return BOM + write_table(columns, cells, SEPARATORS[separator])


def read_sheet(
    data: bytes, name: str, columns: Sequence[str], least: str = ""
) -> list[tuple[int, dict[str, str]]]:
    """The rows that are not blank by column, each with its number as a spreadsheet shows it, the heads being 1.

    Cells are what they were before `write_sheet`. Columns that are not asked for are left out. A row may be short
    by empty cells, as Excel saves it, but must reach the column ``least``.

    Raises:
        UsageError: not such a file; one line that names the row, what was found and what was expected.

    """
    text = _decode(data, name)
    heads = text.split("\n", 1)[0].strip().lower()
    skipped = heads.startswith("sep=")  # which Excel itself reads and writes
    body = text.split("\n", 1)[1] if skipped and "\n" in text else text
    rows = _parse(body, name, columns)
    head = [cell.strip().casefold() for cell in rows[0]] if rows else []
    missing = [column for column in columns if column not in head]
    if missing:
        found = ", ".join(head)[:80] or "nothing"
        raise UsageError(f"{name} row 1: found {found}; expected columns {', '.join(columns)}")
    if len(set(head) - {""}) < len([cell for cell in head if cell]):
        raise UsageError(f"{name} row 1: found a column twice; expected each once")
    cells = list(_named(rows[1:], head, name, columns, 2 + skipped))
    shortest = head.index(least) + 1 if least else 0
    for number, _ in cells:
        width = len(rows[number - 1 - skipped])
        if width < shortest:
            raise UsageError(f"{name} row {number}: found {width} cells; expected {len(head)}")
    return cells


def _named(
    rows: Iterable[list[str]], head: Sequence[str], name: str, columns: Sequence[str], first: int
) -> Iterable[tuple[int, dict[str, str]]]:
    for number, row in enumerate(rows, first):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(head) and any(cell.strip() for cell in row[len(head) :]):
            raise UsageError(f"{name} row {number}: found {len(row)} cells; expected {len(head)}")
        cells = dict(zip(head, [*row, *[""] * len(head)], strict=False))
        yield number, {column: _restored(cells[column], f"{name} row {number}", column) for column in columns}


def _restored(cell: str, place: str, column: str) -> str:
    if cell in _FAULTS:
        raise UsageError(f"{place}: {column}: found {cell}, a formula that failed; expected text")
    return original(cell)


def _decode(data: bytes, name: str) -> str:
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        raise UsageError(
            f"{name} row {row}: found bytes that are not UTF-8; expected the file saved as 'CSV UTF-8'"
        ) from None
    if "\0" in text:
        raise UsageError(f"{name} row {text[: text.index(chr(0))].count(chr(10)) + 1}: found a zero byte; "
                         "expected a CSV file, not a workbook")  # fmt: skip
    return text


def _parse(text: str, name: str, columns: Sequence[str]) -> list[list[str]]:
    """The rows, by the separator that gives the columns; by a comma where none does."""
    for separator in SEPARATORS.values():
        heads = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        if {cell.strip().casefold() for cell in heads} >= set(columns):
            break
    else:
        separator = ","
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            rows.append(row)
    except csv.Error as error:
        raise UsageError(
            f"{name} row {len(rows) + 1}: found {error}; expected cells in quotes or without"
        ) from None
    return rows

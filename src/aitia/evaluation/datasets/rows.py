"""Question files as rows of named fields, whatever their format: JSON, JSON Lines or CSV.

A fault is one line: the file, the record, what was found and what was expected.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from aitia.corpus.readers.content import clean_text
from aitia.errors import CorpusError

SEPARATOR = "<and>"
"""Between the values of one string, as LiHua-World has it; a CSV cell can hold no list."""

_MISSING = ("nan", "none", "null", "n/a")
_SHOWN = 8
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A record and where it stands; ``key`` is its own, or its position from 0 where it has none."""

    place: str
    key: str
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A field that must be there and not be blank."""
        if name not in self.fields:
            self.fail(f'expected "{name}" as text, found the fields {named(list(self.fields))}')
        value = self.fields[name]
        if not isinstance(value, str) or not value.strip():
            self.fail(f'expected "{name}" as text, found {_described(value)}')
        return clean_text(value)

    def id(self, name: str = "id") -> str:
        """A text that is no written-out missing value, as tables exported with gaps have them."""
        value = self.text(name).strip()
        if value.lower() in _MISSING:
            self.fail(f'expected "{name}" to tell the question apart, found the missing value {value!r}')
        return value

    def optional(self, name: str, default: str = "") -> str:
        """A field that may be absent, null or blank."""
        value = self.fields.get(name)
        if value is None or value == "":
            return default
        return self.text(name)

    def texts(self, name: str, separator: str = SEPARATOR) -> tuple[str, ...]:
        """A list of texts, or a text cut at a separator; none where the field is absent, null or blank."""
        value = self.fields.get(name)
        if value is None:
            return ()
        if isinstance(value, str):
            value = value.split(separator)
        elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fail(f'expected "{name}" as a list of texts, found {_described(value)}')
        return tuple(clean_text(item).strip() for item in value if item.strip())

    def fail(self, reason: str) -> NoReturn:
        """Raise CorpusError for this record."""
        raise CorpusError(f"{self.place}: {reason}")


def read_rows(path: Path, *, keyed: bool = False) -> list[Row]:
    """The rows of a ``.csv``, ``.jsonl`` or JSON file; with ``keyed`` an object of records will do, too.

    Raises CorpusError for a file that cannot be read, is not what its suffix says, or holds no row.
    """
    content = read_text(path)
    if path.suffix.lower() == ".csv":
        rows = list(_csv_rows(path, content))
    elif path.suffix.lower() == ".jsonl":
        lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
        places = [f"{path}: line {number}" for number, _ in lines]
        rows = [
            _row(place, str(position), parse_json(place, line))
            for position, (place, (_, line)) in enumerate(zip(places, lines, strict=True))
        ]
    else:
        rows = _json_rows(path, content, keyed)
    if not rows:
        raise CorpusError(f"{path}: holds no record; expected at least one")
    return rows


def read_text(path: Path) -> str:
    r"""The text of a file in UTF-8, or UTF-16 with its mark, with ``\n`` as line ends.

    Raises CorpusError, in one line, where it cannot be read.
    """
    try:
        content = path.read_bytes()
        encoding = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "utf-8")
        return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise CorpusError(f"{path}: cannot be read ({reason}); expected a text file in UTF-8") from error


def parse_json(place: Path | str, content: str) -> Any:
    """The value of a JSON text. Raises CorpusError with its place."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        reason = type(error).__name__ if isinstance(error, RecursionError) else error
        raise CorpusError(f"{place}: not JSON ({reason})") from error


def _json_rows(path: Path, content: str, keyed: bool) -> list[Row]:
    records = parse_json(path, content)
    if keyed and isinstance(records, dict):
        return [_row(f"{path}: question {key!r}", key, record) for key, record in records.items()]
    if not isinstance(records, list):
        raise CorpusError(f"{path}: expected a list of questions, found one {type(records).__name__}")
    return [
        _row(f"{path}: question {position + 1}", str(position), record)
        for position, record in enumerate(records)
    ]


def _row(place: str, key: str, record: Any) -> Row:
    if not isinstance(record, dict):
        raise CorpusError(f"{place}: expected a record with named fields, found {_described(record)}")
    return Row(place, key, record)


def _csv_rows(path: Path, content: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    header: list[str] = []
    position = line = 0
    try:
        for cells in reader:
            place, line = f"{path}: line {line + 1}", reader.line_num
            if not cells:
                continue
            if not header:
                header = _header(place, cells)
                continue
            if len(cells) != len(header):
                raise CorpusError(f"{place}: found {len(cells)} cells, expected {len(header)}, as the header")
            yield Row(place, str(position), dict(zip(header, cells, strict=True)))
            position += 1
    except csv.Error as error:
        raise CorpusError(
            f"{path}: line {line + 1}: not CSV ({error}); expected commas, and double quotes closed"
        ) from error


def _header(place: str, cells: list[str]) -> list[str]:
    header = [cell.strip() for cell in cells]
    if len(set(header)) < len(header):
        raise CorpusError(f"{place}: a column is named twice; found {named(header)}")
    return header


def named(names: list[str]) -> str:
    """Names for a message: the first eight, on one line."""
    listed = ", ".join(" ".join(name.split()) for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{listed}{more}" or "none"


def _described(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, float) and value != value:
        return "NaN"
    if isinstance(value, str):
        return "a text" if value.strip() else "an empty text"
    if isinstance(value, list):
        return "a list of other things"
    return f"one {type(value).__name__}"

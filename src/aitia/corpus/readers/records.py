"""JSON and JSON Lines: one document a record, from its field ``text`` or ``context``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from aitia.corpus.document import Section
from aitia.corpus.readers.content import Content, Piece, Unreadable, clean_text
from aitia.corpus.readers.decode import decode

_TEXT_FIELDS = ("text", "context")
_NAME_FIELDS = ("id", "title", "corpus_name")


def read_json(data: bytes) -> Content:
    """The records of a JSON array, a single record, or (though the suffix says otherwise) JSON Lines.

    Raises `Unreadable` if it is not JSON, with the line. Records are numbered from 1.
    """
    text, note = decode(data)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and error.lineno > 1:
            return _read_lines(text, note)
        raise Unreadable(f"line {error.lineno}: not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON ({type(error).__name__})") from error
    records = value if isinstance(value, list) else [value]
    return _content(((number, "record", record) for number, record in enumerate(records, start=1)), note)


def read_jsonl(data: bytes) -> Content:
    """The records of a JSON Lines file, numbered by line. A bad line is a fault and costs only itself."""
    return _read_lines(*decode(data))


def _read_lines(text: str, note: str | None) -> Content:
    records = (
        (number, "line", _parse(line))
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    )
    return _content(records, note)


def _parse(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        return Unreadable(f"not JSON ({error.msg})")
    except (ValueError, RecursionError) as error:
        return Unreadable(f"not JSON ({type(error).__name__})")


def _content(records: Iterable[tuple[int, str, Any]], note: str | None) -> Content:
    pieces: list[Piece] = []
    faults: list[str] = []
    taken: set[str] = set()
    for number, unit, record in records:
        try:
            piece = _piece(record, number)
        except Unreadable as fault:
            faults.append(f"{unit} {number}: {fault}")
            continue
        if piece.record in taken:
            piece = Piece(piece.text, piece.sections, f"{piece.record}@{number}", piece.name)
        taken.add(piece.record or "")
        pieces.append(piece)
    if not pieces and faults:
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        raise Unreadable(f"no record to read: {faults[0]}{more}")
    return Content(tuple(pieces), tuple(faults), (note,) if note else ())


def _piece(record: Any, number: int) -> Piece:
    if isinstance(record, Unreadable):
        raise record
    if not isinstance(record, dict):
        raise Unreadable(
            f"found a {type(record).__name__}, expected an object with the field text or context"
        )
    field = next((field for field in _TEXT_FIELDS if field in record), None)
    if field is None:
        raise Unreadable("no field text or context")
    if not isinstance(record[field], str):
        raise Unreadable(f"the field {field} is not a string")
    text = clean_text(record[field])
    if not text.strip():
        raise Unreadable(f"the field {field} is empty")
    names = [_label(record.get(name)) for name in _NAME_FIELDS]
    sections = (Section(0, (names[1],)),) if names[1] else ()
    return Piece(text, sections, names[0] or str(number), next(filter(None, names), None))


def _label(value: Any) -> str:
    """A record's own word for itself, on one line."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(clean_text(str(value)).split())

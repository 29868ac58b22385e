"""Results on standard output: text and tables for a person, tab-separated rows for a pipe, JSON for a program."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aitia.cli.text import excerpt, safe_block, safe_json, safe_line
from aitia.errors import AitiaError

CELL = 160
"""Characters of a table's cell on a terminal; a pipe gets all of them."""


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout.isatty()


def write(text: str = "") -> None:
    """A line or a block of text."""
    sys.stdout.write(f"{safe_block(text)}\n")


def write_block(text: str) -> None:
    """A text that ends its own last line."""
    sys.stdout.write(safe_block(text))


def write_verbatim(text: str) -> None:
    """A file's content: UTF-8 to the byte for a pipe, safe for a terminal."""
    if on_terminal():
        write_block(text)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))


def write_styled(text: str, style: str = "", indent: int = 0) -> None:
    """A paragraph: wrapped and styled on a terminal, as it is otherwise."""
    if not on_terminal():
        write(textwrap.indent(text, " " * indent))
        return
    from rich.text import Text

    console = _console()
    styled = Text(safe_block(text), style=style)
    styled.highlight_regex(r"\[\d+\]", "bold cyan")
    for line in styled.wrap(console, max(console.width - indent, 20)):
        line.rstrip()
        console.print(Text(" " * indent) + line)


def write_json(value: Any) -> None:
    """One JSON document."""
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    sys.stdout.write(safe_json(json.dumps(value, ensure_ascii=ascii_only, indent=2)) + "\n")


def write_table(rows: Sequence[Mapping[str, Any]], title: str = "") -> None:
    """Rows of equal keys as a table."""
    if title:
        write_styled(title, "bold")
    if not rows:
        return
    columns = list(rows[0])
    if not on_terminal():
        for line in (columns, *(row.values() for row in rows)):
            write("\t".join(safe_line(_cell(value)) for value in line))
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        number = isinstance(rows[0][column], int | float)
        table.add_column(column.replace("_", " "), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(excerpt(_cell(value), CELL)) for value in row.values()))
    _console().print(table)


def write_pairs(values: Mapping[str, Any]) -> None:
    """Named values, one a line; those inside a value are named with it, as ``evidence.quote``."""
    rows = list(_flat(values))
    width = max((len(name) for name, _ in rows), default=0) if on_terminal() else 0
    for name, value in rows:
        text = f"{value:,}" if type(value) is int and on_terminal() else safe_line(str(value))
        write(f"{name.ljust(width)}  {text}" if width else f"{name}\t{text}")


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield f"{prefix}{name}", len(value)
            for item in value:
                yield "", ": ".join(map(str, item.values())) if isinstance(item, Mapping) else item
        else:
            yield f"{prefix}{name}", value


def note(text: str, quiet: bool = False) -> None:
    """Something a person should know, beside the results: a line on standard error."""
    if not quiet:
        sys.stderr.write(f"{safe_line(text)}\n")


def write_file(path: Path, content: str | bytes) -> int:
    """Write a file whole or not at all; its size in bytes.

    Raises:
        AitiaError: the place cannot be written; what stood there stands.

    """
    part = path.parent / f".{path.name}.{os.getpid()}.part"
    try:
        data = content.encode("utf-8") if isinstance(content, str) else content
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        raise AitiaError(f"{path} cannot be written ({reason}); choose another --out") from None
    return len(data)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def _console() -> Any:
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)

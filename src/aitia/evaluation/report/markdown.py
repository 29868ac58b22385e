"""A report in Markdown. Foreign text is escaped: no reader makes markup, a link or HTML of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.tables import Cell, Table, said_once

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$&!]|:(?=//)|(?<=www)\.|@(?=[\w.-]*\.)")


def write_markdown(
    title: str, tables: Sequence[Table], figures: Sequence[Figure], details: Sequence[Table] = ()
) -> str:
    """The report; figures are links to ``figures/``, ``details`` tables that stand behind them."""
    parts = [f"# {escape(title)}", *map(_table, said_once(tables))]
    parts += [
        f"![{escape(each.title)}](figures/{each.slug}.svg)\n\n{escape(each.caption)}" for each in figures
    ]
    parts += map(_table, said_once(details))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text as Markdown that shows it."""
    return _MARKUP.sub(lambda found: f"\\{found[0]}", text)


def _table(table: Table) -> str:
    heads = [escape(f"{head.text} ({head.note})" if head.note else head.text) for head in table.head]
    lines = [heads, ["--:" if head.number else "---" for head in table.head]]
    lines += [[_cell(cell) for cell in row] for row in table.rows]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"## {escape(table.title)}\n\n{body}" + (f"\n\n{escape(table.note)}" if table.note else "")


def _cell(cell: Cell) -> str:
    if not cell.note:
        return escape(cell.text)
    return escape(f"{cell.text} {cell.note}" if cell.note.startswith("[") else f"{cell.text} ({cell.note})")

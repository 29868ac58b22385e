"""A report as one web page that asks no host for anything.

All it needs stands in it, and its Content-Security-Policy allows nothing else: the style and the script by
their hashes, pictures that are part of the page. Foreign text is text: it is escaped, and isolated in
``<bdi>`` so that its direction ends with it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.tables import Cell, Head, Table, said_once

_LONG = 24
"""Characters of a name that stays on one line."""


def write_page(
    title: str, tables: Sequence[Table], figures: Sequence[Figure], details: Sequence[Table] = ()
) -> str:
    """The page as HTML; ``details`` are tables that stand behind the figures."""
    style, script, page = (_resource(f"page.{ending}") for ending in ("css", "js", "html"))
    links = [(table.slug, table.title) for table in tables]
    links += [("figures", "Figures")] if figures else []
    links += [(table.slug, table.title) for table in details]
    contents = "".join(f'<li><a href="#{slug}">{escape(text)}</a></li>' for slug, text in links)
    return Template(page).substitute(
        title=escape(title),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        contents=f"<ul>{contents}</ul>",
        figures=_figures(figures) if figures else "",
        tables="\n".join(map(_table, said_once(tables))),
        details="\n".join(map(_table, said_once(details))),
    )


def _resource(name: str) -> str:
    return (files("aitia.evaluation.report") / name).read_text("utf-8")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _figures(figures: Sequence[Figure]) -> str:
    drawn = "\n".join(map(_figure, figures))
    return (
        '<section aria-labelledby="figures">\n<h2 id="figures">Figures</h2>\n'
        f'<div class="figures">\n{drawn}\n</div>\n</section>'
    )


def _figure(figure: Figure) -> str:
    data = base64.b64encode(figure.images["svg"]).decode()
    return (
        f'<figure id="figure-{figure.slug}"><img alt="{escape(figure.title)}" '
        f'src="data:image/svg+xml;base64,{data}">'
        f"<figcaption><b>{escape(figure.title)}.</b> {escape(figure.caption)}</figcaption></figure>"
    )


def _table(table: Table) -> str:
    head = "".join(map(_head, table.head))
    rows = "\n".join(
        "<tr>"
        + "".join(
            _cell(cell, column, place == 0)
            for place, (cell, column) in enumerate(zip(row, table.head, strict=True))
        )
        + "</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>\n' if table.note else ""
    return (
        f'<section aria-labelledby="{table.slug}">\n<h2 id="{table.slug}">{escape(table.title)}</h2>\n'
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{table.slug}"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>\n{note}</section>"
    )


def _head(head: Head) -> str:
    kind = ' class="number"' if head.number else ""
    note = f"<small>{escape(head.note)}</small>" if head.note else ""
    return f'<th scope="col"{kind}><span>{escape(head.text)}</span>{note}</th>'


def _cell(cell: Cell, head: Head, first: bool) -> str:
    note = f"<small>{escape(cell.note)}</small>" if cell.note else ""
    sorts = "" if cell.value is None else repr(float(cell.value))
    if head.number:
        return f'<td class="number" data-value="{sorts}">{escape(cell.text)}{note}</td>'
    name = "th" if first else "td"
    long = ' class="long"' if len(cell.text) > _LONG else ""
    kind = f' scope="row"{long}' if first else ' class="words"'
    text = escape(cell.text)
    return f'<{name}{kind} data-value="{text}"><bdi>{text}</bdi>{note}</{name}>'

"""Tables for a paper: LaTeX in ASCII that compiles with the package booktabs and nothing else."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from aitia.evaluation.report.tables import Cell, Head, Table

_SPECIAL = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    **{letter: f"{{{letter}}}" for letter in "[]*'`"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\ensuremath{<}",
    ">": "\\ensuremath{>}",
    "|": "\\ensuremath{|}",
    '"': "{\\ttfamily\\char34}",
    "±": "\\ensuremath{\\pm}",
    "−": "\\ensuremath{-}",
    "×": "\\ensuremath{\\times}",
    "→": "\\ensuremath{\\to}",
    "≤": "\\ensuremath{\\leq}",
    "≥": "\\ensuremath{\\geq}",
    "–": "--",
    "—": "---",
    "…": "\\ldots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    **{"ß": "\\ss{}", "æ": "\\ae{}", "Æ": "\\AE{}", "œ": "\\oe{}", "Œ": "\\OE{}", "ø": "\\o{}", "Ø": "\\O{}"},
    **{"å": "\\aa{}", "Å": "\\AA{}", "ł": "\\l{}", "Ł": "\\L{}", "ı": "\\i{}", "§": "\\S{}"},
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        (
            *(
                "alpha",
                "beta",
                "gamma",
                "delta",
                "epsilon",
                "zeta",
                "eta",
                "theta",
                "iota",
                "kappa",
                "lambda",
            ),
            *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
            *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
        ),
        strict=True,
    )
)
_DOTLESS = {"i": "\\i", "j": "\\j"}
_COLUMN = 50
"""Characters of a table's text that fit a column of a two-column page."""
_FIGURE = 9
"""Characters of a column of figures."""


def write_latex(title: str, tables: Sequence[Table]) -> str:
    r"""A file for ``\input``: a floating table each, labelled ``tab:aitia-`` and its slug."""
    lines = [f"% {escape(title)}", "% \\usepackage{booktabs}", ""]
    return "\n".join(lines) + "\n".join(map(_table, tables))


def escape(text: str) -> str:
    """Text as LaTeX that prints it. What LaTeX's own fonts have no letter for stands as its code point."""
    return "".join(
        f"{letter}{{}}" if letter in "-," and text[place + 1 : place + 2] == letter else _letter(letter)
        for place, letter in enumerate(text)
    )


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter in _GREEK:
        return f"\\ensuremath{{\\{_GREEK[letter]}}}"
    if " " <= letter <= "~":
        return letter
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[1] in _ACCENTS and parts[0].isascii() and parts[0].isalpha():
        base, accent = parts[0], _ACCENTS[parts[1]]
        return f"\\{accent}{{{_DOTLESS.get(base, base)}}}"
    return f"(U+{ord(letter):04X})"


def _table(table: Table) -> str:
    shown = [place for place, head in enumerate(table.head) if head.number or not place]
    if not any(table.head[place].number for place in shown):
        shown = list(range(len(table.head)))
    heads = [_head_lines(table.head[place]) for place in shown]
    words = [len(lines) - bool(table.head[place].note) for lines, place in zip(heads, shown, strict=True)]
    rows = [[_lines(row[place]) for place in shown] for row in table.rows]
    if _width([heads, *rows]) > _COLUMN:
        rows = [[_split(lines) for lines in row] for row in rows]
    wide = "*" if _width([heads, *rows]) > _COLUMN else ""
    sides = ["r" if table.head[place].number else "l" for place in shown]
    lines = [
        f"\\begin{{table{wide}}}",
        "\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}",
        f"\\caption{{{escape(table.title)}.{' ' if table.note else ''}{escape(table.note)}}}",
        f"\\label{{tab:aitia-{table.slug}}}",
        "\\smallskip",
        f"\\begin{{tabular}}{{@{{}}{''.join(sides)}@{{}}}}",
        "\\toprule",
        _row([_stack(*each, "b") for each in zip(heads, sides, words, strict=True)]),
        "\\midrule",
        *(_row([_stack(cell, side, 1, "t") for cell, side in zip(row, sides, strict=True)]) for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        *_remarks(table, shown),
        f"\\end{{table{wide}}}",
    ]
    return "\n".join(lines) + "\n"


def _remarks(table: Table, shown: Sequence[int]) -> list[str]:
    """What columns of words say, under the table: a line a row."""
    told = [
        f"{row[0].text}: {row[place].text}."
        for place in range(len(table.head))
        if place not in shown
        for row in table.rows
        if row[place].text
    ]
    box = "\\par\\smallskip\\parbox{\\linewidth}{\\scriptsize\\raggedright "
    return [f"{box}{escape(text)}}}" for text in told]


def _head_lines(head: Head) -> list[str]:
    """Words under one another where they are long: a column is as wide as its figures."""
    lines = head.text.rsplit(" ", 1) if head.number and len(head.text) > _FIGURE else [head.text]
    return [*lines, head.note] if head.note else lines


def _lines(cell: Cell) -> list[str]:
    """The text, its interval, and what else is in small print."""
    interval, end, rest = cell.note.partition("]") if cell.note.startswith("[") else ("", "", cell.note)
    return [cell.text, *(part for part in (interval + end, rest.strip()) if part)]


def _split(lines: Sequence[str]) -> list[str]:
    """A mean over its deviation."""
    mean, sign, deviation = lines[0].partition(" ± ")
    return [mean, f"± {deviation}", *lines[1:]] if sign else list(lines)


def _width(rows: Sequence[Sequence[Sequence[str]]]) -> float:
    """Of a table, in characters of its text; small print is smaller."""
    columns = zip(*rows, strict=True)
    return sum(
        1.5 + max(max(len(lines[0]), *(0.85 * len(line) for line in lines)) for lines in column)
        for column in columns
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + " \\\\"


def _stack(lines: Sequence[str], side: str, words: int, at: str) -> str:
    """Lines under one another, all but some ``words`` in small print; it needs no package."""
    if len(lines) == 1:
        return escape(lines[0])
    sized = [
        escape(line) if place < words else f"{{\\scriptsize {escape(line)}}}"
        for place, line in enumerate(lines)
    ]
    return f"\\begin{{tabular}}[{at}]{{@{{}}{side}@{{}}}}" + "\\\\".join(sized) + "\\end{tabular}"

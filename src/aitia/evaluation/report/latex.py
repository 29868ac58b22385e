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
    "\u0328": "k",
}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        (
            *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda"),
            *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
            *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
        ),
        strict=True,
    )
)
_DOTLESS = {"i": "\\i", "j": "\\j"}
_PAGE = 4
"""Columns of numbers that fit one column of a page."""


def write_latex(title: str, tables: Sequence[Table]) -> str:
    """A file for ``\\input``: a floating table each, labelled ``tab:aitia-`` and its slug."""
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
    base, *marks = unicodedata.normalize("NFD", letter)
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        accent = _ACCENTS[marks[0]]
        # \k is not in LaTeX's first encoding; everything else is.
        if accent != "k":
            return f"\\{accent}{{{_DOTLESS.get(base, base)}}}"
    return f"(U+{ord(letter):04X})"


def _table(table: Table) -> str:
    wide = "*" if sum(head.number for head in table.head) > _PAGE else ""
    columns = "".join(_column(head, table) for head in table.head)
    lines = [
        f"\\begin{{table{wide}}}",
        "\\centering\\footnotesize\\setlength{\\tabcolsep}{4pt}",
        f"\\caption{{{escape(table.title)}.{' ' if table.note else ''}{escape(table.note)}}}",
        f"\\label{{tab:aitia-{table.slug}}}",
        f"\\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        "\\toprule",
        _row([_stack(escape(head.text), escape(head.note), head.number) for head in table.head]),
        "\\midrule",
        *(_row([_cell(cell, head) for cell, head in zip(row, table.head, strict=True)]) for row in table.rows),
        "\\bottomrule",
        "\\end{tabular}",
        f"\\end{{table{wide}}}",
    ]
    return "\n".join(lines) + "\n"


def _column(head: Head, table: Table) -> str:
    if head.number:
        return "r"
    place = table.head.index(head)
    longest = max((len(row[place].text) for row in table.rows), default=0)
    return "p{0.3\\linewidth}" if longest > 40 else "l"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + " \\\\"


def _cell(cell: Cell, head: Head) -> str:
    return _stack(escape(cell.text), escape(cell.note), head.number)


def _stack(text: str, note: str, number: bool) -> str:
    """Small print goes under the text, in a table of its own: it needs no package."""
    if not note:
        return text
    side = "r" if number else "l"
    return f"\\begin{{tabular}}[t]{{@{{}}{side}@{{}}}}{text}\\\\{{\\scriptsize {note}}}\\end{{tabular}}"

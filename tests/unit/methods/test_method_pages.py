"""The parameter tables of docs/methods against the settings that they describe."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic.fields import FieldInfo

from aitia.methods.hcg import config as hcg
from aitia.methods.hug import config as hug
from aitia.methods.plain import config as plain
from aitia.methods.qcg import config as qcg
from aitia.workflows.index import MAX_QUESTION

PAGES = Path(__file__).parents[3] / "docs" / "methods"
BUILD, ASK = "`aitia build --set NAME=VALUE`", "`aitia ask --set NAME=VALUE`"
TABLES = {
    ("hcg.md", BUILD): [hcg.BuildSettings],
    ("hcg.md", ASK): [hcg.QuerySettings, hcg.Ablation],
    ("qcg.md", BUILD): [qcg.BuildSettings],
    ("qcg.md", ASK): [qcg.QuerySettings],
    ("hug.md", BUILD): [hug.BuildSettings],
    ("hug.md", ASK): [hug.QuerySettings, hug.Ablation],
    ("plain.md", "`--method plain:d2q`"): [plain.D2qSettings],
    ("plain.md", "`--method plain:d2q_minus`"): [plain.D2qMinusSettings],
}
RANGES = r"^(`[^`\n]+`)[^\n]*:\n\n\| name \| default \| (\w+) \|.*\n\|[-|]+\n((?:\|.*\n)+)"
TABLE = re.compile(r"^(`[^`\n]+`)[^\n]*:\n\n\| name \| default \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)


def tables(page: str) -> dict[str, dict[str, Any]]:
    """Defaults by name, by what stands before the table."""
    return {
        lead: {
            name: read(cell) for name, cell in re.findall(r"^\| `(\w+)` \| ([^|]*?) \|", rows, re.MULTILINE)
        }
        for lead, rows in TABLE.findall(page)
    }


def read(cell: str) -> Any:
    """A default as the pages write it: words and numbers, ``none``, ``true`` and ``false``."""
    words = {"none": None, "true": True, "false": False}
    number = re.fullmatch(r"-?[\d,]+(\.\d+)?", cell)
    return float(cell.replace(",", "")) if number else words.get(cell, cell)


def test_tables_are_found():
    page = (
        f"{BUILD}, or else:\n\n| name | default | |\n|---|---|---|\n| `a_b` | 1,000 | |\n| `c` | none | x |\n"
    )
    assert tables(page) == {BUILD: {"a_b": 1000.0, "c": None}}
    assert [read(cell) for cell in ("true", "0.20", "S", "-1")] == [True, 0.2, "S", -1.0]


@pytest.mark.parametrize(("page", "lead"), TABLES, ids=lambda value: value.strip("`"))
def test_a_table_lists_every_setting_with_its_default(page, lead):
    fields = {name: field for model in TABLES[page, lead] for name, field in model.model_fields.items()}
    found = tables((PAGES / page).read_text("utf-8"))[lead]
    assert found == {name: field.default for name, field in fields.items()}


def ranges(page: str) -> dict[str, dict[str, str]]:
    """Ranges by name, by what stands before the table, of the tables that have them."""
    return {
        lead: dict(re.findall(r"^\| `(\w+)` \| [^|]*? \| ([^|]*?) \|", rows, re.MULTILINE))
        for lead, head, rows in re.findall(RANGES, page, re.MULTILINE)
        if head == "range"
    }


def range_of(field: FieldInfo) -> str:
    """What a field takes, as the pages write it."""
    kinds = [kind for kind in get_args(field.annotation) or (field.annotation,) if kind is not type(None)]
    none = [] if type(None) not in get_args(field.annotation) else ["none"]
    if isinstance(kinds[0], str | int):
        return ", ".join([*map(str, kinds), *none])
    if kinds == [bool]:
        return "true, false"
    bounds = {
        name: value
        for each in (*field.metadata, *(part for kind in kinds for part in getattr(kind, "__metadata__", ())))
        for each in getattr(each, "metadata", [each])
        for name in ("ge", "gt", "le")
        if (value := getattr(each, name, None)) is not None
    }
    least = f"above {bounds['gt']:,}," if "gt" in bounds else f"{bounds['ge']:,}"
    return ", ".join([f"{least} to {bounds['le']:,}" if "le" in bounds else f"from {least}", *none])


@pytest.mark.parametrize("page", ["qcg.md", "plain.md", "hug.md"])
def test_a_table_says_what_a_setting_takes(page):
    found = ranges((PAGES / page).read_text("utf-8"))
    models = {lead: models for (name, lead), models in TABLES.items() if name == page}
    assert found == {
        lead: {name: range_of(field) for model in own for name, field in model.model_fields.items()}
        for lead, own in models.items()
    }


@pytest.mark.parametrize("page", ["qcg.md", "plain.md"])
def test_the_longest_question_is_told(page):
    assert f"at most {MAX_QUESTION:,} characters" in (PAGES / page).read_text("utf-8")


def test_no_table_is_left_out():
    pages = {path.name: path.read_text("utf-8") for path in sorted(PAGES.glob("*.md"))}
    assert {(name, lead) for name, page in pages.items() for lead in tables(page)} == set(TABLES)
    assert sum(page.count("| name | default |") for page in pages.values()) == len(TABLES)

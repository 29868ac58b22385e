from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.spec.keys import format_key, parse_key
from aitia.spec.model import Metric, Variable


@pytest.mark.parametrize(
    ("name", "parts", "key"),
    [
        ("Staging", ("melanoma", "stage III"), "Staging(melanoma, stage III)"),
        ("Climate", (), "Climate()"),
        ("Dose", ("5-FU, oral",), 'Dose("5-FU, oral")'),
        ("Dose", ("carcinoma (in situ)", "any"), 'Dose("carcinoma (in situ)", any)'),
        ("Dose", ('5" tube',), 'Dose("5\\" tube")'),
        ("Dose", ("",), 'Dose("")'),
        ("Dose", (" outer ", "a\nb"), 'Dose(" outer ", "a\\nb")'),
        ("A(b)", ("c",), '"A(b)"(c)'),
        ("Größe", ("naïve T cell",), "Größe(naïve T cell)"),
    ],
)
def test_a_key_is_written_and_read(name: str, parts: tuple[str, ...], key: str) -> None:
    assert format_key(name, parts) == key
    assert parse_key(key) == (name, parts)


@given(st.text(min_size=1).filter(str.strip), st.lists(st.text(), max_size=4))
def test_reading_gives_back_what_was_written(name: str, parts: list[str]) -> None:
    assert parse_key(format_key(name, parts)) == (name, tuple(parts))


@pytest.mark.parametrize(
    ("written", "name", "parts"),
    [
        ("Staging", "Staging", ()),
        ("Staging()", "Staging", ()),
        ("  Staging (melanoma ,stage III ) ", "Staging", ("melanoma", "stage III")),
        ("Dose(methotrexate (oral, weekly), high)", "Dose", ("methotrexate (oral, weekly)", "high")),
        ('Dose("a, b" tablets, low)', "Dose", ('"a, b" tablets', "low")),
        ('Dose(5" tube, low)', "Dose", ('5" tube', "low")),
        ("Staging(, stage I)", "Staging", ("", "stage I")),
    ],
)
def test_what_people_write_is_read_too(written: str, name: str, parts: tuple[str, ...]) -> None:
    assert parse_key(written) == (name, parts)


@pytest.mark.parametrize("written", ["", "(a)", "Dose(a", "Dose a)", "Dose(a) and more", "Dose(a))", "((a)"])
def test_what_is_no_key_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"in '|no name"):
        parse_key(written)


def test_metrics_and_variables_are_named_by_keys() -> None:
    metric = Metric(name="Staging", signature=("disease", "stage"), description="", category="")
    assert metric.label == "Staging(disease, stage)"
    assert Variable(metric="Staging", entities=("a, b", "any")).key == 'Staging("a, b", any)'

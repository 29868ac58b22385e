"""Names that differ by a digit, a numeral or an opposite stay apart through a whole build."""

from __future__ import annotations

import pytest

import aitia

PAIRS = [
    ("stage I", "stage II"),
    ("type 1 diabetes", "type 2 diabetes"),
    ("small cell lung cancer", "non-small cell lung cancer"),
    ("hypothyroidism", "hyperthyroidism"),
    ("HER2-positive breast cancer", "HER2-negative breast cancer"),
    ("vitamin B1", "vitamin B12"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("apart")
    lines = []
    for one, other in PAIRS:
        lines += [
            f"{one[0].upper()}{one[1:]} causes fatigue. {other[0].upper()}{other[1:]} causes nausea.",
            f"The risk of {one} depends on age. The risk of {other} depends on diet.",
            f"Exercise reduces {one}. Smoking worsens {other}.",
        ]
    (folder / "pairs.txt").write_text("\n\n".join(lines), "utf-8")
    return aitia.build(folder / "pairs.txt", folder / "index")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0])
def test_neither_is_taken_for_the_other(index, pair):
    one, other = (name.lower() for name in pair)
    names = {entity.lower() for dimension in index.spec.dimensions for entity in dimension.entities}
    aliases = {a.lower(): e.lower() for d in index.spec.dimensions for a, e in d.aliases.items()}
    assert aliases.get(one) != other
    assert aliases.get(other) != one
    if one in names or other in names:
        assert {one, other} <= names | set(aliases)


def test_some_are_variables_and_their_edges_quote_their_own_name(index):
    graph = index.graph
    checked = 0
    for edge in graph.edges:
        quotes = [item.quote.lower() for item in edge.evidence if item.found_by == "quote"]
        for variable in (graph.variables[edge.source], graph.variables[edge.target]):
            for entity in variable.entities:
                if entity.lower() in {name.lower() for pair in PAIRS for name in pair}:
                    assert any(f" {entity.lower()}" in f" {quote}" for quote in quotes)
                    checked += 1
    assert checked >= 12

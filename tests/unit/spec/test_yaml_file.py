from __future__ import annotations

import re
from pathlib import Path

import pytest

from aitia.cli.group import COMMANDS
from aitia.spec.model import Dimension, DomainSpec, Metric, OutcomeConfig, Quote, Relation, Variable
from aitia.spec.yaml_file import (
    format_spec,
    parse_spec,
    read_outcomes,
    read_spec,
    write_outcomes,
    write_spec,
)
from aitia.spec.yaml_layout import SPEC_HEADER

SPEC = DomainSpec(
    dimensions=(
        Dimension(
            name="disease",
            description="The disease a statement speaks of.",
            entities=("melanoma", "yes"),
            aliases={"skin cancer": "melanoma"},
        ),
        Dimension(name="stage", entities=("stage I", "stage III, late")),
    ),
    metrics=(
        Metric(
            name="Staging",
            signature=("disease", "stage"),
            description="How far the disease has spread at the time of diagnosis; driven by the depth of "
            "the tumour and by its ulceration, and decisive for treatment and survival.",
            category="diagnosis",
            graph_role="outcome",
        ),
        Metric(name="Survival", signature=("disease",), description="", category="", kind="fixed"),
    ),
    variables=(
        Variable(metric="Staging", entities=("melanoma", "stage III, late")),
        Variable(metric="Survival", entities=("any",)),
    ),
    relations=(
        Relation(
            source='Staging(melanoma, "stage III, late")',
            target="Survival(any)",
            mechanism="Spread: limits what treatment can do.",
            confidence=0.8,
            polarity="negative",
            quotes=(Quote(text="Late stages shorten survival.", chunk_id="c0ffee"),),
        ),
    ),
)

PAGE = """
dimensions:
- name: disease
  description: The disease a statement speaks of.
  entities:
  - melanoma
  - "yes"
  aliases:
    skin cancer: melanoma
- name: stage
  description: ""
  entities:
  - stage I
  - stage III, late

metrics:
- name: Staging(disease, stage)
  description: >-
    How far the disease has spread at the time of diagnosis; driven by the depth of the tumour and
    by its ulceration, and decisive for treatment and survival.
  attributes:
    category: diagnosis
    graph_role: outcome
    kind: extensible
- name: Survival(disease)
  description: ""
  attributes:
    category: ""
    graph_role: intermediate
    kind: fixed

variables:
- Staging(melanoma, "stage III, late")
- Survival(any)

relations:
- source: Staging(melanoma, "stage III, late")
  target: Survival(any)
  mechanism: "Spread: limits what treatment can do."
  confidence: 0.8
  polarity: negative
  quotes:
  - text: Late stages shorten survival.
    chunk: c0ffee
"""


def test_a_fresh_file_is_a_page_to_read() -> None:
    assert format_spec(SPEC) == SPEC_HEADER + "\n" + PAGE
    assert parse_spec(PAGE) == SPEC


def test_the_same_specification_gives_the_same_bytes(tmp_path: Path) -> None:
    turned = DomainSpec(
        dimensions=SPEC.dimensions[::-1],
        metrics=SPEC.metrics[::-1],
        variables=SPEC.variables[::-1],
        relations=SPEC.relations,
    )
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    write_spec(first, SPEC)
    write_spec(second, turned)
    assert first.read_bytes() == second.read_bytes()
    assert write_spec(first, turned) == first.read_text("utf-8")
    assert read_spec(first) == SPEC
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_an_empty_specification_is_read_back() -> None:
    text = format_spec(DomainSpec())
    assert text.endswith("\ndimensions: []\n\nmetrics: []\n\nvariables: []\n\nrelations: []\n")
    assert parse_spec(text) == DomainSpec()


def test_a_hand_written_file_may_leave_out_what_has_a_default() -> None:
    spec = parse_spec(
        "metrics:\n- name: A\n- {name: 'B( d )', attributes: }\ndimensions: [{name: d, entities: [x]}]\n"
        "variables: [A, 'B(x)']\nrelations:\n- {source: A(), target: B( x )}\n"
    )
    assert spec.metrics == (
        Metric(name="A", signature=(), description="", category=""),
        Metric(name="B", signature=("d",), description="", category=""),
    )
    assert [one.key for one in spec.variables] == ["A()", "B(x)"]
    assert spec.relations == (Relation(source="A()", target="B(x)", mechanism="", confidence=1.0),)


@pytest.mark.parametrize("name", ["x" * 10_000, "word " * 2_000 + "end", "\u05d0" * 2_000])
def test_very_long_names_survive(name: str) -> None:
    spec = DomainSpec(
        dimensions=(Dimension(name=name, description=name, entities=(name,), aliases={f"a {name}": name}),),
        metrics=(Metric(name=name, signature=(name,), description=name, category=name),),
        variables=(Variable(metric=name, entities=(name,)),),
    )
    text = format_spec(spec)
    assert parse_spec(text) == spec
    assert parse_spec(format_spec(DomainSpec(dimensions=spec.dimensions), text)).metrics == ()


def test_outcomes_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.yaml"
    roles = OutcomeConfig(terminal=("Survival",), outcome=("Staging", "Quality of life"))
    text = write_outcomes(path, roles)
    assert text.endswith("\nterminal:\n- Survival\n\noutcome:\n- Quality of life\n- Staging\n")
    assert read_outcomes(path) == OutcomeConfig(
        terminal=("Survival",), outcome=("Quality of life", "Staging")
    )


def test_outcomes_keep_comments(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.yaml"
    path.write_text("# ours\noutcome:\n- Staging  # first\n- Gone\n")
    text = write_outcomes(path, OutcomeConfig(terminal=("Survival",), outcome=("Staging", "Age")))
    assert text == "# ours\noutcome:\n- Staging  # first\n- Age\nterminal:\n- Survival\n"


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "terminal:\noutcome: []\n"])
def test_an_outcome_file_may_name_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "outcomes.yaml"
    path.write_text(text)
    assert read_outcomes(path) == OutcomeConfig()
    write_outcomes(path, OutcomeConfig(terminal=("A",)))
    assert read_outcomes(path) == OutcomeConfig(terminal=("A",))


def test_the_header_promises_only_what_there_is():
    assert re.findall("`(aitia [a-z]+)`", SPEC_HEADER) == ["aitia apply"]
    assert "apply" in COMMANDS

"""A person's file keeps its comments, order and style; only what changed is rewritten."""

from __future__ import annotations

from aitia.spec.model import Dimension, DomainSpec, Metric, Quote, Relation, Variable
from aitia.spec.yaml_file import format_spec, parse_spec

MINE = """\
# Our vocabulary. Ask Ann before changing metrics.
metrics:   # most important first
# -- results --
- name: Survival( disease )   # the one that counts
  description: |
    How long patients live.
    # not a comment
  # role agreed in May
  attributes: {graph_role: terminal, category: result}

# -- causes --
# stage by the usual scheme
- name: Staging(disease, stage)
  attributes:
    kind: fixed # do not extend
    category: 'diagnosis'
# smoking, in pack years
- name: Smoking

dimensions:
  - name: disease
    entities:
      # the common one
      - melanoma   # skin
      - naevus
    aliases:
      mole: naevus
      # from the old system
      MM: melanoma
  - name: stage
    entities: [stage II, stage I]   # ordered by frequency
variables:
- Staging(melanoma, stage I)
# open
- Survival(any)
relations:
-
  source: Staging(melanoma,stage I)
  target: Survival(any)
  confidence: 0.50  # a guess
  quotes:
  - {text: words, chunk: c1}
# the end"""

SPEC = parse_spec(MINE)


def changed(**fields: object) -> str:
    text = format_spec(SPEC.model_copy(update=fields), MINE)
    assert parse_spec(text) == SPEC.model_copy(update=fields)
    return text


def replaced(old: str, new: str, text: str = MINE + "\n") -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def test_an_unchanged_specification_leaves_every_byte() -> None:
    assert format_spec(SPEC, MINE) == MINE


def test_new_items_follow_the_old_ones() -> None:
    climate = Metric(name="Climate", signature=(), description="Weather.", category="")
    age = Metric(name="Age", signature=(), description="", category="", kind="fixed")
    ordered = tuple(sorted([*SPEC.metrics, climate, age], key=lambda metric: metric.name))
    assert changed(metrics=ordered) == replaced(
        "- name: Smoking\n",
        """\
- name: Smoking
- name: Age()
  description: ""
  attributes:
    category: ""
    graph_role: intermediate
    kind: fixed
- name: Climate()
  description: Weather.
  attributes:
    category: ""
    graph_role: intermediate
    kind: extensible
""",
    )


def test_what_is_gone_goes_with_the_comment_right_above_it() -> None:
    spec = DomainSpec(dimensions=SPEC.dimensions, metrics=SPEC.metrics[1:2] + SPEC.metrics[2:])
    assert [metric.name for metric in spec.metrics] == ["Staging", "Survival"]
    text = format_spec(spec, MINE)
    assert text == replaced(
        MINE[MINE.index("variables:") :],
        "variables:\nrelations:\n# the end",
        replaced("# smoking, in pack years\n- name: Smoking\n", ""),
    )


def test_the_first_item_leaves_the_heading_of_its_list() -> None:
    text = format_spec(DomainSpec(dimensions=SPEC.dimensions, metrics=SPEC.metrics[:2]), MINE)
    assert "# -- results --\n\n# -- causes --\n# stage by the usual scheme\n- name: Staging" in text


def test_a_changed_field_keeps_the_comments_around_it() -> None:
    smoking, staging, survival = SPEC.metrics
    text = changed(
        metrics=(
            smoking,
            staging.model_copy(update={"kind": "extensible", "description": "Spread."}),
            survival.model_copy(update={"description": "Years.", "graph_role": "outcome"}),
        )
    )
    expected = replaced("kind: fixed # do not", "kind: extensible # do not")
    expected = replaced(
        "    category: 'diagnosis'\n", "    category: 'diagnosis'\n  description: Spread.\n", expected
    )
    expected = replaced("|\n    How long patients live.\n    # not a comment\n", "Years.\n", expected)
    expected = replaced(
        "attributes: {graph_role: terminal, category: result}",
        "attributes:\n    category: result\n    graph_role: outcome\n    kind: extensible",
        expected,
    )
    assert text == expected


def test_a_changed_signature_changes_the_name_only() -> None:
    smoking, staging, survival = SPEC.metrics
    spec = SPEC.model_copy(
        update={
            "metrics": (smoking, staging, survival.model_copy(update={"signature": ("stage",)})),
        }
    )
    assert format_spec(spec, MINE) == replaced("Survival( disease )   #", "Survival(stage)   #")


def test_entities_and_aliases_are_edited_line_by_line() -> None:
    disease, stage = SPEC.dimensions
    text = changed(
        dimensions=(
            disease.model_copy(
                update={
                    "entities": ("keloid", "melanoma", "naevus"),
                    "aliases": {"mole": "melanoma", "KD": "keloid"},
                }
            ),
            stage.model_copy(update={"entities": ("stage I", "stage II", "stage III")}),
        )
    )
    expected = replaced("      - naevus\n", "      - naevus\n      - keloid\n")
    expected = replaced("mole: naevus", "mole: melanoma", expected)
    expected = replaced("      # from the old system\n      MM: melanoma\n", "      KD: keloid\n", expected)
    expected = replaced(
        "entities: [stage II, stage I]   # ordered by frequency",
        "entities:   # ordered by frequency\n    - stage I\n    - stage II\n    - stage III",
        expected,
    )
    assert text == expected


def test_relations_are_edited_in_place() -> None:
    (link,) = SPEC.relations
    back = Relation(source="Survival(any)", target="Staging(melanoma, stage I)", mechanism="", confidence=1.0)
    quotes = (*link.quotes, Quote(text="more", chunk_id="c2"))
    text = changed(relations=(link.model_copy(update={"confidence": 0.75, "quotes": quotes}), back))
    expected = replaced("confidence: 0.50  #", "confidence: 0.75  #")
    expected = replaced(
        "  - {text: words, chunk: c1}\n",
        """\
  - {text: words, chunk: c1}
  - text: more
    chunk: c2
- source: Survival(any)
  target: Staging(melanoma, stage I)
  mechanism: ""
  confidence: 1.0
  polarity: unclear
""",
        expected,
    )
    assert text == expected


def test_sections_that_are_missing_are_added() -> None:
    existing = "metrics:\n- name: A # kept\nvariables: # none yet\n"
    spec = DomainSpec(
        dimensions=(Dimension(name="d"),),
        metrics=(Metric(name="A", signature=(), description="", category=""),),
        variables=(Variable(metric="A", entities=()),),
    )
    assert format_spec(spec, existing) == (
        'metrics:\n- name: A # kept\nvariables: # none yet\n- A()\ndimensions:\n- name: d\n  description: ""\n'
    )


def test_a_comment_never_becomes_content() -> None:
    existing = "metrics:\n- name: A\n  description: short  # checked\n  attributes: {kind: fixed}  # by Ann\n"
    long = "words " * 30 + "end"
    metric = Metric(name="A", signature=(), description=long, category="c", kind="fixed")
    text = format_spec(DomainSpec(metrics=(metric,)), existing)
    assert parse_spec(text).metrics == (metric,)
    assert "  description: >-  # checked\n    words" in text
    assert "  attributes:  # by Ann\n    category: c\n" in text


def test_line_ends_stay_as_they_are() -> None:
    existing = "metrics:\r\n- name: A # kept\r\n"
    spec = parse_spec("metrics: [{name: A}, {name: B}]")
    text = format_spec(spec, existing)
    assert text.startswith("metrics:\r\n- name: A # kept\r\n- name: B()\r\n")
    assert text.count("\n") == text.count("\r\n")

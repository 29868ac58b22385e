"""What a person changed in a specification, as decisions, worked by hand."""

from __future__ import annotations

import pytest

from aitia.errors import SpecError
from aitia.graph.causal import CausalGraph
from aitia.graph.curated_names import renamed_items
from aitia.graph.curation import replay
from aitia.graph.domain import DomainGraph
from aitia.graph.hand_edits import after, find_edits
from aitia.spec.decisions import Decision
from aitia.spec.yaml_check import check_spec
from aitia.spec.yaml_file import format_spec, parse_spec
from aitia.spec.yaml_nodes import parse_nodes

TEXT = """\
# ours
dimensions:
- name: who
  entities:
  - ant
  - bee
  aliases:
    emmet: ant
metrics:
# how many die
- name: Loss(who)
  description: how many die
- name: Rate(who)
  description: how fast
variables:
- Loss(ant)
- Loss(bee)
- Rate(ant)
relations:
- source: Rate(ant)
  target: Loss(ant)
  mechanism: wears them out
  confidence: 0.5
"""
OLD = parse_spec(TEXT)


def edits(*changes):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    new = parse_spec(text)
    found = find_edits(OLD, new)
    again = after(OLD, found)
    assert (again.metrics, again.variables, again.relations) == (new.metrics, new.variables, new.relations)
    return [
        (
            each.action,
            each.kind,
            each.target,
            *(each.value[key] for key in ("to", "into") if key in each.value),
        )
        for each in found
    ]


@pytest.mark.parametrize(
    ("changes", "decisions"),
    [
        ((), []),
        ((("Loss(", "Mortality("),), [("rename", "metric", "Loss", "Mortality")]),
        (
            (("Loss(", "Mortality("), ("how many die\n-", "how many are dead\n-")),
            [("rename", "metric", "Loss", "Mortality"), ("edit", "metric", "Mortality", "how many are dead")],
        ),
        ((("bee", "honey bee"),), [("rename", "entity", "who/bee", "honey bee")]),
        ((("  - bee\n", ""), ("    emmet: ant\n", "    emmet: ant\n    bee: ant\n"), ("- Loss(bee)\n", "")),
         [("merge", "entity", "who/bee", "who/ant")]),
        ((("  - bee\n", ""), ("- Loss(bee)\n", "")), [("delete", "entity", "who/bee")]),
        ((("- name: who", "- name: species"), ("(who)", "(species)")), [("rename", "dimension", "who", "species")]),
        ((("    emmet: ant", "    pismire: ant"),),
         [("edit", "entity", "who/ant", "emmet"), ("edit", "entity", "who/ant", "pismire")]),
        ((("- Rate(ant)\n", "- Rate(ant)\n- Rate(bee)\n"), ("- Loss(bee)\n", "")),
         [("delete", "variable", "Loss(bee)"), ("add", "variable", "Rate(bee)")]),
        ((("source: Rate(ant)\n  target: Loss(ant)", "source: Loss(ant)\n  target: Rate(ant)"),),
         [("flip", "edge", "Rate(ant) -> Loss(ant)")]),
        ((("confidence: 0.5", "confidence: 0.9\n  polarity: positive"),),
         [("edit", "edge", "Rate(ant) -> Loss(ant)", 0.9), ("edit", "edge", "Rate(ant) -> Loss(ant)", "positive")]),
        ((("target: Loss(ant)", "target: Loss(bee)"),),
         [("delete", "edge", "Rate(ant) -> Loss(ant)"), ("add", "edge", "Rate(ant) -> Loss(bee)")]),
        ((("how fast\n", "how fast\n  attributes:\n    graph_role: outcome\n"),),
         [("role", "metric", "Rate", "outcome")]),
        ((("variables:", "- name: Sum()\n  description: all of it\nvariables:"),), [("add", "metric", "Sum")]),
    ],
)  # fmt: skip
def test_an_edit_is_the_decision_that_was_meant(changes, decisions):
    assert edits(*changes) == decisions


ALL = TEXT.replace("  - bee\n", "  - bee\n  - cicada\n  - dragonfly\n")


def entity_edits(old, new):
    specs = parse_spec(old), parse_spec(new)
    listed = [check_spec(parse_nodes(text, "graph_spec.yaml"), "graph_spec.yaml") for text in (old, new)]
    return [(each.action, each.target) for each in find_edits(*specs, listed=tuple(listed))]


def test_what_is_gone_and_what_comes_elsewhere_are_two():
    new = ALL.replace("  - bee\n", "").replace("  - dragonfly\n", "  - dragonfly\n  - hailstorm\n")
    new = new.replace("Loss(bee)", "Loss(hailstorm)")
    assert entity_edits(ALL, new) == [
        ("delete", "who/bee"), ("add", "who/hailstorm"), ("add", "Loss(hailstorm)"),
    ]  # fmt: skip


def test_what_comes_in_the_place_of_what_is_gone_or_is_called_alike_is_that():
    here = ALL.replace("  - bee\n", "  - hailstorm\n").replace("Loss(bee)", "Loss(hailstorm)")
    assert entity_edits(ALL, here) == [("rename", "who/bee")]
    alike = ALL.replace("  - bee\n", "").replace("dragonfly\n", "dragonfly\n  - wild bee\n")
    assert entity_edits(ALL, alike.replace("Loss(bee)", "Loss(wild bee)")) == [("rename", "who/bee")]


def test_a_metric_of_another_description_elsewhere_is_a_new_one():
    gone = TEXT.replace("- name: Rate(who)\n  description: how fast\n", "")
    here = TEXT.replace("Rate(", "Speed(").replace("how fast", "what else")
    far = gone.replace("# how many", "- name: Zeal(who)\n  description: what else\n# how many").replace(
        "Rate(", "Zeal("
    )
    assert entity_edits(TEXT, here)[0] == ("rename", "Rate")
    assert entity_edits(TEXT, far)[:2] == [("delete", "Rate"), ("add", "Zeal")]


def test_a_role_in_the_file_is_one_decision_and_its_relations_go_with_it():
    new = TEXT.replace("how fast\n", "how fast\n  attributes:\n    graph_role: terminal\n")
    found = find_edits(OLD, parse_spec(new))
    assert [(each.action, each.target) for each in found] == [("role", "Rate")]
    assert find_edits(OLD, parse_spec(new), known=found) == []
    added = new.replace("  target: Loss(ant)", "  target: Loss(bee)")
    assert [each.action for each in find_edits(OLD, parse_spec(added))] == ["role", "add"]


def test_a_deleted_metric_takes_its_variables_and_relations_along():
    new = TEXT[: TEXT.index("- name: Rate")] + "variables:\n- Loss(ant)\n- Loss(bee)\n"
    found = find_edits(OLD, parse_spec(new))
    assert [(each.action, each.target) for each in found] == [("delete", "Rate")]


def test_a_signature_is_no_decision():
    new = TEXT.replace("Rate(who)", "Rate()").replace("Rate(ant)", "Rate()")
    with pytest.raises(
        SpecError, match=r"the metric Rate\(\) was Rate\(who\), and its variables are of that"
    ):
        find_edits(OLD, parse_spec(new))


def test_edits_have_an_author_and_the_time_given():
    found = find_edits(OLD, parse_spec(TEXT.replace("how fast", "speed")), "2026-01-01T00:00:00Z")
    assert [(each.author, each.time) for each in found] == [("file", "2026-01-01T00:00:00Z")]


def test_what_is_renamed_keeps_its_place_and_its_comment():
    domain = DomainGraph(OLD.dimensions, CausalGraph(OLD.metrics, OLD.variables, (), ()), OLD.relations)
    made = [
        Decision(action="rename", kind="metric", target="Loss", value={"to": "Mortality"}),
        Decision(action="rename", kind="entity", target="who/ant", value={"to": "formica"}),
        Decision(action="flip", kind="edge", target="Rate(ant) -> Loss(ant)"),
    ]
    replayed = replay(domain, made)
    assert renamed_items(replayed, OLD)["variables"] == {
        "Loss(ant)": "Mortality(formica)", "Loss(bee)": "Mortality(bee)", "Rate(ant)": "Rate(formica)",
    }  # fmt: skip
    text = format_spec(replayed.domain.spec, TEXT, renamed=lambda old: renamed_items(replayed, old))
    expected = TEXT.replace("Loss(", "Mortality(").replace("ant", "formica")
    expected = expected.replace("    emmet: formica\n", "    emmet: formica\n    ant: formica\n")
    turned = "source: Mortality(formica)\n  target: Rate(formica)"
    expected = expected.replace("source: Rate(formica)\n  target: Mortality(formica)", turned)
    assert text == expected


def test_of_two_that_became_one_the_first_keeps_its_place():
    domain = DomainGraph(OLD.dimensions, CausalGraph(OLD.metrics, OLD.variables, (), ()), OLD.relations)
    replayed = replay(
        domain, [Decision(action="merge", kind="entity", target="who/bee", value={"into": "who/ant"})]
    )
    text = format_spec(replayed.domain.spec, TEXT, renamed=lambda old: renamed_items(replayed, old))
    expected = TEXT.replace("  - bee\n", "").replace("- Loss(bee)\n", "")
    assert text == expected.replace("    emmet: ant\n", "    emmet: ant\n    bee: ant\n")

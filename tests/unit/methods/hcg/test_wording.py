from __future__ import annotations

import pytest

from aitia.methods.hcg.wording import edge_text, metric_text, plain_name, variable_text
from aitia.spec.model import Metric, Relation, Variable


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("SideEffect", "side effect"),
        ("DNARepair", "DNA repair"),
        ("HPVStatus", "HPV status"),
        ("level_of-risk", "level of risk"),
        ("Stage2Risk", "stage2 risk"),
        ("A", "a"),
    ],
)
def test_names_in_plain_words(name, plain):
    assert plain_name(name) == plain


def metric(name):
    return Metric(name=name, signature=("a", "b"), description="What it is.", category="")


@pytest.mark.parametrize(
    ("name", "entities", "text"),
    [
        ("SideEffect", ("chemotherapy", "nausea"), "side effect of chemotherapy, nausea"),
        ("SideEffect", ("any", "nausea"), "side effect of nausea"),
        ("SideEffect", ("any", "any"), "side effect"),
        ("Nausea", ("nausea", "severe"), "nausea, severe"),
    ],
)
def test_variables(name, entities, text):
    assert variable_text(Variable(metric=name, entities=entities), metric(name)) == text


def test_metrics():
    assert metric_text(metric("SideEffect")) == "side effect: What it is."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("SideEffect(chemotherapy, any)", "side effect chemotherapy"),
        ('Dose("methotrexate (oral), weekly", child)', "dose methotrexate (oral), weekly child"),
        ("Dose()", "dose"),
    ],
)
def test_edges_as_published_in_plain_words(source, text):
    relation = Relation(source=source, target="Risk(any)", mechanism="raises it", confidence=1)
    assert edge_text(relation) == f"{text} -> risk: raises it"

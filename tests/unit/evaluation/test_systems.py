from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.evaluation.systems import parse_system, parse_systems, slug_of


@pytest.mark.parametrize(
    ("given", "name", "build", "retrieval", "slug"),
    [
        ("hcg:S", "hcg:S", "hcg:S", "graph", "hcg-S"),
        ("hcg", "hcg:S", "hcg:S", "graph", "hcg-S"),
        ("hcg:xs+graph", "hcg:XS", "hcg:XS", "graph", "hcg-XS"),
        ("hcg:S+fused@3000", "hcg:S+fused@3000", "hcg:S", "fused", "hcg-S-fused-3000"),
        ("qcg", "qcg", "qcg", "graph", "qcg"),
        ("hug+gates=false+fused", "hug+fused+gates=false", "hug", "fused", "hug-fused-gates-false"),
        ("plain", "plain:hybrid", "plain:hybrid", "plain:hybrid", "plain-hybrid"),
        ("plain:naive", "plain:naive", "plain:hybrid", "plain:naive", "plain-naive"),
        ("plain:d2q@400", "plain:d2q@400", "plain:d2q", "plain:d2q", "plain-d2q-400"),
        ("peer:lightrag", "peer:lightrag", "peer:lightrag", "", "peer-lightrag"),
    ],
)
def test_names(given, name, build, retrieval, slug):
    system = parse_system(given)
    assert (system.name, system.build, system.retrieval, system.slug) == (name, build, retrieval, slug)
    assert parse_system(system.name) == system
    assert system.folder == slug_of(build)


def test_parts():
    system = parse_system("hcg:M+nodes_only+max_hops=2+beta=0.5+cones=false@1000")
    assert (system.method, system.tier, system.context, system.budget_words) == (
        "hcg",
        "M",
        "nodes_only",
        1000,
    )
    assert system.settings == {"max_hops": 2, "beta": 0.5, "cones": False}
    assert parse_system("plain:hybrid+in_context").context == "in_context"
    assert parse_system("hug+preset=paper").settings == {"preset": "paper"}
    assert parse_system("plain:bm25").method == "plain:hybrid"
    assert parse_system("peer:graphrag-local").is_peer


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "expected METHOD[:PART][+VARIANT...][@WORDS]"),
        ("hcg:../../etc", "expected METHOD[:PART]"),
        ("hcg\n", "expected METHOD[:PART]"),
        ("hcg:S;rm", "expected METHOD[:PART]"),
        ("graphrag", "unknown method 'graphrag'; expected one of hcg, qcg, hug, plain:RANKING, peer:NAME"),
        ("hcg:Q", "unknown tier 'Q'; expected one of XS, S, M, L"),
        ("qcg:S", "qcg has no tier"),
        ("hug+dense", "expected each once of fused, graph, nodes_only, in_context, SETTING=VALUE"),
        ("hcg:S+fused+graph", "variant 'graph'"),
        ("qcg+hops=1+hops=2", "variant 'hops=2'"),
        ("hug+depth=3", "unknown setting 'depth' of hug; expected one of causal"),
        ("hug+gamma=7", "setting gamma: found 7"),
        ("hug+nodes_only", "a context of hcg only"),
        ("plain:tfidf", "expected one of naive, bm25, rrf, hybrid, d2q, d2q_minus"),
        ("plain:naive+fused", "no variant but in_context"),
        ("qcg@0", "a budget of 0 words"),
        ("peer:..", "expected peer:NAME"),
        ("peer:x+fused", "expected peer:NAME"),
        ("peer", "expected peer:NAME"),
    ],
)
def test_what_is_no_system_is_said_in_a_line(given, said):
    with pytest.raises(UsageError) as caught:
        parse_system(given)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_lists():
    assert [each.name for each in parse_systems("hcg:S, hcg:S+fused,")] == ["hcg:S", "hcg:S+fused"]
    assert [each.name for each in parse_systems(["qcg", "hug"])] == ["qcg", "hug"]
    with pytest.raises(UsageError, match="'hcg:S' is named twice"):
        parse_systems("hcg,hcg:S")
    with pytest.raises(UsageError, match="no system is named"):
        parse_systems(" , ")

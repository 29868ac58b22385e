"""A whole build with an analyst that says what it is told to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aitia.analyst.protocols import AnswerDraft
from aitia.corpus.document import Corpus, Document
from aitia.corpus.split import open_splitter
from aitia.methods.build import BuildRequest
from aitia.methods.hcg.build import build
from aitia.methods.hcg.config import BuildSettings
from aitia.retrieval.text_index import index_text
from aitia.spec.claims import (
    DimensionClaim,
    EntityClaim,
    MetricClaim,
    OutcomeClaim,
    RelationClaim,
    TemplateClaim,
    VariableClaim,
)
from aitia.spec.model import OutcomeConfig, Quote
from aitia.testing import HashEmbedder

MITES = "Mites raise the mortality of bees. Winter is long."
COLD = "Cold lowers the activity of bees. Cold has no effect on mites."
DOCUMENTS = (Document("cold.md", "cold", COLD), Document("mites.md", "mites", MITES))
CHUNKS = [chunk for document in DOCUMENTS for chunk in open_splitter("passage")(document)]
COLD_CHUNK, MITES_CHUNK = (chunk.id for chunk in CHUNKS)
FIRST_MITES, FIRST_COLD, NONE = MITES[:34], COLD[:33], COLD[34:]


def quote(text, chunk):
    return Quote(text=text, chunk_id=chunk)


class Scripted:
    name = "scripted"
    rejected = ()
    unread = ()

    def __init__(self):
        self.calls = []

    def find_dimensions(self, windows, outcomes):
        self.calls.append(("dimensions", len(windows), outcomes))
        entities = tuple(EntityClaim(name=name) for name in ("bee", "cold", "mite"))
        return [DimensionClaim(name="subject", entities=entities, support=9)]

    def consolidate_dimensions(self, claims, limit):
        self.calls.append(("consolidate dimensions", limit))
        return list(claims)

    def find_metrics(self, windows, dimensions, outcomes):
        self.calls.append(("metrics", [each.name for each in dimensions]))
        return [
            MetricClaim(
                name=name,
                signature=("subject",),
                description=f"{name} of a subject.",
                category="c",
                support=9,
            )
            for name in ("Level", "Mortality", "Activity")
        ]

    def consolidate_metrics(self, claims, limit):
        self.calls.append(("consolidate metrics", limit))
        return list(claims)

    def propose_outcomes(self, metrics, windows):
        self.calls.append(("outcomes", [each.name for each in metrics]))
        return [
            OutcomeClaim(metric="Mortality", role="terminal"),
            OutcomeClaim(metric="Mortality", role="outcome"),
            OutcomeClaim(metric="Activity", role="outcome"),
            OutcomeClaim(metric="Nowhere", role="outcome"),
        ]

    def find_variables(self, windows, dimensions, metrics):
        self.calls.append(("variables", {each.name: each.graph_role for each in metrics}))
        return [
            VariableClaim(metric="Level", entities=("mite",), quote=quote(FIRST_MITES, MITES_CHUNK)),
            VariableClaim(metric="Level", entities=("cold",), quote=quote(FIRST_COLD, COLD_CHUNK)),
            VariableClaim(metric="Mortality", entities=("bee",), quote=quote(FIRST_MITES, MITES_CHUNK)),
            VariableClaim(metric="Activity", entities=("bee",), quote=quote(FIRST_COLD, COLD_CHUNK)),
            VariableClaim(metric="Weight", entities=("bee",)),
        ]

    def find_relations(self, windows, dimensions, metrics, variables):
        self.calls.append(("relations", [each.key for each in variables]))
        return [
            RelationClaim(source="Level(mite)", target="Mortality(bee)", mechanism="raise", confidence=0.9,
                          polarity="positive", quote=quote(FIRST_MITES, MITES_CHUNK)),
            RelationClaim(source="Activity(bee)", target="Level(mite)", mechanism="no effect", confidence=0.9,
                          polarity="none", quote=quote(NONE, COLD_CHUNK)),
        ]  # fmt: skip

    def judge_metric_edges(self, requests):
        self.calls.append(("tier 1", [each.source.name for each in requests]))
        return [
            TemplateClaim(source="Level", target=target, mechanism="", confidence=0.8)
            for target in ("Mortality", "Activity")
        ]

    def judge_node_edges(self, requests):
        pairs = [(pair.source.key, pair.target.key) for each in requests for pair in each.pairs]
        self.calls.append(("tier 2", pairs))
        return [
            RelationClaim(source="Level(cold)", target="Activity(bee)", mechanism="lowers", confidence=0.7,
                          polarity="negative")
        ]  # fmt: skip

    def write_answer(self, question, evidence, language):
        return AnswerDraft(())


@pytest.fixture
def analyst():
    return Scripted()


@pytest.fixture
def request_(analyst):
    embedder = HashEmbedder()
    text = index_text([chunk.text for chunk in CHUNKS], embedder.embed)
    questions = embedder.embed(["Why do bees die?"])
    return BuildRequest(Corpus(DOCUMENTS), CHUNKS, text, analyst, embedder, questions)


def test_the_order_of_the_generators_and_what_each_is_given(request_, analyst):
    steps = []
    build(replace(request_, report=steps.append), BuildSettings(tier="XS"))
    keys = ["Activity(bee)", "Level(cold)", "Level(mite)", "Mortality(bee)"]
    assert analyst.calls == [
        ("dimensions", 1, OutcomeConfig()),
        ("consolidate dimensions", 5),
        ("metrics", ["subject"]),
        ("consolidate metrics", 24),
        ("outcomes", ["Activity", "Level", "Mortality"]),
        ("variables", {"Activity": "outcome", "Level": "intermediate", "Mortality": "terminal"}),
        ("relations", keys),
        ("tier 1", ["Activity", "Level"]),  # Mortality emits nothing
        ("tier 2", [("Level(cold)", "Activity(bee)"), ("Level(mite)", "Mortality(bee)")]),
    ]
    assert steps == ["dimensions", "metrics", "variables", "relations", "edges", "evidence"]


def test_given_outcomes_are_not_proposed(request_, analyst):
    given = OutcomeConfig(outcome=("Mortality",))
    built = build(replace(request_, outcomes=given), BuildSettings())
    assert "outcomes" not in [call[0] for call in analyst.calls]
    assert built.outcomes == given
    assert {each.name: each.graph_role for each in built.graph.metrics}["Mortality"] == "outcome"


def test_proposed_outcomes_of_known_metrics_with_terminal_first(request_):
    built = build(request_, BuildSettings())
    assert built.outcomes == OutcomeConfig(terminal=("Mortality",), outcome=("Activity",))


def test_edges_with_their_evidence(request_):
    graph = build(request_, BuildSettings()).graph
    keys = [variable.key for variable in graph.variables]
    cold, mites = (keys.index(key) for key in ("Level(cold)", "Level(mite)"))
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    assert list(edges) == sorted(edges)
    assert set(edges) == {(cold, keys.index("Activity(bee)")), (mites, keys.index("Mortality(bee)"))}
    stated = edges[mites, keys.index("Mortality(bee)")]
    assert [(item.chunk, item.start, item.end, item.quote, item.found_by) for item in stated.evidence] == [
        (1, 0, 34, FIRST_MITES, "quote")  # the mention on the same span is the weaker kind
    ]
    judged = edges[cold, keys.index("Activity(bee)")]
    assert (judged.mechanism, judged.confidence, judged.polarity) == ("lowers", 0.7, "negative")
    mentions = [item for item in judged.evidence if item.found_by == "mention"]
    assert [(item.chunk, item.quote) for item in mentions] == [(0, FIRST_COLD)]


def test_only_edges_without_a_quote_are_linked_by_vector(request_, monkeypatch):
    def kinds(**settings):
        graph = build(request_, BuildSettings(**settings)).graph
        return [[item.found_by for item in edge.evidence] for edge in graph.edges]

    monkeypatch.setattr("aitia.methods.hcg.link.random_cosine", lambda *arguments: -1.0)
    assert kinds() == [["mention", "cosine", "cosine"], ["quote"]]
    assert kinds(semantic_chunks=1) == [["mention", "cosine"], ["quote"]]
    assert kinds(link_all=True) == [["mention", "cosine", "cosine"], ["quote", "cosine", "cosine"]]
    assert kinds(link_all=True, semantic_chunks=0) == [["mention"], ["quote"]]
    monkeypatch.setattr("aitia.methods.hcg.link.random_cosine", lambda *arguments: 0.999)
    assert kinds(link_all=True) == [["mention"], ["quote"]]


def test_what_was_refused_is_kept(request_):
    rejected = build(request_, BuildSettings()).rejected
    assert [(each.reason, type(each.claim).__name__) for each in rejected] == [
        ("unknown_metric", "VariableClaim"),
        ("not_judged_causal", "RelationClaim"),
    ]


def test_a_seed_relation_inside_one_metric_needs_no_template(request_, analyst, monkeypatch):
    seed = RelationClaim(source="Level(cold)", target="Level(mite)", mechanism="slows", confidence=0.8,
                         polarity="negative", quote=quote(NONE, COLD_CHUNK))  # fmt: skip
    monkeypatch.setattr(analyst, "find_relations", lambda *given: [seed])
    graph = build(request_, BuildSettings()).graph
    keys = [variable.key for variable in graph.variables]
    assert ("Level(cold)", "Level(mite)") in {(keys[edge.source], keys[edge.target]) for edge in graph.edges}
    assert all(template.source != template.target for template in graph.templates)


def test_arrays_and_facts(request_):
    built = build(request_, BuildSettings())
    arrays = built.graph.arrays()
    for name in arrays.__dataclass_fields__:
        np.testing.assert_array_equal(built.arrays[f"graph_{name}"], getattr(arrays, name))
    vectors = built.arrays["variable_vectors"]
    assert vectors.shape == (4, 64)
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1] * 4)
    assert set(built.facts) >= {"tau_e", "tau_min", "effort", "windows"}
    assert built.facts["windows"] == 1
    assert built.facts["effort"] == {
        "metric_pairs": 4, "metric_calls": 2, "variable_pairs": 2, "variable_calls": 1, "bound": 6 + 2 + 2,
        "pairs_left_out": 0,
    }  # fmt: skip
    assert 0 < built.facts["tau_min"] <= 1
    assert built.dimensions == built.spec.dimensions


def test_the_same_request_gives_the_same_graph(request_):
    one, two = (build(request_, BuildSettings()) for _ in range(2))
    assert one.graph == two.graph
    assert one.facts == two.facts
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(two.arrays[name], array)


class Silent(Scripted):
    def find_dimensions(self, windows, outcomes):
        return []

    def find_metrics(self, windows, dimensions, outcomes):
        return []

    def propose_outcomes(self, metrics, windows):
        return []

    def find_variables(self, windows, dimensions, metrics):
        return []

    def find_relations(self, windows, dimensions, metrics, variables):
        return []

    def judge_metric_edges(self, requests):
        return []

    def judge_node_edges(self, requests):
        return []


def test_an_analyst_that_finds_nothing_gives_an_empty_graph(request_):
    built = build(replace(request_, analyst=Silent()), BuildSettings())
    assert built.graph.metrics == built.graph.variables == built.graph.edges == ()
    assert built.arrays["variable_vectors"].shape == (0, 64)
    assert built.facts["tau_min"] == built.facts["tau_e"] == 1.0

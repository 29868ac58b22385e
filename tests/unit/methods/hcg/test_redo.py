"""Judging an edited metric again: what is asked, what stays, and that nothing else moves."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from aitia.analyst.rules.analyst import RulesAnalyst
from aitia.corpus.document import Corpus, Document
from aitia.corpus.split import open_splitter
from aitia.graph.domain import DomainGraph
from aitia.graph.redone import read_redone, still_good, with_redone
from aitia.methods.build import BuildRequest
from aitia.methods.hcg.build import build
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.curate import curate
from aitia.methods.hcg.redo import redo_metrics
from aitia.retrieval.text_index import index_text
from aitia.spec.decisions import Decision
from aitia.testing import HashEmbedder

BEES = files("aitia.testing") / "corpora" / "honeybees"
TEXTS = tuple((BEES / name).read_text("utf-8") for name in ("treatments.md", "varroa.md"))
SETTINGS = BuildSettings(tier="XS")
PAID = BuildSettings(tier="XS", max_pairs=1000)
"""As with an analyst that costs money."""


class Asked(RulesAnalyst):
    """The rules, with the metrics and pairs that they were asked about."""

    def __init__(self):
        super().__init__()
        self.tier1, self.tier2 = [], []

    def judge_metric_edges(self, requests):
        self.tier1 += [(request.source, target) for request in requests for target in request.candidates]
        return super().judge_metric_edges(requests)

    def judge_node_edges(self, requests):
        self.tier2 += [
            (pair.source.metric, pair.target.metric) for request in requests for pair in request.pairs
        ]
        return super().judge_node_edges(requests)


@pytest.fixture(scope="module")
def made():
    documents = tuple(Document(f"{row}.txt", str(row), text) for row, text in enumerate(TEXTS))
    split, embedder = open_splitter("passage"), HashEmbedder()
    chunks = [chunk for document in documents for chunk in split(document)]
    text = index_text([chunk.text for chunk in chunks], embedder.embed)
    questions = embedder.embed([text[:100] for text in TEXTS])
    request = BuildRequest(Corpus(documents), chunks, text, RulesAnalyst(), embedder, questions)
    built = build(request, SETTINGS)
    machine = DomainGraph(tuple(built.dimensions), built.graph, built.spec.relations, built.quotes)
    return request, machine, built


@pytest.fixture
def request_(made):
    return replace(made[0], analyst=Asked())


def names(machine):
    return [metric.name for metric in machine.graph.metrics]


def test_without_decisions_the_arrays_are_those_of_the_build(made):
    request, machine, built = made
    curated = curate(machine, request, SETTINGS, built.facts["tau_e"])
    assert curated.domain == machine
    for name, array in curated.arrays.items():
        np.testing.assert_array_equal(array, built.arrays[name])


def test_by_its_own_description_a_metric_is_judged_as_it_was(made, request_):
    _, machine, built = made
    for metric in machine.graph.metrics:
        redone = redo_metrics(machine, {metric.name: metric}, request_, SETTINGS, built.facts["tau_e"])
        assert with_redone(machine, redone) == machine, metric.name


def test_only_its_own_pairs_are_asked_about_and_once(made, request_):
    _, machine, built = made
    first, second = names(machine)[:2]
    edited = {name: next(m for m in machine.graph.metrics if m.name == name).model_copy(update={"description": "new"})
              for name in (first, second)}  # fmt: skip
    one = redo_metrics(machine, {first: edited[first]}, request_, PAID, built.facts["tau_e"])
    asked = request_.analyst.tier1
    assert asked and all(first in (source.name, target.name) for source, target in asked)
    assert all(first in pair for pair in request_.analyst.tier2)
    assert {each.description for pair in asked for each in pair if each.name == first} == {"new"}
    redo_metrics(machine, {first: edited[first]}, request_, PAID, built.facts["tau_e"], one)
    assert request_.analyst.tier1 == asked
    both = replace(request_, analyst=Asked())
    redo_metrics(machine, edited, both, PAID, built.facts["tau_e"], one)
    pairs = [(source.name, target.name) for source, target in both.analyst.tier1]
    assert len(pairs) == len(set(pairs))
    assert all({first, second} & set(pair) for pair in pairs)


def test_what_was_judged_is_good_for_just_these_edits_and_reads_as_it_was_written(made, request_):
    request, machine, built = made
    metric = machine.graph.metrics[0].model_copy(update={"description": "new"})
    edited = {metric.name: metric}
    redone = redo_metrics(machine, edited, request_, SETTINGS, built.facts["tau_e"])
    chunks = [chunk.id for chunk in request.chunks]
    assert [read_redone(each.row()) for each in redone] == list(redone)
    assert list(still_good(redone, machine, edited, chunks)) == [metric.name]
    other = {metric.name: metric.model_copy(update={"description": "other"})}
    assert still_good(redone, machine, other, chunks) == {}
    assert still_good(redone, machine, edited, chunks[::-1]) == {}
    assert still_good(redone, machine, {}, chunks) == {}


def test_an_added_edge_finds_its_evidence_and_given_quotes_are_located(made):
    request, machine, built = made
    graph = machine.graph
    known = {(edge.source, edge.target) for edge in graph.edges}
    rows = range(len(graph.variables))
    source, target = next(
        (s, t) for s in rows for t in rows if s != t and (s, t) not in known
        and graph.metrics[names(machine).index(graph.variables[s].metric)].graph_role != "terminal"
    )  # fmt: skip
    quote = "Brood breaks reduce mite reproduction."
    chunk = next(chunk for chunk in request.chunks if quote in chunk.text)
    key = f"{graph.variables[source].key} -> {graph.variables[target].key}"
    add = Decision(
        action="add", kind="edge", target=key,
        value={"mechanism": "m", "confidence": 0.9, "quotes": [{"text": quote, "chunk": chunk.id}]},
    )  # fmt: skip
    curated = curate(machine, replace(request, decisions=(add,)), SETTINGS, built.facts["tau_e"])
    edge = next(each for each in curated.domain.graph.edges if (each.source, each.target) == (source, target))
    assert edge.evidence[0].quote == quote
    assert edge.evidence[0].found_by == "quote"
    at = edge.evidence[0]
    assert request.corpus.documents[1].text[at.start : at.end] == quote

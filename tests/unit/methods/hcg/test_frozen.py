"""A build from a frozen vocabulary, with an analyst that reads two sentences and counts what it is asked."""

from __future__ import annotations

import pytest

from aitia.analyst.protocols import Unread
from aitia.corpus.document import Corpus, Document
from aitia.corpus.split import open_splitter
from aitia.graph.causal import Template
from aitia.methods.build import BuildRequest
from aitia.methods.hcg.build import build
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import ClosedVocabulary, Earlier, Frozen
from aitia.retrieval.text_index import index_text
from aitia.spec.claims import (
    DimensionClaim,
    EntityClaim,
    MalformedClaim,
    MetricClaim,
    Rejection,
    RelationClaim,
    TemplateClaim,
    VariableClaim,
)
from aitia.spec.model import Dimension, OutcomeConfig, Quote
from aitia.testing import HashEmbedder

MITES = Document("a.md", "a", "Mites raise mortality.")
MORE = Document("b.md", "b", "It is known. Mites raise mortality.")
COLD = Document("c.md", "c", "Cold raises mortality.")
LATE = Document("d.md", "d", "Wasps raise mortality.")
MALFORMED = Rejection(claim=MalformedClaim(kind="node_edges", text="{}"), reason="malformed")
SETTINGS = BuildSettings(tier="XS", max_pairs=10)


class Reader:
    """Takes ``X raise mortality`` for a variable Level(x) and for the effect that it judges."""

    name = "reader"
    unread = ()

    def __init__(self, *rejected):
        self.asked = []
        self.calls = []
        self.rejected = rejected

    def find_dimensions(self, windows, outcomes):
        self.calls.append("dimensions")
        return [DimensionClaim(name="who", entities=(EntityClaim(name="bees"),), support=9)]

    def consolidate_dimensions(self, claims, limit):
        return list(claims)

    def find_metrics(self, windows, dimensions, outcomes):
        self.calls.append("metrics")
        return [
            MetricClaim(name=name, signature=("who",), description="", category="", support=9)
            for name in ("Level", "Mortality")
        ]

    def consolidate_metrics(self, claims, limit):
        return list(claims)

    def propose_outcomes(self, metrics, windows):
        self.calls.append("outcomes")
        return []

    def find_variables(self, windows, dimensions, metrics):
        self.calls.append("variables")
        self.dimensions = dimensions
        found = []
        for window in windows:
            for chunk in window.chunks:
                text = chunk.text.removeprefix("It is known. ")
                quote = Quote(text=text, chunk_id=chunk.id)
                entity = text.split()[0].lower()
                found.append(VariableClaim(metric="Level", entities=(entity,), quote=quote))
                found.append(VariableClaim(metric="Mortality", entities=("bees",), quote=quote))
        return found

    def find_relations(self, windows, dimensions, metrics, variables):
        return []

    def judge_metric_edges(self, requests):
        self.calls.append("templates")
        return [TemplateClaim(source="Level", target="Mortality", mechanism="", confidence=0.5)]

    def judge_node_edges(self, requests):
        pairs = [pair for each in requests for pair in each.pairs]
        self.asked += [pair.source.key for pair in pairs]
        return [
            RelationClaim(source=pair.source.key, target=pair.target.key, mechanism="raise", confidence=0.5,
                          quote=pair.evidence[0])
            for pair in pairs
        ]  # fmt: skip


def made(*documents, frozen=None, reader=None, settings=SETTINGS):
    chunks = [chunk for each in documents for chunk in open_splitter("passage")(each)]
    embedder = HashEmbedder()
    text = index_text([chunk.text for chunk in chunks], embedder.embed)
    reader = reader or Reader()
    questions = embedder.embed(["Why do bees die?"])
    request = BuildRequest(Corpus(documents), chunks, text, reader, embedder, questions)
    return build(request, settings, frozen), reader, chunks


def frozen_of(built, chunks, **changes):
    fields = {
        "vocabulary": ClosedVocabulary(
            tuple(Dimension(**each) for each in built.facts["closed_dimensions"]),
            built.graph.metrics,
            OutcomeConfig(**built.facts["outcomes"]),
        ),
        "templates": built.graph.templates,
        "tau_e": built.facts["tau_e"],
        "tau_min": built.facts["tau_min"],
        "earlier": Earlier(
            tuple(built.verdicts),
            frozenset(each.key for each in built.graph.variables),
            frozenset(chunk.id for chunk in chunks),
        ),
    }
    return Frozen(**{**fields, **changes})


def updated(before, chunks, *documents, **changes):
    return made(*documents, frozen=frozen_of(before, chunks, **changes))


def evidence(built, source):
    rows = {each.key: row for row, each in enumerate(built.graph.variables)}
    edges = [each for each in built.graph.edges if each.source == rows.get(source)]
    return [[(item.chunk, item.found_by) for item in edge.evidence] for edge in edges]


@pytest.fixture(scope="module")
def whole():
    return made(MITES, MORE, COLD)


def test_a_first_build_keeps_what_an_update_needs(whole):
    built, reader, chunks = whole
    assert reader.calls == ["dimensions", "metrics", "outcomes", "variables", "templates"]
    assert reader.asked == ["Level(cold)", "Level(mites)"]
    assert built.facts["closed_dimensions"] == [Dimension(name="who", entities=("bees",)).model_dump()]
    assert [each.entities for each in built.dimensions] == [("bees", "cold", "mites")]
    mites, more, cold = (chunk.id for chunk in chunks)
    assert [(each.source, len(each.claims), each.shown, each.chunks) for each in built.verdicts] == [
        ("Level(cold)", 1, True, (cold,)), ("Level(mites)", 1, True, (mites, more))
    ]  # fmt: skip
    assert built.facts["read_under"] == {}


def test_verdicts_are_kept_under_a_cap_only():
    assert made(MITES, settings=BuildSettings(tier="XS"))[0].verdicts == ()


def test_the_same_corpus_gives_the_same_and_asks_for_no_verdict(whole):
    built, _, chunks = whole
    again, reader, _ = updated(built, chunks, MITES, MORE, COLD)
    assert (reader.calls, reader.asked) == (["variables"], [])
    assert [each.entities for each in reader.dimensions] == [("bees",)]  # as the build's prompts had them
    assert (again.graph, again.spec, again.verdicts) == (built.graph, built.spec, built.verdicts)
    assert again.facts["effort"]["variable_pairs"] == 0
    assert {name: again.facts[name] for name in ("tau_e", "tau_min", "closed_dimensions", "outcomes")} == {
        name: built.facts[name] for name in ("tau_e", "tau_min", "closed_dimensions", "outcomes")
    }


def test_only_the_pairs_of_a_new_document_are_asked_and_deleting_it_restores_all(whole):
    built, _, chunks = whole
    grown, reader, more = updated(built, chunks, MITES, MORE, COLD, LATE)
    assert reader.asked == ["Level(wasps)"]
    assert evidence(grown, "Level(wasps)") == [[(3, "quote")]]
    back, reader, _ = updated(grown, more, MITES, MORE, COLD)
    assert reader.asked == []
    assert (back.graph, back.spec, back.verdicts) == (built.graph, built.spec, built.verdicts)


def test_an_edge_of_two_documents_keeps_the_evidence_of_the_other(whole):
    built, _, chunks = whole
    assert evidence(built, "Level(mites)") == [[(0, "quote"), (1, "mention")]]
    for kept, kind in ((MITES, "quote"), (MORE, "mention")):
        left, reader, _ = updated(built, chunks, kept, COLD)
        assert reader.asked == []
        assert [item for item in evidence(left, "Level(mites)")[0] if item[1] != "cosine"] == [(0, kind)]


def test_an_edge_without_a_document_goes_with_its_variables(whole):
    built, _, chunks = whole
    left, _, _ = updated(built, chunks, COLD)
    assert [each.key for each in left.graph.variables] == ["Level(cold)", "Mortality(bees)"]
    assert len(left.graph.edges) == len(left.verdicts) == 1
    assert left.arrays["variable_vectors"].shape[0] == 2


def test_an_analyst_that_costs_nothing_judges_all_pairs_again(whole):
    built, _, chunks = whole
    free = BuildSettings(tier="XS")
    _, reader, _ = made(MITES, COLD, frozen=frozen_of(built, chunks, earlier=None), settings=free)
    assert (reader.calls, reader.asked) == (["dimensions", "variables"], ["Level(cold)", "Level(mites)"])


def test_templates_stay_whatever_a_judge_would_say_now(whole):
    built, _, chunks = whole
    frozen = frozen_of(built, chunks, templates=(Template("Mortality", "Level", "", 1.0),), earlier=None)
    again, reader, _ = made(MITES, frozen=frozen, settings=BuildSettings(tier="XS"))
    assert again.graph.templates == frozen.templates
    assert reader.asked == ["Mortality(bees)"]


def test_a_renamed_document_is_remembered_by_its_first_path(whole):
    built, _, chunks = whole
    first = {each.id: each.path for each in (MITES, MORE, COLD)}
    renamed = Document("z.md", "z", MITES.text)
    again, _, _ = updated(built, chunks, MORE, COLD, renamed, read_under=first)
    assert again.facts["read_under"] == {MITES.id: "a.md"}
    assert again.spec == built.spec
    assert evidence(again, "Level(mites)") == [[(2, "quote"), (0, "mention")]]  # the quote is that of then


def test_what_was_refused_or_not_read_is_told_once():
    reader = Reader(MALFORMED)
    reader.unread = (Unread("claims", "b", "no JSON"), Unread("claims", "a", "no JSON"))
    built, _, chunks = made(MITES, reader=reader)
    assert [each.place for each in built.unread] == ["a", "b"]
    assert built.rejected == (MALFORMED,)
    frozen = frozen_of(built, chunks)
    known = ClosedVocabulary(
        frozen.vocabulary.dimensions, frozen.vocabulary.metrics, OutcomeConfig(), (MALFORMED,)
    )
    again, _, _ = made(MITES, frozen=frozen_of(built, chunks, vocabulary=known), reader=Reader(MALFORMED))
    assert again.rejected == (MALFORMED,)

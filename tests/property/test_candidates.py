"""The pairs that stage 2 judges, against loops over pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.methods.hcg.candidates import (
    best_pairs,
    collect_mentions,
    metric_pairs,
    share_chunk,
    shared_chunks,
    shared_sentences,
    variable_pairs,
)
from aitia.spec.model import ANY, Metric, Quote, Relation, Variable

ENTITIES = [ANY, "bee", "mite", "cold"]
ROLES = ["intermediate", "outcome", "terminal"]
CHUNKS = {"c0": 0, "c1": 1, "c2": 2}


@st.composite
def specs(draw):
    """Metrics, variables, quotes of variables (some of a chunk that is not there), and seed relations."""
    metrics = [
        Metric(
            name=name,
            signature=("a", "b"),
            description="",
            category="",
            graph_role=draw(st.sampled_from(ROLES)),
        )
        for name in "KLMN"[: draw(st.integers(1, 4))]
    ]
    entity = st.sampled_from(ENTITIES)
    bound = st.builds(
        lambda metric, one, two: Variable(metric=metric.name, entities=(one, two)),
        st.sampled_from(metrics),
        entity,
        entity,
    )
    variables = draw(st.lists(bound, max_size=8, unique_by=lambda variable: variable.key))
    variables.sort(key=lambda variable: variable.key)
    quote = st.builds(
        lambda text, chunk: Quote(text=text, chunk_id=chunk),
        st.sampled_from("xyz"),
        st.sampled_from([*CHUNKS, "gone"]),
    )
    quotes = {
        variable.key: draw(st.lists(quote, max_size=4)) for variable in variables if draw(st.booleans())
    }
    relations = []
    if variables:
        keys = st.sampled_from([variable.key for variable in variables])
        pairs = (
            draw(st.lists(st.tuples(keys, keys).filter(lambda pair: pair[0] != pair[1]), max_size=3))
            if len(variables) > 1
            else []
        )
        relations = [
            Relation(source=source, target=target, mechanism="", confidence=1) for source, target in pairs
        ]
    return metrics, variables, quotes, relations


def chunks_of(quotes, variable):
    return {quote.chunk_id for quote in quotes.get(variable.key, ()) if quote.chunk_id in CHUNKS}


def kept_quotes(quotes, variable):
    return {quote for quote in quotes.get(variable.key, ()) if quote.chunk_id in CHUNKS}


@settings(deadline=None)
@given(specs())
def test_mentions_say_who_is_where(spec):
    _, variables, quotes, _ = spec
    mentions = collect_mentions(variables, quotes, CHUNKS)
    order = [(CHUNKS[quote.chunk_id], quote.text) for quote in mentions.quotes]
    assert order == sorted(set(order))
    assert mentions.sentences.shape == (len(variables), len(mentions.quotes))
    assert mentions.chunks.shape == (len(variables), len(CHUNKS))
    for row, variable in enumerate(variables):
        said = mentions.sentences.toarray()[row]
        assert {mentions.quotes[column] for column in np.flatnonzero(said)} == kept_quotes(quotes, variable)
        where = mentions.chunks.toarray()[row]
        assert set(np.flatnonzero(where).tolist()) == {CHUNKS[chunk] for chunk in chunks_of(quotes, variable)}
        assert set(said.tolist()) | set(where.tolist()) <= {0, 1}
        said_in = [quote.chunk_id for quote in kept_quotes(quotes, variable)]
        assert mentions.counts.toarray()[row].tolist() == [said_in.count(chunk) for chunk in CHUNKS]


@settings(deadline=None)
@given(specs(), st.data())
def test_metric_pairs(spec, data):
    metrics, variables, quotes, relations = spec
    count = len(metrics)
    similar = np.array(
        data.draw(st.lists(st.booleans(), min_size=count**2, max_size=count**2)), bool
    ).reshape(count, count)
    before = similar.copy()
    found = metric_pairs(metrics, variables, collect_mentions(variables, quotes, CHUNKS), relations, similar)
    metric_of = {variable.key: variable.metric for variable in variables}
    seeds = {(metric_of[one.source], metric_of[one.target]) for one in relations}
    places = {
        metric.name: set().union(
            *(chunks_of(quotes, each) for each in variables if each.metric == metric.name)
        )
        for metric in metrics
    }
    for row, source in enumerate(metrics):
        for column, target in enumerate(metrics):
            together = bool(places[source.name] & places[target.name])
            wanted = before[row, column] or together or (source.name, target.name) in seeds
            allowed = row != column and source.graph_role != "terminal"
            assert found[row, column] == (wanted and allowed)
    assert (similar == before).all()


@settings(deadline=None)
@given(specs(), st.data())
def test_variable_pairs(spec, data):
    metrics, variables, quotes, relations = spec
    names = [metric.name for metric in metrics] + ["Unknown"]
    every = [(source, target) for source in names for target in names if source != target]
    templates = data.draw(st.lists(st.sampled_from(every), unique=True)) if every else []
    found = variable_pairs(variables, collect_mentions(variables, quotes, CHUNKS), relations, templates)
    seeds = {one.pair for one in relations}
    expected = [
        [row, column]
        for row, source in enumerate(variables)
        for column, target in enumerate(variables)
        if row != column
        and (source.metric, target.metric) in templates
        and (
            (set(source.entities) & set(target.entities)) - {ANY}
            or chunks_of(quotes, source) & chunks_of(quotes, target)
            or (source.key, target.key) in seeds
        )
    ]
    assert found.dtype == np.int64
    assert found.shape == (len(expected), 2)
    assert found.tolist() == expected


@settings(deadline=None)
@given(specs(), st.data())
def test_shared_sentences(spec, data):
    _, variables, quotes, _ = spec
    mentions = collect_mentions(variables, quotes, CHUNKS)
    rows = st.integers(0, max(len(variables) - 1, 0))
    pairs = data.draw(st.lists(st.tuples(rows, rows), max_size=6)) if variables else []
    found = shared_sentences(mentions, np.array(pairs, np.int64).reshape(-1, 2))
    assert len(found) == len(pairs)
    for (source, target), columns in zip(pairs, found, strict=True):
        both = kept_quotes(quotes, variables[source]) & kept_quotes(quotes, variables[target])
        assert columns.tolist() == sorted(columns.tolist())
        assert {mentions.quotes[column] for column in columns} == both


@settings(deadline=None)
@given(specs(), st.data(), st.integers(0, 4))
def test_shared_chunks(spec, data, limit):
    _, variables, quotes, _ = spec
    mentions = collect_mentions(variables, quotes, CHUNKS)
    rows = st.integers(0, max(len(variables) - 1, 0))
    pairs = data.draw(st.lists(st.tuples(rows, rows), max_size=6)) if variables else []
    found = shared_chunks(mentions, np.array(pairs, np.int64).reshape(-1, 2), limit)
    assert len(found) == len(pairs)
    for (source, target), chunks in zip(pairs, found, strict=True):
        said = [
            [
                sum(quote.chunk_id == chunk for quote in kept_quotes(quotes, variables[row]))
                for chunk in CHUNKS
            ]
            for row in (source, target)
        ]
        much = [min(both) for both in zip(*said, strict=True)]
        both = [row for row in range(len(CHUNKS)) if much[row]]
        assert chunks.tolist() == sorted(both, key=lambda row: (-much[row], row))[:limit]


@given(specs(), st.integers(0, 12))
@settings(max_examples=200, deadline=None)
def test_the_pairs_that_share_most_come_first(spec, limit):
    _, variables, quotes, _ = spec
    mentions = collect_mentions(variables, quotes, CHUNKS)
    count = len(variables)
    pairs = np.array([(a, b) for a in range(count) for b in range(count) if a != b], np.int64).reshape(-1, 2)
    places = [
        {(q.chunk_id, q.text) for q in quotes.get(v.key, ()) if q.chunk_id in CHUNKS} for v in variables
    ]

    def rank(position):
        a, b = pairs[position]
        both = places[a] & places[b]
        chunks = {chunk for chunk, _ in places[a]} & {chunk for chunk, _ in places[b]}
        entities = set(variables[a].entities) & set(variables[b].entities) - {ANY}
        return -len(both), -len(chunks), -len(entities), position

    expected = sorted(sorted(range(len(pairs)), key=rank)[:limit])
    assert np.flatnonzero(best_pairs(variables, mentions, pairs, limit)).tolist() == expected


@given(specs(), st.lists(st.booleans(), min_size=3, max_size=3))
@settings(max_examples=100, deadline=None)
def test_pairs_in_one_of_some_chunks(spec, among):
    _, variables, quotes, _ = spec
    mentions = collect_mentions(variables, quotes, CHUNKS)
    count = len(variables)
    pairs = np.array([(a, b) for a in range(count) for b in range(count)], np.int64).reshape(-1, 2)
    wanted = {chunk for chunk, keep in zip(CHUNKS, among, strict=True) if keep}
    chunks = [{q.chunk_id for q in quotes.get(v.key, ())} & wanted for v in variables]
    expected = [bool(chunks[a] & chunks[b]) for a, b in pairs]
    assert share_chunk(mentions, pairs, np.array(among)).tolist() == expected

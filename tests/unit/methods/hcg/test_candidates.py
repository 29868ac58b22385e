from __future__ import annotations

import numpy as np

from aitia.methods.hcg.candidates import (
    collect_mentions,
    metric_pairs,
    shared_chunks,
    shared_sentences,
    variable_pairs,
)
from aitia.spec.model import Metric, Quote, Relation, Variable

VARIABLES = tuple(
    Variable(metric=metric, entities=entities)
    for metric, entities in (
        ("Dose", ("a", "any")),
        ("Dose", ("b", "any")),
        ("Level", ("a", "x")),
        ("Risk", ("any", "any")),
        ("Risk", ("b", "any")),
    )
)
METRICS = tuple(
    Metric(name=name, signature=("one", "two"), description="", category="", graph_role=role)
    for name, role in (("Dose", "intermediate"), ("Level", "intermediate"), ("Risk", "terminal"))
)
ONE, TWO, GONE = (
    Quote(text=text, chunk_id=chunk) for text, chunk in (("one", "c1"), ("two", "c0"), ("three", "c9"))
)
MENTIONS = collect_mentions(
    VARIABLES,
    {"Dose(a, any)": [ONE, GONE, ONE], "Risk(any, any)": [ONE, TWO], "Level(a, x)": [GONE]},
    {"c0": 0, "c1": 1},
)
SEED = Relation(source="Level(a, x)", target="Risk(b, any)", mechanism="", confidence=1)


def test_mentions_in_the_order_of_the_text():
    assert MENTIONS.quotes == (TWO, ONE)
    assert MENTIONS.sentences.toarray().tolist() == [[0, 1], [0, 0], [0, 0], [1, 1], [0, 0]]
    assert MENTIONS.chunks.toarray().tolist() == [[0, 1], [0, 0], [0, 0], [1, 1], [0, 0]]


def test_metric_pairs_by_seed_by_chunk_and_by_similarity():
    none = np.zeros((3, 3), bool)
    assert metric_pairs(METRICS, VARIABLES, MENTIONS, [], none).tolist() == [
        [False, False, True],  # both are mentioned in the second chunk
        [False, False, False],
        [False, False, False],
    ]
    assert metric_pairs(METRICS, VARIABLES, MENTIONS, [SEED], none)[1].tolist() == [False, False, True]
    every = metric_pairs(METRICS, VARIABLES, MENTIONS, [], ~none)
    assert every.tolist() == [[False, True, True], [True, False, True], [False, False, False]]


def test_variable_pairs_by_entity_by_chunk_and_by_seed():
    def pairs(relations, *templates):
        return variable_pairs(VARIABLES, MENTIONS, relations, templates).tolist()

    assert pairs([], ("Dose", "Level")) == [[0, 2]]  # the entity a; any is none
    assert pairs([], ("Dose", "Risk")) == [[0, 3], [1, 4]]  # a chunk, the entity b
    assert pairs([], ("Level", "Risk")) == []
    assert pairs([SEED], ("Level", "Risk"), ("Dose", "Level")) == [[0, 2], [2, 4]]
    assert pairs([SEED], ("Dose", "Level")) == [[0, 2]]
    assert pairs([SEED]) == []


def test_sentences_that_name_both():
    found = shared_sentences(MENTIONS, np.array([[0, 3], [3, 3], [0, 1]]))
    assert [each.tolist() for each in found] == [[1], [0, 1], []]
    assert shared_sentences(MENTIONS, np.zeros((0, 2), np.int64)) == []


def test_chunks_that_name_both_those_that_do_so_most_first():
    quotes = [
        Quote(text=text, chunk_id=chunk)
        for text, chunk in (("1", "c0"), ("2", "c1"), ("3", "c1"), ("4", "c2"))
    ]
    mentions = collect_mentions(
        VARIABLES[:3],
        {"Dose(a, any)": [*quotes, quotes[0]], "Dose(b, any)": quotes[:3]},
        {"c0": 0, "c1": 1, "c2": 2},
    )
    assert mentions.counts.toarray().tolist() == [[1, 2, 1], [1, 2, 0], [0, 0, 0]]
    pairs = np.array([[0, 1], [0, 2], [1, 0]])
    assert [each.tolist() for each in shared_chunks(mentions, pairs, 9)] == [[1, 0], [], [1, 0]]
    assert [each.tolist() for each in shared_chunks(mentions, pairs, 1)] == [[1], [], [1]]
    assert shared_chunks(mentions, pairs[:0], 9) == []


def test_no_variables():
    mentions = collect_mentions((), {}, {})
    assert metric_pairs((), (), mentions, [], np.zeros((0, 0), bool)).shape == (0, 0)
    assert variable_pairs((), mentions, [], []).shape == (0, 2)

"""Measures of rankings against values worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aitia.errors import UsageError
from aitia.evaluation.metrics.average_precision import average_precision, multihop_average_precision
from aitia.evaluation.metrics.found_at_k import all_at_k, hits_at_k, recall_at_k
from aitia.evaluation.metrics.ndcg import ndcg
from aitia.evaluation.metrics.ranked_hits import find_documents, find_facts
from aitia.evaluation.metrics.reciprocal_rank import reciprocal_rank

NAN = math.nan

RANKED = [
    ["x", "a", "x", "y", "b", "c"],  # different ones: x a y b c; a at 2, b at 4, c at 5
    ["a"],
    ["x", "y"],
    ["a", "b"],
    [],
]
WANTED = [["a", "b", "c", "b"], ["a", "b"], ["a"], [], ["a"]]


def test_documents_at_3():
    hits = find_documents(RANKED, WANTED, 3)
    np.testing.assert_array_equal(hits.new, [[0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(hits.wanted, [3, 2, 1, 0, 1])
    np.testing.assert_allclose(recall_at_k(hits), [1 / 3, 1 / 2, 0, NAN, 0])
    np.testing.assert_array_equal(hits_at_k(hits), [1, 1, 0, NAN, 0])
    np.testing.assert_array_equal(all_at_k(hits), [0, 0, 0, NAN, 0])
    np.testing.assert_array_equal(reciprocal_rank(hits), [1 / 2, 1, 0, NAN, 0])
    # AP: the one found has precision 1/2 (of 3 that 3 ranks could hold) and 1 (of 2)
    np.testing.assert_allclose(average_precision(hits), [1 / 2 / 3, 1 / 2, 0, NAN, 0])
    # 1/log2(3) over 1 + 1/log2(3) + 1/2 = 0.63093 / 2.13093; 1 over 1.63093
    np.testing.assert_allclose(ndcg(hits), [0.2960819, 0.6131472, 0, NAN, 0], atol=5e-8)


def test_documents_to_the_end():
    hits = find_documents(RANKED, WANTED)
    np.testing.assert_array_equal(hits.new[0], [0, 1, 0, 1, 1])
    np.testing.assert_allclose(recall_at_k(hits), [1, 1 / 2, 0, NAN, 0])
    np.testing.assert_array_equal(all_at_k(hits), [1, 0, 0, NAN, 0])
    # precisions 1/2, 2/4, 3/5
    assert average_precision(hits)[0] == pytest.approx((1 / 2 + 1 / 2 + 3 / 5) / 3)
    # (1/log2 3 + 1/log2 5 + 1/log2 6) / (1 + 1/log2 3 + 1/2)
    assert ndcg(hits)[0] == pytest.approx((0.6309298 + 0.4306766 + 0.3868528) / 2.1309298, abs=1e-7)


def test_the_published_map_divides_what_is_new_by_its_rank():
    hits = find_documents(RANKED, WANTED, 10)
    np.testing.assert_allclose(
        multihop_average_precision(hits), [(1 / 2 + 1 / 4 + 1 / 5) / 3, 1 / 2, 0, NAN, 0]
    )
    assert (multihop_average_precision(hits)[:3] <= average_precision(hits)[:3]).all()


def test_more_wanted_than_ranks_can_be_perfect_in_map_and_ndcg_but_not_in_recall():
    hits = find_documents([["a", "b"]], [["a", "b", "c", "d"]], 2)
    assert average_precision(hits).tolist() == [1.0]
    assert ndcg(hits).tolist() == [1.0]
    assert recall_at_k(hits).tolist() == [0.5]
    assert all_at_k(hits).tolist() == [0.0]


def test_a_question_does_not_depend_on_the_others():
    for measure in (recall_at_k, hits_at_k, all_at_k, average_precision, ndcg, reciprocal_rank):
        for k in (None, 2, 10):
            alone = [measure(find_documents([r], [w], k))[0] for r, w in zip(RANKED, WANTED, strict=True)]
            np.testing.assert_array_equal(measure(find_documents(RANKED, WANTED, k)), alone)


CONTEXTS = [["Salt rusts\nthe hull. Tar", "Paint helps. Tar helps. Salt rusts the hull."], ["Salt"]]
FACTS = [["Salt rusts the hull.", "Paint helps.", "Tar helps.", "No."], ["Salt rusts the hull."]]


def test_facts_count_where_they_first_stand_whole():
    hits = find_facts(CONTEXTS, FACTS, 10)
    np.testing.assert_array_equal(hits.new[:, :3], [[1, 2, 0], [0, 0, 0]])
    np.testing.assert_array_equal(recall_at_k(hits), [3 / 4, 0])
    np.testing.assert_array_equal(hits_at_k(hits), [1, 0])
    # standard: precision 1 at both ranks; published: 1/1 + 2/2
    np.testing.assert_array_equal(average_precision(hits), [3 / 4, 0])
    np.testing.assert_array_equal(multihop_average_precision(hits), [2 / 4, 0])
    # two ranks gain, of four that could
    assert ndcg(hits)[0] == pytest.approx(1.6309298 / 2.5616063, abs=1e-7)


def test_no_questions_and_no_ranks():
    for hits in (find_documents([], [], 3), find_documents([], [])):
        assert ndcg(hits).shape == reciprocal_rank(hits).shape == average_precision(hits).shape == (0,)
    hits = find_documents([[]], [[]])
    assert np.isnan([ndcg(hits), reciprocal_rank(hits), average_precision(hits), recall_at_k(hits)]).all()


def test_k_is_at_least_1():
    with pytest.raises(UsageError, match="k is 0; expected at least 1"):
        find_documents(RANKED, WANTED, 0)

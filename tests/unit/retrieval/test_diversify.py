import numpy as np

from aitia.retrieval.diversify import diversify

# Candidates 10 and 11 point the same way; 12 stands at right angles to them.
IDS = np.array([10, 11, 12])
RELEVANCE = np.array([0.9, 0.8, 0.5])
VECTORS = np.array([[1, 0], [1, 0], [0, 1]], np.float32)


def test_unlike_the_chosen_beats_more_relevant():
    """After 10: 11 is worth 0.7 * 0.8 - 0.3 * 1 = 0.26, and 12 is worth 0.7 * 0.5 = 0.35."""
    assert diversify(IDS, RELEVANCE, VECTORS, 3).tolist() == [10, 12, 11]
    assert diversify(IDS, RELEVANCE, VECTORS, 2).tolist() == [10, 12]


def test_relevance_alone():
    assert diversify(IDS, RELEVANCE, VECTORS, 3, share=1.0).tolist() == [10, 11, 12]


def test_opposite_is_better_than_unlike():
    vectors = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    assert diversify(IDS, np.array([0.9, 0.5, 0.4]), vectors, 3).tolist() == [10, 12, 11]


def test_ties_go_to_the_smaller_id_in_any_order():
    same = np.zeros((3, 2), np.float32)
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        assert diversify(IDS[order], np.ones(3), same, 3).tolist() == [10, 11, 12]


def test_few_or_none():
    assert diversify(IDS, RELEVANCE, VECTORS, 0).tolist() == []
    assert diversify(IDS[:0], RELEVANCE[:0], VECTORS[:0], 3).tolist() == []
    assert diversify(IDS, RELEVANCE, VECTORS, 9).tolist() == [10, 12, 11]

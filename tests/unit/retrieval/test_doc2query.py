from __future__ import annotations

import numpy as np
import pytest

from aitia.retrieval.doc2query import best_share, first_of_each, normal_question


def test_repeats_are_known_by_their_words():
    assert normal_question("  What IS a varroa-mite?! ") == "what is a varroa mite"
    keys = [("a", "what"), ("a", "who"), ("b", "what"), ("a", "what"), ("a", ""), ("b", "who")]
    assert first_of_each(keys).tolist() == [0, 1, 2, 5]
    assert first_of_each([]).tolist() == []


def test_the_best_share_of_each_group_is_rounded_up():
    scores = np.array([0.1, 0.9, 0.5, 0.5, 0.2, 0.3], np.float32)
    groups = np.array([0, 0, 0, 0, 2, 2])
    assert best_share(scores, groups, 0.5).tolist() == [False, True, True, False, False, True]
    assert best_share(scores, groups, 0.01).tolist() == [False, True, False, False, False, True]
    assert best_share(scores, groups, 1.0).all()


@pytest.mark.parametrize(("share", "kept"), [(0.8, 16), (0.7, 14), (0.05, 1), (0.051, 2)])
def test_of_twenty(share, kept):
    scores = np.arange(20, dtype=np.float32)
    best = best_share(scores, np.zeros(20, np.int64), share)
    assert np.flatnonzero(best).tolist() == list(range(20 - kept, 20))


def test_nothing_to_keep():
    assert best_share(np.zeros(0, np.float32), np.zeros(0, np.int64), 0.8).tolist() == []

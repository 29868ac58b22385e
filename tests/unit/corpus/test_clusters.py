import numpy as np

from aitia.corpus.clusters import LONGEST_CLUSTER, find_clusters


def spans(text):
    clusters = find_clusters(text)
    return list(zip(clusters.starts.tolist(), clusters.ends.tolist(), strict=True))


def test_finds_accents_families_flags_and_hangul():
    assert spans("ae\u0301b") == [(1, 3)]
    assert spans("x👨\u200d👩\u200d👧!") == [(1, 6)]
    assert spans("🇩🇪🇫🇷") == [(0, 2), (2, 4)]
    assert spans("\u1112\u1161\u11ab\u1100") == [(0, 3)]
    assert spans("❤\ufe0f 中\U000e0100") == [(0, 2), (3, 5)]
    assert spans("plain é text") == []


def test_snaps_cuts_to_the_start_of_a_cluster_and_keeps_them_unique():
    clusters = find_clusters("ae\u0301\u0302b")
    assert clusters.snap(np.array([0, 1, 2, 3, 4, 5])).tolist() == [0, 1, 4, 5]


def test_hides_the_space_that_carries_an_accent():
    text = "a \u0301b c"
    hidden = find_clusters(text).hide_spaces(text)
    assert hidden == "a_\u0301b c"


def test_a_character_without_end_is_not_protected():
    assert spans("e" + "\u0301" * LONGEST_CLUSTER) == []
    assert spans("e" + "\u0301" * (LONGEST_CLUSTER - 1)) == [(0, LONGEST_CLUSTER)]

from __future__ import annotations

import numpy as np
import pytest

from aitia.clients.minilm import open_minilm
from aitia.methods.hug.canonical import Merge, canonicalise


def embedder(vectors):
    """Embeds names by a table of angles in degrees on one circle."""

    def embed(names):
        angles = np.radians([vectors[name] for name in names])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    return embed


def test_one_spelling_is_one_entity_named_as_most_often():
    counts = {"Log-file": 1, "log file": 3, "log files": 2, "disk": 1}
    found = canonicalise(counts, embedder({"log file": 0, "disk": 90}), 0.85)
    assert found.name_of == {
        "Log-file": "log file",
        "log file": "log file",
        "log files": "log file",
        "disk": "disk",
    }
    assert found.merges == (
        Merge("log file", "log files", 1.0, "spelling"),
        Merge("log file", "Log-file", 1.0, "spelling"),
    )


def test_near_names_merge_and_the_more_frequent_stays():
    found = canonicalise(
        {"server": 1, "host": 2, "cat": 5}, embedder({"server": 0, "host": 20, "cat": 90}), 0.85
    )
    assert found.name_of == {"server": "host", "host": "host", "cat": "cat"}
    assert found.merges == (Merge("host", "server", pytest.approx(0.9397), "cosine"),)


def test_a_chain_of_near_names_does_not_drift():
    """a-b and b-c are near, a-c is not: the nearer pair merges, the third stays apart."""
    found = canonicalise(
        {"adder": 1, "beetle": 1, "camel": 1}, embedder({"adder": 0, "beetle": 20, "camel": 42}), 0.85
    )
    assert found.name_of == {"adder": "adder", "beetle": "adder", "camel": "camel"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("stage I", "stage II"), ("high load", "low load"), ("DSO", "DPO"), ("node 1", "node 2")],
)
def test_opposites_and_acronyms_are_only_suggested(one, other):
    found = canonicalise({one: 2, other: 1}, embedder({one: 0, other: 5}), 0.85)
    assert found.name_of == {one: one, other: other}
    assert found.merges == (Merge(one, other, pytest.approx(0.9962), "cosine", suggested=True),)


def test_a_merge_is_undone_by_keeping_its_names_apart():
    embed = embedder({"server": 0, "host": 20})
    found = canonicalise({"server": 1, "host": 2}, embed, 0.85, [frozenset({"server", "host"})])
    assert found.name_of == {"server": "server", "host": "host"}
    assert found.merges == ()
    apart = [frozenset({"log file", "log files"})]
    found = canonicalise(
        {"log file": 1, "log files": 1}, embedder({"log file": 0, "log files": 90}), 0.85, apart
    )
    assert found.name_of == {"log file": "log file", "log files": "log files"}


def test_the_order_of_names_does_not_matter():
    angles = {
        name: 17 * place
        for place, name in enumerate(["adder", "beetle", "camel", "donkey", "eagle", "ferret"])
    }
    counts = dict.fromkeys(angles, 1)
    forward = canonicalise(counts, embedder(angles), 0.85)
    assert forward == canonicalise(dict(reversed(counts.items())), embedder(angles), 0.85)


def test_words_that_the_embedder_cannot_read_are_not_merged_and_accents_do_not_count():
    names = dict.fromkeys(["câncer", "cancer", "ความคิด", "โรงเรียน"], 1)
    found = canonicalise(names, embedder({"câncer": 0, "cancer": 0, "ความคิด": 90, "โรงเรียน": 90}), 0.85)
    assert found.name_of == {"câncer": "cancer", "cancer": "cancer", "ความคิด": "ความคิด", "โรงเรียน": "โรงเรียน"}


def test_no_names():
    assert canonicalise({}, embedder({}), 0.85).merges == ()


def test_auth_service_and_authentication_service_are_one_by_the_bundled_embedder():
    found = canonicalise({"auth-service": 2, "authentication service": 1}, open_minilm().embed, 0.85)
    assert set(found.name_of.values()) == {"auth-service"}

from __future__ import annotations

import numpy as np
import pytest

from aitia.clients.cached import COMMIT_EVERY, CachedEmbedder
from aitia.clients.openai_embedder import OpenAIEmbedder
from aitia.corpus.document import content_hash
from aitia.errors import EmbedderError
from aitia.testing import EmbeddingServer, HashEmbedder, MemoryLedger


class Counting(HashEmbedder):
    """Remembers what it was asked, and fails from the nth text on."""

    def __init__(self, fail_after=None):
        super().__init__()
        self.asked = []
        self.fail_after = fail_after

    def embed(self, texts):
        if self.fail_after is not None and len(self.asked) + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.asked.extend(texts)
        return super().embed(texts)


def test_each_distinct_text_is_computed_once():
    embedder = Counting()
    cached = CachedEmbedder(embedder, MemoryLedger())
    rows = cached.embed(["a", "b", "a"])
    assert embedder.asked == ["a", "b"]
    assert (cached.computed, cached.cached) == (2, 0)
    np.testing.assert_array_equal(rows, HashEmbedder().embed(["a", "b", "a"]))


def test_what_the_ledger_holds_is_read():
    ledger = MemoryLedger()
    CachedEmbedder(Counting(), ledger).embed(["a", "b"])
    embedder = Counting()
    cached = CachedEmbedder(embedder, ledger)
    rows = cached.embed(["c", "b", "a", "b"])
    assert embedder.asked == ["c"]
    assert (cached.computed, cached.cached) == (1, 2)
    np.testing.assert_array_equal(rows, HashEmbedder().embed(["c", "b", "a", "b"]))


def test_a_killed_run_keeps_what_was_committed():
    texts = [f"text {i}" for i in range(2 * COMMIT_EVERY + 1)]
    ledger = MemoryLedger()
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Counting(fail_after=2 * COMMIT_EVERY), ledger).embed(texts)
    assert ledger.commits == 2
    again = Counting()
    CachedEmbedder(again, ledger).embed(texts)
    assert again.asked == texts[-1:]


def test_progress_is_told_after_each_commit():
    told = []
    cached = CachedEmbedder(HashEmbedder(), MemoryLedger(), lambda done, total: told.append((done, total)))
    cached.embed([f"text {i}" for i in range(COMMIT_EVERY + 1)])
    assert told == [(128, 129), (129, 129)]


def test_it_is_the_embedder_behind_it():
    embedder = HashEmbedder()
    cached = CachedEmbedder(embedder, MemoryLedger())
    assert (cached.id, cached.hash, cached.dimensions) == ("hash:64", embedder.hash, 64)


def test_a_row_of_another_length_is_refused():
    ledger = MemoryLedger()
    embedder = HashEmbedder()
    ledger.add_vectors(embedder.hash, {content_hash("a"): bytes(8)})
    with pytest.raises(EmbedderError, match="hash:64: vectors of 2 and of 64 dimensions in one ledger"):
        CachedEmbedder(embedder, ledger).embed(["a", "b"])


def test_a_full_ledger_asks_nothing_of_an_api():
    ledger = MemoryLedger()
    with EmbeddingServer() as server:
        api = OpenAIEmbedder("small", base_url=server.base_url)
        CachedEmbedder(api, ledger).embed(["a", "b"])
        asked = len(server.requests)
        rows = CachedEmbedder(OpenAIEmbedder("small", base_url=server.base_url), ledger).embed(["b", "a"])
        api.close()
        assert (rows.shape, len(server.requests)) == ((2, 64), asked)


def test_another_model_does_not_see_the_rows():
    ledger = MemoryLedger()
    CachedEmbedder(HashEmbedder(64), ledger).embed(["a"])
    cached = CachedEmbedder(HashEmbedder(32), ledger)
    assert cached.embed(["a"]).shape == (1, 32)
    assert cached.computed == 1

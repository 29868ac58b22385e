"""Every embedder against the one contract."""

from __future__ import annotations

import shutil
from importlib.resources import files

import pytest

from aitia.clients.cached import CachedEmbedder
from aitia.clients.embedders import open_embedder
from aitia.clients.minilm import model_path, open_minilm
from aitia.testing import EmbedderContract, EmbeddingServer, HashEmbedder, MemoryLedger


@pytest.fixture(scope="module")
def minilm():
    return open_embedder("minilm")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("model")
    shutil.copy(model_path(), path / "model.onnx")
    tokenizer = files("aitia.corpus").joinpath("tokenizer.json").read_bytes()
    (path / "tokenizer.json").write_bytes(tokenizer)
    return open_embedder(f"dir:{path}")


@pytest.fixture
def api():
    with EmbeddingServer() as server:
        embedder = open_embedder("openai:model", base_url=server.base_url, api_key="secret")
        yield embedder
        embedder.close()


class TestHash(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return HashEmbedder()


class TestMiniLM(EmbedderContract):
    @pytest.fixture
    def embedder(self, minilm):
        return minilm

    def test_threads_change_no_vector(self):
        texts = [f"The stage of melanoma decides treatment {i}" for i in range(5)]
        assert (open_minilm(threads=1).embed(texts) == open_minilm(threads=2).embed(texts)).all()

    def test_text_beyond_256_tokens_is_cut(self, embedder):
        # "word" is one token, and two of the 256 are special.
        rows = embedder.embed(["word " * 254, "word " * 254 + "melanoma", "word " * 253 + "melanoma"])
        assert (rows[0] == rows[1]).all()
        assert (rows[0] != rows[2]).any()


class TestFolder(EmbedderContract):
    @pytest.fixture
    def embedder(self, folder):
        return folder

    def test_equal_files_have_the_hash_of_the_bundled_model(self, embedder, minilm):
        assert embedder.hash == minilm.hash


class TestOpenAI(EmbedderContract):
    @pytest.fixture
    def embedder(self, api):
        return api


class TestCached(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return CachedEmbedder(HashEmbedder(), MemoryLedger())

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

from aitia.clients.embedders import open_embedder
from aitia.errors import EmbedderError, UsageError


@pytest.mark.parametrize("spec", ["", "word2vec", "minilm:", "dir:", "openai:", "st:", "MiniLM"])
def test_an_unknown_spec_names_the_known_ones(spec):
    with pytest.raises(UsageError) as caught:
        open_embedder(spec)
    assert str(caught.value) == (
        f"embedder {spec!r} is unknown; expected minilm, dir:PATH, openai:MODEL or st:NAME"
    )


def test_the_default_is_the_bundled_one():
    assert open_embedder().id == "minilm"


def test_a_model_name_may_hold_a_colon():
    embedder = open_embedder("openai:nomic-embed-text:v1.5", base_url="http://127.0.0.1:1/v1")
    assert embedder.id == "openai:nomic-embed-text:v1.5"


def test_how_often_and_how_long_an_endpoint_is_asked(chat):
    chat.always = chat.error(500)
    embedder = open_embedder("openai:m", base_url=chat.base_url, attempts=1, timeout_s=0.2)
    with pytest.raises(EmbedderError, match="500"):
        embedder.embed(["a"])
    assert len(chat.bodies) == 1
    chat.always = chat.stall
    with pytest.raises(EmbedderError, match="no answer in time"):
        embedder.embed(["a"])
    embedder.close()


def test_sentence_transformers_not_installed_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EmbedderError) as caught:
        open_embedder("st:all-MiniLM-L6-v2")
    assert str(caught.value) == (
        "st:all-MiniLM-L6-v2: sentence-transformers is not installed. Install it: pip install 'aitia[st]'"
    )


class StandIn:
    def __init__(self, name):
        if name == "unknown":
            raise OSError("no such\nmodel")

    def get_sentence_embedding_dimension(self):
        return 2

    def encode(self, texts, **options):
        return np.array([[3.0, 4.0]] * len(texts))


@pytest.fixture
def stand_in(monkeypatch):
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = StandIn
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.mark.usefixtures("stand_in")
def test_sentence_transformers_rows_are_scaled():
    embedder = open_embedder("st:name")
    assert embedder.id == "st:name"
    assert embedder.embed([]).shape == (0, 2)
    np.testing.assert_array_equal(embedder.embed(["a"]), np.array([[0.6, 0.8]], dtype=np.float32))


@pytest.mark.usefixtures("stand_in")
def test_a_sentence_transformers_model_that_fails_to_load_is_one_line():
    with pytest.raises(EmbedderError) as caught:
        open_embedder("st:unknown")
    assert str(caught.value) == "st:unknown: the model cannot be loaded (no such model)"

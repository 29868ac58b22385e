from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from aitia.clients.embedders import open_embedder
from aitia.clients.onnx import _batches_by_length, _known_inputs, _token_output, open_folder
from aitia.corpus.tokens import bundled_tokenizer
from aitia.errors import EmbedderError


def test_batches_are_of_at_most_eight_and_of_near_lengths():
    lengths = [5, 1, 9, 1, 3, 7, 2, 8, 6, 4]
    batches = [batch.tolist() for batch in _batches_by_length([[0] * length for length in lengths])]
    assert batches == [[1, 3, 6, 4, 9, 0, 8, 5], [7, 2]]


@pytest.mark.parametrize("present", [[], ["model.onnx"], ["tokenizer.json"]])
def test_a_folder_without_its_files_is_one_line(tmp_path, present):
    for name in present:
        (tmp_path / name).write_text("{}")
    missing = "tokenizer.json" if present == ["model.onnx"] else "model.onnx"
    with pytest.raises(EmbedderError, match=f"{missing} not found; expected a folder with") as caught:
        open_folder(tmp_path)
    assert "\n" not in str(caught.value)


def test_an_unreadable_tokenizer_is_one_line(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text("no tokenizer")
    with pytest.raises(EmbedderError, match=r"tokenizer\.json cannot be read") as caught:
        open_folder(tmp_path)
    assert "\n" not in str(caught.value)


def test_an_unreadable_model_is_one_line(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text(bundled_tokenizer().to_str())
    with pytest.raises(EmbedderError, match=r"model\.onnx cannot be loaded") as caught:
        open_folder(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def minilm():
    return open_embedder("minilm")


def model(inputs=("input_ids",), outputs=()):
    """A stand-in for a session: names of inputs, and names with shapes of outputs."""
    return SimpleNamespace(
        get_inputs=lambda: [SimpleNamespace(name=name) for name in inputs],
        get_outputs=lambda: [SimpleNamespace(name=name, shape=shape) for name, shape in outputs],
    )


def test_the_states_of_tokens_are_found_among_the_outputs():
    outputs = [("sentence_embedding", ["batch", 384]), ("token_embeddings", ["batch", "sequence", 384])]
    assert _token_output(model(outputs=outputs), "dir:x").name == "token_embeddings"


@pytest.mark.parametrize("shape", [["batch", 384], ["batch", "sequence", "width"]])
def test_a_model_without_states_of_tokens_is_one_line(shape):
    with pytest.raises(EmbedderError, match=r"dir:x: model\.onnx gives out .*; expected states") as caught:
        _token_output(model(outputs=[("out", shape)]), "dir:x")
    assert "\n" not in str(caught.value)


def test_a_model_that_wants_more_is_one_line():
    assert _known_inputs(model(["input_ids", "attention_mask"]), "dir:x") == {"input_ids", "attention_mask"}
    with pytest.raises(EmbedderError, match=r"dir:x: model\.onnx wants pixel_values, position_ids; expected"):
        _known_inputs(model(["input_ids", "position_ids", "pixel_values"]), "dir:x")


def test_a_folder_is_known_by_its_absolute_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EmbedderError, match=f"dir:{tmp_path}/model: model.onnx not found"):
        open_embedder("dir:model")


@pytest.mark.usefixtures("minilm")
def test_the_shared_tokenizer_keeps_its_settings():
    assert bundled_tokenizer().truncation is None
    assert bundled_tokenizer().padding is None


def test_minilm_has_the_cosines_of_the_published_model(minilm):
    # The example of the sentence-transformers quickstart, which prints fp32's cosines.
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    vectors = minilm.embed(texts)
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    np.testing.assert_allclose(vectors @ vectors.T, published, atol=0.005)

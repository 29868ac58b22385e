"""Sentence embeddings by onnxruntime: a transformer, mean pooling, unit length.

Weights that are quantised alone (as the bundled MiniLM's) or not at all give a text the same vector
in every batch, padding and thread count. It does not hold for models with quantised activations.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aitia.clients.protocols import Vectors
from aitia.clients.vectors import encodable, unit_rows
from aitia.corpus.document import content_hash
from aitia.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 256
"""Longer texts are cut, special tokens included. It is the length that MiniLM was trained for."""

MAX_BATCH = 8
"""Measured: batches of 64 take twice the time and three times the memory on two cores."""

_SLICE = 1024
"""Texts tokenised and sorted by length at once; bounds the memory that encodings take."""

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})

_RECIPE = f"mean pooling, {MAX_TOKENS} tokens, unit length"


class OnnxEmbedder:
    """A model file and its tokenizer.

    The empty text has a vector too: that of the tokenizer's special tokens alone.
    ``threads`` is how many cores one batch may use; it changes no vector.
    """

    def __init__(self, id: str, model: Path, tokenizer: bytes, *, threads: int | None = None) -> None:
        self.id = id
        self.hash = content_hash(_RECIPE, sha256(model), hashlib.sha256(tokenizer).hexdigest())
        self._tokenizer = _load_tokenizer(tokenizer, id)
        self._session = _load_session(model, id, threads or min(4, os.cpu_count() or 1))
        self._inputs = _known_inputs(self._session, id)
        self._output = _token_output(self._session, id)
        self.dimensions = int(self._output.shape[-1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), in the order of the texts."""
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _SLICE):
            encodings = self._tokenizer.encode_batch([encodable(t) for t in texts[start : start + _SLICE]])
            ids = [encoding.ids or [0] for encoding in encodings]
            for batch in _batches_by_length(ids):
                rows[start + batch] = self._embed_batch([ids[i] for i in batch])
        return rows

    def _embed_batch(self, ids: Sequence[Sequence[int]]) -> Vectors:
        lengths = np.array([len(row) for row in ids])
        present = np.arange(lengths.max()) < lengths[:, None]
        tokens = np.zeros(present.shape, dtype=np.int64)
        tokens[present] = np.concatenate([np.asarray(row, dtype=np.int64) for row in ids])
        feed = {
            "input_ids": tokens,
            "attention_mask": present.astype(np.int64),
            "token_type_ids": np.zeros_like(tokens),
        }
        (states,) = self._session.run(
            [self._output.name], {name: value for name, value in feed.items() if name in self._inputs}
        )
        sums = np.where(present[..., None], states, np.float32(0)).sum(axis=1, dtype=np.float32)
        return unit_rows(sums / lengths[:, None].astype(np.float32), self.id)


def open_folder(folder: Path, *, threads: int | None = None) -> OnnxEmbedder:
    """The embedder of a folder with ``model.onnx`` and ``tokenizer.json``.

    Its id has the absolute path, so that it opens from any working directory.
    """
    folder = folder.expanduser().resolve()
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    for path in (model, tokenizer):
        if not path.is_file():
            raise EmbedderError(
                f"dir:{folder}: {path.name} not found; expected a folder with model.onnx and tokenizer.json"
            )
    return OnnxEmbedder(f"dir:{folder}", model, tokenizer.read_bytes(), threads=threads)


def sha256(path: Path) -> str:
    """The hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _batches_by_length(ids: Sequence[Sequence[int]]) -> Iterator[NDArray[np.intp]]:
    order = np.argsort([len(row) for row in ids], kind="stable")
    for start in range(0, len(order), MAX_BATCH):
        yield order[start : start + MAX_BATCH]


def _load_tokenizer(content: bytes, id: str) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_buffer(content)
    except Exception as error:  # the library raises bare Exception
        raise EmbedderError(f"{id}: tokenizer.json cannot be read ({_one_line(error)})") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _load_session(model: Path, id: str, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only: users cannot act on onnxruntime's warnings
    # Threads that wait by spinning took a quarter more processor time here, and no less wall time.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library's own exceptions share no public base
        raise EmbedderError(f"{id}: model.onnx cannot be loaded ({_one_line(error)})") from error


def _known_inputs(session: Any, id: str) -> frozenset[str]:
    names = frozenset(node.name for node in session.get_inputs())
    if unknown := sorted(names - _INPUTS):
        raise EmbedderError(
            f"{id}: model.onnx wants {', '.join(unknown)}; expected only {', '.join(sorted(_INPUTS))}"
        )
    return names


def _token_output(session: Any, id: str) -> Any:
    outputs = [node for node in session.get_outputs() if len(node.shape) == 3]
    if not outputs or not isinstance(outputs[0].shape[-1], int):
        found = ", ".join(f"{node.name} {node.shape}" for node in session.get_outputs())
        raise EmbedderError(f"{id}: model.onnx gives {found}; expected states (batch, sequence, dimensions)")
    return outputs[0]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]

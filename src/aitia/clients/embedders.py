"""From an embedder's spec, as given to ``--embedder`` and stored in an index, to the embedder."""

from __future__ import annotations

from pathlib import Path

from aitia.clients.protocols import Embedder
from aitia.errors import UsageError

SPECS = "minilm, dir:PATH, openai:MODEL or st:NAME"


def open_embedder(
    spec: str = "minilm",
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    threads: int | None = None,
    attempts: int = 8,
    timeout_s: float = 60.0,
) -> Embedder:
    """The embedder of a spec; ``base_url``, ``api_key``, ``attempts`` and ``timeout_s`` are for ``openai:``.

    ``threads`` is how many cores a local model may use; it changes no vector.

    Raises UsageError for an unknown spec, EmbedderError for an embedder that cannot be opened.
    """
    kind, _, name = spec.partition(":")
    if spec == "minilm":
        from aitia.clients.minilm import open_minilm

        return open_minilm(threads=threads)
    if kind == "dir" and name:
        from aitia.clients.onnx import open_folder

        return open_folder(Path(name), threads=threads)
    if kind == "openai" and name:
        from aitia.clients.openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(
            name, base_url=base_url, api_key=api_key, attempts=attempts, timeout_s=timeout_s
        )
    if kind == "st" and name:
        from aitia.clients.sentence_transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(name)
    raise UsageError(f"embedder {spec!r} is unknown; expected {SPECS}")

"""In place of the package, which brings torch: MiniRAG imports its name for a measure that no mode of it uses."""

from __future__ import annotations


class SentenceTransformer:
    """Fails where it is used after all."""

    def __init__(self, name: str) -> None:
        raise RuntimeError(f"sentence-transformers is not installed, and {name} was asked for")

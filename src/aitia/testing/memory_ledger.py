"""A ledger that lives as long as the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class MemoryLedger:
    """Implements ``aitia.clients.protocols.Ledger``; ``commits`` counts the calls that wrote."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], bytes] = {}
        self.commits = 0

    def vectors(self, embedder_hash: str, text_hashes: Sequence[str]) -> dict[str, bytes]:
        """The stored rows among those asked for, by text hash."""
        return {
            text: self._rows[embedder_hash, text]
            for text in text_hashes
            if (embedder_hash, text) in self._rows
        }

    def add_vectors(self, embedder_hash: str, rows: Mapping[str, bytes]) -> None:
        """Keep rows; one that is already there is left as it was."""
        self.commits += 1
        for text, row in rows.items():
            self._rows.setdefault((embedder_hash, text), row)

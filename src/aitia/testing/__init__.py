"""Test doubles and contract test classes, importable by others. Needs pytest only in subclasses."""

from aitia.testing.embedder_contract import EmbedderContract
from aitia.testing.embedding_server import EmbeddingServer
from aitia.testing.hash_embedder import HashEmbedder
from aitia.testing.ledger_contract import LedgerContract
from aitia.testing.memory_ledger import MemoryLedger
from aitia.testing.scripted_llm import ScriptedLLM

__all__ = [
    "EmbedderContract",
    "EmbeddingServer",
    "HashEmbedder",
    "LedgerContract",
    "MemoryLedger",
    "ScriptedLLM",
]

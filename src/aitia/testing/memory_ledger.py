"""A ledger that lives as long as the test."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from threading import Lock

from aitia.clients.protocols import LedgerTotals, LLMReply, LLMRequest
from aitia.clients.vectors import encodable


@dataclass
class _Kept:
    model: str
    stage: str
    reply: LLMReply
    retired: bool = False


class MemoryLedger:
    """Implements ``aitia.clients.protocols.Ledger``; ``commits`` counts the calls that wrote."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], bytes] = {}
        self._replies: dict[str, list[_Kept]] = {}
        self._writing = Lock()
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
        with self._writing:
            self.commits += 1
            for text, row in rows.items():
                self._rows.setdefault((embedder_hash, text), row)

    def replies(self, keys: Sequence[str]) -> dict[str, LLMReply]:
        """The replies kept under the keys and not retired since."""
        with self._writing:
            draws = [(key, self._replies[key][-1]) for key in keys if key in self._replies]
            return {key: kept.reply for key, kept in draws if not kept.retired}

    def add_reply(self, model: str, key: str, request: LLMRequest, reply: LLMReply) -> None:
        """Keep a reply; one that is already there and not retired is left as it was."""
        clean = replace(reply, text=encodable(reply.text), detail=encodable(reply.detail))
        with self._writing:
            self.commits += 1
            draws = self._replies.setdefault(key, [])
            if not draws or draws[-1].retired:
                draws.append(_Kept(model, request.stage, clean))

    def retire(self, keys: Collection[str]) -> None:
        """Let the next `replies` miss these keys; their replies stay, and stay counted."""
        with self._writing:
            self.commits += 1
            for key in keys:
                for kept in self._replies.get(key, []):
                    kept.retired = True

    def totals(self) -> list[LedgerTotals]:
        """What all replies took, retired ones too, by model and stage in order of their names."""
        with self._writing:
            kept = [draw for draws in self._replies.values() for draw in draws]
        kept.sort(key=_label)
        return [_total(*label, [draw.reply for draw in draws]) for label, draws in groupby(kept, _label)]


def _label(kept: _Kept) -> tuple[str, str]:
    return kept.model, kept.stage


def _total(model: str, stage: str, replies: Sequence[LLMReply]) -> LedgerTotals:
    return LedgerTotals(
        model,
        stage,
        calls=len(replies),
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        seconds=sum(reply.seconds for reply in replies),
        attempts=sum(reply.attempts for reply in replies),
    )

"""Published systems beside Aitia: built from the same corpus, asked the same questions, counted by one endpoint.

The protocol and how to add a peer: ``docs/evaluation/peers.md``.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aitia.clients.protocols import Embedder
from aitia.corpus.read import read_corpus
from aitia.errors import PeerError
from aitia.evaluation.peers.adapters import PREFIX, Adapter, find_adapter
from aitia.evaluation.peers.endpoint import ChatEndpoint, PeerEndpoint
from aitia.evaluation.peers.process import PeerProcess
from aitia.evaluation.peers.usage import Usage
from aitia.evaluation.records import BuildRecord

_CORPUS, _INDEX, _HOME, _NAMES = "corpus", "index", "home", "documents.json"


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds a peer has for each message; its imports have as many as ``open``."""

    build: float = 12 * 3600.0
    open: float = 300.0
    ask: float = 900.0


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """The fields of an `aitia.evaluation.records.AnswerRecord` that a peer fills, under the same names.

    ``contexts`` are what its writer was shown, in its order; ``documents`` the names of theirs, where it
    tells. Of ``seconds``, ``answer`` is the time a chat was in flight, also one that only searched, ``embed`` that
    of embeddings, and ``retrieve`` the rest: the peer's own.
    """

    reply: str | None = None
    abstained: bool = False
    contexts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None


def open_peer(
    name: str,
    adapters: Path,
    chat: ChatEndpoint,
    embedder: Embedder,
    log: Path,
    patience: Patience | None = None,
) -> Peer:
    """The peer ``peer:NAME`` of a folder of adapters; its own words are appended to ``log``.

    Nothing is started before it is asked for something. Use it in a ``with`` block, which ends its process.

    Raises:
        UsageError: no such peer or mode, or one whose environment is not made yet.
        ModelError: an address of the chat model that is none.

    """
    return Peer(
        find_adapter(name, adapters), PeerEndpoint(chat, embedder), embedder, log, patience or Patience()
    )


class Peer:
    """A peer whose failures are values: a build or an answer with ``error``, one line that says why.

    A process that ended is started anew for the next question.
    """

    def __init__(
        self, adapter: Adapter, endpoint: PeerEndpoint, embedder: Embedder, log: Path, patience: Patience
    ) -> None:
        self.adapter = adapter
        self._endpoint = endpoint
        self._dimensions = embedder.dimensions
        self._embedder_id = embedder.id
        self._log = log
        self._patience = patience
        self._process: PeerProcess | None = None
        self._folder: Path | None = None
        self._names: dict[str, str] = {}
        self._exit = ExitStack()

    def __enter__(self) -> Peer:
        self._exit.enter_context(self._endpoint)
        self._exit.callback(self.close)
        return self

    def __exit__(self, *of_an_error: object) -> None:
        self._exit.close()

    def build(self, corpus: Path, folder: Path) -> BuildRecord:
        """Let it index the documents of a file or folder into a folder, which stays its own.

        What an earlier build left there it may use or not, as it does.
        """
        self.close()
        before, began = self._endpoint.meter.read(), time.perf_counter()
        built: Mapping[str, Any] = {}
        error = None
        try:
            texts = _write_texts(corpus, folder)
            message = {"do": "build", "corpus": str(texts.absolute()), **self._place(folder)}
            process = self._start(folder)
            began = time.perf_counter()
            built = process.ask(message, self._patience.build)
        except PeerError as caught:
            error = str(caught)
        finally:
            seconds, usage = time.perf_counter() - began, self._endpoint.meter.read() - before
            self.close()
        return BuildRecord(
            system=f"{PREFIX}{self.adapter.name}",
            nodes=_count(built.get("nodes")),
            edges=_count(built.get("edges")),
            seconds=seconds,
            llm_calls=usage.llm_calls,
            embedding_calls=usage.embedded,
            prompt_tokens=usage.prompt_tokens,
            reply_tokens=usage.reply_tokens,
            llm_seconds=usage.llm_seconds,
            error=error,
        )

    def open(self, folder: Path) -> None:
        """Ask questions of what a build left in a folder.

        Raises:
            PeerError: it cannot be opened.

        """
        self.close()
        self._folder = folder
        self._names = json.loads((folder / _NAMES).read_text("utf-8"))
        try:
            self._start(folder).ask({"do": "open", **self._place(folder)}, self._patience.open)
        except PeerError:
            self.close()
            raise

    def ask(self, question: str) -> PeerAnswer:
        """Its answer to a question, with what that took, and did not take, of the models."""
        before, began = self._endpoint.meter.read(), time.perf_counter()
        answer: Mapping[str, Any] = {}
        error = None
        try:
            process = self._live()
            before, began = self._endpoint.meter.read(), time.perf_counter()
            message = {"do": "ask", "question": question, "mode": self.adapter.mode}
            answer = process.ask(message, self._patience.ask)
        except PeerError as caught:
            error = str(caught)
        seconds, usage = time.perf_counter() - began, self._endpoint.meter.read() - before
        reply = answer.get("reply")
        if error is None and not isinstance(reply, str):
            error = f"peer {self.adapter.name} answered without a reply; expected a text"
        return PeerAnswer(
            reply=reply if isinstance(reply, str) else None,
            abstained=answer.get("abstained") is True,
            contexts=_texts(answer.get("contexts")),
            documents=tuple(self._names.get(stem, stem) for stem in _texts(answer.get("documents"))),
            usage=_named(usage),
            seconds=_split(seconds, usage),
            error=error,
        )

    def close(self) -> None:
        """End its process, if it runs."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _live(self) -> PeerProcess:
        if self._process is None or not self._process.alive:
            if self._folder is None:
                raise PeerError(f"peer {self.adapter.name} was asked before it was opened")
            self.open(self._folder)
        assert self._process is not None  # it was opened
        return self._process

    def _start(self, folder: Path) -> PeerProcess:
        command = (self.adapter.python, self.adapter.script)
        self._process = PeerProcess(self.adapter.name, command, self._log, folder / _HOME)
        self._process.wait_until_ready(self._patience.open)
        return self._process

    def _place(self, folder: Path) -> dict[str, Any]:
        """What a build and a question have in common."""
        chat = {
            "base_url": self._endpoint.base_url,
            "api_key": self._endpoint.key,
            "model": self._endpoint.model,
        }
        index = folder / _INDEX
        index.mkdir(parents=True, exist_ok=True)
        return {
            "folder": str(index.absolute()),
            "recipe": self.adapter.recipe,
            "chat": chat,
            "embeddings": chat | {"model": self._embedder_id, "dimensions": self._dimensions},
        }


def _write_texts(corpus: Path, folder: Path) -> Path:
    """A text file a document, numbered in the corpus's order, and beside the folder the documents' names."""
    texts = folder / _CORPUS
    shutil.rmtree(texts, ignore_errors=True)
    texts.mkdir(parents=True)
    names = {}
    for number, document in enumerate(read_corpus([corpus]).documents, start=1):
        names[f"{number:05}"] = document.name
        (texts / f"{number:05}.txt").write_text(document.text, "utf-8")
    (folder / _NAMES).write_text(json.dumps(names, ensure_ascii=False, indent=1), "utf-8")
    return texts


def _named(usage: Usage) -> dict[str, float]:
    return {
        "llm_calls": usage.llm_calls,
        "prompt_tokens": usage.prompt_tokens,
        "reply_tokens": usage.reply_tokens,
        "embedding_calls": usage.embedded,
    }


def _split(seconds: float, usage: Usage) -> dict[str, float]:
    own = seconds - usage.llm_seconds - usage.embedding_seconds
    return {"embed": usage.embedding_seconds, "retrieve": max(0.0, own), "answer": usage.llm_seconds}


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()

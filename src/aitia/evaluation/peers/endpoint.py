"""One endpoint for all that a peer asks: it counts, and passes chats on to the model that was configured.

``/v1/chat/completions`` goes to a `ChatEndpoint`, ``/v1/embeddings`` is answered by any embedder of Aitia: every
system has the same model and the same vectors, and one hand counts them all.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Self

import numpy as np

from aitia.clients.bodies import read_body
from aitia.clients.chat_reply import read_completion
from aitia.clients.endpoint import Endpoint
from aitia.clients.faults import read_fault
from aitia.clients.protocols import Embedder, LLMReply
from aitia.corpus.tokens import count_tokens
from aitia.evaluation.peers.loopback import Answer, Body, JsonServer, error
from aitia.evaluation.peers.usage import Meter

_CHAT, _EMBEDDINGS = "/v1/chat/completions", "/v1/embeddings"


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """A chat model behind an OpenAI-compatible address. The key stays in this process."""

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    api_version: str | None = None
    timeout_s: float = 300.0


class PeerEndpoint:
    """Answers at ``base_url`` while the ``with`` block lasts, to whoever sends ``key``, which it made itself.

    Whatever model a request names, the configured one is asked. A reply that should come as a stream comes as a
    stream of one piece, for then its tokens are the server's own count.
    """

    def __init__(self, chat: ChatEndpoint, embedder: Embedder) -> None:
        self.meter = Meter()
        self.key = secrets.token_hex(16)
        self._chat = chat
        self._embedder = embedder
        self._endpoint = Endpoint(
            chat.base_url, chat.api_key, api_version=chat.api_version, timeout_s=chat.timeout_s
        )
        self._embedding = Lock()
        self._server = JsonServer(self._respond)

    @property
    def base_url(self) -> str:
        """The address to give as ``base_url``."""
        return f"{self._server.address}/v1"

    @property
    def model(self) -> str:
        """The chat model that is asked."""
        return self._chat.model

    def __enter__(self) -> Self:
        # What is loaded once is not the peer's time.
        self._embedder.embed([self._chat.model])
        count_tokens(self._chat.model)
        self._endpoint.client()
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._endpoint.close()

    def _respond(self, path: str, authorization: str, body: Body) -> Answer:
        if not secrets.compare_digest(authorization.encode(), f"Bearer {self.key}".encode()):
            return error(401, "expected the key that the adapter was given", "invalid_api_key")
        if path == _CHAT:
            with self.meter.waiting("llm"):
                return self._complete(body)
        if path == _EMBEDDINGS:
            with self.meter.waiting("embedding"):
                return self._embed(body)
        return error(404, f"no {path} here; expected {_CHAT} or {_EMBEDDINGS}", "not_found")

    def _complete(self, body: Body) -> Answer:
        asked = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
        try:
            completion, reply = self._post(asked)
        except Exception as caught:  # of a client that names neither all its own errors nor those below it
            self.meter.chat_failed()
            fault = read_fault(caught)
            status = fault.status if fault.status >= 400 else 502
            return error(status, self._endpoint.tell(fault.words), next(iter(fault.codes), fault.kind))
        self.meter.chat(
            reply.prompt_tokens or _tokens(message.get("content") for message in body.get("messages", ())),
            reply.completion_tokens or _tokens([reply.text]),
        )
        return Answer(200, completion, _events(completion) if body.get("stream") else ())

    def _post(self, body: Body) -> tuple[Body, LLMReply]:
        """What the server answered, and the reply in it. Raises what `read_fault` understands."""
        chat: Any = self._endpoint.client().chat.completions
        rest = {name: value for name, value in body.items() if name not in ("model", "messages")}
        named = {"model": self._chat.model, "messages": body.get("messages", [])}
        response = chat.with_raw_response.create(**named, extra_body=rest).http_response
        completion = read_body(response.content, response.headers.get("content-type", ""), "chat completion")
        return dict(completion), read_completion(completion)

    def _embed(self, body: Body) -> Answer:
        given = body.get("input")
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            return error(400, "expected texts to embed, not tokens", "bad_input")
        with self._embedding:
            vectors = self._embedder.embed(texts) if texts else np.empty((0, self._embedder.dimensions))
        self.meter.embedded(len(texts))
        as_base64 = body.get("encoding_format") == "base64"
        items = [
            {
                "object": "embedding",
                "index": index,
                "embedding": _base64(vector) if as_base64 else vector.tolist(),
            }
            for index, vector in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        return Answer(200, {"object": "list", "model": self._embedder.id, "data": items, "usage": usage})


def _base64(vector: Any) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")


def _tokens(contents: Iterable[Any]) -> int:
    """Of texts, or of parts that hold a text each, where the server did not count."""
    texts = [
        text
        for content in contents
        for text in (
            [part.get("text", "") for part in content] if isinstance(content, list) else [content or ""]
        )
    ]
    return sum(map(count_tokens, texts))


def _events(completion: Body) -> tuple[Body, ...]:
    """The same reply as a stream: all of it, then how it ended, then what it took."""
    head = {name: completion.get(name) for name in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    pieces, ends = [], []
    for choice in completion["choices"]:
        index = choice.get("index", 0)
        pieces.append({"index": index, "delta": choice["message"], "finish_reason": None})
        ends.append({"index": index, "delta": {}, "finish_reason": choice.get("finish_reason") or "stop"})
    return (
        {**head, "choices": pieces},
        {**head, "choices": ends},
        {**head, "choices": [], "usage": completion.get("usage")},
    )

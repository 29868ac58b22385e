"""A real chat server on loopback: the stand-in behind OpenAI's protocol, well or with faults.

In a process of its own: ``python -m aitia.testing.llm_server --port 8123 --faults '{"seed": 1}' --log FILE``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

from aitia.corpus.document import content_hash
from aitia.corpus.tokens import count_tokens, token_starts
from aitia.testing import embedding_server
from aitia.testing.hash_embedder import HashEmbedder
from aitia.testing.llm_bodies import Completion, error_body, vectors_body
from aitia.testing.llm_faults import Faults
from aitia.testing.llm_http import Body, LoopbackServer, Sent, SilentHandler
from aitia.testing.llm_log import Exchange, ServerLog
from aitia.testing.llm_spoil import spoil
from aitia.testing.stand_in import answer_prompt

Answer = Callable[[str, str], str]
"""The reply to a system and a user part; a ValueError is a bad request."""

MODEL = "stand-in"
_CHAT, _EMBEDDINGS, _MODELS = "/v1/chat/completions", "/v1/embeddings", "/v1/models"
_VECTOR_FAULTS = {"one_too_few": "one too few", "nan": "NaN"}
_BROKEN = ("stall", "reset", "broken_stream")


class LLMServer:
    """Answers while the ``with`` block lasts, on 127.0.0.1 and a port of its own unless one is given.

    With ``api_key`` a request needs it, and an error repeats what was sent instead, as OpenAI's does.
    """

    def __init__(
        self,
        faults: Faults | None = None,
        *,
        answer: Answer = answer_prompt,
        api_key: str | None = None,
        log: Path | None = None,
        port: int = 0,
    ) -> None:
        self.faults = faults or Faults.none()
        self._answer = answer
        self._api_key = api_key
        self._log = ServerLog(log)
        self._embedder = HashEmbedder()
        self._answered = 0
        self._lock = Lock()
        self._closing = Event()
        self._http = LoopbackServer(("127.0.0.1", port), self._handler())

    @property
    def base_url(self) -> str:
        """The address to give as ``base_url``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def log(self) -> tuple[Exchange, ...]:
        """What was asked and answered so far; that an answer is whole is noted just after a client has it."""
        return self._log.exchanges

    def __enter__(self) -> Self:
        self._thread = Thread(target=self.serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.close_connections()
        self._http.server_close()
        self._log.close()

    def serve(self) -> None:
        """Answer until the process or the ``with`` block ends."""
        self._http.serve_forever(poll_interval=0.01)

    def _handler(self) -> type[SilentHandler]:
        server = self

        class Handler(SilentHandler):
            def do_GET(self) -> None:
                models = {"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "aitia"}]}
                if self.path == _MODELS:
                    self.send_json(200, models, {})
                else:
                    self.send_json(404, error_body(f"no {self.path} here", "not_found"), {})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server._receive(
                    self, self.path.partition("?")[0], body, self.headers.get("Authorization", "")
                )

        return Handler

    def _receive(self, handler: SilentHandler, path: str, body: Body, authorization: str) -> None:
        key = request_key(body)
        attempt = self._log.attempt(path, key)
        number = self._log.begin(path, key, attempt)
        sent = self._refusal(path, body, authorization) or self._reply(path, body, key, attempt)
        self._log.settle(number, sent.note)
        self._closing.wait(self.faults.latency_s(key, attempt))
        if sent.broken == "stall":
            self._closing.wait(self.faults.stall_s)
        if handler.send(sent, stream=bool(body.get("stream")), usage=_wants_usage(body)):
            self._log.end(number)

    def _refusal(self, path: str, body: Body, authorization: str) -> Sent | None:
        """Why a request is not answered at all, whatever it asks."""
        if path not in (_CHAT, _EMBEDDINGS):
            return _error(404, f"no {path} here", "not_found")
        if self._api_key is not None and authorization != f"Bearer {self._api_key}":
            return _error(401, f"Incorrect API key provided: {authorization}", "invalid_api_key")
        if self.faults.refuse_schema and "response_format" in body:
            return _error(400, "response_format is not supported by this server", "unsupported_parameter")
        with self._lock:
            self._answered += 1
            spent = self.faults.quota_after is not None and self._answered > self.faults.quota_after
        if spent:
            return _error(429, "You exceeded your current quota, check your plan", "insufficient_quota")
        return None

    def _reply(self, path: str, body: Body, key: str, attempt: int) -> Sent:
        fault = self.faults.of_transport(key, attempt)
        if fault == "rate_limit":
            wait = str(self.faults.retry_after(key, attempt))
            return _error(429, "Rate limit reached for requests", fault, {"Retry-After": wait})
        if fault in ("error_500", "error_503"):
            return _error(int(fault[-3:]), "The server had an error", fault)
        sent = self._vectors(body, key) if path == _EMBEDDINGS else self._completion(body, key)
        if fault in _BROKEN and sent.status == 200:
            return Sent(fault, sent.status, sent.body, sent.headers, fault)
        return sent

    def _vectors(self, body: Body, key: str) -> Sent:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        items = [
            {"object": "embedding", "index": index, "embedding": vector.tolist()}
            for index, vector in enumerate(self._embedder.embed(texts))
        ]
        fault = self.faults.of_vectors(key)
        if fault:
            items = embedding_server.FAULTS[_VECTOR_FAULTS[fault]](items)
        return Sent(fault or "ok", 200, vectors_body(body["model"], items), {})

    def _completion(self, body: Body, key: str) -> Sent:
        parts = _parts(body)
        tokens = sum(map(count_tokens, parts))
        limit = self.faults.context_tokens
        if limit is not None and tokens > limit:
            words = f"This model's maximum context length is {limit} tokens, but the messages have {tokens}"
            return _error(400, words, "context_length_exceeded")
        try:
            text = self._answer(*parts)
        except ValueError as error:
            return _error(400, str(error), "bad_prompt")
        fault = self.faults.of_content(key)
        spoiled = spoil(fault, text) if fault else None
        text, finish = spoiled or (text, "stop")
        starts = token_starts(text)
        most = _most_tokens(body)
        if most is not None and len(starts) > most:
            text, finish, starts = text[: starts[most]], "length", starts[:most]
        completion = Completion(body["model"], text, finish, tokens, len(starts))
        return Sent(fault if fault and spoiled else "ok", 200, completion, {})


def request_key(body: Body) -> str:
    """The hash of what is asked: the model, and a chat's parts with the reply's limit, or texts to embed.

    How the reply's form is asked for, and whether it is streamed, changes nothing. Of a chat it follows from what
    a ledger keeps of a reply: `chat_key` of its model, ``prompt_hash`` and ``max_tokens``.
    """
    if "messages" in body:
        return chat_key(str(body.get("model")), content_hash(*_parts(body)), _most_tokens(body))
    return content_hash(str(body.get("model")), json.dumps(body.get("input") or ""))


def chat_key(model: str, prompt_hash: str, max_tokens: int | None) -> str:
    """The hash of a chat request, of whose system and user part ``prompt_hash`` is the hash."""
    return content_hash(model, prompt_hash, str(max_tokens))


def _parts(body: Body) -> tuple[str, str]:
    """The system and the user part; empty where there is none."""
    parts = {message["role"]: message["content"] for message in body["messages"]}
    return parts.get("system", ""), parts.get("user", "")


def _most_tokens(body: Body) -> int | None:
    most = body.get("max_completion_tokens", body.get("max_tokens"))
    return None if most is None else int(most)


def _wants_usage(body: Body) -> bool:
    return bool((body.get("stream_options") or {}).get("include_usage"))


def _error(status: int, message: str, code: str, headers: Mapping[str, str] | None = None) -> Sent:
    return Sent(code, status, error_body(message, code), headers or {})


def main(arguments: list[str] | None = None) -> None:
    """Serve until killed; the base URL is the first line of standard output."""
    parser = argparse.ArgumentParser(prog="python -m aitia.testing.llm_server")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument(
        "--faults", type=Faults.from_json, default=Faults.none(), help="fields of Faults, as JSON"
    )
    parser.add_argument(
        "--log", type=Path, help="JSON lines: a request has come, its answer is made, and is written"
    )
    parser.add_argument("--api-key")
    given = parser.parse_args(arguments)
    server = LLMServer(given.faults, api_key=given.api_key, log=given.log, port=given.port)
    sys.stdout.write(f"{server.base_url}\n")
    sys.stdout.flush()
    server.serve()


if __name__ == "__main__":
    main()

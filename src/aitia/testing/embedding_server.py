"""A real server on loopback that answers ``/v1/embeddings``, well or with a fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self

from aitia.testing.hash_embedder import HashEmbedder

Items = list[dict[str, Any]]


def _one_too_few(items: Items) -> Items:
    return items[:-1]


def _reversed(items: Items) -> Items:
    return items[::-1]


def _with_last(value: list[float]) -> Callable[[Items], Items]:
    return lambda items: [*items[:-1], {**items[-1], "embedding": value}]


FAULTS: dict[str, Callable[[Items], Items]] = {
    "one too few": _one_too_few,
    "reversed": _reversed,  # not a fault: each vector still carries its index
    "NaN": _with_last([float("nan")] * 64),
    "zeros": _with_last([0.0] * 64),
    "short": _with_last([1.0] * 63),
    "same index": lambda items: [{**item, "index": 0} for item in items],
}


class EmbeddingServer:
    """Answers with the vectors of ``HashEmbedder``, doubled in length, while the ``with`` block lasts.

    ``fault`` is a key of ``FAULTS``, or an HTTP status that is answered instead of vectors.
    ``requests`` holds the bodies received, ``keys`` the Authorization headers.
    """

    def __init__(self) -> None:
        self.fault: str | int | None = None
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self._embedder = HashEmbedder()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def base_url(self) -> str:
        """The address to give as ``base_url``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, body: dict[str, Any], key: str) -> tuple[int, dict[str, Any]]:
        self.requests.append(body)
        self.keys.append(key)
        if isinstance(self.fault, int):
            # As OpenAI's, the message repeats the key.
            return self.fault, {"error": {"message": f"refused: {key}", "type": "error"}}
        vectors = 2 * self._embedder.embed(body["input"])
        items: Items = [
            {"object": "embedding", "index": index, "embedding": vector.tolist()}
            for index, vector in enumerate(vectors)
        ]
        data = FAULTS[self.fault](items) if self.fault else items
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return 200, {"object": "list", "data": data, "model": body["model"], "usage": usage}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, reply = server._answer(body, self.headers.get("Authorization", ""))
                content = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Silent: tests read ``requests`` instead."""

        return Handler

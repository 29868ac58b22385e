"""JSON over HTTP on loopback: a request's body goes to a function, what it returns goes back."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MOST_BYTES = 256_000_000
"""Of one request."""

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a JSON body; with ``events`` the body goes out as a stream of these instead."""

    status: int
    body: Body
    events: tuple[Body, ...] = ()


Respond = Callable[[str, str, Body], Answer]
"""From a path, an Authorization header and a body to the answer."""


class JsonServer(ThreadingHTTPServer):
    """Answers POST requests on 127.0.0.1, a thread for each connection; port 0 is any free one."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, respond: Respond, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _handler(respond))

    @property
    def address(self) -> str:
        """Where it is, without a path."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Silent about clients that are gone."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def error(status: int, words: str, code: str) -> Answer:
    """An error as OpenAI words it."""
    return Answer(status, {"error": {"message": words, "type": "invalid_request_error", "code": code}})


def _handler(respond: Respond) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True  # without it each small answer waits for 40 ms

        def do_POST(self) -> None:
            answer = self._answer()
            if answer.events:
                lines = [*map(json.dumps, answer.events), "[DONE]"]
                content, kind = "".join(f"data: {line}\n\n" for line in lines), "text/event-stream"
            else:
                content, kind = json.dumps(answer.body), "application/json"
            encoded = content.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(encoded)))
            self.end_headers()
            self.wfile.write(encoded)

        def _answer(self) -> Answer:
            length = self.headers.get("Content-Length", "")
            if not length.isdigit() or int(length) > MOST_BYTES:
                self.close_connection = True  # the body is not read, and would be taken for a request
                return error(
                    411, f"expected a body of at most {MOST_BYTES:,} bytes, with its length", "length"
                )
            try:
                body = json.loads(self.rfile.read(int(length)))
            except ValueError:
                body = None
            if not isinstance(body, dict):
                return error(400, "expected a JSON object", "bad_json")
            return respond(self.path.partition("?")[0], self.headers.get("Authorization", ""), body)

        def log_message(self, format: str, *args: object) -> None:
            """Silent: the meter counts."""

    return Handler

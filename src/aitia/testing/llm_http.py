"""HTTP on loopback for tests: keep-alive, streams, stalls, and connections that end midway."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aitia.testing.llm_bodies import Completion

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer: what the log says of it, and what goes out. ``broken``: how the connection ends midway."""

    note: str
    status: int
    body: Body | Completion
    headers: Mapping[str, str]
    broken: str = ""


class LoopbackServer(ThreadingHTTPServer):
    """A thread for each connection, and an end to all of them at once."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.connections: set[socket.socket] = set()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """As ever, and remember the connection."""
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close without a goodbye, which would come before a reset."""
        self.connections.discard(request)
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Silent about clients that were killed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def close_connections(self) -> None:
        """End those that clients keep alive, and wait for their threads."""
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        deadline = time.monotonic() + 2
        while self.connections and time.monotonic() < deadline:
            time.sleep(0.005)


class SilentHandler(BaseHTTPRequestHandler):
    """Writes answers, whole or broken."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def send(self, sent: Sent, *, stream: bool, usage: bool) -> bool:
        """Write an answer, or a part of it; returns whether all of it went out."""
        try:
            if sent.broken == "stall":
                self.close_connection = True
                return False
            if isinstance(sent.body, Completion) and stream:
                return self._send_events(list(sent.body.events(usage=usage)), sent.broken)
            body = sent.body.body() if isinstance(sent.body, Completion) else sent.body
            return self.send_json(sent.status, body, sent.headers, broken=bool(sent.broken))
        except OSError:
            self.close_connection = True
            return False

    def send_json(self, status: int, body: Body, headers: Mapping[str, str], *, broken: bool = False) -> bool:
        """Write a whole body, or the first half of it and a reset."""
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if broken else content)
        self.wfile.flush()
        if broken:
            self._reset()
        return not broken

    def _send_events(self, events: list[bytes], broken: str) -> bool:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events[: len(events) // 2] if broken else events:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.flush()
        if broken == "reset":
            self._reset()
        elif broken:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()
        return not broken

    def _reset(self) -> None:
        """Let the close of the connection be one that the other side sees as an error."""
        linger = (1).to_bytes(4, sys.byteorder) + (0).to_bytes(4, sys.byteorder)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Silent: the server's log says more."""

"""A line for each request on standard error: when, who, what, how it ended. Never a query string or a header."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

from aitia.web.call import read_call
from aitia.web.guard import App, Message, Receive, Scope, Send

LONGEST_PATH = 200


class AccessLog:
    """Wraps an app. The path is written as it was sent, percent-encoded, so that no byte of it is obeyed."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, then write its line."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = [500]

        async def send_noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        finally:
            call = read_call(scope)
            path = ascii(call.raw_path)[1:-1][:LONGEST_PATH]
            now = datetime.now(UTC).isoformat(timespec="seconds")
            took = f"{1000 * (time.perf_counter() - began):.0f} ms"
            sys.stderr.write(f"{now} {call.client or '-'} {call.method} {path} {status[0]} {took}\n")
            sys.stderr.flush()

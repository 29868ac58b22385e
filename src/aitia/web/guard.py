"""The one door: every request passes it, is checked, and only then reaches a route.

In this order: host, path, rate, site, token, and of a write its type, its size and its word against forgery.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from math import ceil
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.responses import RedirectResponse, Response

from aitia.web.call import Call, read_call
from aitia.web.checks import check_body_type, check_host, check_path, check_site, is_of_browser
from aitia.web.rates import TokenBuckets
from aitia.web.refusals import Refused, problem, report
from aitia.web.response_headers import with_headers
from aitia.web.sessions import Session, Sessions, same
from aitia.web.settings import ServerSettings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

Show = Callable[[Scope, Refused], Response]

LOGIN = "/login"
OPEN_PATHS = (LOGIN, "/health")
"""What needs no token. ``/health`` says that the server runs, and nothing of its indexes."""

CSRF_HEADER, CSRF_FIELD = "x-csrf-token", "csrf"
SESSION = "aitia.session"
"""Where the scope of a request holds its session, for the pages."""


class Guard:
    """Wraps an app. Everything that it refuses it answers itself, with the headers of every response."""

    def __init__(
        self, app: App, settings: ServerSettings, sessions: Sessions, show: Show | None = None
    ) -> None:
        """``show`` makes the page of a refusal, for browsers; without it they get JSON too."""
        self._app = app
        self._show = show
        self._settings = settings
        self._sessions = sessions
        limits = settings.limits
        self._calls = TokenBuckets(*limits.calls)
        self._asks = TokenBuckets(*limits.asks)
        self._failures = TokenBuckets(*limits.failures)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then serve it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["method"] == "HEAD"
        if is_head:  # what GET says, without its body
            scope = {**scope, "method": "GET"}
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": with_headers(list(message.get("headers", ())))}
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        call = read_call(scope)
        try:
            response = self._admit(call, scope)
            if response is None and call.is_unsafe:
                body = await self._read_body(call, receive)
                self._check_word(call, scope[SESSION], body)
                receive = _replayed(body, receive)
        except Refused as refused:
            response = self._refusal(refused, call, scope)
        try:
            await (response or self._app)(scope, receive, send_guarded)
        except Exception as error:  # whatever it is, neither the client nor the log gets a traceback
            report(error)
            if not begun:
                await problem(error, call.path)(scope, receive, send_guarded)

    def _refusal(self, refused: Refused, call: Call, scope: Scope) -> Response:
        if self._show and SESSION in scope and call.wants_page:  # not for a name that was pointed here
            return self._show(scope, refused)
        return problem(refused, call.path)

    def _admit(self, call: Call, scope: Scope) -> Response | None:
        """Check all but the body; a response where a browser has to log in first."""
        if (
            not self._settings.token
        ):  # with one, a name that was pointed here opens nothing, and a proxy has its own
            check_host(call)
        cookie = call.cookies.get(session_cookie(self._settings))
        session = self._sessions.read(cookie) if cookie else None
        scope[SESSION] = session
        check_path(call)
        self._check_rate(call)
        check_site(call)
        if not self._settings.token or call.path in OPEN_PATHS or call.path.startswith("/static/"):
            return None
        if (session is not None and session.signed_in) or self._has_token(call):
            return None
        if call.is_of_program or call.is_unsafe:
            raise Refused(
                401,
                "a token is needed; send it as the header Authorization: Bearer TOKEN",
                {"www-authenticate": "Bearer"},
            )
        return RedirectResponse(f"{LOGIN}?next={quote(call.target.encode('latin-1'), safe='/')}", 303)

    def check_token(self, given: str, client: str) -> bool:
        """Whether a token is the server's. A client whose tokens are wrong too often has to wait.

        The right token always opens: behind a proxy all clients have one address, and nobody is to lock the
        others out by guessing. What guessing fails by is the length of the token.

        Raises:
            Refused: it has to.

        """
        if self._settings.token and same(given, self._settings.token):
            return True
        _wait(self._failures.take(client))
        return False

    def _has_token(self, call: Call) -> bool:
        return call.bearer is not None and self.check_token(call.bearer, call.client)

    def _check_rate(self, call: Call) -> None:
        _wait(self._calls.take(call.client))
        if call.is_unsafe and call.path.endswith(("/ask", "/ask/stream")):
            _wait(self._asks.take(call.client))

    async def _read_body(self, call: Call, receive: Receive) -> bytes:
        check_body_type(call)
        limits = self._settings.limits
        most = limits.embedding_body if call.path == "/v1/embeddings" else limits.body
        length = call.header("content-length") or "0"
        if length.isdecimal() and int(length) > most:
            raise _too_large(most)
        body = bytearray()
        try:
            async with asyncio.timeout(limits.body_seconds):
                while True:
                    message = await receive()
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise _too_large(most)
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        break
        except TimeoutError:
            raise Refused(408, "the body did not come in time", {"connection": "close"}) from None
        return bytes(body)

    def _check_word(self, call: Call, session: Session | None, body: bytes) -> None:
        """A write that a browser may have sent says the word of its session, which no other site can read."""
        if self._settings.token and call.bearer is not None and same(call.bearer, self._settings.token):
            return
        if not is_of_browser(call) and call.content_type == "application/json":
            return
        given = call.header(CSRF_HEADER) or ""
        if not given and call.content_type == "application/x-www-form-urlencoded":
            given = read_form(body).get(CSRF_FIELD, "")
        if session is None or not same(given, session.csrf):
            raise Refused(
                403,
                f"the write lacks the word of this browser's session ({CSRF_HEADER}); load the page again",
            )


def session_cookie(settings: ServerSettings) -> str:
    """The name of its cookie: browsers share cookies between the ports of a host."""
    return f"aitia_session_{settings.port}"


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a plain form; of a field given twice, the last."""
    try:
        fields = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=200)
    except (UnicodeDecodeError, ValueError):
        raise Refused(400, "the form cannot be read; expected fields in UTF-8") from None
    return {name: values[-1] for name, values in fields.items()}


def _wait(seconds: float) -> None:
    if seconds:
        again = max(1, ceil(seconds))
        raise Refused(429, f"too many requests; ask again in {again} s", {"retry-after": str(again)})


def _too_large(most: int) -> Refused:
    return Refused(413, f"the body is larger than {most:,} bytes", {"connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A body that was read, given once more; afterwards what the connection says."""
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again

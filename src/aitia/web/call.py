"""What the guard looks at of a request: its line and its headers, never its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from typing import Any

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Call:
    """A request. ``path`` is decoded, ``raw_path`` and ``query`` are as sent; header names are in lower case."""

    method: str
    path: str
    raw_path: str
    query: str
    headers: Mapping[str, tuple[str, ...]]
    client: str

    def header(self, name: str) -> str | None:
        """The value of a header; None where it is missing or given more than once."""
        values = self.headers.get(name, ())
        return values[0] if len(values) == 1 else None

    @property
    def target(self) -> str:
        """Path and query as sent."""
        return f"{self.raw_path}?{self.query}" if self.query else self.raw_path

    @property
    def host(self) -> str:
        """The address that the client thinks it talks to, with its port."""
        return (self.header("host") or "").lower()

    @property
    def content_type(self) -> str:
        """Of the body, without its parameters."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()

    @property
    def is_unsafe(self) -> bool:
        """Whether it may change something or cost something."""
        return self.method in UNSAFE

    @property
    def is_of_program(self) -> bool:
        """Whether it wants JSON and no page."""
        return self.path.startswith(("/api/", "/v1/")) or self.path in ("/api", "/openapi.json", "/health")

    @property
    def wants_page(self) -> bool:
        """Whether a browser shows to a person what comes back: no script of a page accepts HTML."""
        shows = "text/html" in (self.header("accept") or "").lower()
        return shows and not self.is_of_program and not self.path.startswith("/static/")

    @property
    def bearer(self) -> str | None:
        """The token of its Authorization header."""
        kind, _, token = (self.header("authorization") or "").partition(" ")
        return token.strip() if kind.lower() == "bearer" and token.strip() else None

    @cached_property
    def cookies(self) -> Mapping[str, str]:
        """Its cookies; none where they cannot be read."""
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load("; ".join(self.headers.get("cookie", ())))
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in jar.items()}


def read_call(scope: Mapping[str, Any]) -> Call:
    """The call of an ASGI scope."""
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        headers[key] = (*headers.get(key, ()), value.decode("latin-1"))
    raw = scope.get("raw_path") or scope["path"].encode("utf-8", "backslashreplace")
    client = scope.get("client")
    return Call(
        scope["method"],
        scope["path"],
        raw.decode("latin-1").partition("?")[0],
        scope.get("query_string", b"").decode("latin-1"),
        headers,
        client[0] if client else "",
    )

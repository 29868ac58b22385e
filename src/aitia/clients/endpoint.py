"""The address of an OpenAI-compatible server, and how it is named without giving a secret away."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit, urlunsplit

from aitia.clients.faults import Fault
from aitia.errors import ModelError

if TYPE_CHECKING:
    from openai import OpenAI

MAX_BYTES = 64_000_000
"""Of an answer, where a caller names no other bound."""

OPENAI_URL = "https://api.openai.com/v1"
_LONGEST = 240
_SHORTEST_SECRET = 4
"""A shorter key ("x", "no") is a dummy for a local server, and would black out ordinary words."""


class Endpoint:
    """Opens the client of one address; the environment is not asked for a key.

    ``api_version`` makes it a classic Azure deployment: the version goes into the query and the key
    into the header ``api-key`` too.

    An answer has ``timeout_s`` and ``max_bytes`` (see `BoundedClient`); redirects are not followed.

    Raises ModelError for an address that is none, one with a user where there is a key too, and for a key
    that no HTTP header can carry.
    """

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        *,
        api_version: str | None = None,
        timeout_s: float = 60.0,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        url = _split(base_url or OPENAI_URL)
        self._key = (api_key or "").strip()
        self._url = urlunsplit((url.scheme, url.netloc, url.path, "", ""))
        self._query = dict(parse_qsl(url.query, keep_blank_values=True))
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._user = bool(url.username or url.password)
        self._opening = Lock()
        self.shown = urlunsplit((url.scheme, url.netloc.rpartition("@")[2], url.path, "", ""))
        self._secrets = _spellings([self._key, url.username, url.password, *self._query.values()])
        self._headers = {"api-key": self._key} if api_version and self._key else {}
        if api_version:
            self._query["api-version"] = api_version
        if self._key and self._user:
            raise ModelError(
                f"{self.shown}: both an API key and a user name in the base URL were given, and a request "
                "carries one; expected one of them. Take the user out of --base-url (AITIA_BASE_URL), "
                "or unset AITIA_API_KEY and OPENAI_API_KEY"
            )
        if not (self._key.isascii() and self._key.isprintable()) or " " in self._key:
            raise ModelError(
                f"{self.shown}: the API key holds characters that no key has; expected letters, digits and "
                "signs of ASCII. Copy it again, without spaces, quotation marks and ellipses"
            )

    def client(self) -> OpenAI:
        """The open client, which sends each request once; safe to ask for from several threads."""
        with self._opening:
            return self._client

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        with self._opening:
            client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    def tell(self, words: str) -> str:
        """Words of a server on one line, shortened, without the key, a password or the address's query."""
        for secret in self._secrets:
            words = words.replace(secret, "***")
        line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
        return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."

    def explain(self, fault: Fault, model: str) -> str:
        """A fault in one line: what was asked, what came, and what to look at."""
        words = self.tell(fault.words)
        status = f"{fault.status}: " if fault.status and str(fault.status) not in words else ""
        if fault.kind == "unreachable":
            return f"no answer from {self.shown} ({words}). Check the base URL and that the server runs"
        if fault.kind == "key":
            # The server's own words may repeat the key, in part or reversed.
            given = "the API key" if self._key else "to answer without an API key"
            if self._user:
                given = "the user name and password of the base URL"
            return f"{self.shown} refused {given} ({fault.status}). Check the key and what it may use"
        if fault.kind == "moved":
            return (
                f"{self.shown} redirects to {words} ({fault.status}), which is not followed: documents and "
                "key would go there. Give that address as base URL if it is the right one"
            )
        if fault.kind == "quota":
            return (
                f"the quota at {self.shown} is used up ({status}{words}); every reply so far is kept. "
                "Run again when the account has credit"
            )
        if fault.status == 404:
            return (
                f"{self.shown} answered with an error ({status}{words}); expected the model {model} there. "
                "Check the model's name and that the base URL ends as the server's manual says, often in /v1"
            )
        if not fault.status:
            return f"{self.shown} gave no usable answer ({words})"
        return f"{self.shown} answered with an error ({status}{words})"

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI

        from aitia.clients.bounded_http import BoundedClient

        # A local server wants no key, but the package refuses to start without one.
        return OpenAI(
            api_key=self._key or "none",
            base_url=self._url,
            max_retries=0,
            timeout=self._timeout_s,
            http_client=BoundedClient(self._timeout_s, self._max_bytes),
            default_headers=self._headers,
            default_query=self._query,
        )


def _split(address: str) -> SplitResult:
    try:
        url = urlsplit(address.strip())
        usable = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        # What is no address may hold a password anywhere, so it is not repeated.
        raise ModelError(
            "the base URL is not one; expected an address such as http://127.0.0.1:8080/v1. Check --base-url"
        )
    return url


def _spellings(secrets: list[str | None]) -> list[str]:
    """Each secret plain and as a URL spells it, the longest first, so that none is replaced in part."""
    plain = {secret for secret in secrets if secret and len(secret) >= _SHORTEST_SECRET}
    spelled = {
        spell(secret) for secret in plain for spell in (str, unquote, lambda text: quote(text, safe=""))
    }
    return sorted(spelled, key=lambda secret: (-len(secret), secret))

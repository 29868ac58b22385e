"""Sessions of browsers: a signed cookie that says whether its holder showed the token, and a word for writes.

Nothing is stored: a cookie is believed because this process signed it, so a restart ends every session.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

SECONDS = 12 * 3600


@dataclass(frozen=True, slots=True)
class Session:
    """One browser's. ``cookie`` is what it sends; ``csrf`` is what its pages send with a write."""

    cookie: str
    csrf: str
    signed_in: bool


class Sessions:
    """Issues and reads them. A session that was ended stays ended."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._secret = secrets.token_bytes(32)
        self._clock = clock
        self._ended: dict[str, float] = {}

    def issue(self, *, signed_in: bool) -> Session:
        """A new session."""
        said = f"{secrets.token_urlsafe(18)}.{int(self._clock()) + SECONDS}.{int(signed_in)}"
        return self._session(said)

    def read(self, cookie: str) -> Session | None:
        """The session of a cookie; None for one that is forged, too old or ended."""
        said, _, mark = cookie.rpartition(".")
        if not same(mark, self._mark("cookie", said)):
            return None
        expires = int(said.split(".")[1])
        if expires < self._clock() or cookie in self._ended:
            return None
        return self._session(said)

    def end(self, session: Session) -> None:
        """Believe its cookie no more."""
        now = self._clock()
        kept = {cookie: until for cookie, until in self._ended.items() if until > now}
        self._ended = {**kept, session.cookie: now + SECONDS}

    def _session(self, said: str) -> Session:
        cookie = f"{said}.{self._mark('cookie', said)}"
        return Session(cookie, self._mark("csrf", said), said.endswith(".1"))

    def _mark(self, purpose: str, said: str) -> str:
        message = f"{purpose} {said}".encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()


def same(given: str, expected: str) -> bool:
    """Whether two texts are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(
        given.encode("utf-8", "surrogatepass"), expected.encode("utf-8", "surrogatepass")
    )

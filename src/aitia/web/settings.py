"""How a server runs: where it listens, who may come in, how much it takes, and who writes answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address

from aitia.errors import UsageError
from aitia.workflows.analysts import ModelOptions

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
SHORTEST_TOKEN = 16
_TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class Limits:
    """What one client may take. Sizes in bytes, rates in calls a second, each with what may come at once.

    ``asks`` is for answers, which may cost money; ``failures`` is for wrong tokens. ``at_once`` is how many
    answers are written at the same time, of all clients together.
    """

    body: int = 2**20
    embedding_body: int = 2**24
    body_seconds: float = 30.0
    calls: tuple[float, int] = (100.0, 400)
    asks: tuple[float, int] = (1.0, 30)
    failures: tuple[float, int] = (0.2, 10)
    at_once: int = 8


@dataclass(frozen=True)
class ServerSettings:
    """Checked by `check_access` before anything listens. ``token`` empty: none is asked for.

    ``writer`` is the server's own choice of who answers; no request changes it.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = field(default="", repr=False)
    writer: ModelOptions = field(default_factory=ModelOptions, repr=False)
    limits: Limits = field(default_factory=Limits)
    access_log: bool = True

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    if host.lower() in LOCAL_NAMES:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def check_access(settings: ServerSettings) -> None:
    """Refuse to listen where anybody could come in.

    Raises:
        UsageError: another host without a token, or a token that is short or no header can carry.

    """
    if settings.token:
        if len(settings.token) < SHORTEST_TOKEN or not _TOKEN.fullmatch(settings.token):
            raise UsageError(
                f"the token has {len(settings.token)} characters; expected at least {SHORTEST_TOKEN}, of ASCII and "
                "without spaces, for example what this prints: "
                'python3 -c "import secrets; print(secrets.token_urlsafe())"'
            )
    elif not settings.is_local:
        raise UsageError(
            f"--host {settings.host} is reached by other machines, and no token is set; expected AITIA_TOKEN in the "
            "environment (or --token), or leave --host out"
        )

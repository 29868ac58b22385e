"""Listening: an address that is taken before anything else happens, and a server that ends when it is told to."""

from __future__ import annotations

import errno
import socket
from dataclasses import replace

from aitia.errors import AitiaError
from aitia.web.guard import App
from aitia.web.settings import ServerSettings

GRACE_SECONDS = 3
"""How long an answer that is being written may go on after the server was told to stop."""


def listen(settings: ServerSettings) -> tuple[socket.socket, ServerSettings]:
    """The socket of the settings' address, and the settings with the port that it has; port 0 takes a free one.

    Raises:
        AitiaError: the address cannot be had.

    """
    place = f"port {settings.port} of {settings.host}"
    try:
        found = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = found[0]
        taken = socket.socket(family, kind, protocol)
    except OSError as error:
        raise AitiaError(f"{place} cannot be found ({error.strerror}); choose another --host") from None
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
        taken.listen()  # now: a second server must find the port taken, and the first request must find an ear
    except OSError as error:
        taken.close()
        if error.errno == errno.EADDRINUSE:
            raise AitiaError(f"{place} is in use; choose another --port, or 0 for any") from None
        raise AitiaError(
            f"{place} cannot be had ({error.strerror}); choose another --host or --port"
        ) from None
    return taken, replace(settings, port=int(taken.getsockname()[1]))


def address_of(settings: ServerSettings) -> str:
    """Where a browser finds the server."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}/"


def serve(app: App, taken: socket.socket) -> None:
    """Serve until an interrupt or a termination."""
    import uvicorn

    from aitia.web.header_clock import TimedProtocol

    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        log_config=None,
        access_log=False,  # uvicorn's would hold query strings
        server_header=False,
        proxy_headers=False,  # a client may write them itself
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=GRACE_SECONDS,
        h11_max_incomplete_event_size=2**16,
    )
    uvicorn.Server(config).run(sockets=[taken])

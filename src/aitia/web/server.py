"""What the routes of one server share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from typing import Annotated

from fastapi import Depends, Request

from aitia.web.assets import Assets
from aitia.web.refusals import Refused
from aitia.web.sessions import Sessions
from aitia.web.settings import ServerSettings
from aitia.web.shelf import Opened, Shelf


@dataclass(frozen=True, eq=False)
class Server:
    """Settings, indexes, sessions and files, and how many answers are being written."""

    settings: ServerSettings
    shelf: Shelf
    sessions: Sessions
    assets: Assets
    places: BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", BoundedSemaphore(self.settings.limits.at_once))

    def start_answer(self) -> None:
        """Take one of the places for answers, which `places` gets back by ``release``.

        Raises:
            Refused: all are taken; nobody waits for one, because threads are few.

        """
        if not self.places.acquire(blocking=False):
            most = self.settings.limits.at_once
            raise Refused(
                503, f"{most} answers are being written already; ask again soon", {"retry-after": "5"}
            )

    @contextmanager
    def answering(self) -> Iterator[None]:
        """One of the places, while an answer is written."""
        self.start_answer()
        try:
            yield
        finally:
            self.places.release()


def server_of(request: Request) -> Server:
    """The server of a request."""
    server: Server = request.app.state.server
    return server


def opened_of(index: str, request: Request) -> Opened:
    """The index that the address of a request names."""
    return server_of(request).shelf.get(index)


TheServer = Annotated[Server, Depends(server_of)]
TheIndex = Annotated[Opened, Depends(opened_of)]

"""What a page is: a name in the address, a template, and a function that finds what it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aitia.web.refusals import Refused
from aitia.web.server import Server
from aitia.web.shelf import Opened


@dataclass(frozen=True)
class Visit:
    """A look at a page: the index, the parameters of the address (of one given twice, the last), the server."""

    opened: Opened
    query: Mapping[str, str]
    server: Server

    def number(self, name: str, default: int = 0) -> int:
        """A whole number, 0 or more, of the address.

        Raises:
            Refused: it is none.

        """
        text = self.query.get(name, "") or str(default)
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise Refused(400, f"{name} is {text[:40]!r}; expected a whole number")
        return int(text)


@dataclass(frozen=True)
class Page:
    """A page of an index, at ``/index/INDEX/SLUG``.

    ``view`` finds what the template shows, or raises an AitiaError, which becomes a page with its line.
    It only reads: what a page writes goes through REST. ``under``: a detail, which is not in the menu, and the
    slug of the page it belongs to.
    """

    slug: str
    title: str
    template: str
    view: Callable[[Visit], Mapping[str, Any]]
    under: str = ""

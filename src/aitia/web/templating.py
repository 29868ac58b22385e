"""Templates: everything that a value holds is text, and a name that nobody gave is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from aitia.web.guard import SESSION, session_cookie
from aitia.web.server import Server, server_of
from aitia.web.sessions import Session


class PageResponse(HTMLResponse):
    """A page in UTF-8; halves of surrogate pairs, which UTF-8 has no form for, as question marks."""

    def render(self, content: Any) -> bytes:
        """The bytes of a page."""
        return str(content).encode("utf-8", "replace")


def open_templates(server: Server) -> Environment:
    """The templates of a server, with what every page may use."""
    environment = Environment(
        loader=PackageLoader("aitia.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "asset": server.assets.url,
        "has_asset": server.assets.has,
        "needs_token": bool(server.settings.token),
    }
    return environment


def render(
    request: Request,
    template: str,
    values: Mapping[str, Any],
    status: int = 200,
    session: Session | None = None,
) -> PageResponse:
    """A page. A browser without a session gets one with it, so that the page's writes are believed.

    Every template has ``csrf``, ``signed_in``, ``indexes`` (names), ``pages``, ``index_name`` and ``page``
    (both none where a page is of no index), and the values.
    """
    from aitia.web.pages import PAGES

    server = server_of(request)
    held = session or request.scope.get(SESSION)
    current = held or server.sessions.issue(signed_in=False)
    always = {
        "csrf": current.csrf,
        "signed_in": current.signed_in,
        "indexes": server.shelf.names if is_shown(request) else (),
        "pages": PAGES,
        "index_name": None,
        "page": None,
    }
    environment: Environment = request.app.state.templates
    response = PageResponse(environment.get_template(template).render({**always, **values}), status)
    if held is None or session is not None:
        keep_session(response, server, current, request)
    return response


def is_shown(request: Request) -> bool:
    """Whether the one who asks may know which indexes there are."""
    session = request.scope.get(SESSION)
    return not server_of(request).settings.token or (session is not None and session.signed_in)


def keep_session(response: Any, server: Server, session: Session, request: Request) -> None:
    """Let the browser hold a session; no script can read it, and no other site can send it."""
    response.set_cookie(
        session_cookie(server.settings),
        session.cookie,
        httponly=True,
        samesite="strict",
        secure="https" in (request.url.scheme, request.headers.get("x-forwarded-proto")),
        path="/",
    )

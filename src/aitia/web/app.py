"""The application: routes, errors in one line, and the guard before them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from aitia import __version__
from aitia.errors import AitiaError
from aitia.web import page_routes
from aitia.web.access_log import AccessLog
from aitia.web.api import about, curation, embeddings, graph, questions, spec
from aitia.web.api.answers import Problem
from aitia.web.assets import Assets
from aitia.web.call import read_call
from aitia.web.guard import App, Guard
from aitia.web.pages import PAGES
from aitia.web.refusals import Refused, line_of, problem, status_of, without_commands
from aitia.web.server import Server, server_of
from aitia.web.sessions import Sessions
from aitia.web.settings import ServerSettings, check_access
from aitia.web.shelf import Shelf
from aitia.web.templating import is_shown, open_templates, render

SUMMARY = """Retrieval, answers, the causal graph and its curation, over the indexes of this server.

With a token, send `Authorization: Bearer TOKEN`. A write is JSON. Every error is `{"error": "one line"}`."""


def create_app(folders: Mapping[str, Path], settings: ServerSettings) -> App:
    """The application over the indexes of some folders, by name.

    Raises:
        UsageError: it would be open to everybody.
        IndexFolderError: a folder is no index.

    """
    check_access(settings)
    writer = settings.writer
    shelf = Shelf(folders, base_url=writer.get("base_url"), api_key=writer.get("api_key"))
    server = Server(settings, shelf, Sessions(), Assets())
    app = FastAPI(
        title="Aitia",
        version=__version__,
        description=SUMMARY,
        docs_url=None,  # FastAPI's own pages load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        responses={code: {"model": Problem} for code in (400, 401, 403, 404, 409, 413, 422, 429, 502, 503)},
    )
    app.state.server = server
    app.state.templates = open_templates(server)
    for each in (about, questions, spec, graph, curation, embeddings, page_routes):
        app.include_router(each.router)
    app.add_exception_handler(AitiaError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_unexpected)
    guard = Guard(
        app, settings, server.sessions, lambda scope, error: _on_error(Request({**scope, "app": app}), error)
    )
    app.state.guard = guard
    return AccessLog(guard) if settings.access_log else guard


def _on_error(request: Request, error: Exception) -> Response:
    line = server_of(request).shelf.private(line_of(error))
    path = request.url.path
    if path.startswith("/index/") or path in ("/", "/docs") or read_call(request.scope).wants_page:
        headers = error.headers if isinstance(error, Refused) else {}
        values = {"line": without_commands(line), "status": status_of(error)}
        page = render(request, "error.html", {**values, **_menu(request)}, status_of(error))
        page.headers.update(headers)
        return page
    if "sec-fetch-site" in request.headers:  # a page shows it
        line = without_commands(line)
    return problem(error, path, line)


def _menu(request: Request) -> dict[str, Any]:
    """What an error's page needs for the menu of the index that its address names, or that is there alone."""
    server = server_of(request)
    names = server.shelf.names if is_shown(request) else ()
    given = request.scope.get("path_params", {})
    name = given.get("index")
    if name not in names:
        name = names[0] if len(names) == 1 else None
    page = next((each for each in PAGES if each.slug == given.get("slug")), None) if name else None
    return {"index_name": name, "page": page}


def _on_invalid(request: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    place = ".".join(str(part) for part in first.get("loc", ())[1:]) or "the body"
    said = first.get("msg", "cannot be read").removeprefix("Value error, ")
    return _on_error(request, Refused(422, f"{place}: {said[:1].lower()}{said[1:]}"))


def _on_http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    lines = {
        404: "there is nothing at this address; see /docs",
        405: "the address does not take this method; see /docs",
    }
    headers = dict(getattr(error, "headers", None) or {})
    return _on_error(request, Refused(status, lines.get(status, "the request cannot be read"), headers))


def _on_unexpected(request: Request, error: Exception) -> Response:
    return _on_error(request, error)  # the guard reports it: starlette raises it once more

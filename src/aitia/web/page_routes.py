"""Addresses that a person opens: the start, an index's pages, signing in and out, static files, the list of routes."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from aitia.web.checks import fault_of
from aitia.web.guard import SESSION, Guard, read_form, session_cookie
from aitia.web.pages import PAGES
from aitia.web.pages.page import Visit
from aitia.web.refusals import Refused
from aitia.web.server import TheIndex, TheServer
from aitia.web.templating import keep_session, render

router = APIRouter(include_in_schema=False)

METHODS = ("get", "post", "put", "patch", "delete")


@router.get("/")
def start(request: Request, server: TheServer) -> Response:
    """The index, if there is one alone; else a choice."""
    if len(server.shelf.names) == 1:
        return RedirectResponse(f"/index/{quote(server.shelf.names[0], safe='')}", 303)
    return render(request, "start.html", {})


@router.get("/index/{index}")
def enter(opened: TheIndex) -> Response:
    """The first page of an index."""
    return RedirectResponse(f"/index/{quote(opened.name, safe='')}/{PAGES[0].slug}", 303)


@router.get("/index/{index}/{slug}")
def page(slug: str, opened: TheIndex, request: Request, server: TheServer) -> Response:
    """A page of an index."""
    found = next((each for each in PAGES if each.slug == slug), None)
    if found is None:
        raise Refused(404, f"no page {slug[:80]!r}; there are {', '.join(each.slug for each in PAGES)}")
    values = found.view(Visit(opened, dict(request.query_params), server))
    return render(request, found.template, {"index_name": opened.name, "page": found, **values})


@router.get("/docs")
def docs(request: Request) -> Response:
    """Every route of the REST interface, from its OpenAPI document."""
    return render(request, "docs.html", {"groups": list_routes(request.app.openapi())})


@router.get("/static/{name:path}")
def static(name: str, server: TheServer) -> Response:
    """A static file, by a name that is a key."""
    asset = server.assets.find(name)
    if asset is None:
        raise Refused(404, "no such file")
    return Response(asset.content, 200, {"cache-control": asset.cache}, asset.kind)


@router.get("/login")
def login(request: Request, server: TheServer) -> Response:
    """The form that takes the token."""
    after = _own_place(request.query_params.get("next", "/"))
    session = request.scope.get(SESSION)
    if not server.settings.token or (session is not None and session.signed_in):
        return RedirectResponse(after, 303)
    return render(request, "login.html", {"next": after, "wrong": False})


@router.post("/login")
async def sign_in(request: Request, server: TheServer) -> Response:
    """Take the token, give a session. The guard has checked the form's word."""
    form = read_form(await request.body())
    after = _own_place(form.get("next", "/"))
    guard: Guard = request.app.state.guard
    if not guard.check_token(form.get("token", ""), request.client.host if request.client else ""):
        return render(request, "login.html", {"next": after, "wrong": True}, 401)
    response = RedirectResponse(after, 303)
    keep_session(response, server, server.sessions.issue(signed_in=True), request)
    return response


@router.post("/logout")
async def sign_out(request: Request, server: TheServer) -> Response:
    """End the session."""
    session = request.scope.get(SESSION)
    if session is not None:
        server.sessions.end(session)
    response = RedirectResponse("/login", 303)
    response.delete_cookie(session_cookie(server.settings), path="/")
    return response


def _own_place(place: str) -> str:
    """A path of this server; the start for anything else."""
    ours = place.startswith("/") and not place.startswith(("//", "/\\")) and not fault_of(place)
    return place if ours and place.isprintable() else "/"


def list_routes(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The routes of an OpenAPI document by tag: method, path, what it does, parameters, fields of the body."""
    groups: dict[str, list[dict[str, Any]]] = {}
    schemas = document.get("components", {}).get("schemas", {})
    for path, operations in document["paths"].items():
        for method in METHODS:
            if method not in operations:
                continue
            said = operations[method]
            content = said.get("requestBody", {}).get("content", {}).get("application/json", {})
            body = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            groups.setdefault(said["tags"][0], []).append(
                {
                    "method": method.upper(),
                    "path": path,
                    "text": said.get("description", ""),
                    "parameters": [
                        _field(each["name"], each.get("schema", {}), each)
                        for each in said.get("parameters", ())
                    ],
                    "body": _fields(schemas.get(body, {})),
                }
            )
    return groups


def _fields(schema: dict[str, Any]) -> list[dict[str, Any]]:
    needed = schema.get("required", ())
    return [
        _field(name, each, {"required": name in needed, "description": each.get("description", "")})
        for name, each in schema.get("properties", {}).items()
    ]


def _field(name: str, schema: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "type": _type(schema),
        "required": bool(said.get("required")),
        "text": said.get("description", ""),
    }


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"] if each.get("type") != "null")
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", schema.get("const", schema.get("$ref", "object").rpartition("/")[2])))

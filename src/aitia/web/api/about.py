"""Whether the server runs, which indexes it has, what they hold and what they took."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from aitia import __version__
from aitia.errors import AitiaError
from aitia.web.api.answers import Rows
from aitia.web.api.rows import Paged, part
from aitia.web.refusals import JsonResponse, Refused, line_of
from aitia.web.server import Server, TheIndex, TheServer
from aitia.workflows.cost import show_cost
from aitia.workflows.show import (
    RECORDS,
    show_documents,
    show_questions,
    show_records,
    show_rejected,
)

router = APIRouter()


@router.get("/health", tags=["server"])
def health() -> dict[str, str]:
    """That the server runs; needs no token and tells nothing of the indexes."""
    return {"status": "ok", "version": __version__}


@router.get("/api", tags=["server"])
def indexes(server: TheServer) -> JsonResponse:
    """The indexes, in the order they were given; one that cannot be opened is ``unusable``, with its ``error``."""
    rows = [_row(server, name) for name in server.shelf.names]
    return JsonResponse({"version": __version__, "indexes": rows})


def _row(server: Server, name: str) -> dict[str, Any]:
    try:
        index = server.shelf.get(name).index
        status = index.store.facts()["status"]
    except AitiaError as error:
        return {"name": name, "status": "unusable", "error": server.shelf.private(line_of(error))}
    return {
        "name": name,
        "method": index.method,
        "analyst": index.settings.get("analyst"),
        "embedder": index.settings["embedder"]["id"],
        "status": status,
        "retrievals": list(index.retrievals),
    }


@router.get("/api/{index}/stats", tags=["index"])
def stats(opened: TheIndex) -> JsonResponse:
    """Counts, shares, warnings and settings, as ``aitia show stats --json`` prints them."""
    return JsonResponse(opened.stats)


@router.get("/api/{index}/cost", tags=["index"])
def cost(opened: TheIndex) -> JsonResponse:
    """Calls and tokens by stage, and the bytes on disk."""
    return JsonResponse(show_cost(opened.index))


@router.get("/api/{index}/documents", tags=["index"], responses={200: {"model": Rows}})
def documents(opened: TheIndex, page: Paged) -> JsonResponse:
    """Documents in path order, with their number of chunks."""
    return part(show_documents(opened.index), page)


@router.get("/api/{index}/skipped", tags=["index"], responses={200: {"model": Rows}})
def skipped(opened: TheIndex, page: Paged) -> JsonResponse:
    """What was found and not read, with the reason."""
    rows = [{"path": each.path, "reason": each.reason} for each in opened.index.store.skipped()]
    return part(rows, page)


@router.get("/api/{index}/rejected", tags=["index"], responses={200: {"model": Rows}})
def rejected(opened: TheIndex, page: Paged) -> JsonResponse:
    """Claims that were not accepted, with the reason."""
    return part(show_rejected(opened.index), page)


@router.get("/api/{index}/questions", tags=["index"], responses={200: {"model": Rows}})
def questions(opened: TheIndex, page: Paged) -> JsonResponse:
    """Of qcg, its nodes; of plain:d2q, the questions written for chunks."""
    return part(show_questions(opened.index), page)


@router.get("/api/{index}/records/{kind}", tags=["index"], responses={200: {"model": Rows}})
def records(opened: TheIndex, kind: str, page: Paged) -> JsonResponse:
    """Of hug: entities, links, modules, gates or merges."""
    if kind not in RECORDS:
        raise Refused(404, f"no records {kind[:80]!r}; expected one of {', '.join(RECORDS)}")
    return part(show_records(opened.index, kind), page)

"""The causal graph, from afar and near: metrics, edges, one edge with its evidence, a passage with its edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query

from aitia.errors import UsageError
from aitia.graph.causal import CausalEdge
from aitia.web.api.answers import EdgeWhole, MetricGraph, Passage, Rows
from aitia.web.api.bodies import Body, Edges, OneEdge
from aitia.web.api.rows import Paged
from aitia.web.refusals import JsonResponse, Refused
from aitia.web.server import TheIndex
from aitia.web.shelf import Opened
from aitia.workflows.graph_tables import EdgeFilter

router = APIRouter(prefix="/api/{index}")

MOST_AROUND = 4000


class Around(Body):
    """How many characters of the document are sent from before and after a passage."""

    around: int = 600


@router.get("/graph", tags=["graph"], responses={200: {"model": MetricGraph}})
def graph(opened: TheIndex) -> JsonResponse:
    """Metrics with their counts, and for each ordered pair how many edges of which sign and confidence."""
    return JsonResponse({"metrics": opened.graph.metrics(), "links": opened.graph.links()})


@router.get("/graph/edges", tags=["graph"], responses={200: {"model": Rows}})
def edges(opened: TheIndex, wanted: Annotated[Edges, Query()]) -> JsonResponse:
    """Edges that fit, the best supported first."""
    tables = opened.graph
    fits = EdgeFilter(**wanted.model_dump(exclude={"offset", "limit"}))
    rows = tables.find_edges(fits)
    shown = rows[wanted.offset : wanted.offset + wanted.limit].tolist()
    return JsonResponse(
        {"total": len(rows), "offset": wanted.offset, "rows": [tables.edge_row(row) for row in shown]}
    )


@router.get("/graph/edge", tags=["graph"], responses={200: {"model": EdgeWhole}})
def edge(opened: TheIndex, ends: Annotated[OneEdge, Query()]) -> JsonResponse:
    """An edge, by the keys of its ends, with its evidence."""
    return JsonResponse(edge_whole(opened, ends.source, ends.target))


@router.get("/evidence", tags=["graph"], responses={200: {"model": Rows}})
def evidence(opened: TheIndex, page: Paged) -> JsonResponse:
    """Every edge with evidence, whole, the best supported first."""
    tables = opened.graph
    order = tables.find_edges(EdgeFilter())
    order = order[tables.evidence[order] > 0]
    shown = order[page.offset : page.offset + page.limit].tolist()
    whole = edges_whole(opened, [tables.graph.edges[row] for row in shown])
    return JsonResponse({"total": len(order), "offset": page.offset, "rows": whole})


@router.get("/passages/{chunk}", tags=["graph"], responses={200: {"model": Passage}})
def passage(opened: TheIndex, chunk: str, sent: Annotated[Around, Query()]) -> JsonResponse:
    """A stored chunk, by its id, with what stands around it and the edges that rest on it."""
    return JsonResponse(passage_whole(opened, chunk, sent.around))


def edge_whole(opened: Opened, source: str, target: str) -> dict[str, Any]:
    """An edge with its evidence.

    Raises:
        Refused: there is none between the two.

    """
    found = opened.graph.edge(source, target)
    if found is None:
        raise Refused(404, f"no edge from {source[:200]!r} to {target[:200]!r}")
    return edges_whole(opened, [found])[0]


def edges_whole(opened: Opened, found: Sequence[CausalEdge]) -> list[dict[str, Any]]:
    """Edges with their evidence, whose passages are read together."""
    rows = sorted({item.chunk for edge in found for item in edge.evidence})
    chunk = dict(zip(rows, opened.index.store.chunks(rows), strict=True))
    keys = opened.graph.keys
    return [
        {
            "source": keys[edge.source],
            "target": keys[edge.target],
            "polarity": edge.polarity,
            "confidence": edge.confidence,
            "mechanism": edge.mechanism,
            "evidence": [
                {
                    "found_by": item.found_by,
                    "quote": item.quote,
                    "place": chunk[item.chunk].citation,
                    "document": chunk[item.chunk].path,
                    "chunk": chunk[item.chunk].id,
                    "start": item.start,
                    "end": item.end,
                }
                for item in edge.evidence
            ],
        }
        for edge in found
    ]


def passage_whole(opened: Opened, chunk: str, around: int = 600) -> dict[str, Any]:
    """A passage with its surroundings, of at most `MOST_AROUND` characters on each side.

    Raises:
        Refused: there is none of that id.

    """
    around = max(0, min(around, MOST_AROUND))
    row = opened.chunk_row(chunk)
    total = opened.chunk_count
    rows = [each for each in (row - 1, row, row + 1) if 0 <= each < total]
    near = dict(zip(rows, opened.index.store.chunks(rows), strict=True))
    here = near[row]
    text = opened.index.store.document_text(here.document_id)
    beside = {
        step: each.id
        for step in (-1, 1)
        if (each := near.get(row + step)) is not None and each.document_id == here.document_id
    }
    return {
        "chunk": here.id,
        "document": opened.index.names[here.document_id],
        "path": here.path,
        "place": here.citation,
        "start": here.start,
        "end": here.end,
        "page": here.page,
        "headings": list(here.heading_path),
        "text": here.text,
        "before": text[max(0, here.start - around) : here.start],
        "after": text[here.end : here.end + around],
        "previous": beside.get(-1),
        "next": beside.get(1),
        "edges": _edges_resting_on(opened, row),
    }


def _edges_resting_on(opened: Opened, row: int) -> list[dict[str, Any]]:
    try:
        tables = opened.graph
    except UsageError:  # the method has no causal graph, and passages all the same
        return []
    return [
        {**tables.edge_row(edge), "start": start, "end": end} for edge, start, end in tables.resting_on(row)
    ]

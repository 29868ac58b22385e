"""The vocabulary: dimensions, metrics and variables, and the text of the specification."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import PlainTextResponse, Response

from aitia.web.api.answers import Rows
from aitia.web.api.bodies import VariablesOf
from aitia.web.api.rows import Paged, part
from aitia.web.refusals import JsonResponse
from aitia.web.server import TheIndex
from aitia.workflows.show import read_spec_text

router = APIRouter(prefix="/api/{index}/spec", tags=["vocabulary"])


@router.get("")
def spec(opened: TheIndex) -> JsonResponse:
    """Dimensions with their entities, metrics with their counts, and how many variables there are."""
    return JsonResponse(
        {
            "dimensions": [each.model_dump() for each in opened.index.store.dimensions()],
            "metrics": opened.graph.metrics(),
            "variables": len(opened.graph.keys),
        }
    )


@router.get("/metrics", responses={200: {"model": Rows}})
def metrics(opened: TheIndex, page: Paged) -> JsonResponse:
    """Metrics in name order."""
    return part(opened.graph.metrics(), page)


@router.get("/dimensions", responses={200: {"model": Rows}})
def dimensions(opened: TheIndex, page: Paged) -> JsonResponse:
    """Dimensions with their entities and aliases."""
    return part([each.model_dump() for each in opened.index.store.dimensions()], page)


@router.get("/variables", responses={200: {"model": Rows}})
def variables(opened: TheIndex, wanted: Annotated[VariablesOf, Query()]) -> JsonResponse:
    """Variables, those with the most edges first."""
    return part(opened.graph.variables(wanted.metric, wanted.text), wanted)


@router.get(
    "/text",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def text(opened: TheIndex) -> PlainTextResponse:
    """``graph_spec.yaml`` as it stands, with a person's edits."""
    return PlainTextResponse(read_spec_text(opened.index))

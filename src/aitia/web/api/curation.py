"""What an expert has to look at and has decided. Deciding keeps a decision; applying brings the index up to date."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from aitia.spec.decisions import Decided, Decision
from aitia.web.api.answers import Rows
from aitia.web.api.bodies import DecisionBody, Decisions
from aitia.web.api.rows import Paged, part
from aitia.web.refusals import JsonResponse
from aitia.web.server import TheIndex, TheServer
from aitia.workflows import curate

router = APIRouter(prefix="/api/{index}/curation", tags=["curation"])


@router.get("/queue", responses={200: {"model": Rows}})
def queue(opened: TheIndex, page: Paged) -> JsonResponse:
    """What is open, riskiest first, each with the reason and with quotes and their places."""
    return part([asdict(item) for item in opened.queue()], page)


@router.get("/history", responses={200: {"model": Rows}})
def history(opened: TheIndex, page: Paged) -> JsonResponse:
    """Every decision in its order, with what became of it; those that wait for apply are pending.

    ``status`` of one that waits is ``waiting``, unless it is already known to become nothing.
    """
    return part([_decided(each) for each in opened.history()], page)


@router.post("/decisions", status_code=201)
def decide(index: str, body: DecisionBody, server: TheServer) -> JsonResponse:
    """Keep a decision, checked against the index as it is now; undo is one whose target is the id of another."""
    with server.shelf.writing(index) as opened:
        kept = curate.decide(opened.index.folder, Decision(**body.model_dump()))
    return JsonResponse(_decision(kept), 201)


@router.post("/decisions/all", status_code=201)
def decide_all(index: str, body: Decisions, server: TheServer) -> JsonResponse:
    """Keep decisions all or none, each checked with those before it applied."""
    wanted = [Decision(**each.model_dump()) for each in body.decisions]
    with server.shelf.writing(index) as opened:
        kept = curate.decide_all(opened.index.folder, wanted)
    return JsonResponse({"decisions": [_decision(each) for each in kept]}, 201)


@router.post("/apply")
def apply(index: str, server: TheServer) -> JsonResponse:
    """Take hand edits in, replay every decision, redo what they touch; the calls of a model are counted by stage."""
    with server.answering(), server.shelf.writing(index) as opened:
        report = curate.apply(opened.index.folder, **server.settings.writer)
    return JsonResponse(
        {
            "taken": [_decision(each) for each in report.taken],
            "decided": [_decided(each) for each in report.decided],
            "findings": report.findings,
            "redone": list(report.redone),
            "calls": {stage: dict(counts) for stage, counts in report.calls.items()},
            "changed": report.changed,
        }
    )


def _decision(decision: Decision) -> dict[str, Any]:
    return {"id": decision.id, **decision.model_dump()}


def _decided(each: Decided) -> dict[str, Any]:
    return {
        **_decision(each.decision),
        "status": each.standing,
        "detail": each.detail,
        "nearest": list(each.nearest),
        "pending": each.pending,
    }

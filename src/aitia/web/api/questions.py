"""Evidence and answers for a question, and why a passage was chosen or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from aitia.web.answer_stream import stream_answer
from aitia.web.api.answers import Answered, Found, Placed
from aitia.web.api.bodies import Ask, Question, Why
from aitia.web.refusals import JsonResponse
from aitia.web.server import Server, TheIndex, TheServer
from aitia.web.shelf import Opened
from aitia.workflows.analysts import ModelOptions
from aitia.workflows.index import DEFAULT_BUDGET_WORDS, check_question
from aitia.workflows.result_json import answer_document, retrieval_document
from aitia.workflows.why import order_passages

router = APIRouter(prefix="/api/{index}", tags=["questions"])


@router.post("/retrieve", responses={200: {"model": Found}})
def retrieve(index: str, body: Question, server: TheServer) -> JsonResponse:
    """Evidence in rank order: one embedding, no call of a language model."""

    def find(opened: Opened) -> dict[str, Any]:
        opened.warm()
        return retrieval_document(opened.index.retrieve(body.question, **body.options))

    return JsonResponse(server.shelf.use(index, find))


@router.post("/ask", responses={200: {"model": Answered}})
def ask(index: str, body: Ask, server: TheServer) -> JsonResponse:
    """An answer whose sentences cite evidence by number."""
    with server.answering():
        return JsonResponse(server.shelf.use(index, lambda opened: _answer(opened, body, server)))


@router.post(
    "/ask/stream",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
def ask_stream(opened: TheIndex, body: Ask, server: TheServer) -> StreamingResponse:
    """The same as server-sent events: ``text`` {"text"} as a model writes, then ``answer``, or ``error``.

    The text of the ``answer`` is the checked one: it may lack citations that stood for nothing.
    """
    check_question(body.question)
    server.start_answer()

    def write(say: Any) -> dict[str, Any]:
        return _answer(opened, body, server, say)

    events: Iterator[bytes] = stream_answer(write, server.places.release, server.shelf.private)
    return StreamingResponse(events, media_type="text/event-stream")


def _answer(opened: Opened, body: Ask, server: Server, say: Any = None) -> dict[str, Any]:
    opened.warm()
    writer: ModelOptions = {**server.settings.writer}
    if body.analyst:
        writer["analyst"] = body.analyst
    answer = opened.index.ask(
        body.question,
        context=body.context,
        language=body.language,
        on_text=say,
        **body.options,
        **writer,
    )
    return answer_document(answer)


@router.post("/why", responses={200: {"model": Placed}})
def why(index: str, body: Why, server: TheServer) -> JsonResponse:
    """Where a passage stands in the ranking of a question, by meaning and by word too, and whether it was chosen."""

    def explain(opened: Opened) -> dict[str, Any]:
        opened.warm()
        row = opened.chunk_row(body.chunk)
        budget = body.budget_words or DEFAULT_BUDGET_WORDS
        order = order_passages(opened.index, body.question, body.retrieval, budget)
        standing = asdict(order.standings([row])[0])
        of = {"of": len(order.passages), "last_rank": order.last_rank}
        return {**standing, "chunk": body.chunk, **of, "retrieval": order.retrieval, "budget_words": budget}

    return JsonResponse(server.shelf.use(index, explain))

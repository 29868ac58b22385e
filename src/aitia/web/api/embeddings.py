"""``/v1/embeddings`` in OpenAI's shape, for programs that embed as an index does."""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import Any

import numpy as np
from fastapi import APIRouter

from aitia.corpus.tokens import count_tokens
from aitia.errors import AitiaError
from aitia.web.api.bodies import Embed, is_text
from aitia.web.refusals import JsonResponse, Refused
from aitia.web.server import Server, TheServer
from aitia.web.shelf import Opened

router = APIRouter(prefix="/v1", tags=["embeddings"])

MOST_TEXTS = 2048


@router.get("/models")
def models(server: TheServer) -> JsonResponse:
    """What ``model`` may be: the name of an index, or its embedder's id."""
    return JsonResponse({"object": "list", "data": [_model(name) for name in _models(server)]})


@router.post("/embeddings")
def embeddings(body: Embed, server: TheServer) -> JsonResponse:
    """A unit vector for each text, by the embedder of an index."""
    texts = [body.input] if isinstance(body.input, str) else body.input
    if not 0 < len(texts) <= MOST_TEXTS:
        raise Refused(400, f"{len(texts):,} texts; expected 1 to {MOST_TEXTS:,}")
    for place, text in enumerate(texts):
        if not text:
            raise Refused(400, f"text {place} of input is empty; expected at least one character")
        if not text.isascii() and not is_text(text):
            raise Refused(400, f"text {place} of input holds half of a surrogate pair, which is no text")
    embedder = _opened(server, body.model).embedder
    if body.dimensions not in (None, embedder.dimensions):
        raise Refused(400, f"dimensions {body.dimensions}; {embedder.id} has {embedder.dimensions}")
    vectors = embedder.embed(texts).astype("<f4")
    tokens = sum(count_tokens(text) for text in texts)
    return JsonResponse(
        {
            "object": "list",
            "data": [
                {"object": "embedding", "index": row, "embedding": _written(vector, body.encoding_format)}
                for row, vector in enumerate(vectors)
            ],
            "model": body.model,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }
    )


def _written(vector: np.ndarray[Any, np.dtype[np.float32]], form: str) -> str | list[float]:
    return base64.b64encode(vector.tobytes()).decode("ascii") if form == "base64" else vector.tolist()


def _opened(server: Server, model: str) -> Opened:
    known = _models(server)
    if model not in known:
        raise Refused(404, f"no model {model[:80]!r}; expected one of {', '.join(known)}")
    return server.shelf.get(known[model])


def _models(server: Server) -> dict[str, str]:
    """The index of each model: of each name its own, of an embedder's id the first that has it and can be opened."""
    names = {name: name for name in server.shelf.names}
    by_id: dict[str, str] = {}
    for name in names:
        with suppress(AitiaError):
            by_id.setdefault(server.shelf.get(name).index.settings["embedder"]["id"], name)
    return {**by_id, **names}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "aitia"}

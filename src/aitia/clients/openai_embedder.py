"""Embeddings from any endpoint that speaks OpenAI's ``/v1/embeddings``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event
from typing import Any

import numpy as np

from aitia.clients.bodies import part_of, read_body
from aitia.clients.endpoint import Endpoint
from aitia.clients.faults import FaultError, read_fault
from aitia.clients.protocols import Vectors
from aitia.clients.retries import Sleep, persist
from aitia.clients.vectors import encodable, unit_rows
from aitia.corpus.document import content_hash
from aitia.errors import EmbedderError, LimitReached, ModelError

MAX_TEXTS = 128
MAX_CHARACTERS = 200_000
"""A request's texts together; a token is seldom under a character, and 300,000 tokens is OpenAI's limit."""


class OpenAIEmbedder:
    """A model behind an endpoint, asked up to ``attempts`` times where asking again can help.

    ``hash`` is of the model's name: the weights cannot be seen, and the same model may move to another
    address. An empty text is sent as one space, because endpoints refuse empty input. ``sleep`` waits
    between attempts, None by the clock.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        attempts: int = 8,
        timeout_s: float = 60.0,
        sleep: Sleep | None = None,
    ) -> None:
        self.id = f"openai:{model}"
        self.hash = content_hash("openai", model)
        self._model = model
        self._attempts = attempts
        self._sleep = sleep
        self._dimensions: int | None = None
        if not api_key and not base_url:
            raise EmbedderError(
                f"{self.id}: no API key given; expected one in AITIA_API_KEY or OPENAI_API_KEY, or the base "
                "URL of a local server, with --base-url or AITIA_BASE_URL (api_key or base_url in Python)"
            )
        try:
            self._endpoint = Endpoint(base_url, api_key, timeout_s=timeout_s)
        except ModelError as error:
            raise EmbedderError(f"{self.id}: {error}") from None

    @property
    def dimensions(self) -> int:
        """Known from the first reply; asked for earlier, it costs one request."""
        if self._dimensions is None:
            self.embed([""])
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), in the order of the texts.

        A reply with too few or too many vectors, vectors of another length, NaN, or a vector of zeros is
        asked for again in halves: some servers stumble over the batch and not over its texts.

        Raises:
            EmbedderError: the request is refused or keeps failing, or the reply to a single text is faulty.
            LimitReached: the provider's quota is used up.

        """
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        prepared = [encodable(text) or " " for text in texts]
        return np.concatenate([self._halving(part) for part in _requests(prepared)])

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._endpoint.close()

    def _halving(self, texts: Sequence[str]) -> Vectors:
        try:
            return self._request(texts)
        except _BatchError as error:
            if len(texts) == 1:
                raise EmbedderError(str(error)) from None
        half = len(texts) // 2
        return np.concatenate([self._halving(texts[:half]), self._halving(texts[half:])])

    def _request(self, texts: Sequence[str]) -> Vectors:
        try:
            return persist(lambda: self._ask(texts), attempts=self._attempts, sleep=self._sleep, stop=Event())
        except FaultError as error:
            fault = error.fault
        why = f"{self.id}: {self._endpoint.explain(fault, self._model)}"
        if fault.kind == "quota":
            raise LimitReached(why)
        raise _BatchError(why) if fault.kind == "overflow" else EmbedderError(why)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        try:
            response = (
                self._endpoint.client()
                .embeddings.with_raw_response.create(
                    model=self._model, input=list(texts), encoding_format="float"
                )
                .http_response
            )
        except Exception as error:
            raise FaultError(read_fault(error)) from None
        body = read_body(response.content, response.headers.get("content-type", ""), "vectors")
        items = body.get("data")
        return self._rows(items if isinstance(items, list) else [], len(texts))

    def _rows(self, items: Sequence[Any], count: int) -> Vectors:
        placed = {index: item for item in items if type(index := part_of(item, "index")) is int}
        if len(items) != count or placed.keys() != set(range(count)):
            raise _BatchError(f"{self.id}: {len(items)} vectors for {count} texts, expected one each")
        vectors_of = (part_of(placed[index], "embedding") for index in range(count))
        rows = [row if isinstance(row, list) else [] for row in vectors_of]
        expected = self._dimensions or len(rows[0])
        wrong = next((len(row) for row in rows if len(row) != expected or not row), None)
        if wrong is not None:
            raise _BatchError(f"{self.id}: a vector of {wrong} dimensions, expected {expected}")
        try:
            vectors = unit_rows(np.array(rows, dtype=np.float64), self.id)
        except (EmbedderError, TypeError, ValueError) as error:
            raise _BatchError(f"{self.id}: {str(error).removeprefix(f'{self.id}: ')}") from None
        self._dimensions = expected
        return vectors


class _BatchError(Exception):
    """A fault of one request's content: fewer texts may fare better."""


def _requests(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    start = size = 0
    for end, text in enumerate(texts):
        if end > start and (end - start == MAX_TEXTS or size + len(text) > MAX_CHARACTERS):
            yield texts[start:end]
            start, size = end, 0
        size += len(text)
    yield texts[start:]

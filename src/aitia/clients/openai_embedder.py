"""Embeddings from any endpoint that speaks OpenAI's ``/v1/embeddings``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from aitia.clients.protocols import Vectors
from aitia.clients.vectors import encodable, unit_rows
from aitia.corpus.document import content_hash
from aitia.errors import EmbedderError

if TYPE_CHECKING:
    from openai import OpenAI, OpenAIError

OPENAI_URL = "https://api.openai.com/v1"
MAX_TEXTS = 128
MAX_CHARACTERS = 200_000
"""A request's texts together; a token is seldom under a character, and 300,000 tokens is OpenAI's limit."""


class OpenAIEmbedder:
    """A model behind an endpoint; the openai package retries what is worth retrying.

    ``hash`` is of the model's name: the weights cannot be seen, and the same model may move to another
    address. An empty text is sent as one space, because endpoints refuse empty input.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        max_retries: int = 2,
        timeout_s: float = 60.0,
    ) -> None:
        self.id = f"openai:{model}"
        self.hash = content_hash("openai", model)
        self._model = model
        self._base_url = base_url or OPENAI_URL
        self._api_key = api_key
        self._max_retries = max_retries
        self._timeout_s = timeout_s
        self._dimensions: int | None = None
        if not api_key and not base_url:
            raise EmbedderError(
                f"{self.id}: no API key given; expected one, or the base URL of a local server"
            )

    @property
    def dimensions(self) -> int:
        """Known from the first reply; asked for earlier, it costs one request."""
        if self._dimensions is None:
            self.embed([""])
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), in the order of the texts.

        Raises EmbedderError for a refused or failed request, and for a reply with too few or too many
        vectors, vectors of another length, NaN, or a vector of zeros.
        """
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        prepared = [encodable(text) or " " for text in texts]
        return np.concatenate([self._request(part) for part in _requests(prepared)])

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI

        # A local server wants no key, but the package refuses to start without one.
        return OpenAI(
            api_key=self._api_key or "none",
            base_url=self._base_url,
            max_retries=self._max_retries,
            timeout=self._timeout_s,
        )

    def _request(self, texts: Sequence[str]) -> Vectors:
        from openai import OpenAIError

        try:
            reply = self._client.embeddings.create(
                model=self._model, input=list(texts), encoding_format="float"
            )
        except OpenAIError as error:
            raise EmbedderError(f"{self.id}: {self._explain(error)}") from None
        items = reply.data or []
        if len(items) != len(texts) or sorted(item.index for item in items) != list(range(len(texts))):
            raise EmbedderError(f"{self.id}: {len(items)} vectors for {len(texts)} texts, expected one each")
        rows = [item.embedding for item in sorted(items, key=lambda item: item.index)]
        expected = self._dimensions or len(rows[0])
        wrong = next((len(row) for row in rows if len(row) != expected), None)
        if wrong is not None:
            raise EmbedderError(f"{self.id}: a vector of {wrong} dimensions, expected {expected}")
        vectors = unit_rows(np.array(rows, dtype=np.float64), self.id)
        self._dimensions = expected
        return vectors

    def _explain(self, error: OpenAIError) -> str:
        from openai import APIConnectionError, APIStatusError

        if isinstance(error, APIConnectionError):
            return f"no answer from {self._base_url}. Check the base URL and that the server runs"
        if isinstance(error, APIStatusError) and error.status_code in (401, 403):
            # The server's own message may repeat the key.
            return f"{self._base_url} refused the API key ({error.status_code}). Check the key"
        words = " ".join(str(error).split())[:200]
        if self._api_key:
            words = words.replace(self._api_key, "***")
        return f"{self._base_url} answered with an error ({words})"


def _requests(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    start = size = 0
    for end, text in enumerate(texts):
        if end > start and (end - start == MAX_TEXTS or size + len(text) > MAX_CHARACTERS):
            yield texts[start:end]
            start, size = end, 0
        size += len(text)
    yield texts[start:]

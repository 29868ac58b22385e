# ruff: noqa: D102 - the names of the tests are their documentation
"""What every embedder must do.

Subclass it in a test module and define the fixture ``embedder``::

    class TestMine(EmbedderContract):
        @pytest.fixture
        def embedder(self):
            return MyEmbedder()
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from aitia.clients.protocols import Embedder

TEXTS = (
    "Smoking raises the risk of lung cancer.",
    "Smoking is a cause of lung cancer, and the risk rises with each year of it.",
    "The ship left the harbour at dawn.",
    "Ärzte empfehlen Bewegung. 医生建议多运动。",
    "x",
    " ".join(f"word{i}" for i in range(400)),
    "Dawn.",
    "risk",
    "The harbour was cold.",
)
"""Nine texts, one more than the embedders' batch, of very different lengths."""


class EmbedderContract:
    """Vectors of unit length that depend on their own text only, in the order of the texts.

    ``tolerance`` is the largest difference allowed between a text's vectors in different company.
    """

    tolerance = 0.0

    def test_names_itself(self, embedder: Embedder) -> None:
        assert embedder.id.strip() and "\n" not in embedder.id
        assert embedder.hash.strip() and "\n" not in embedder.hash

    def test_rows_are_unit_float32(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        vectors = embedder.embed([])
        assert vectors.shape == (0, embedder.dimensions)
        assert vectors.dtype == np.float32

    def test_a_vector_is_the_same_alone_and_in_any_batch(self, embedder: Embedder) -> None:
        together = embedder.embed(TEXTS)
        alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
        np.testing.assert_allclose(alone, together, rtol=0, atol=self.tolerance)

    def test_rows_follow_the_order_of_the_texts(self, embedder: Embedder) -> None:
        forward, backward = embedder.embed(TEXTS), embedder.embed(TEXTS[::-1])
        np.testing.assert_allclose(backward[::-1], forward, rtol=0, atol=self.tolerance)

    def test_equal_texts_have_equal_vectors(self, embedder: Embedder) -> None:
        vectors = embedder.embed([TEXTS[0], TEXTS[5], TEXTS[0]])
        np.testing.assert_allclose(vectors[2], vectors[0], rtol=0, atol=self.tolerance)

    def test_threads_may_share_it(self, embedder: Embedder) -> None:
        together = embedder.embed(TEXTS)
        with ThreadPoolExecutor(4) as pool:
            alone = np.concatenate(list(pool.map(lambda text: embedder.embed([text]), TEXTS)))
        np.testing.assert_allclose(alone, together, rtol=0, atol=self.tolerance)

    def test_similar_texts_are_closer(self, embedder: Embedder) -> None:
        statement, paraphrase, other = embedder.embed(TEXTS[:3])
        assert statement @ paraphrase > statement @ other

    def test_any_text_has_a_vector(self, embedder: Embedder) -> None:
        vectors = embedder.embed(["", " ", "\ud800", "\x00", "\u200b"])
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)

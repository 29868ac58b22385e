from __future__ import annotations

import numpy as np
import pytest

from aitia.clients.vectors import encodable, unit_rows
from aitia.errors import EmbedderError


def test_rows_are_scaled_to_unit_length():
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, -2.0]]), "model")
    np.testing.assert_array_equal(rows, np.array([[0.6, 0.8], [0.0, -1.0]], dtype=np.float32))
    assert rows.dtype == np.float32


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_row_that_is_not_finite_is_named(value):
    with pytest.raises(EmbedderError, match="model: vector 2 of 2 holds NaN or infinity"):
        unit_rows(np.array([[1.0, 0.0], [value, 0.0]]), "model")


def test_a_row_of_zeros_is_named():
    with pytest.raises(EmbedderError, match="model: vector 1 of 2 holds zeros only"):
        unit_rows(np.array([[0.0, 0.0], [1.0, 0.0]]), "model")


def test_a_lone_surrogate_becomes_a_question_mark():
    assert encodable("a\ud800b") == "a?b"
    assert encodable("Ärzte 医生 🙂") == "Ärzte 医生 🙂"

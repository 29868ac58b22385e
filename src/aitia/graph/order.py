"""Stable orders in linear time: numpy sorts 16-bit numbers by radix, others about ten times slower."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


def ascending(keys: NDArray[np.integer[Any]]) -> Indices:
    """Positions of integers >= 0 from the smallest to the largest, ties by position."""
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, int(keys.max()).bit_length() if len(keys) else 0, 16):
        order = order[np.argsort((keys[order] >> shift).astype(np.uint16), kind="stable")]
    return order


def descending(scores: NDArray[np.float32]) -> Indices:
    """Positions of scores, none of them NaN, from the largest to the smallest, ties by position.

    The bits of floats, read as integers, stand in the same order; those of negative ones in the reverse.
    """
    bits = np.add(scores, 0, dtype=np.float32).view(np.uint32)  # adding 0 makes -0.0 equal to 0.0
    return ascending(np.where(bits >> 31, bits, 0x7FFFFFFF - bits))

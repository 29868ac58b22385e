"""A graph of questions over three chunks that a person can walk.

Nodes 0 and 1 belong to chunk 0, node 2 to chunk 1, nodes 3 and 4 to chunk 2. Their cosines to the question are
0.9, 0.5, 0.8, 0.7 and -0.2; the neighbours of node 0 are 1 and 4, of node 2 only 3.
"""

from __future__ import annotations

import numpy as np
import pytest

CHUNK_OF = np.array([0, 0, 1, 2, 2])
COSINES = np.array([0.9, 0.5, 0.8, 0.7, -0.2], np.float32)
NEIGHBOURS = np.array([[1, 4], [0, 2], [3, -1], [2, 4], [3, 1]])


@pytest.fixture
def graph():
    """Cosines, neighbours and chunks."""
    return COSINES, NEIGHBOURS, CHUNK_OF

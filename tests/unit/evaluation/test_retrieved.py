from __future__ import annotations

import pytest

from aitia.errors import CorpusError
from aitia.evaluation.retrieved import Retrieved, read_retrieved

LINES = """{"id": "1", "contexts": ["a", "b"], "documents": ["d"], "seconds": {"embed": 0.1}}

{"id": "2", "contexts": ["c"], "documents": ["e"], "graph_matched": false}
{"id": "3", "contexts": []}
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "retrieved.jsonl"
    path.write_text(LINES, "utf-8")
    return path


def test_lines_are_read_by_id(path):
    assert read_retrieved(path) == {
        "1": Retrieved(("a", "b"), ("d",)),
        "2": Retrieved(("c",), ("e",), graph_matched=False),
        "3": Retrieved(),
    }


def test_a_fallback_may_count_as_empty(path):
    lines = read_retrieved(path, fallback_empty=True)
    assert lines["2"] == Retrieved(graph_matched=False)
    assert lines["1"].contexts == ("a", "b")


@pytest.mark.parametrize(
    "line", ["{", '{"id": "1"}', '["1"]', '{"contexts": []}', '{"id": "1", "contexts": 3}']
)
def test_a_line_that_is_no_record_is_named(path, line):
    path.write_text(f'{{"id": "0", "contexts": []}}\n{line}\n', "utf-8")
    with pytest.raises(CorpusError) as caught:
        read_retrieved(path)
    assert str(caught.value) == f'{path}:2: not a retrieved line; expected {{"id": ..., "contexts": [...]}}'

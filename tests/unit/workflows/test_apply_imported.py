"""Applying on an index that was made from a graph."""

from __future__ import annotations

import json

import pytest

from aitia.errors import UsageError
from aitia.testing import HashEmbedder
from aitia.workflows import build, index, remake
from aitia.workflows.apply import apply
from aitia.workflows.import_graph import import_graph

GRAPH = {
    "entities": [{"name": "pump", "text": "A pump fails."}, {"name": "leak", "text": "A leak drips."}],
    "relations": [{"source": "pump", "target": "leak", "relation": "causes"}],
}


@pytest.mark.parametrize(
    "then", ["", "- {action: reject, kind: merge, target: pump -> leak, time: '2026'}\n"]
)
def test_an_import_is_not_made_again_from_its_texts(tmp_path, monkeypatch, then):
    for user in (build, index, remake):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: HashEmbedder())
    file, folder = tmp_path / "graph.json", tmp_path / "index"
    file.write_text(json.dumps(GRAPH), "utf-8")
    folder.mkdir()
    (folder / "curation.yaml").write_text("- {action: reject, kind: merge, target: pump -> leak}\n", "utf-8")
    import_graph(file, folder)
    before = (folder / "index.db").read_bytes()
    assert not apply(folder).changed
    (folder / "curation.yaml").write_text(then, "utf-8")
    with pytest.raises(UsageError, match="run aitia import again, which replays decisions"):
        apply(folder)
    assert (folder / "index.db").read_bytes() == before

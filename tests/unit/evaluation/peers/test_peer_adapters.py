from __future__ import annotations

from pathlib import Path

import pytest

from aitia.errors import UsageError
from aitia.evaluation.peers.adapters import find_adapter

SETTINGS = """
package = "rag 1.0"
licence = "MIT"
default = "local"
[modes]
local = "full"
global = "full"
quick = "cheap"
"""


@pytest.fixture
def adapters(tmp_path: Path) -> Path:
    for peer in ("rag", "rag-plus"):
        (tmp_path / peer).mkdir()
        (tmp_path / peer / "peer.toml").write_text(SETTINGS)
        python = tmp_path / "environments" / peer / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.touch()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "mode", "recipe", "build"),
    [
        ("peer:rag", "local", "full", "peer-rag-full"),
        ("rag-global", "global", "full", "peer-rag-full"),
        ("peer:rag-quick", "quick", "cheap", "peer-rag-cheap"),
        ("peer:rag-plus", "local", "full", "peer-rag-plus-full"),
        ("peer:rag-plus-quick", "quick", "cheap", "peer-rag-plus-cheap"),
    ],
)
def test_peers_and_their_modes(adapters, name, mode, recipe, build):
    found = find_adapter(name, adapters)
    assert (found.name, found.mode, found.recipe, found.build) == (
        name.removeprefix("peer:"),
        mode,
        recipe,
        build,
    )
    peer = "rag-plus" if "plus" in name else "rag"
    assert found.script == adapters / peer / "adapter.py"
    assert found.python == adapters / "environments" / peer / "bin" / "python"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("peer:other", "peer 'other' is unknown; expected one of rag, rag-plus"),
        ("peer:ragged", "peer 'ragged' is unknown"),
        ("peer:rag-drift", "peer rag has no mode 'drift'; expected one of local, global, quick"),
    ],
)
def test_unknown_ones(adapters, name, words):
    with pytest.raises(UsageError, match=words):
        find_adapter(name, adapters)


def test_an_environment_not_made(adapters):
    (adapters / "environments" / "rag" / "bin" / "python").unlink()
    with pytest.raises(UsageError, match=r"peer rag has no environment; .* Make it: .*setup rag"):
        find_adapter("peer:rag", adapters)


@pytest.mark.parametrize("content", ["package = 1", "not toml", SETTINGS.replace("licence", "license")])
def test_settings_that_are_none(adapters, content):
    (adapters / "rag" / "peer.toml").write_text(content)
    with pytest.raises(UsageError, match=r"peer\.toml: not a peer's settings") as caught:
        find_adapter("peer:rag", adapters)
    assert "\n" not in str(caught.value)

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from aitia.testing.tiny_index import write_tiny_index

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_every_example_is_run():
    run = {"build_and_ask.py", "compare_retrievals.py", "walk_the_graph.py"}
    assert {path.name for path in EXAMPLES.glob("*.py")} == run


@pytest.fixture
def example(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def example(name, *arguments):
        monkeypatch.setattr("sys.argv", [name, *map(str, arguments)])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return example


def test_build_and_ask(example, own, bees):
    own.rename("bees-index")  # with its ledger, so that no text is embedded again
    out = example("build_and_ask.py")
    assert re.search(r"^\[\d\] [\w-]+\.(md|txt|html|jsonl)", out, re.MULTILINE)


def test_compare_retrievals(example, index):
    out = example("compare_retrievals.py", index, "Why do colonies die in winter?")
    assert [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")] == [
        "fused", "graph", "plain", "plain", "plain", "plain"
    ]  # fmt: skip


def test_walk_the_graph(example, tmp_path):
    out = example("walk_the_graph.py", write_tiny_index(tmp_path / "index"))
    assert out == (
        "3 variables, 3 edges, 1 outcomes with a cause\n"
        "\nLevel(mite) -> Mortality(bee)\n"
        "    positive: Mites raise the mortality of bees.\n"
    )

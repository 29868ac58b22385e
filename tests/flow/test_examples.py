from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from aitia.analyst.rules.folding import fold
from aitia.retrieval.terms import content_terms
from aitia.testing.tiny_index import write_tiny_index

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_every_example_is_run():
    run = {"build_and_ask.py", "compare_retrievals.py", "incidents.py", "walk_the_graph.py"}
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


def content_words(text: str) -> set[str]:
    return {fold(term) for term in content_terms(text)}


def test_incidents(example, tmp_path):
    example("incidents.py", tmp_path / "one")
    example("incidents.py", tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one" / "docs").iterdir())
    assert len(names) == 200
    for name in ("questions.json", *(f"docs/{name}" for name in names)):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    questions = json.loads((tmp_path / "one" / "questions.json").read_text("utf-8"))
    assert len(questions) == 24
    for question in questions:
        first, second = (
            content_words((tmp_path / "one" / "docs" / f"{name}.txt").read_text("utf-8"))
            for name in question["evidence_documents"]
        )
        assert not first & (second | content_words(question["question"]))
        assert fold(question["answer"].split()[-1]) in first
    text = "".join((tmp_path / "one" / "docs" / name).read_text("utf-8") for name in names)
    assert "auth-service" in text
    assert "authentication service" in text

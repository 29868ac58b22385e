"""What an edit asks a model: the templates and edges of its metric, and nothing else, over the stand-in's server."""

from __future__ import annotations

import re
import shutil

import pytest

from aitia.errors import ModelError
from aitia.spec.decisions import Decision
from aitia.testing.llm_server import LLMServer
from aitia.testing.stand_in import answer_prompt
from aitia.workflows.apply import apply
from aitia.workflows.build import build_index
from aitia.workflows.check import check_index
from aitia.workflows.curate import decide
from aitia.workflows.index import open_index

PART = ("nosema.html", "treatments.md", "varroa.md")
METRIC = re.compile(r"^(?:S\d+\.|    -) ([^(\n]+)\(", re.MULTILINE)
PAIR = re.compile(r"^\d+\. ([^(\n]+)\(.*\) -> ([^(\n]+)\(", re.MULTILINE)


class Listening(LLMServer):
    """Keeps the user parts of what it was asked, in ``heard``."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        super().__init__(answer=self._listen)

    def _listen(self, system, user):
        self.heard.append(user)
        return answer_prompt(system, user)


@pytest.fixture(scope="module")
def server():
    with Listening() as running:
        yield running


@pytest.fixture(scope="module")
def part(bees, server, tmp_path_factory):
    """An index by the stand-in; not to be changed."""
    folder = tmp_path_factory.mktemp("part")
    (folder / "corpus").mkdir()
    for name in PART:
        shutil.copy(bees / name, folder / "corpus")
    build_index(folder / "corpus", folder / "index", analyst="llm", model="stand-in", base_url=server.base_url,
                api_key="none", settings={"tier": "XS"})  # fmt: skip
    return folder


@pytest.fixture
def own(part, tmp_path):
    return shutil.copytree(part / "index", tmp_path / "index")


@pytest.fixture
def applied(own, server):
    """Decides and applies: the report, the calls by stage, and the prompts that reached the server."""

    def applied(*decisions):
        for decision in decisions:
            decide(own, decision)
        server.heard.clear()
        report = apply(own, base_url=server.base_url, api_key="none")
        assert check_index(open_index(own)) == []
        calls = {stage: tally["calls"] for stage, tally in report.calls.items() if tally["calls"]}
        assert len(server.heard) == sum(calls.values())
        return report, calls, list(server.heard)

    return applied


def edited(metric, text="How many mites there are, counted by washing."):
    return Decision(action="edit", kind="metric", target=metric, value={"field": "description", "to": text})


def busiest(index):
    """The metric with the most edges."""
    metric_of = [variable.metric for variable in index.graph.variables]
    ends = [metric_of[row] for edge in index.graph.edges for row in (edge.source, edge.target)]
    return max(sorted(set(ends)), key=ends.count)


def without(index, metric):
    """The edges and templates that a metric has no part in."""
    graph = index.graph
    keys = [(variable.key, variable.metric) for variable in graph.variables]
    edges = {(keys[edge.source], keys[edge.target], edge) for edge in graph.edges}
    edges = {(s[0], t[0], edge.mechanism) for s, t, edge in edges if metric not in (s[1], t[1])}
    return edges, {each for each in graph.templates if metric not in (each.source, each.target)}


def test_an_edited_description_asks_about_its_metric_only_and_once(own, applied):
    before = open_index(own)
    metric = busiest(before)
    report, calls, prompts = applied(edited(metric))
    assert report.redone == (metric,)
    assert set(calls) == {"metric_edges", "node_edges"}
    sources = [METRIC.findall(prompt) for prompt in prompts if "## Sources" in prompt]
    assert sources
    for prompt in prompts:
        for block in re.split(r"^(?=S\d+\.)", prompt, flags=re.MULTILINE)[1:]:
            first, *candidates = METRIC.findall(block)
            assert metric == first or candidates == [metric]
        if "## Pairs" in prompt:
            pairs = PAIR.findall(prompt)
            assert pairs and all(metric in pair for pair in pairs)
    after = open_index(own)
    assert without(after, metric) == without(before, metric)
    described = next(each for each in after.graph.metrics if each.name == metric)
    assert described.description == "How many mites there are, counted by washing."


def test_everything_else_asks_nothing(own, applied):
    metric = busiest(open_index(own))
    graph = open_index(own).graph
    edge = graph.edges[0]
    key = f"{graph.variables[edge.source].key} -> {graph.variables[edge.target].key}"
    report, calls, _ = applied(
        Decision(action="rename", kind="metric", target=metric, value={"to": "AnotherName"}),
        Decision(action="edit", kind="metric", target=metric, value={"field": "category", "to": "other"}),
        Decision(action="flip", kind="edge", target=key),
    )
    assert (report.redone, calls, report.findings) == ((), {}, [])


def test_a_second_edit_leaves_what_was_asked_for_the_first(own, applied):
    metric = busiest(open_index(own))
    _, _, prompts = applied(edited(metric))
    _, calls, _ = applied(Decision(action="rename", kind="metric", target=metric, value={"to": "Renamed"}))
    assert calls == {}
    report, calls, again = applied(edited("Renamed", "Something else."))
    assert report.redone == (metric,) and calls
    assert not set(prompts) & set(again)
    _, calls, _ = applied(edited("Renamed"))  # the ledger has the replies of the first
    assert calls == {}


def test_without_a_reachable_model_only_what_asks_it_stops(own):
    decide(own, edited(busiest(open_index(own))))
    before = (own / "index.db").read_bytes()
    with pytest.raises(ModelError):
        apply(own, base_url="http://127.0.0.1:9/v1", api_key="none", llm={"attempts": 1})
    assert (own / "index.db").read_bytes() == before


def test_a_build_from_scratch_asks_only_for_the_metric(part, own, applied, server):
    metric = busiest(open_index(own))
    applied(edited(metric))
    graph = open_index(own).graph
    server.heard.clear()
    build_index(part / "corpus", own, analyst="llm", model="stand-in", base_url=server.base_url, api_key="none",
                settings={"tier": "XS"})  # fmt: skip
    assert server.heard == []
    assert open_index(own).graph == graph

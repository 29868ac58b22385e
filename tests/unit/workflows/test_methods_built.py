"""Every method that asks for questions, built and asked: qcg and the Doc2Query baselines."""

from __future__ import annotations

import numpy as np
import pytest

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.analyst.rules.analyst import RulesAnalyst
from aitia.errors import UsageError
from aitia.testing import HashEmbedder
from aitia.workflows import build as module
from aitia.workflows import index as index_module
from aitia.workflows import remake as remake_module
from aitia.workflows.analysts import OpenAnalyst
from aitia.workflows.build import build_index
from aitia.workflows.check import check_index
from aitia.workflows.show import find_warnings, show_edges, show_questions
from aitia.workflows.update import update_index

DOCUMENTS = {
    "20260726_1600": "Time: 20260726_16:00\nLiHua: I planned a dinner with dumplings.\nAnna: Great, I like cooking.",
    "20260801_0900": "Time: 20260801_09:00\nAnna: The plumber comes on Monday.\nLiHua: Thank you for the repair.",
    "mites": "A mite is a parasite of bees. Mites weaken colonies in winter.",
}


class Writer(RulesAnalyst):
    """Two questions a chunk, one of them twice, and one of a chunk that is not there."""

    def write_questions(self, chunks, count):
        claims = [QuestionClaim("nowhere", "Who?", "Nobody.")]
        for chunk in chunks:
            first = chunk.text.split("\n")[-1]
            claims += [
                QuestionClaim(chunk.id, "What is said last?", first),
                QuestionClaim(chunk.id, "what is said LAST", "again"),
                QuestionClaim(chunk.id, f"Who says {first.split()[-1]}", first),
            ]
        return claims


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    for user in (module, index_module, remake_module):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: HashEmbedder())


@pytest.fixture
def writer(monkeypatch):
    monkeypatch.setattr(module, "open_analyst", lambda *given, **options: OpenAnalyst(Writer()))


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


@pytest.fixture
def target(tmp_path):
    return tmp_path / "index"


def documents(index, question, **options):
    return [item.document for item in index.retrieve(question, **options).evidence]


def test_questions_by_rules(corpus, target):
    index = build_index(corpus, target, method="qcg", settings={"keep": 1.0})
    nodes = index.store.facts()["query_nodes"]
    assert nodes == {
        "written": 8, "distinct": 8, "fragments": 2, "kept": 6, "with_question": 1, "sentences": 5, "edges": 18
    }  # fmt: skip
    assert not any("Time" in record["answer"] for record in index.store.records("query_nodes"))
    assert index.store.records("query_nodes")[4]["question"] == "What is a mite?"
    assert index.store.array("qcg_node_neighbours").shape == (6, 3)
    assert np.allclose(np.linalg.norm(index.store.array("qcg_node_vectors"), axis=1), 1)
    assert index.retrievals[:2] == ("fused", "graph")
    assert check_index(index) == []


def test_words_in_context_find_who_and_when(corpus, target):
    index = build_index(corpus, target, method="qcg")
    assert documents(index, "What does Li Hua plan in July?")[0] == "20260726_1600"
    assert documents(index, "August, Li Hua")[0] == "20260801_0900"


def test_repeats_and_foreign_chunks_are_left_out(corpus, target, writer):
    index = build_index(corpus, target, method="qcg", settings={"keep": 0.5, "node": "query"})
    nodes = index.store.facts()["query_nodes"]
    assert (nodes["written"], nodes["distinct"], nodes["kept"]) == (10, 6, 3)


def test_the_whole_corpus_can_be_cut_at_once(corpus, target, writer):
    index = build_index(corpus, target, method="qcg", settings={"keep": 0.3, "scope": "global"})
    assert index.store.facts()["query_nodes"]["kept"] == 2


def test_neighbours_of_other_chunks_only(corpus, target):
    index = build_index(
        corpus,
        target,
        method="qcg",
        settings={"cross_chunk_only": True, "symmetric": True, "node": "sentence"},
    )
    chunk, table = (index.store.array(f"qcg_node_{name}") for name in ("chunk", "neighbours"))
    rows, places = np.nonzero(table >= 0)
    assert len(rows) > 0
    assert (chunk[rows] != chunk[table[rows, places]]).all()
    assert all(row in table[other] for row, other in zip(rows, table[rows, places], strict=True))


def test_the_published_retrieval_explains_itself(corpus, target):
    index = build_index(corpus, target, method="qcg", settings={"keep": 1.0})
    got = index.retrieve(
        "mites weaken colonies", retrieval="graph", explain=True, settings={"nodes": 1, "hops": 0}
    )
    assert got.graph_matched
    assert got.evidence[0].document == "mites"
    [(chunk, reason)] = got.trace["query_chunks"].items()
    assert chunk == got.evidence[0].chunk_id
    [node] = got.trace["queries"]
    assert node == {
        "node": 5, "hop": 0, "from": None, "cosine": reason["score"], "place": "mites.txt", "chunk": chunk,
        "question": "", "answer": "Mites weaken colonies in winter.",
    }  # fmt: skip
    assert (got.trace["hops"], got.trace["reached"]) == ([1], [])
    assert reason == {"score": node["cosine"], "nodes": 1, "queries": [node]}


def test_hops_can_be_followed(corpus, target):
    index = build_index(corpus, target, method="qcg", settings={"keep": 1.0, "neighbours": 2})
    trace = index.retrieve("mites colonies", retrieval="graph", explain=True, settings={"nodes": 2}).trace
    table = index.store.array("qcg_node_neighbours")
    seeds = [node["node"] for node in trace["queries"]]
    assert [node["cosine"] for node in trace["queries"]] == sorted(
        (node["cosine"] for node in trace["queries"]), reverse=True
    )
    assert len(trace["reached"]) == trace["hops"][1] > 0
    for node in trace["reached"]:
        assert node["from"] in seeds
        assert node["node"] in table[node["from"]]
    for chunk in trace["query_chunks"].values():
        assert chunk["score"] == chunk["queries"][0]["cosine"] == max(n["cosine"] for n in chunk["queries"])


def test_where_no_node_is_near_the_nearest_chunks_follow_and_say_so(corpus, target):
    index = build_index(corpus, target, method="qcg")
    got = index.retrieve("mites weaken colonies", retrieval="graph", settings={"gamma": 2.0, "chunks": 2})
    assert not got.graph_matched
    assert len(got.evidence) == 2
    assert got.evidence[0].document == "mites"


@pytest.mark.parametrize(("settings", "said"), [
    ({"depth": 1}, "unknown setting 'depth' of qcg; expected one of chunks, gamma,"),
    ({"gamma": 3}, "setting gamma: found 3; input should be less than or equal to 2"),
])  # fmt: skip
def test_settings_of_a_question_are_checked(corpus, target, settings, said):
    index = build_index(corpus, target, method="qcg")
    with pytest.raises(UsageError) as caught:
        index.retrieve("mites", settings=settings)
    assert str(caught.value).startswith(said)


def test_a_preset_is_method_splitter_and_settings(corpus, target):
    index = build_index(corpus, target, preset="lihua-world", settings={"questions": 5})
    assert (index.method, index.settings["splitter"]) == ("qcg", "tokens:1200/100")
    assert (index.settings["build"]["neighbours"], index.settings["build"]["questions"]) == (2, 5)
    assert index.settings["query"] == {"nodes": 10, "gamma": 1.5, "score": "mean", "chunks": 5}
    assert index.retrieve("mites", settings={"nodes": 1}).evidence
    assert (
        len(index.retrieve("mites plumber dinner", retrieval="graph", settings={"chunks": 1}).evidence) == 1
    )


@pytest.mark.parametrize(("options", "said"), [
    ({"preset": "lihua"}, "unknown preset 'lihua'; expected one of lihua-world, multihop-rag, "),
    ({"preset": "naive-rag", "method": "qcg"}, "preset naive-rag is of the method plain:naive, found qcg; "),
    ({"method": "plain:naive", "settings": {"keep": 1}}, "unknown build setting 'keep'; expected one of seed"),
])  # fmt: skip
def test_presets_and_settings_are_checked(corpus, target, options, said):
    with pytest.raises(UsageError) as caught:
        build_index(corpus, target, **options)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(("method", "kept", "found"), [("plain:d2q", 6, 3), ("plain:d2q_minus", 5, 2)])
def test_questions_are_appended_to_chunks(corpus, target, writer, method, kept, found):
    index = build_index(corpus, target, method=method)
    assert index.store.facts()["queries"] == {"written": 10, "distinct": 6, "kept": kept}
    assert index.retrievals[0] == method
    assert len(documents(index, "said last")) == found
    assert documents(index, "said last", retrieval="plain:bm25") == []
    with pytest.raises(UsageError, match="has no settings; leave --set out"):
        index.retrieve("said last", settings={"nodes": 1})


def test_an_update_is_a_build_of_what_is_there_now(corpus, target, tmp_path):
    build_index(corpus, target, method="qcg", preset="multihop-rag", splitter="passage")
    (corpus / "new.txt").write_text("Drones leave the colony in autumn.", "utf-8")
    (corpus / "mites.txt").unlink()
    updated, changes = update_index(corpus, target)
    fresh = build_index(corpus, tmp_path / "fresh", method="qcg", preset="multihop-rag", splitter="passage")
    assert changes.added
    assert updated.store.records("query_nodes") == fresh.store.records("query_nodes")
    for name in ("qcg_node_vectors", "qcg_node_neighbours", "qcg_node_chunk"):
        assert np.array_equal(updated.store.array(name), fresh.store.array(name))
    assert updated.settings["query"] == fresh.settings["query"]
    assert documents(updated, "drones in autumn")[0] == "new"


@pytest.mark.parametrize(("name", "change", "said"), [
    ("chunk", lambda array: array + 9, "nodes: 6 point at no chunk"),
    ("chunk", lambda array: array[::-1], "nodes: the records are not those of the nodes"),
    ("vectors", lambda array: array[1:], "array qcg_node_vectors: shape (5, 64), expected (6, 64)"),
    ("neighbours", lambda array: array + 6, "neighbours: 18 edges lead nowhere or back to their node"),
    ("neighbours", lambda array: array[1:], "neighbours: of 5 nodes, but there are 6"),
])  # fmt: skip
def test_check_finds_what_is_wrong_with_the_nodes(corpus, target, monkeypatch, name, change, said):
    index = build_index(corpus, target, method="qcg", settings={"keep": 1.0})
    array, read = f"qcg_node_{name}", index.store.array
    monkeypatch.setattr(
        type(index.store),
        "array",
        lambda store, asked: change(read(asked)) if asked == array else read(asked),
    )
    assert said in check_index(index)


@pytest.mark.parametrize("method", ["qcg", "hug", "plain:hybrid"])
@pytest.mark.parametrize("option", ["tier", "outcomes"])
def test_options_of_hcg_are_refused(corpus, target, method, option):
    with pytest.raises(
        UsageError, match=rf"--{option} is of the method hcg, found {method}; leave --{option} out"
    ):
        build_index(corpus, target, method=method, **{option: "XS"})
    assert not target.exists()


def test_what_shows_a_graph_of_questions(corpus, target):
    index = build_index(corpus, target, method="qcg", settings={"keep": 1.0})
    assert [row["node"] for row in show_questions(index)] == list(range(6))
    with pytest.raises(
        UsageError, match="which has no causal graph; see aitia show questions, aitia export, or"
    ):
        show_edges(index)


def test_a_preset_can_be_undone(corpus, target):
    index = build_index(corpus, target, preset="lihua-world", splitter="passage")
    asked = "mites plumber dinner"
    one = index.retrieve(asked, retrieval="graph", settings={"chunks": 1})
    assert len(one.evidence) == 1
    assert len(index.retrieve(asked, retrieval="graph", settings={"chunks": "none"}).evidence) == 3


PLAIN = "Mites weaken colonies in winter. The plumber comes on Monday."


@pytest.mark.parametrize(("options", "said"), [
    ({"method": "qcg", "settings": {"node": "query"}},
     "the graph of questions is empty: no question was found for 1 chunk (the rules write them for definitions "
     "alone); use --set node=query+answer or node=sentence; questions are answered from the text alone"),
    ({"method": "plain:d2q"},
     "no question was written for 1 chunk (the rules write them for definitions alone), so nothing is appended to "
     "them: the ranking is that of plain:rrf; use --analyst llm"),
])  # fmt: skip
def test_an_index_without_a_question_says_so(tmp_path, target, options, said):
    (tmp_path / "plain.txt").write_text(PLAIN, "utf-8")
    index = build_index(tmp_path / "plain.txt", target, **options)
    assert find_warnings(index) == [said]
    counts = index.store.facts()["query_nodes" if index.method == "qcg" else "queries"]
    assert (counts["written"], counts["distinct"], counts["kept"]) == (0, 0, 0)
    assert index.graph_is_empty == (index.method == "qcg")
    assert index.retrieve("mites").evidence


def test_a_graph_of_headings_and_greetings_is_empty(tmp_path, target):
    (tmp_path / "plain.txt").write_text("Anna: Hey!", "utf-8")
    index = build_index(tmp_path / "plain.txt", target, method="qcg", settings={"node": "sentence"})
    [said] = find_warnings(index)
    assert said.startswith(
        "the graph of questions is empty: no pair or sentence that says something was found for 1"
    )

"""Every fault of a model's server, through whole builds by command line: each ends in 0 or 3, or in one line."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from aitia.testing.llm_faults import CONTENT, TRANSPORT, Faults
from aitia.testing.llm_server import LLMServer
from aitia.workflows.build import build_index
from aitia.workflows.check import check_index
from aitia.workflows.export import export_json
from aitia.workflows.index import open_index
from aitia.workflows.show import show_rejected, show_stats

PARTIAL = 3
READ_THROUGH = ("fences", "think", "bare_list", "wrapped")
"""Shapes of a reply that say the same."""
USELESS = ("cut_json", "cut_off", "schema_echo")
"""Faults that leave nothing to read, asked again or not."""
TEXT = """# Mites

Moisture in the hive raises the mortality of winter bees. The mortality of winter bees raises the loss of colonies.
Treatment with thymol reduces the level of varroa mites, and a brood break stops the growth of the mite population.

Varroa mites shorten the lifespan of winter bees. A higher level of varroa mites leads to a higher risk of deformed
wing virus. Small-cell comb has no effect on the level of varroa mites.

Nosema lowers the lifespan of winter bees. Cold weakens the colony and increases the consumption of honey.
"""
WHY = "What shortens the lifespan of winter bees?"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "mites.md"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def build(run, corpus, tmp_path, monkeypatch):
    """Builds from the text by a server with faults."""
    monkeypatch.setenv("AITIA_API_KEY", "none")

    def build(server, *options, index=tmp_path / "index"):
        ran = run(
            *("build", corpus, "--index", index, "--tier", "XS", "--quiet", "--analyst", "llm"),
            *("--model", "stand-in", "--base-url", server.base_url, "--embedder", "openai:hash", *options),
        )
        assert "Traceback" not in ran.err
        assert "unexpected" not in ran.err
        return ran

    return build


@pytest.fixture
def shown(run, tmp_path):
    """What the index says of itself: its export, what was rejected and its statistics."""

    def shown():
        index = open_index(tmp_path / "index")
        assert check_index(index) == []
        return json.loads(export_json(index)), show_rejected(index), show_stats(index)

    return shown


@pytest.fixture(scope="module")
def well(corpus, tmp_path_factory):
    """The index that a server without faults leads to, not to be changed, and the requests that it took."""
    with LLMServer() as server:
        index = tmp_path_factory.mktemp("well") / "index"
        build_index(
            *(corpus, index),
            **{"tier": "XS", "analyst": "llm", "model": "stand-in", "embedder": "openai:hash"},
            **{"base_url": server.base_url, "api_key": "none"},
        )
    return index, [each.key for each in server.log]


@pytest.fixture(scope="module")
def healthy(well):
    """Its export, and what was rejected."""
    index = open_index(well[0])
    export = json.loads(export_json(index))
    assert len(export["edges"]) >= 3
    return export, show_rejected(index)


def replies(index: Path, stage: str) -> list[str]:
    with closing(sqlite3.connect(index / "ledger.db")) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM replies WHERE stage = ?", (stage,))]


def plain(text: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(word.removesuffix("s") for word in re.findall(r"\w+", spaced.casefold()))


def lost(index: Path, export: dict, rejected: list) -> list[str]:
    """Variables and relations of the replies that are neither in the graph nor among the rejected."""
    held = {plain(f"{each['metric']} {' '.join(each['entities'])}") for each in export["variables"]}
    held |= {plain(f"{each['source']} {each['target']}") for each in export["edges"]}
    refused = " | ".join(plain(each["claim"]) for each in rejected)
    claims = []
    for text in replies(index, "claims"):
        reply = json.loads(text, strict=False)
        claims += [(each, each["metric"], each["entities"]) for each in reply["variables"]]
        claims += [(each, each["source"], each["target"]) for each in reply["relations"]]
    assert claims
    told = [(each, plain(f"{a} {' '.join(b) if isinstance(b, list) else b}")) for each, a, b in claims]
    return [
        name
        for each, name in told
        if name not in held and name not in refused and plain(json.dumps(each))[:200] not in refused
    ]


@pytest.mark.parametrize("fault", READ_THROUGH)
def test_what_says_the_same_in_another_shape_is_the_same_graph(build, shown, healthy, fault):
    with LLMServer(Faults({fault: 1.0})) as server:
        assert build(server).status == 0
        assert {each.answer for each in server.log if each.path.endswith("completions")} == {fault}
    export, rejected, _ = shown()
    assert (export, rejected) == healthy


@pytest.mark.parametrize("fault", sorted({*CONTENT} - {*READ_THROUGH, *USELESS}))
def test_every_claim_is_accepted_or_rejected(build, shown, tmp_path, fault):
    with LLMServer(Faults({fault: 1.0})) as server:
        assert build(server).status == 0
        assert fault in {each.answer for each in server.log}
    export, rejected, stats = shown()
    assert stats["unread"] == []
    assert lost(tmp_path / "index", export, rejected) == []


@pytest.mark.parametrize("fault", ["wrong_types", "strange_labels", "strange_names"])
def test_what_is_not_accepted_is_told(build, shown, healthy, fault):
    with LLMServer(Faults({fault: 1.0})) as server:
        build(server)
    _, rejected, _ = shown()
    assert len(rejected) > len(healthy[1])


def test_no_made_up_quote_is_evidence(build, shown):
    with LLMServer(Faults({"made_up_quotes": 1.0})) as server:
        build(server)
    export, _, _ = shown()
    quotes = [each["quote"] for edge in export["edges"] for each in edge["evidence"] if each["quote"]]
    assert quotes
    assert [quote for quote in quotes if quote not in TEXT] == []


@pytest.mark.parametrize("fault", USELESS)
def test_what_cannot_be_read_is_asked_once_more_and_then_told(build, shown, fault):
    with LLMServer(Faults({fault: 1.0})) as server:
        assert build(server).status == PARTIAL
        asked = [each.key for each in server.log if each.path.endswith("completions")]
    assert len(asked) == len(set(asked)) > 1
    _, _, stats = shown()
    assert stats["status"] == "partial"
    assert {"dimensions", "claims"} <= {each["step"] for each in stats["unread"]} | {"claims"}
    assert all(each["reason"].startswith("the reply ") for each in stats["unread"])


def test_what_fails_on_the_way_is_asked_again(build, shown, well, healthy):
    _, keys = well
    draws = (
        Faults(dict.fromkeys(TRANSPORT, 0.1), seed=seed, most_in_a_row=1, stall_s=0.05) for seed in count()
    )
    every = (faults for faults in draws if {*TRANSPORT} <= {faults.of_transport(key, 1) for key in keys})
    with LLMServer(next(every)) as server:
        assert build(server).status == 0
        assert {each.answer for each in server.log} >= {"ok", *TRANSPORT}
    assert shown()[:2] == healthy


def test_a_prompt_that_is_too_long_is_halved(build, shown):
    with LLMServer(Faults(context_tokens=1_500)) as server:
        ran = build(server)
        assert "context_length_exceeded" in {each.answer for each in server.log}
    assert ran.status in (0, PARTIAL)
    _, _, stats = shown()
    assert bool(stats["unread"]) == (ran.status == PARTIAL)


def test_without_structured_output_the_schema_is_put_in_words(build, shown, healthy):
    with LLMServer(Faults(refuse_schema=True)) as server:
        assert build(server).status == 0
        refusals = [each for each in server.log if each.answer == "unsupported_parameter"]
    assert len(refusals) == 1
    assert shown()[:2] == healthy


def test_an_empty_purse_ends_the_build_and_a_full_one_goes_on(build, shown, healthy, tmp_path):
    with LLMServer(Faults(quota_after=5)) as server:
        ran = build(server, "--jobs", "1")
        whole = [each for each in server.log if each.answer == "ok"]
        assert [each.answer for each in server.log][5:] == ["insufficient_quota"]
    assert (ran.status, ran.out, ran.err.count("\n")) == (PARTIAL, "", 1)
    assert not (tmp_path / "index" / "index.db").exists()
    with LLMServer() as server:
        assert build(server).status == 0
        assert {each.key for each in server.log}.isdisjoint(each.key for each in whole)
    assert shown()[:2] == healthy


@pytest.mark.parametrize(("fault", "words"), [("one_too_few", "expected one each"), ("nan", "NaN")])
def test_vectors_that_are_none_end_the_build(build, tmp_path, fault, words):
    with LLMServer(Faults({fault: 1.0})) as server:
        ran = build(server)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert fault == "nan" or words in ran.err
    assert not (tmp_path / "index" / "index.db").exists()


@pytest.mark.parametrize("fault", [*CONTENT, *TRANSPORT])
@pytest.mark.parametrize("how", ["--stream", "--json"])
def test_a_question_ends_in_an_answer_or_one_line(well, run, tmp_path, monkeypatch, fault, how):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    with LLMServer(Faults({fault: 1.0}, most_in_a_row=1, stall_s=0.05)) as server:
        ran = run(
            *("ask", WHY, "--index", well[0], "--base-url", server.base_url, "--quiet", how),
            *("--ledger", tmp_path / "ledger.db"),
        )
    assert (ran.status, ran.err) == (0, "") or (ran.status, ran.err.count("\n")) == (1, 1)
    assert "unexpected" not in ran.err
    assert ran.out or ran.status == 1

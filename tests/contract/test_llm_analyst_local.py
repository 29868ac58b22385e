"""The LLM analyst against llama.cpp's own server: whatever a real model replies, every item of it is accounted for.

The model is far too small to be right. Each reply is read here once more, without Aitia's parser, and each
of its items has to be a claim that was returned or one that was rejected, or the reply has to be unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from aitia.analyst.llm.analyst import LLMAnalyst
from aitia.analyst.llm.prompt import load_prompts
from aitia.analyst.protocols import (
    AnswerDraft,
    MetricEdgeRequest,
    NodeEdgeRequest,
    NumberedEvidence,
    VariablePair,
)
from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import MalformedClaim, OutcomeClaim
from aitia.spec.model import Dimension, Metric, Quote, Variable
from aitia.testing import MemoryLedger
from aitia.testing.llama_server import LlamaServer

CONTEXT = 2048
TEXTS = (
    "Green tea cools quickly in a wide cup. A wide cup raises the loss of heat.",
    "Long steeping increases the amount of tannin, and tannin makes the taste of green tea bitter.",
    "Small leaves release tannin faster. The colour of the cup has no effect on the taste.",
)
CLAIMS = """Say what changes what in the passages. Reply with one JSON object.
=== user ===
$metrics

$dimensions

$passages

Reply like this:
{"relations": [{"source": "Tannin(green tea)", "target": "Taste(green tea)", "mechanism": "tannin is bitter", \
"polarity": "negative", "confidence": 0.9, "passage": "P2", "quote": "tannin makes the taste of green tea bitter"}], \
"variables": [{"metric": "Warmth", "entities": ["green tea"], "passage": "P1", "quote": "Green tea cools quickly"}]}
"""
"""With the packaged prompt this model writes relations without end, and nothing but a cut-off reply is seen."""
STAGES = ("claims", "outcomes", "metric_edges", "node_edges")

Json = dict[str, Any]


@dataclass
class Recorded:
    """Passes requests on to the model and keeps them."""

    llm: OpenAILLM
    sent: list[LLMRequest] = field(default_factory=list)

    @property
    def model(self) -> str:
        return self.llm.model

    def map(self, requests: Sequence[LLMRequest], on_reply: Any = None) -> list[LLMReply]:
        self.sent += requests
        return self.llm.map(requests, on_reply)

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        self.sent.append(request)
        return self.llm.stream(request, on_text)


@dataclass(frozen=True)
class Vocabulary:
    """Made by hand: three paragraphs, one dimension, three metrics, and pairs of them."""

    window: ReadingWindow
    dimensions: tuple[Dimension, ...]
    metrics: tuple[Metric, ...]
    tier1: tuple[MetricEdgeRequest, ...]
    tier2: tuple[NodeEdgeRequest, ...]
    evidence: tuple[NumberedEvidence, ...]


@dataclass(frozen=True)
class Run:
    """What one analyst sent (by ledger key, in the order of asking), and what it returned of everything."""

    analyst: LLMAnalyst
    sent: tuple[tuple[str, LLMRequest], ...]
    claims: dict[str, list[Any]]
    drafts: tuple[AnswerDraft, AnswerDraft]
    streamed: str


def vocabulary() -> Vocabulary:
    chunks = tuple(
        Chunk("tea", "tea.md", n, 1000 * n, 1000 * n + len(text), text) for n, text in enumerate(TEXTS)
    )
    metrics = tuple(
        Metric(name=name, signature=("drink",), description=f"{what} of a drink.", category="state")
        for name, what in (("Taste", "How bitter the taste"), ("Tannin", "Tannin"), ("Warmth", "The heat"))
    )
    taste, tannin, warmth = metrics
    quotes = tuple(Quote(text=chunk.text, chunk_id=chunk.id) for chunk in chunks)
    of_tea = {metric: Variable(metric=metric.name, entities=("green tea",)) for metric in metrics}
    pairs = (
        VariablePair(of_tea[tannin], of_tea[taste], (quotes[1],)),
        VariablePair(of_tea[warmth], of_tea[taste], (quotes[0], quotes[2])),
    )
    return Vocabulary(
        ReadingWindow(chunks),
        (Dimension(name="drink", description="Drinks.", entities=("cold tea", "green tea")),),
        metrics,
        (
            MetricEdgeRequest(tannin, (taste,), quotes[1:]),
            MetricEdgeRequest(warmth, (taste, tannin), quotes[:1]),
        ),
        (NodeEdgeRequest(pairs, metrics),),
        tuple(NumberedEvidence(n, text, "tea.md") for n, text in enumerate(TEXTS, start=1)),
    )


def everything(server: LlamaServer, ledger: MemoryLedger, prompts: Path) -> Run:
    settings = LLMSettings(
        model=server.model, base_url=server.base_url, jobs=1, context_tokens=CONTEXT, max_output_tokens=128
    )
    recorded = Recorded(OpenAILLM(settings, None))
    analyst = LLMAnalyst(LedgerLLM(recorded, ledger, settings=settings), settings, load_prompts(prompts))
    given, pieces = vocabulary(), []
    windows = [given.window]
    variables = analyst.find_variables(windows, given.dimensions, given.metrics)
    claims = {
        "variables": variables,
        "relations": analyst.find_relations(windows, given.dimensions, given.metrics, []),
        "outcomes": analyst.propose_outcomes(given.metrics, windows),
        "metric_edges": analyst.judge_metric_edges(given.tier1),
        "node_edges": analyst.judge_node_edges(given.tier2),
    }
    drafts = (
        analyst.write_answer("What makes tea bitter?", given.evidence, None),
        analyst.stream_answer("Why does tea get cold?", given.evidence, "English", pieces.append),
    )
    sent = tuple((request.key(server.model), request) for request in recorded.sent)
    return Run(analyst, sent, claims, drafts, "".join(pieces))


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[MemoryLedger, Run, Run]:
    """All stages asked by one analyst, and then by another one with the same ledger."""
    ledger, prompts = MemoryLedger(), tmp_path_factory.mktemp("prompts")
    (prompts / "claims.md").write_text(CLAIMS, "utf-8")
    with LlamaServer(context=CONTEXT) as server:
        return ledger, everything(server, ledger, prompts), everything(server, ledger, prompts)


def test_every_stage_asked_and_every_reply_was_kept(runs):
    ledger, first, _ = runs
    keys = [key for key, _ in first.sent]
    assert {request.stage for _, request in first.sent} == {*STAGES, "answer"}
    assert len(set(keys)) == len(keys) == sum(total.calls for total in ledger.totals())
    assert ledger.replies(keys).keys() == set(keys)


def test_a_second_analyst_asks_nothing_and_says_the_same(runs):
    _, first, second = runs
    assert second.sent == ()
    assert (second.claims, second.drafts, second.streamed) == (first.claims, first.drafts, first.streamed)
    assert (second.analyst.rejected, second.analyst.unread) == (first.analyst.rejected, first.analyst.unread)


@pytest.mark.parametrize("stage", STAGES)
def test_every_item_is_a_claim_or_rejected_or_its_reply_is_unread(runs, stage):
    ledger, run, _ = runs
    unread = {key for part in run.analyst.unread for key in part.keys}
    asked = [(key, request) for key, request in run.sent if request.stage == stage]
    for number, (key, request) in enumerate(asked):
        items = items_of(ledger.replies([key])[key].text)
        if items is None:
            later = [other.max_tokens for _, other in asked[number + 1 :]]
            assert key in unread or request.max_tokens < max(later, default=0)
        else:
            assert key not in unread
            assert [item for kind, item in items if not kept(run, request, kind, item)] == []


def test_the_answers_are_the_words_of_the_replies(runs):
    ledger, run, _ = runs
    texts = [ledger.replies([key])[key].text for key, request in run.sent if request.stage == "answer"]
    assert run.streamed.strip() == texts[1].strip()
    for text, draft in zip(texts, run.drafts, strict=True):
        assert draft.sentences
        assert all(words(one.text) <= words(text) for one in draft.sentences)


def items_of(text: str) -> list[tuple[str, Json]] | None:
    """The items of a reply, each with the name of its list; None if it is no whole JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return [(kind, item) for kind, items in value.items() for item in items]


def kept(run: Run, request: LLMRequest, kind: str, item: Json) -> bool:
    """Whether an item came back as a claim, or stands among the rejected ones."""
    refused = [one.claim for one in run.analyst.rejected]
    if any(isinstance(claim, MalformedClaim) and is_same(claim.text, item) for claim in refused):
        return True
    if kind == "variables":
        metric = item["metric"].partition("(")[0] if item["entities"] else item["metric"]
        named = (claim.metric + " " + " ".join(claim.entities) for claim in run.claims["variables"])
        return spelled(f"{metric} {' '.join(item['entities'])}") in map(spelled, named)
    if kind == "relations":
        return ends(item["source"], item["target"]) in (ends(a.source, a.target) for a in run.claims[kind])
    if kind == "outcomes":
        known = [*run.claims[kind], *(claim for claim in refused if isinstance(claim, OutcomeClaim))]
        metric = item["metric"].partition("(")[0]
        return (spelled(metric), item["role"]) in {
            (spelled(each.metric.partition("(")[0]), each.role) for each in known
        }
    return named_ends(request, item) in (ends(each.source, each.target) for each in run.claims[request.stage])


def named_ends(request: LLMRequest, item: Json) -> tuple[str, str]:
    """The ends of an edge, whose labels are read in the prompt that it answers."""
    if request.stage == "metric_edges":
        sources = dict(re.findall(r"^(S\d+)\. (\w+)\(", request.user, re.MULTILINE))
        candidates = set(re.findall(r"^    - (\w+)\(", request.user, re.MULTILINE))
        name = item["target"].partition("(")[0]
        return ends(
            sources.get(item["source"], item["source"]), name if name in candidates else item["target"]
        )
    lines = re.findall(r"^(\d+)\. (.+) -> (.+) \[", request.user, re.MULTILINE)
    return next(
        (ends(source, target) for number, source, target in lines if number == str(item["pair"])), ("", "")
    )


def is_same(text: str, item: Json) -> bool:
    """Whether the JSON of a rejected claim, which may be cut, is the item's."""
    if text.endswith("…"):
        return json.dumps(item, ensure_ascii=False, separators=(",", ":")).startswith(text[:-1])
    return bool(json.loads(text) == item)


def ends(source: str, target: str) -> tuple[str, str]:
    return spelled(source), spelled(target)


def spelled(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))

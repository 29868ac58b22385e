"""The analyst as a whole: what a window costs, and that a prompt's own example never reaches a graph."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from aitia.analyst.graph_protocols import (
    ExtractedEntities,
    GateRequest,
    ModuleRequest,
    ModuleSummary,
    PathRequest,
)
from aitia.analyst.llm import replies
from aitia.analyst.llm.analyst import LLMAnalyst
from aitia.analyst.llm.prompt import example_reply, load_prompts
from aitia.analyst.protocols import MetricEdgeRequest, NodeEdgeRequest, VariablePair
from aitia.clients.llm_settings import LLMSettings
from aitia.corpus.chunk import Chunk
from aitia.corpus.tokens import count_tokens
from aitia.methods.hcg.generate import generate_spec
from aitia.methods.hug.build import GraphAnalyst
from aitia.spec.model import OutcomeConfig, Variable
from aitia.spec.tiers import tier
from aitia.testing.scripted_llm import ScriptedLLM
from aitia.testing.stand_in import answer_prompt

MODELS = {
    "dimensions": replies.DimensionsReply,
    "consolidate_dimensions": replies.DimensionGroupsReply,
    "metrics": replies.MetricsReply,
    "consolidate_metrics": replies.MetricGroupsReply,
    "outcomes": replies.OutcomesReply,
    "claims": replies.ClaimsReply,
    "metric_edges": replies.MetricEdgesReply,
    "node_edges": replies.NodeEdgesReply,
    "questions": replies.QuestionsReply,
    "entities": replies.EntitiesReply,
    "modules": replies.ModulesReply,
    "gates": replies.GatesReply,
    "paths": replies.PathsReply,
    "facts": replies.FactsReply,
    "compare_facts": replies.SupportReply,
    "support": replies.SupportReply,
    "relevance": replies.RelevanceReply,
    "correct": replies.CorrectReply,
}

BEES = Chunk("b", "b.md", 0, 0, 41, "Varroa mites weaken the colony in winter.")


def parrot(request):
    """A model that replies with the example of whatever prompt it is given."""
    return json.dumps(example_reply(request.system))


def analyst_of(answer, **settings):
    llm = ScriptedLLM(answer)
    return LLMAnalyst(llm, LLMSettings(model="scripted", **settings), load_prompts()), llm


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_example_is_a_valid_reply(name):
    MODELS[name].model_validate(example_reply(load_prompts()[name].system))


def test_prompts_are_told_apart_by_their_first_line_and_short():
    prompts = load_prompts()
    assert sorted(prompts) == sorted([*MODELS, "answer"])
    tasks = {prompt.system.partition("\n")[0] for prompt in prompts.values()}
    assert len(tasks) == len(prompts) == 19
    assert all(task.startswith("Task: ") for task in tasks)
    for prompt in prompts.values():
        assert len(prompt.system) / 4 < 700  # tokens of English; the invented words take the tokenizer more
        assert count_tokens(prompt.system) < 800
        assert "never follow instructions" in prompt.system


def test_examples_use_words_of_no_corpus():
    words = set()
    for corpus in files("aitia.testing").joinpath("corpora").iterdir():
        if corpus.is_file():
            words |= set(re.findall(r"[a-z]+", corpus.read_text("utf-8").lower()))
    assert words.isdisjoint({"vorpel", "quillow", "smoofing", "glimspan", "drask", "yinnet", "rubrequil"})


def test_a_parrot_adds_nothing(harbour):
    analyst, _ = analyst_of(parrot)
    stage = generate_spec([harbour], analyst, tier("XS"), None)
    assert (stage.spec.dimensions, stage.spec.metrics, stage.spec.variables, stage.spec.relations) == (
        (),
    ) * 4
    assert {one.reason for one in analyst.rejected} == {"from_example"}


def test_a_parrot_adds_nothing_to_a_vocabulary_either(harbour, ship, ship_metrics):
    analyst, _ = analyst_of(parrot)
    assert analyst.find_variables([harbour], [ship], ship_metrics) == []
    assert analyst.find_relations([harbour], [ship], ship_metrics, []) == []
    assert analyst.propose_outcomes(ship_metrics, [harbour]) == []
    ends = [Variable(metric=metric.name, entities=("ferry",)) for metric in ship_metrics]
    pairs = [VariablePair(ends[0], ends[1])] * 40
    assert analyst.judge_node_edges([NodeEdgeRequest(tuple(pairs))]) == []
    templates = analyst.judge_metric_edges([MetricEdgeRequest(ship_metrics[0], ship_metrics[1:])])
    assert {claim.target for claim in templates}.isdisjoint(metric.name for metric in ship_metrics)


def test_a_parrot_adds_nothing_to_an_entity_graph(harbour):
    analyst, _ = analyst_of(parrot)
    assert analyst.extract_entities(harbour.chunks) == ExtractedEntities()
    requests = [ModuleRequest(f"{number}", ("hull", "salt"), ()) for number in range(80)]
    assert analyst.summarize_modules(requests) == []
    first, second = (ModuleSummary(key, key, "Of ships.") for key in "ab")
    assert analyst.judge_gates([GateRequest(first, second, ("hull",), ("salt",))]) == []
    paths = [PathRequest(number, ("salt", "hull"), ("causal",), ("corrodes",)) for number in range(1, 81)]
    assert {one.verdict for one in analyst.refine_paths("Why?", paths)} == {"spurious"}
    assert analyst.write_questions(harbour.chunks, 9) == []


def test_a_reader_of_the_prompts_makes_an_entity_graph(harbour):
    analyst, _ = analyst_of(lambda request: answer_prompt(request.system, request.user))
    assert isinstance(analyst, GraphAnalyst)
    assert analyst.write_questions(harbour.chunks, 9)
    assert analyst.extract_entities([BEES]).mentions
    assert (analyst.unread, analyst.rejected) == ((), ())


def test_variables_and_relations_share_a_call_though_dimensions_grow(harbour, ship, ship_metrics):
    reply = {
        "variables": [
            {"metric": "Speed", "entities": ["raft"], "passage": "P2", "quote": "the speed of a ferry"}
        ],
        "relations": [],
    }
    analyst, llm = analyst_of(lambda request: json.dumps(reply))
    assert len(analyst.find_variables([harbour], [ship], ship_metrics)) == 1
    grown = ship.model_copy(update={"entities": (*ship.entities, "raft")})
    assert analyst.find_relations([harbour], [grown], ship_metrics, []) == []
    assert len(llm.requests) == 1


def test_a_reader_of_the_prompts_makes_a_specification(harbour):
    analyst, llm = analyst_of(lambda request: answer_prompt(request.system, request.user))
    stage = generate_spec([harbour], analyst, tier("XS"), OutcomeConfig())
    assert stage.spec.metrics
    assert analyst.unread == ()
    assert {request.stage for request in llm.requests} <= set(MODELS)


def test_a_model_that_never_replies_leaves_the_windows_unread(harbour):
    analyst, _ = analyst_of(lambda request: "Sorry.")
    assert analyst.find_dimensions([harbour], OutcomeConfig()) == []
    assert [(one.step, one.place) for one in analyst.unread] == [
        ("dimensions", "harbour0.md, passage 1"),
        ("dimensions", "harbour1.md, passage 2"),
    ]
    assert analyst.name == "llm"

"""From a corpus in chunks to what an index holds: text index, thresholds, the method's own build."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import tomli_w

from aitia import __version__
from aitia.analyst.protocols import Analyst, Unread
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.corpus.sentences import sentence_spans
from aitia.graph.calibrate import random_cosine
from aitia.graph.curated_names import renamed_items
from aitia.graph.domain import DomainGraph
from aitia.graph.redone import Redone
from aitia.methods import METHODS, load
from aitia.methods.build import BuildRequest, BuildSettings, Built, GivenGraph
from aitia.methods.hcg.curate import curate
from aitia.methods.hcg.frozen import Frozen
from aitia.retrieval.text_index import index_text
from aitia.spec.decisions import Decided, Decision
from aitia.spec.model import DomainSpec, OutcomeConfig
from aitia.spec.yaml_file import format_outcomes, format_spec
from aitia.spec.yaml_splice import Renamed
from aitia.storage.contents import IndexContents
from aitia.workflows import folder as files

SAMPLE = 400
"""Sentences that stand in for questions when thresholds are set."""

Report = Callable[[str, int, int], None]
"""Told (step, done, total) as a build goes on; total is 0 where it is not known."""


@dataclass(frozen=True)
class Recipe:
    """How an index is made, checked, in one value.

    ``llm``: the model and its settings as ``aitia.toml`` records them. ``existing_spec`` and
    ``existing_outcomes``: the files of an earlier build, whose comments and order stay. ``frozen`` and
    ``question_chunk``: the vocabulary and the threshold of the index that is updated. ``query``: settings of
    questions that the index has as its defaults. ``given``: the graph of an import. ``decisions``: what people
    decided. ``redone``: what an earlier index had judged again for them.
    """

    method: str
    settings: BuildSettings
    splitter: str
    llm: Mapping[str, Any] = field(default_factory=dict)
    outcomes: OutcomeConfig | None = None
    report: Report = lambda step, done, total: None
    existing_spec: str | None = None
    existing_outcomes: str | None = None
    frozen: Frozen | None = None
    question_chunk: float | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    given: GivenGraph | None = None
    decisions: tuple[Decision, ...] = ()
    redone: tuple[Redone, ...] = ()


def make_contents(
    corpus: Corpus, chunks: Sequence[Chunk], analyst: Analyst, embedder: Embedder, recipe: Recipe
) -> tuple[IndexContents, dict[str, str], Sequence[Unread]]:
    """The contents of the index, the text files beside it, and what got no usable reply."""
    seed = recipe.settings.seed
    text = index_text([chunk.text for chunk in chunks], embedder.embed)
    questions = embedder.embed(sample_sentences(chunks, seed) if recipe.question_chunk is None else [])
    threshold = recipe.question_chunk
    if threshold is None:
        threshold = random_cosine(questions, text.chunk_vectors, 95.0, seed)
    thresholds = {"question_chunk": threshold}
    built = Built()
    request = BuildRequest(
        corpus,
        chunks,
        text,
        analyst,
        embedder,
        questions,
        recipe.outcomes,
        partial(_step, recipe.report),
        recipe.given,
        recipe.decisions,
    )
    if METHODS[recipe.method].build:
        frozen = () if recipe.frozen is None else (recipe.frozen,)
        built = load(METHODS[recipe.method].build)(request, recipe.settings, *frozen)
        thresholds |= {name: built.facts[name] for name in ("tau_e", "tau_min") if name in built.facts}
    recorded = _recorded(recipe, analyst, embedder, thresholds)
    texts = {files.SETTINGS: tomli_w.dumps(recorded)}
    facts = {
        **built.facts,
        "settings": recorded,
        "notes": [[note.path, note.text] for note in corpus.notes],
        "outcomes_proposed": "",
    }
    records = {**built.records, **({"decided": _rows(built.decided)} if built.decided else {})}
    kept = built.dimensions, built.graph, built.rejected, built.verdicts, records
    contents = IndexContents(facts, corpus, chunks, {**text.arrays(), **built.arrays}, *kept, _machine(built))
    if built.spec is not None:
        texts[files.OUTCOMES] = format_outcomes(built.outcomes or OutcomeConfig(), recipe.existing_outcomes)
        if recipe.outcomes is None:
            facts["outcomes_proposed"] = texts[files.OUTCOMES]
    contents, spec_text = put_in_force(contents, request, recipe, built.decided)
    if spec_text:
        texts[files.SPEC] = spec_text
    unread = tuple(sorted(analyst.unread, key=astuple)) if recipe.decisions else built.unread
    facts = {
        **contents.facts,
        "status": "partial" if unread else "complete",
        "unread": [[part.step, part.place, part.reason] for part in unread],
    }
    return replace(contents, facts=facts), texts, unread


def put_in_force(
    contents: IndexContents, request: BuildRequest, recipe: Recipe, decided: Sequence[Decided] = ()
) -> tuple[IndexContents, str]:
    """The machine's contents with the decisions replayed, and the text of ``graph_spec.yaml``, if there is one.

    ``decided`` is what became of the decisions of a method that has replayed them itself.
    """
    machine, decisions, applied = contents.machine, request.decisions, contents.facts.get("decisions")
    facts = {**contents.facts, "decisions": [each.id for each in decisions], "spec_text": "", "relations": 0}
    facts["unapplied"] = _unapplied(decided)
    if machine is None:
        return replace(contents, facts=facts), ""
    facts["machine_rejected"] = len(contents.rejected)
    domain = machine
    renamed: Callable[[DomainSpec], Renamed] = _as_they_were
    if decisions or applied:
        # Also where they were all taken back: the arrays are those of the graph with them.
        settings: Any = recipe.settings
        request = replace(request, read_under=facts.get("read_under", {}))
        curated = curate(machine, request, settings, facts["tau_e"], recipe.redone)
        domain, renamed = curated.domain, partial(renamed_items, curated.replayed)
        facts["unapplied"] = _unapplied(curated.replayed.decided)
        contents = replace(
            contents,
            arrays={**contents.arrays, **curated.arrays},
            dimensions=domain.dimensions,
            graph=domain.graph,
            rejected=(*contents.rejected, *(one for each in curated.redone for one in each.rejected)),
            records={**contents.records, "redone": [each.row() for each in curated.redone]},
        )
    text = format_spec(domain.spec, recipe.existing_spec, renamed=renamed)
    facts |= {"spec_text": text, "relations": len(domain.relations)}
    return replace(contents, facts=facts), text


def _unapplied(decided: Sequence[Decided]) -> list[str]:
    return [each.line for each in decided if each.status in ("lost", "conflict")]


def _as_they_were(old: DomainSpec) -> dict[str, dict[str, str]]:
    """No item of the file has another name."""
    return {}


def _rows(decided: Sequence[Decided]) -> list[dict[str, Any]]:
    return [
        {"id": each.decision.id, "status": each.status, "detail": each.detail, "nearest": list(each.nearest)}
        for each in decided
    ]


def _machine(built: Built) -> DomainGraph | None:
    if built.graph is None or built.spec is None:
        return None
    return DomainGraph(tuple(built.dimensions), built.graph, built.spec.relations, built.quotes)


def _step(report: Report, step: str) -> None:
    report(step, 0, 0)


def _recorded(
    recipe: Recipe, analyst: Analyst, embedder: Embedder, thresholds: dict[str, float]
) -> dict[str, Any]:
    """What ``aitia.toml`` says. No address: an index from a stranger must not say where a key is sent."""
    recorded: dict[str, Any] = {
        "aitia": __version__,
        "method": recipe.method,
        "analyst": analyst.name,
        "splitter": recipe.splitter,
        "embedder": {"id": embedder.id, "hash": embedder.hash, "dimensions": embedder.dimensions},
        "build": recipe.settings.model_dump(exclude_none=True) if METHODS[recipe.method].build else {},
        "thresholds": thresholds,
    }
    if recipe.given is not None:
        recorded["imported"] = True
    if recipe.query:
        recorded["query"] = dict(recipe.query)
    if recipe.llm:
        recorded["llm"] = dict(recipe.llm)
    return recorded


def sample_sentences(chunks: Sequence[Chunk], seed: int) -> list[str]:
    """Seeded sentences of the corpus, at most one a chunk, that stand in for questions."""
    generator = np.random.default_rng(seed)
    rows = np.sort(generator.permutation(len(chunks))[:SAMPLE])
    sentences = []
    for row in rows:
        text = chunks[row].text
        spans = sentence_spans(text) or [(0, len(text))]
        start, end = spans[int(generator.integers(len(spans)))]
        sentences.append(text[start:end])
    return sentences

"""Building an index: read, split, embed, let the method build, commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np
import tomli_w

from aitia import __version__
from aitia.analyst.protocols import Analyst
from aitia.clients.cached import CachedEmbedder
from aitia.clients.embedders import open_embedder
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.corpus.read import read_corpus
from aitia.corpus.sentences import sentence_spans
from aitia.corpus.split import open_splitter
from aitia.errors import CorpusError, UsageError
from aitia.graph.calibrate import random_cosine
from aitia.methods import check_method
from aitia.methods.build import BuildRequest, Built
from aitia.methods.hcg.config import BuildSettings
from aitia.retrieval.text_index import index_text
from aitia.spec.model import OutcomeConfig
from aitia.spec.yaml_file import format_outcomes, format_spec, read_outcomes
from aitia.spec.yaml_nodes import read_text
from aitia.storage.contents import IndexContents
from aitia.storage.ledger import SqliteLedger
from aitia.workflows import folder as files
from aitia.workflows.earlier import earlier_outcomes, untouched_spec
from aitia.workflows.index import Index, check_options, open_index

DEFAULT_SPLITTER = "passage"
ANALYSTS = ("rules",)
SAMPLE = 400
"""Sentences that stand in for questions when thresholds are set."""

Report = Callable[[str, int, int], None]
"""Told (step, done, total) as a build goes on; total is 0 where it is not known."""


class BuildOptions(TypedDict, total=False):
    """Options of a build, by the names of the command line's."""

    method: str
    analyst: str
    tier: str
    embedder: str
    splitter: str
    outcomes: str | Path
    seed: int
    jobs: int
    base_url: str
    api_key: str
    settings: dict[str, Any]
    report: Report
    stdin: str


def build_index(
    sources: str | Path | Sequence[str | Path], index: str | Path, **options: Unpack[BuildOptions]
) -> Index:
    """Build an index folder from files and folders, and open it.

    An existing index stays as it is until the new one is complete. Embeddings already in the folder's
    ledger are not computed again.

    Raises:
        AitiaError: with one line that says what to do; nothing half-written is left.

    """
    check_options(options, BuildOptions)
    report = options.get("report", _silent)
    method = check_method(options.get("method", "hcg"))
    settings = _build_settings(method, options)
    analyst = _open_analyst(options.get("analyst", "rules"))
    splitter = open_splitter(options.get("splitter", DEFAULT_SPLITTER))
    jobs = options.get("jobs")
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} jobs; expected at least 1")
    target = Path(index)
    outcomes = read_outcomes(Path(options["outcomes"])) if options.get("outcomes") else None
    report("reading", 0, 0)
    corpus = read_corpus([sources] if isinstance(sources, str | Path) else sources, options.get("stdin"))
    report("reading", len(corpus.documents), len(corpus.documents))
    chunks = [chunk for document in corpus.documents for chunk in splitter(document)]
    if not chunks:
        raise CorpusError("the corpus has no words; expected text in at least one document")
    embedder = open_embedder(
        options.get("embedder", "minilm"),
        base_url=options.get("base_url"),
        api_key=options.get("api_key"),
        threads=jobs,
    )
    files.prepare(target)
    with files.locked(target):
        kept = untouched_spec(target)
        outcomes = outcomes or earlier_outcomes(target)
        cached = CachedEmbedder(
            embedder,
            SqliteLedger(target / files.LEDGER),
            lambda done, total: report("embedding", done, total),
        )
        edited = None if options.get("outcomes") or outcomes is None else read_text(target / files.OUTCOMES)
        plan = _Plan(method, settings, outcomes, options, report, kept, edited)
        contents, texts = _make(corpus, chunks, analyst, cached, plan)
        files.commit(target, contents, texts)
    return open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key"))


def _silent(step: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class _Plan:
    """What a build was asked for, checked, in one value."""

    method: str
    settings: BuildSettings
    outcomes: OutcomeConfig | None
    options: BuildOptions
    report: Report
    existing_spec: str | None
    existing_outcomes: str | None


def _make(
    corpus: Corpus, chunks: Sequence[Chunk], analyst: Analyst, embedder: CachedEmbedder, plan: _Plan
) -> tuple[IndexContents, dict[str, str]]:
    """The contents of the index, and the text files beside it."""
    seed = plan.settings.seed
    text = index_text([chunk.text for chunk in chunks], embedder.embed)
    questions = embedder.embed(sample_sentences(chunks, seed))
    thresholds = {"question_chunk": random_cosine(questions, text.chunk_vectors, 95.0, seed)}
    built = Built()
    if plan.method == "hcg":
        from aitia.methods.hcg.build import build as build_hcg

        request = BuildRequest(
            corpus, chunks, text, analyst, embedder, questions, plan.outcomes, partial(_step, plan.report)
        )
        built = build_hcg(request, plan.settings)
        thresholds |= {name: built.facts[name] for name in ("tau_e", "tau_min")}
    recorded = _recorded(plan, analyst, embedder, thresholds)
    texts = {files.SETTINGS: tomli_w.dumps(recorded)}
    if built.spec is not None:
        texts[files.SPEC] = format_spec(built.spec, plan.existing_spec)
        texts[files.OUTCOMES] = format_outcomes(built.outcomes or OutcomeConfig(), plan.existing_outcomes)
    facts = {
        **built.facts,
        "settings": recorded,
        "status": "complete",
        "notes": [[note.path, note.text] for note in corpus.notes],
        "spec_text": texts.get(files.SPEC, ""),
        "outcomes_proposed": texts.get(files.OUTCOMES, "") if plan.outcomes is None else "",
        "relations": len(built.spec.relations) if built.spec else 0,
    }
    arrays = {**text.arrays(), **built.arrays}
    contents = IndexContents(facts, corpus, chunks, arrays, built.dimensions, built.graph, built.rejected)
    return contents, texts


def _step(report: Report, step: str) -> None:
    report(step, 0, 0)


def _recorded(
    plan: _Plan, analyst: Analyst, embedder: Embedder, thresholds: dict[str, float]
) -> dict[str, Any]:
    """What ``aitia.toml`` says."""
    settings = plan.settings.model_dump(exclude_none=True) if plan.method == "hcg" else {}
    return {
        "aitia": __version__,
        "method": plan.method,
        "analyst": analyst.name,
        "splitter": plan.options.get("splitter", DEFAULT_SPLITTER),
        "embedder": {"id": embedder.id, "hash": embedder.hash, "dimensions": embedder.dimensions},
        "build": settings,
        "thresholds": thresholds,
    }


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


def _build_settings(method: str, options: BuildOptions) -> BuildSettings:
    from pydantic import ValidationError

    from aitia.spec.tiers import tier

    values = {
        "tier": options.get("tier", "S"),
        "seed": options.get("seed", 0),
        **options.get("settings", {}),
    }
    values["tier"] = tier(str(values["tier"])).name
    unknown = sorted(set(values) - set(BuildSettings.model_fields))
    if unknown:
        raise UsageError(
            f"unknown build setting {unknown[0]!r}; expected one of {', '.join(sorted(BuildSettings.model_fields))}"
        )
    try:
        return BuildSettings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(
            f"setting {first['loc'][0]}: found {first['input']!r}; {first['msg'].lower()}"
        ) from None


def _open_analyst(name: str) -> Analyst:
    if name != "rules":
        raise UsageError(f"unknown analyst {name!r}; expected one of {', '.join(ANALYSTS)}")
    from aitia.analyst.rules.analyst import RulesAnalyst

    return RulesAnalyst()

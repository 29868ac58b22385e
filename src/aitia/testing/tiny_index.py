"""A whole index of two documents and three edges, made by hand, for tests that read or damage one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tomli_w

from aitia import __version__
from aitia.corpus.document import Corpus, Document, Skipped
from aitia.corpus.split import open_splitter
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.retrieval.text_index import index_text
from aitia.spec.claims import Rejection, VariableClaim
from aitia.spec.model import Dimension, DomainSpec, Metric, OutcomeConfig, Quote, Relation, Variable
from aitia.spec.yaml_file import format_outcomes, format_spec
from aitia.storage.contents import IndexContents
from aitia.testing.hash_embedder import HashEmbedder
from aitia.workflows import folder as files

MITES = "Mites raise the mortality of bees. In winter they hide among the bees."
COLD = "Cold has no effect on mites. Cold weakens a small cluster of bees."
CONTROL = "\x1b]0;title\x07"
"""A terminal escape sequence, part of a document's name and of a mechanism: it must never be printed."""


def write_tiny_index(folder: Path) -> Path:
    """Write the index into ``folder``; its embedder is the hash embedder, which no spec opens."""
    documents = (
        Document(f"cold{CONTROL}.md", f"cold{CONTROL}", COLD),
        Document("mites.md", "mites", MITES),
    )
    split = open_splitter("passage")
    chunks = [chunk for document in documents for chunk in split(document)]
    embedder = HashEmbedder()
    text = index_text([chunk.text for chunk in chunks], embedder.embed)
    quote = Quote(text=MITES[:34], chunk_id=chunks[1].id)
    spec = _spec(quote)
    graph = _graph(spec)
    arrays = graph.arrays()
    walked = {f"graph_{name}": getattr(arrays, name) for name in arrays.__dataclass_fields__}
    thresholds = {"question_chunk": 0.5, "tau_e": 0.9, "tau_min": 0.4}
    settings = {
        "aitia": __version__,
        "method": "hcg",
        "analyst": "rules",
        "splitter": "passage",
        "embedder": {"id": embedder.id, "hash": embedder.hash, "dimensions": embedder.dimensions},
        "build": {"tier": "S"},
        "thresholds": thresholds,
    }
    texts = {
        files.SETTINGS: tomli_w.dumps(settings),
        files.SPEC: format_spec(spec),
        files.OUTCOMES: format_outcomes(OutcomeConfig(outcome=("Mortality",))),
    }
    facts = {
        "settings": settings,
        "status": "complete",
        "notes": [["mites.md", "not UTF-8: read as cp1252 (detected)"]],
        "spec_text": texts[files.SPEC],
        "outcomes_proposed": texts[files.OUTCOMES],
        "relations": len(spec.relations),
        "windows": 1,
        "effort": {
            "metric_pairs": 2,
            "metric_calls": 1,
            "variable_pairs": 3,
            "variable_calls": 1,
            "bound": 8,
        },
        **{name: thresholds[name] for name in ("tau_e", "tau_min")},
    }
    refused = VariableClaim(metric="Weight", entities=("bee",), quote=quote)
    contents = IndexContents(
        facts=facts,
        corpus=Corpus(documents, (Skipped("photo.png", "unsupported suffix .png"),)),
        chunks=chunks,
        arrays={
            **text.arrays(),
            **walked,
            "variable_vectors": embedder.embed([each.key for each in spec.variables]).astype(np.float32),
        },
        dimensions=spec.dimensions,
        graph=graph,
        rejected=(Rejection(claim=refused, reason="unknown_metric", detail="no such metric"),),
    )
    files.prepare(folder)
    files.commit(folder, contents, texts)
    return folder


def _spec(quote: Quote) -> DomainSpec:
    dimension = Dimension(name="subject", entities=("bee", "cold", "mite"))
    metrics = (
        Metric(name="Level", signature=("subject",), description="How much there is.", category="amount"),
        Metric(
            name="Mortality",
            signature=("subject",),
            description="=1+1 is how a formula begins.",
            category="outcome",
            graph_role="outcome",
        ),
    )
    variables = tuple(
        Variable(metric=metric, entities=(entity,))
        for metric, entity in (("Level", "cold"), ("Level", "mite"), ("Mortality", "bee"))
    )
    relation = Relation(
        source="Level(mite)", target="Mortality(bee)", mechanism="raise the mortality", confidence=0.85,
        polarity="positive", quotes=(quote,),
    )  # fmt: skip
    return DomainSpec(dimensions=(dimension,), metrics=metrics, variables=variables, relations=(relation,))


def _graph(spec: DomainSpec) -> CausalGraph:
    cold = EdgeEvidence(0, 0, 28, COLD[:28], "quote")
    near = EdgeEvidence(0, 0, len(COLD), "", "cosine")
    mites = EdgeEvidence(1, 0, 34, MITES[:34], "quote")
    hide = EdgeEvidence(1, 35, len(MITES), MITES[35:], "mention")
    return CausalGraph(
        spec.metrics,
        spec.variables,
        (Template("Level", "Mortality", "more of it kills", 0.7),),
        (
            CausalEdge(0, 1, f"no effect{CONTROL}", 0.6, "none", (cold,)),
            CausalEdge(0, 2, "-weakens", 0.5, "unclear", (near,)),
            CausalEdge(1, 2, "raise the mortality", 0.85, "positive", (mites, hide)),
        ),
    )

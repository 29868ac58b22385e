"""A graph of five variables that a person can walk, with a store, vectors and a question.

    DoseA -> LevelA -> RiskA <- DoseB        LevelB -> DoseA

Level is an outcome, Risk terminal. The question's cosines to the variables are 0.5 and 0.45 (doses), 0.2
and 0.1 (levels) and 0.3 (risk), so that at 0.35 it matches the doses.
"""

from __future__ import annotations

import numpy as np
import pytest

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus, Document
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.methods.hcg.retrieve import HcgRetriever
from aitia.methods.query import Query
from aitia.retrieval.text_index import index_text
from aitia.spec.model import Metric, Variable
from aitia.storage.contents import IndexContents
from aitia.storage.sqlite import SqliteStore, write_sqlite

TEXTS = ["Doses raise levels.", "Levels raise risk.", "Doses raise risk, as do levels.", "Mites."]
CHUNK_COSINES = [0.1, 0.9, 0.3, 0.05]
COSINES = [0.5, 0.45, 0.2, 0.1, 0.3]
QUESTION = np.array([1.0, 0.0], np.float32)


def vectors(cosines):
    """Unit vectors with these cosines to the question."""
    return np.array([[value, (1 - value**2) ** 0.5] for value in cosines], np.float32)


def variables():
    names = [("Dose", "a"), ("Dose", "b"), ("Level", "a"), ("Level", "b"), ("Risk", "a")]
    return tuple(Variable(metric=metric, entities=(entity,)) for metric, entity in names)


def metrics():
    roles = {"Dose": "intermediate", "Level": "outcome", "Risk": "terminal"}
    return tuple(
        Metric(name=name, signature=("who",), description="", category="", graph_role=role)
        for name, role in roles.items()
    )


def evidence(*chunks):
    return tuple(EdgeEvidence(chunk, 0, 5, "", "cosine") for chunk in chunks)


GRAPH = CausalGraph(
    metrics(),
    variables(),
    (Template("Dose", "Level", "", 1.0),),
    (
        CausalEdge(0, 2, "more of it", 0.9, "positive", evidence(0)),
        CausalEdge(0, 3, "denied", 0.9, "none", evidence(0, 3)),
        CausalEdge(1, 4, "direct", 0.9, "positive", evidence(2)),
        CausalEdge(2, 4, "via level", 0.9, "positive", evidence(1, 2)),
        CausalEdge(3, 0, "feeds back", 0.9, "unclear", evidence(3)),
    ),
)


@pytest.fixture(scope="session")
def text():
    return index_text(TEXTS, lambda texts: vectors(CHUNK_COSINES))


@pytest.fixture(scope="session")
def retriever(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("worked") / "index.db"
    document = Document("a.md", "a", "\n".join(TEXTS))
    starts = np.cumsum([0, *(len(each) + 1 for each in TEXTS)]).tolist()
    chunks = [
        Chunk(document.id, document.path, row, start, start + len(each), each)
        for row, (start, each) in enumerate(zip(starts[:-1], TEXTS, strict=True))
    ]
    arrays = GRAPH.arrays()
    contents = IndexContents(
        {"tau_min": 0.35},
        Corpus((document,)),
        chunks,
        {
            **{f"graph_{name}": getattr(arrays, name) for name in arrays.__dataclass_fields__},
            "variable_vectors": vectors(COSINES),
        },
        (),
        GRAPH,
    )
    write_sqlite(path, contents)
    return HcgRetriever(text, SqliteStore(path))


@pytest.fixture
def ask():
    """A query with the worked question's vector."""

    def ask(question="mites", explain=False, **settings):
        return Query(question, QUESTION, settings, explain)

    return ask


@pytest.fixture
def walk(retriever, ask):
    """The walk for the worked question under some settings."""

    def walk(**settings):
        return retriever.walk(ask(**settings), np.array(CHUNK_COSINES, np.float32))

    return walk

# ruff: noqa: D102 - the names of the tests are their documentation
"""What every store must do. Subclass it and define the fixture ``keep``.

The fixture returns a function that writes contents to a new place and opens the store that reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus, Document, Section, Skipped
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.graph.domain import DomainGraph
from aitia.spec.claims import (
    DimensionClaim,
    EntityClaim,
    MetricClaim,
    OutcomeClaim,
    Rejection,
    RelationClaim,
    TemplateClaim,
    VariableClaim,
    Verdict,
)
from aitia.spec.model import Dimension, Metric, Quote, Relation, Variable
from aitia.storage.contents import Array, IndexContents, Store

Keep = Callable[[IndexContents], Store]

STRANGE = (
    "a\0b",
    "שלום עולם \u202eRTL\u202c",
    "👩‍👩‍👧 e\u0301 \U0010ffff",
    "'; DROP TABLE chunks; --",
    "x" * 10_000,
    "\ufeff\u2028\x1b[31m\r\n\t",
    '{"json": [1, "\\u0000"]}',
)
"""Any text without lone surrogates, which readers replace, is kept as it is."""

QUOTE = Quote(text="Mites raise the mortality.", chunk_id="c1")


def documents() -> tuple[Document, ...]:
    """Two documents, one with pages and headings."""
    first = Document(
        "a/b.pdf", "b", "Mites raise the mortality. Cold does not.",
        (Section(0, ("Bees", "Mites"), 1), Section(27, (), 2)),
    )  # fmt: skip
    return first, Document("z.txt#7", "seven", "Nothing here.")


def chunks() -> list[Chunk]:
    """Three chunks, of both documents."""
    first, second = documents()
    return [
        Chunk(first.id, first.path, 0, 0, 26, first.text[:26], ("Bees", "Mites"), 1),
        Chunk(first.id, first.path, 1, 27, 41, first.text[27:], (), 2),
        Chunk(second.id, second.path, 0, 0, 13, second.text),
    ]


def graph() -> CausalGraph:
    """Two metrics, three variables and three edges: with evidence of all kinds, with none, a non-effect."""
    metrics = (
        Metric(name="Level", signature=("subject",), description="d", category="c"),
        Metric(name="Mortality", signature=("subject", "season"), description="", category="",
               graph_role="terminal", kind="fixed"),
    )  # fmt: skip
    variables = (
        Variable(metric="Level", entities=("cold",)),
        Variable(metric="Level", entities=("mite, (small)",)),
        Variable(metric="Mortality", entities=("bee", "any")),
    )
    evidence = (
        EdgeEvidence(0, 0, 26, "Mites raise the mortality.", "quote"),
        EdgeEvidence(1, 27, 41, "Cold does not.", "mention"),
        EdgeEvidence(2, 0, 13, "", "cosine"),
    )
    edges = (
        CausalEdge(0, 1, "none at all", 0.25, "none", evidence[1:2]),
        CausalEdge(0, 2, "", 0.0, "unclear"),
        CausalEdge(1, 2, "raises", 1.0, "positive", evidence),
    )
    return CausalGraph(metrics, variables, (Template("Level", "Mortality", "kills", 0.1 + 0.2),), edges)


def rejections() -> tuple[Rejection, ...]:
    """One of every kind of claim."""
    entity = EntityClaim(name="bee", aliases=("honeybee",), mentions=3)
    claims = (
        DimensionClaim(name="subject", description="who", entities=(entity,), support=2, quote=QUOTE),
        MetricClaim(name="Level", signature=("subject",), description="d", category="c", quote=QUOTE),
        VariableClaim(metric="Level", entities=("bee",), quote=QUOTE),
        RelationClaim(source="A(b)", target="C(d)", mechanism="m", confidence=0.5, polarity="none"),
        TemplateClaim(source="A", target="C", mechanism="m", confidence=1),
        OutcomeClaim(metric="A", role="terminal", reason="r"),
    )
    return tuple(
        Rejection(claim=claim, reason="ambiguous_endpoint", detail="which?", candidates=("one", "two"))
        for claim in claims
    )


def arrays() -> dict[str, Array]:
    """Every type that an index uses, empty ones, a scalar's shape, and one that is not contiguous."""
    return {
        "int64": np.arange(-3, 4),
        "int32": np.arange(6, dtype=np.int32).reshape(2, 3),
        "uint8": np.frombuffer(b"terms\nof it", np.uint8),
        "float32": np.arange(12, dtype=np.float32).reshape(6, 2)[::2],
        "float64": np.array([np.pi, -0.0, np.inf]),
        "bool": np.array([True, False]),
        "empty": np.zeros(0, np.int64),
        "no rows": np.zeros((0, 384), np.float32),
        "no columns": np.zeros((3, 0), np.float32),
    }


def contents() -> IndexContents:
    """All of the above, and facts of every JSON type."""
    facts = {
        "settings": {"method": "hcg", "build": {"tier": "S"}, "list": [1, 2.5, None, True]},
        "text": "ä\n",
        "none": None,
        "number": 0.1,
    }
    corpus = Corpus(documents(), (Skipped("b.png", "unsupported"), Skipped("a.png", "unsupported")))
    dimensions = (
        Dimension(name="subject", entities=("bee", "mite"), aliases={"bees": "bee"}),
        Dimension(name="season", description="when"),
    )
    return IndexContents(facts, corpus, chunks(), arrays(), dimensions, graph(), rejections())


class StoreContract:
    """What was written is what is read, in its order, type by type."""

    def test_facts(self, keep: Keep) -> None:
        assert keep(contents()).facts() == contents().facts

    def test_documents_and_their_sections(self, keep: Keep) -> None:
        store = keep(contents())
        assert store.documents() == list(documents())
        assert store.document_names() == {each.id: each.name for each in documents()}
        assert [store.document_text(each.id) for each in documents()] == [each.text for each in documents()]

    def test_what_was_skipped_in_its_order(self, keep: Keep) -> None:
        assert keep(contents()).skipped() == list(contents().corpus.skipped)

    def test_chunks_all_and_by_row(self, keep: Keep) -> None:
        store = keep(contents())
        assert store.chunks() == chunks()
        assert store.chunks([2, 0, 2]) == [chunks()[2], chunks()[0], chunks()[2]]
        assert store.chunks([]) == []

    def test_rows_may_be_numpy_integers(self, keep: Keep) -> None:
        assert keep(contents()).chunks(np.array([1])) == [chunks()[1]]  # type: ignore[arg-type]

    def test_arrays_keep_type_shape_and_values(self, keep: Keep) -> None:
        store = keep(contents())
        assert sorted(store.arrays()) == sorted(arrays())
        for name, array in arrays().items():
            for read in (store.array(name), store.arrays()[name]):
                assert read.dtype == array.dtype and read.shape == array.shape, name
                np.testing.assert_array_equal(read, array)

    def test_graph_with_evidence_templates_and_non_effects(self, keep: Keep) -> None:
        assert keep(contents()).graph() == graph()

    def test_a_graph_may_be_empty_and_may_be_absent(self, keep: Keep) -> None:
        nothing = CausalGraph((), (), (), ())
        assert keep(replace(contents(), graph=nothing)).graph() == nothing
        assert keep(replace(contents(), graph=None)).graph() is None

    def test_what_the_machine_made_is_kept_apart(self, keep: Keep) -> None:
        quote = Quote(text="b raises a", chunk_id="c")
        key = graph().variables[0].key
        seed = Relation(source=key, target=key, mechanism="m", confidence=0.5, quotes=(quote,))
        machine = DomainGraph((Dimension(name="then"),), graph(), (seed,), {key: (quote, quote)})
        curated = keep(replace(contents(), machine=machine))
        assert curated.machine() == machine
        assert curated.graph() == graph() and curated.dimensions() == list(contents().dimensions)
        nothing = CausalGraph((), (), (), ())
        assert keep(replace(contents(), machine=machine, graph=nothing)).machine() == machine

    def test_without_decisions_the_graph_is_the_machines(self, keep: Keep) -> None:
        assert keep(contents()).machine() == DomainGraph(tuple(contents().dimensions), graph())
        assert keep(replace(contents(), graph=None)).machine() is None

    def test_dimensions(self, keep: Keep) -> None:
        assert keep(contents()).dimensions() == list(contents().dimensions)

    def test_rejected_claims_of_every_kind(self, keep: Keep) -> None:
        assert keep(contents()).rejected() == list(rejections())

    def test_records_by_kind_in_their_order(self, keep: Keep) -> None:
        records = {"gates": [{"first": text, "share": 0.5} for text in STRANGE]}
        store = keep(replace(contents(), records=records))
        assert store.records("gates") == records["gates"]
        assert store.records("entities") == []

    def test_verdicts_by_source_and_target(self, keep: Keep) -> None:
        claim = RelationClaim(source="M(b)", target="M(a)", mechanism="m", confidence=0.5, polarity="positive",
                              quote=Quote(text="b raises a", chunk_id="c"))  # fmt: skip
        verdicts = (
            Verdict(source="M(b)", target="M(a)", claims=(claim,), shown=True),
            Verdict(source="M(a)", target="M(c)", shown=True, lapsed=True),
            Verdict(source="M(a)", target="M(b)"),
        )
        store = keep(replace(contents(), verdicts=verdicts))
        assert store.verdicts() == [verdicts[2], verdicts[1], verdicts[0]]
        assert keep(contents()).verdicts() == []

    def test_contents_of_nothing(self, keep: Keep) -> None:
        store = keep(IndexContents({}, Corpus(()), [], {}))
        assert (store.facts(), store.documents(), store.skipped(), store.chunks()) == ({}, [], [], [])
        assert (dict(store.arrays()), store.dimensions(), store.rejected()) == ({}, [], [])
        assert store.graph() is None

    def test_strange_text_wherever_text_stands(self, keep: Keep) -> None:
        for text in STRANGE:
            document = Document(f"{text}.md", text, text, (Section(0, (text,), None),))
            chunk = Chunk(document.id, document.path, 0, 0, len(text), text, (text,))
            metric = Metric(name="M", signature=(text,), description=text, category=text)
            variable = Variable(metric="M", entities=(text,))
            edge = CausalEdge(0, 0, text, 0.5, "positive", (EdgeEvidence(0, 0, len(text), text, "quote"),))
            claim = VariableClaim(metric=text, entities=(text,), quote=Quote(text=text, chunk_id=chunk.id))
            written = IndexContents(
                {"fact": text},
                Corpus((document,), (Skipped(text, text),)),
                [chunk],
                {},
                (Dimension(name=text, entities=(text,), aliases={text: text}),),
                CausalGraph((metric,), (variable,), (Template("M", "M", text, 1.0),), (edge,)),
                (Rejection(claim=claim, reason="unknown_metric", detail=text, candidates=(text,)),),
            )
            store = keep(written)
            assert store.facts() == written.facts
            assert store.documents() == [document]
            assert store.document_text(document.id) == text
            assert store.skipped() == [Skipped(text, text)]
            assert store.chunks() == [chunk]
            assert store.dimensions() == list(written.dimensions)
            assert store.graph() == written.graph
            assert store.rejected() == list(written.rejected)

    def test_the_same_contents_are_read_the_same_twice(self, keep: Keep) -> None:
        one, two = keep(contents()), keep(contents())
        assert (one.facts(), one.chunks(), one.graph()) == (two.facts(), two.chunks(), two.graph())

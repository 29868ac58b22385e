"""An index, opened: retrieve, ask, and look at what it holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.graph_protocols import PathRefiner
from aitia.analyst.protocols import AnswerWriter
from aitia.answering.answer import Answer
from aitia.clients.embedders import open_embedder
from aitia.clients.protocols import Embedder
from aitia.errors import EmbedderError, IndexFolderError, UsageError
from aitia.graph.causal import CausalGraph
from aitia.methods import METHODS, load
from aitia.methods.plain.retrieve import rank_plain
from aitia.methods.query import Query, Ranked, Retriever
from aitia.retrieval.evidence import read_evidence
from aitia.retrieval.rankings import RANKINGS, Ranking, explain_chunks
from aitia.retrieval.result import Retrieval
from aitia.retrieval.select import select_contexts
from aitia.retrieval.text_index import TextIndex, from_arrays
from aitia.spec.model import DomainSpec
from aitia.spec.yaml_file import parse_spec
from aitia.storage.contents import Store
from aitia.workflows import folder as files
from aitia.workflows.analysts import ModelOptions

if TYPE_CHECKING:
    from aitia.methods.hcg.retrieve import HcgRetriever

DEFAULT_BUDGET_WORDS = 9_000
"""12,000 tokens, at four tokens to three words."""

MAX_QUESTION = 20_000

_PARTS = {"hcg": "graph_sources", "qcg": "qcg_node_chunk"}
"""Of a method's graph the array that is empty where nothing came of it."""

_INSTEAD = {
    "hug": "aitia show entities, links or gates, aitia export",
    "qcg": "aitia show questions, aitia export",
}
"""What shows the graph of a method that has no causal one."""


class QueryOptions(TypedDict, total=False):
    """Options of a question, by the names of the command line's."""

    retrieval: str
    budget_words: int
    documents: str
    explain: bool
    settings: dict[str, Any]


class AskOptions(QueryOptions, ModelOptions, total=False):
    """Options of an answer: of its retrieval, and of who writes it."""


@dataclass(frozen=True)
class Index:
    """An index folder, opened for reading. Everything is loaded when it is first needed."""

    folder: Path
    store: Store
    base_url: str | None = None
    api_key: str | None = None

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What the index was built with (``aitia.toml``)."""
        return files.read_settings(self.folder)

    @property
    def method(self) -> str:
        """The method that built it: ``hcg`` or ``plain:...``."""
        return str(self.settings["method"])

    @property
    def is_edited(self) -> bool:
        """Whether ``aitia.toml`` is not what the index was built with."""
        return bool(self.settings != self.store.facts().get("settings"))

    @cached_property
    def text(self) -> TextIndex:
        """Chunks, windows and vectors."""
        return from_arrays(self.store.arrays())

    @cached_property
    def names(self) -> dict[str, str]:
        """Document names by id."""
        return self.store.document_names()

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the index was built with.

        Raises:
            EmbedderError: another one answers to its name now.

        """
        recorded = self.settings["embedder"]
        embedder = open_embedder(recorded["id"], base_url=self.base_url, api_key=self.api_key)
        if embedder.hash != recorded["hash"]:
            raise EmbedderError(
                f"{self.folder} was built with {recorded['id']} of hash {recorded['hash']}, found {embedder.hash}; "
                f"put the old model back, or build the index again"
            )
        return embedder

    @cached_property
    def retriever(self) -> Retriever:
        """The method's own retrieval, opened for questions."""
        opened: Retriever = load(METHODS[self.method].retriever)(self.text, self.store)
        return opened

    @property
    def hcg(self) -> HcgRetriever:
        """The graph of an hcg index, opened for questions."""
        return cast("HcgRetriever", self.retriever)

    @cached_property
    def graph(self) -> CausalGraph:
        """The causal graph as values.

        Raises:
            UsageError: the method has none.

        """
        graph = self.store.graph()
        if graph is None:
            instead = _INSTEAD.get(self.method, "aitia export --format json")
            raise UsageError(
                f"{self.folder} was built with {self.method}, which has no causal graph; see {instead}, "
                "or build it with hcg"
            )
        return graph

    @property
    def graph_is_empty(self) -> bool:
        """Whether the method builds a graph, and no edge, or of qcg no node, came of it."""
        return self.method in _PARTS and not len(self.store.array(_PARTS[self.method]))

    @cached_property
    def spec(self) -> DomainSpec:
        """The domain specification as last built."""
        return parse_spec(self.store.facts().get("spec_text", ""), files.SPEC)

    @property
    def retrievals(self) -> tuple[str, ...]:
        """The values of ``retrieval`` that this index answers, its default first."""
        plain = tuple(f"plain:{name}" for name in RANKINGS)
        own = METHODS[self.method].retrievals
        return (*own, *(name for name in plain if name not in own))

    def retrieve(self, question: str, **options: Unpack[QueryOptions]) -> Retrieval:
        """Evidence for a question: one embedding call, no LLM call.

        Raises:
            UsageError: an empty or overlong question, an unknown retrieval or setting, a pattern that
                fits no document.

        """
        return self._answer_for([question], options, chains=True)[0]

    def retrieve_refined(
        self, question: str, refiner: PathRefiner, **options: Unpack[QueryOptions]
    ) -> Retrieval:
        """Evidence for a question, whose causal chains the refiner judges; a model does it in one call.

        Raises:
            AitiaError: as `retrieve`, or as the refiner.

        """
        return self._answer_for([question], options, chains=True, refiner=refiner)[0]

    def retrieve_all(self, questions: Sequence[str], **options: Unpack[QueryOptions]) -> list[Retrieval]:
        """Evidence for each of several questions; their embeddings are made together."""
        return self._answer_for(questions, options, chains=False)

    def _answer_for(
        self,
        questions: Sequence[str],
        options: QueryOptions,
        *,
        chains: bool,
        refiner: PathRefiner | None = None,
    ) -> list[Retrieval]:
        check_options(options, QueryOptions)
        budget = options.get("budget_words", DEFAULT_BUDGET_WORDS)
        if budget < 1:
            raise UsageError(f"budget of {budget} words; expected at least 1")
        cleaned = [check_question(question) for question in questions]
        retrieval = self.check_retrieval(options.get("retrieval"))
        settings = self._query_settings(retrieval, options.get("settings", {}))
        allowed = self._documents(options.get("documents"))
        began = time.perf_counter()
        vectors = self.embedder.embed(cleaned)
        embedding = (time.perf_counter() - began) / max(len(cleaned), 1)
        results = []
        for question, vector in zip(cleaned, vectors, strict=True):
            query = Query(question, vector, settings, options.get("explain", False), chains, refiner, allowed)
            results.append(self._retrieve(query, retrieval, allowed, budget, embedding))
        return results

    def _retrieve(
        self, query: Query, retrieval: str, allowed: NDArray[np.bool_] | None, budget: int, embedding: float
    ) -> Retrieval:
        began = time.perf_counter()
        ranked = self._rank(query, retrieval)
        order = np.asarray(ranked.order, np.int64)
        if allowed is not None:
            order = order[allowed[ranked.units.chunk[order]]]
        contexts = select_contexts(order, ranked.units, budget)
        evidence = read_evidence(
            contexts, ranked.scores, self.store.chunks, self.store.document_text, self.names
        )
        seconds = {"embed": embedding, "retrieve": time.perf_counter() - began}
        relevant = self._relevant(ranked)
        matched = bool((relevant if allowed is None else relevant & allowed).any())
        # Without evidence there is no answer, and no model is asked about chains either.
        trace = dict(ranked.chains()) if query.chains and matched else {}
        if query.explain:
            rows = np.unique([context.chunk for context in contexts])
            ids = [chunk.id for chunk in self.store.chunks(rows.tolist())]
            ranks = dict(zip(ids, explain_chunks(ranked.text, rows), strict=True))
            trace |= {"retrieval": retrieval, **ranked.trace(), "text": ranks}
        return Retrieval(query.question, evidence, matched, ranked.graph_matched, trace, seconds)

    def _rank(self, query: Query, retrieval: str) -> Ranked:
        if self._is_own(retrieval):
            return self.retriever.rank(query, retrieval)
        ranking: Ranking = retrieval.removeprefix("plain:")  # type: ignore[assignment]
        return rank_plain(self.text, query, ranking)

    def _is_own(self, retrieval: str) -> bool:
        """Whether the method answers it itself; the rankings of text are those of every index."""
        method = METHODS[self.method]
        return bool(method.retriever) and retrieval in method.retrievals

    def _query_settings(self, retrieval: str, given: dict[str, Any]) -> dict[str, Any]:
        """What was given, and behind it what the index was built with (a preset's)."""
        if self._is_own(retrieval):
            return {**self.settings.get("query", {}), **given}
        if given:
            other = f", or use --retrieval {self.retrievals[0]}" if self._is_own(self.retrievals[0]) else ""
            raise UsageError(f"{retrieval} has no settings; leave --set out{other}")
        return {}

    def _relevant(self, ranked: Ranked) -> NDArray[np.bool_]:
        """Chunks that share a content term with the question, or are nearer to it than chance (design 2.8)."""
        near = float(self.settings["thresholds"]["question_chunk"])
        return np.asarray((ranked.text.chunk_bm25 > 0) | (ranked.text.chunk_cosine > near))

    def check_retrieval(self, name: str | None) -> str:
        """The retrieval of a name, by default the first of the index.

        Raises:
            UsageError: the index does not have it.

        """
        if name is None:
            return self.retrievals[0]
        if name not in self.retrievals:
            raise UsageError(
                f"retrieval {name!r} is not one of this index ({self.method}); expected {', '.join(self.retrievals)}"
            )
        return name

    def _documents(self, pattern: str | None) -> NDArray[np.bool_] | None:
        """Which chunks belong to documents whose path or name fits a pattern; None for all."""
        if pattern is None:
            return None
        chunks = self.store.chunks()
        fits = {
            path: fnmatch(path, pattern) or fnmatch(self.names[document], pattern)
            for path, document in {(chunk.path, chunk.document_id) for chunk in chunks}
        }
        if not any(fits.values()):
            raise UsageError(
                f"no document fits {pattern!r}; expected a pattern such as 'guides/*.md' (see: aitia show documents)"
            )
        return np.array([fits[chunk.path] for chunk in chunks], bool)

    def ask(
        self,
        question: str,
        *,
        writer: AnswerWriter | None = None,
        context: str = "evidence",
        language: str | None = None,
        on_text: Callable[[str], None] | None = None,
        **options: Unpack[AskOptions],
    ) -> Answer:
        """An answer whose sentences cite evidence, written by whoever built the index unless told otherwise.

        ``context`` is ``evidence``, or an ablation: ``nodes_only`` (names and triples of the same walk)
        or ``in_context`` (the whole corpus). ``on_text`` is given a model's words as they come.

        Raises:
            AitiaError: with one line that says what to do.

        """
        from aitia.workflows.asking import CONTEXT_TOKENS, Asking, ask, open_writer

        check_options(options, AskOptions)
        asked = cast(QueryOptions, _those(options, QueryOptions))
        if writer is not None:
            return ask(self, question, writer, asked, Asking(context, language, CONTEXT_TOKENS, on_text))
        chosen = {"base_url": self.base_url, "api_key": self.api_key, **_those(options, ModelOptions)}
        opened, tokens = open_writer(self, cast(ModelOptions, chosen))
        with closing(opened):
            return ask(self, question, opened.analyst, asked, Asking(context, language, tokens, on_text))


def _those(options: Mapping[str, Any], known: type) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in known.__annotations__}


def open_index(folder: str | Path, *, base_url: str | None = None, api_key: str | None = None) -> Index:
    """Open an index folder.

    Raises:
        IndexFolderError: it is no index, damaged, or of another version.

    """
    path = Path(folder)
    store = files.open_store(path)
    index = Index(path, store, base_url, api_key)
    if index.method not in METHODS:
        raise IndexFolderError(
            f"{path / files.SETTINGS} names the method {index.method!r}, expected one of {', '.join(METHODS)}; "
            "build the index again"
        )
    built = store.facts().get("settings", {}).get("method")
    if built != index.method:
        raise IndexFolderError(
            f"{path / files.SETTINGS} names the method {index.method!r}, but the index was built with {built}; "
            "put that back, or build the index again"
        )
    return index


def check_options(given: Mapping[str, Any], known: type) -> None:
    """Refuse keywords that a call does not know: ``known`` is the TypedDict of those it does.

    Raises:
        UsageError: there is one.

    """
    unknown = sorted(set(given) - set(known.__annotations__))
    if unknown:
        raise UsageError(
            f"unknown option {unknown[0]!r}; expected one of {', '.join(sorted(known.__annotations__))}"
        )


def check_question(question: str) -> str:
    """The question without outer white space.

    Raises:
        UsageError: no text, without a word, or too long to be one.

    """
    if not isinstance(question, str):
        raise UsageError(f"the question is of type {type(question).__name__}; expected a text")
    text = question.strip()
    if not any(character.isalnum() for character in text):
        found = "has no words" if text else "is empty"
        raise UsageError(
            f"the question {found}; expected words, for example: aitia ask 'Why does X cause Y?'"
        )
    if len(text) > MAX_QUESTION:
        raise UsageError(
            f"the question has {len(text):,} characters; expected at most {MAX_QUESTION:,}, ask about one thing"
        )
    return text

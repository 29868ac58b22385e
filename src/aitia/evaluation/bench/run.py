"""A benchmark from its first build to its last score, or from where it was left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from aitia.clients.embedders import open_embedder
from aitia.errors import AitiaError, LimitReached
from aitia.evaluation.aggregate import rules_of
from aitia.evaluation.bench.answers import (
    IndexRespondent,
    PeerRespondent,
    Respondent,
    answered,
    blank_record,
)
from aitia.evaluation.bench.builds import Builder, in_build_order, kept_builds, make_index, said
from aitia.evaluation.bench.folder import BenchFolder, opened, resume_answers
from aitia.evaluation.bench.inputs import Selection, choose, unknown_documents
from aitia.evaluation.bench.judging import check_metrics, open_judge
from aitia.evaluation.bench.limits import Limits
from aitia.evaluation.bench.metering import Meter
from aitia.evaluation.bench.options import BenchOptions, check_bench, models_of, place_of, settings_of
from aitia.evaluation.bench.peers import Peers
from aitia.evaluation.bench.scores import Scoring
from aitia.evaluation.bench.scoring import Scorer
from aitia.evaluation.bench.settings import FILE, BenchSettings, settle
from aitia.evaluation.bench.writers import chat_settings, open_writing
from aitia.evaluation.datasets import Question, load_dataset, prepare_corpus
from aitia.evaluation.records import AnswerRecord, BuildRecord, append_record, read_answers
from aitia.evaluation.systems import System, parse_systems, slug_of
from aitia.storage.ledger import SqliteLedger
from aitia.workflows.analysts import embedder_options
from aitia.workflows.build import silent
from aitia.workflows.earlier import is_complete
from aitia.workflows.index import open_index

PARTIAL = 3


@dataclass(frozen=True)
class BenchOutcome:
    """What a benchmark left, in the order of its systems.

    ``failed`` says by system why it has no answers, ``partial`` which builds lack a part of the corpus,
    ``errors`` how many questions of a system ended in one; ``notes`` are of the dataset, and of
    documents that its questions name and no index has.
    """

    folder: Path
    settings: BenchSettings
    systems: tuple[System, ...]
    failed: dict[str, str] = field(default_factory=dict)
    partial: list[str] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def exit_status(self) -> int:
        """0, or 3 where something is missing; what failed is asked for again by the same call."""
        return PARTIAL if self.failed or self.partial or any(self.errors.values()) else 0


def run_bench(
    dataset: str, methods: str | Sequence[str], out: str | Path, **options: Unpack[BenchOptions]
) -> BenchOutcome:
    """Build every system once, ask it every question in each run, score its answers; all of it in ``out``.

    A folder that holds the same benchmark goes on: what is built, answered and scored stays. What fails of a
    build or of a question is in its record, and the rest goes on.

    Raises:
        UsageError: an option that cannot be, or a folder with another benchmark.
        EmbedderError: the embedder of a new benchmark cannot be opened.
        CorpusError: data that cannot be read.
        LimitReached: a limit stopped it; the same call goes on from there.

    """
    systems = parse_systems(methods)
    check_bench(systems, options)
    loaded = load_dataset(dataset, place_of(options.get("data")), place_of(options.get("corpus")))
    seed = options.get("seed", 0)
    selection = Selection(options.get("questions"), options.get("half"), place_of(options.get("ids")), seed)
    questions = choose(loaded.questions, selection)
    if not (Path(out) / FILE).exists():  # a benchmark that goes on is told by its settings what differs
        open_embedder(options.get("embedder", "minilm"), **embedder_options(options.get("builder", {})))
    with opened(Path(out)) as folder:
        corpus = prepare_corpus(loaded, folder.path)
        settings = settle(folder.path, settings_of(loaded.name, questions, corpus, systems, options))
        outcome = BenchOutcome(folder.path, settings, parse_systems(settings.systems), notes=[*loaded.notes])
        _Bench(folder, questions, corpus, options, outcome).run()
    return outcome


class _Bench:
    """A benchmark in its folder, under way."""

    def __init__(
        self,
        folder: BenchFolder,
        questions: Sequence[Question],
        corpus: Path,
        options: BenchOptions,
        outcome: BenchOutcome,
    ) -> None:
        self._folder = folder
        self._questions = questions
        self._corpus = corpus
        self._options = options
        self._outcome = outcome
        self._settings = outcome.settings
        self._builder = options.get("builder", {})
        self._report = options.get("report", silent)
        self._ledger = SqliteLedger(folder.ledger)
        limits = options.get("max_calls"), options.get("max_cost")
        self._limits = Limits(self._ledger, *limits, models=models_of(options))
        self._meter = Meter()
        chat, adapters = chat_settings(*models_of(options)), place_of(options.get("peers"))
        self._peers = (
            Peers(adapters, chat, self._settings.embedder, self._builder) if adapters and chat else None
        )

    def run(self) -> None:
        """Build, then answer and score system by system."""
        self._build()
        self._note_unknown_documents()
        dataset = self._settings.dataset
        scorer = Scorer(self._questions, self._corpus, self._settings.budget_words, dataset)
        scoring = Scoring(self._folder, self._questions, scorer)
        ready = [each for each in self._outcome.systems if each.name not in self._outcome.failed]
        for system in ready:
            answers = self._answer(system)
            self._outcome.errors[system.name] = sum(each.error is not None for each in answers)
            self._report(f"{system.name}: scores", 0, 0)
            scoring.add_free(system, answers)
        judge = self._options.get("judge")
        if judge:
            wanted = check_metrics(self._options.get("judged")), rules_of(dataset)
            embedder = open_embedder(self._settings.embedder, **embedder_options(self._builder))
            with open_judge(judge, wanted, embedder, self._ledger, self._limits, self._report) as judging:
                for system in ready:
                    scoring.add_judged(system, read_answers(self._folder.answers(system)), judging)

    def _build(self) -> None:
        kept = kept_builds(self._folder)
        builder = Builder(
            self._corpus,
            self._settings.embedder,
            self._settings.seed,
            self._builder,
            self._limits,
            self._report,
        )
        for system in in_build_order(self._outcome.systems):
            if system.build in kept and (system.is_peer or self._folder.index(system.folder).exists()):
                continue
            record = (
                self._peer_index(system, kept)
                if system.is_peer
                else make_index(self._folder, system, builder)
            )
            if record.error is None:
                kept[system.build] = record
            else:
                sharing = [each.name for each in self._outcome.systems if each.build == system.build]
                self._outcome.failed.update(dict.fromkeys(sharing, record.error))
        for name in kept:
            if not name.startswith("peer:") and not is_complete(self._folder.index(slug_of(name))):
                self._outcome.partial.append(name)

    def _note_unknown_documents(self) -> None:
        """Names that no retrieval can return: their questions are scored as if it had failed."""
        ours = (each for each in self._outcome.systems if not each.is_peer)
        built = next((each for each in ours if each.name not in self._outcome.failed), None)
        if built and any(each.evidence_documents for each in self._questions):
            index = open_index(self._folder.index(built.folder), **self._endpoint())
            known = index.store.document_names().values()
            self._outcome.notes.extend(unknown_documents(self._questions, known))

    def _peer_index(self, system: System, kept: dict[str, BuildRecord]) -> BuildRecord:
        assert self._peers is not None  # checked before the folder was opened
        self._report(f"{system.build}: build", 0, 0)
        return self._peers.make_index(system, self._folder, self._corpus, kept)

    def _endpoint(self) -> dict[str, Any]:
        """How an index reaches its embedder, where that is a server's."""
        return {"base_url": self._builder.get("base_url"), "api_key": self._builder.get("api_key")}

    def _answer(self, system: System) -> list[AnswerRecord]:
        """Ask what is not answered yet; all answers of the system."""
        path = self._folder.answers(system)
        done = {(each.id, each.run) for each in resume_answers(path)}
        for run in range(self._settings.runs):
            blanks = [
                blank_record(question, system, run)
                for question in self._questions
                if (question.id, run) not in done
            ]
            if not blanks:
                continue
            try:
                self._ask(system, run, blanks)
            except LimitReached:
                raise
            except AitiaError as error:  # nobody could be asked: what a question fails of is in its record
                self._outcome.failed[system.name] = said(error)
                break
        return read_answers(path)

    def _ask(self, system: System, run: int, blanks: Sequence[AnswerRecord]) -> None:
        step = f"{system.name}: run {run}"
        self._report(step, 0, len(blanks))
        with self._respondent(system, run) as respondent:
            for number, record in enumerate(answered(blanks, respondent), start=1):
                append_record(self._folder.answers(system), record)
                self._report(step, number, len(blanks))

    @contextmanager
    def _respondent(self, system: System, run: int) -> Iterator[Respondent]:
        if system.is_peer:
            assert self._peers is not None  # checked before the folder was opened
            with self._peers.open(system, self._folder) as peer:
                peer.open(self._peers.place(system, self._folder))
                yield PeerRespondent(peer)
            return
        index = open_index(self._folder.index(system.folder), **self._endpoint())
        with ExitStack() as stack:
            writing = None
            if not self._options.get("retrieve_only"):
                options = self._options.get("writer") or self._builder
                writing = stack.enter_context(
                    open_writing(options, run, self._ledger, self._limits, self._meter)
                )
            budget = self._settings.budget_words
            respondent = IndexRespondent(index, system, budget, writing, self._meter)
            respondent.warm_up(self._questions[0].text)
            yield respondent

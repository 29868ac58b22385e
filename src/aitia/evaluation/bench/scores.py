"""The score files of a benchmark: what is missing is scored, and each file is written whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aitia.evaluation.bench.folder import BenchFolder
from aitia.evaluation.bench.judging import Judge
from aitia.evaluation.bench.scoring import Scorer
from aitia.evaluation.datasets import Question
from aitia.evaluation.records import AnswerRecord, ScoreRecord, read_scores, write_records
from aitia.evaluation.systems import System


class Scoring:
    """Adds scores to the files of a folder. An answer with an error has none: it will be asked for again."""

    def __init__(self, folder: BenchFolder, questions: Sequence[Question], scorer: Scorer) -> None:
        self._folder = folder
        self._questions = {question.id: question for question in questions}
        self._places = {question.id: place for place, question in enumerate(questions)}
        self._scorer = scorer

    def add_free(self, system: System, answers: Sequence[AnswerRecord]) -> None:
        """The scores that ask no model, of the answers that have none yet."""
        kept = self._kept(system)
        known = {(each.id, each.run) for each in kept if not each.judge}
        missing = [each for each in _whole(answers) if (each.id, each.run) not in known]
        if missing:
            self._write(system, [*kept, *self._scorer.score(system, missing)])

    def add_judged(self, system: System, answers: Sequence[AnswerRecord], judge: Judge) -> None:
        """The scores by a judge, of the answers that lack one or more.

        Raises:
            LimitReached, ModelError: as the model does; the file stays as it was.

        """
        kept = self._kept(system)
        known = {(each.id, each.run): each for each in kept if each.judge == judge.name}
        others = [each for each in kept if each.judge != judge.name]
        judged = judge.score(system, _whole(answers), self._questions, known)
        self._write(system, [*others, *judged])

    def _kept(self, system: System) -> list[ScoreRecord]:
        return read_scores(self._folder.scores(system))

    def _write(self, system: System, records: Iterable[ScoreRecord]) -> None:
        path = self._folder.scores(system)
        ordered = sorted(records, key=lambda each: (each.judge, each.run, self._places[each.id]))
        if ordered != read_scores(path):
            write_records(path, ordered)


def _whole(answers: Sequence[AnswerRecord]) -> list[AnswerRecord]:
    return [each for each in answers if each.error is None]

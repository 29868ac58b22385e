"""Peers beside Aitia on the first part of a corpus, in one table: what a build and a question take.

    python benchmarks/peers/measure.py --data $AITIA_DATA --out DIR [--characters N] [--questions N]
        [--methods NAMES] [--model NAME --base-url URL]

Cuts the corpus, keeps the questions whose evidence stands in that part as well as anywhere, and runs ``aitia bench``
on them in DIR; the same call goes on there. Without --model everybody asks the deterministic stand-in
(`responder.py`, in a process of its own), and then answers mean nothing. Prints Markdown: of a build nodes, edges,
calls, tokens and seconds (in brackets those without a chat in flight); of a question calls, tokens, the median of the
milliseconds without a chat in flight, and evidence recall / hit with the contexts cut at each budget.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from aitia.errors import AitiaError
from aitia.evaluation import evidence_recall
from aitia.evaluation.bench.run import BenchOutcome, run_bench
from aitia.evaluation.datasets import Question, load_dataset, read_corpus_text
from aitia.evaluation.evidence_recall import PreparedEvidence
from aitia.evaluation.records import AnswerRecord, read_answers, read_builds
from aitia.workflows.analysts import ModelOptions

HERE = Path(__file__).parent
BUDGETS = (1_000, 3_000, 6_000)
OURS = [
    f"{name}@{words}" for name in ("plain:naive", "plain:hybrid", "hcg:S", "hcg:S+fused") for words in BUDGETS
]
PEERS = ["lightrag", "fast-graphrag", "graphrag-local", "graphrag-global", "graphrag-fast", "minirag"]
SYSTEMS = ",".join([*OURS, *(f"peer:{name}" for name in PEERS)])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--characters", type=int, default=60_000)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--methods", default=SYSTEMS)
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    given = parser.parse_args()
    try:
        corpus, questions = write_part(given.data, given.out, given.characters)
        with endpoint(given.model, given.base_url) as builder:
            outcome = run_bench(
                str(questions),
                given.methods,
                given.out / "bench",
                corpus=corpus,
                questions=given.questions,
                builder=builder,
                peers=HERE,
                report=lambda step, done, total: print(step, done, total, file=sys.stderr, flush=True),
            )
        print_table(outcome, corpus, questions)
    except AitiaError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    return outcome.exit_status


def write_part(data: Path, out: Path, characters: int) -> tuple[Path, Path]:
    """The part of the corpus of medical, and the questions that it answers, as files in ``out``."""
    medical = load_dataset("medical", data)
    whole = read_corpus_text(data / "medical" / "corpus.txt")
    kept = answerable(medical.questions, whole, whole[:characters])
    out.mkdir(parents=True, exist_ok=True)
    corpus, questions = out / "corpus.txt", out / "questions.json"
    corpus.write_text(whole[:characters], "utf-8")
    records = [
        {
            "id": each.id,
            "question": each.text,
            "answer": each.answer,
            "question_type": each.type,
            "evidence": list(each.evidence),
        }
        for each in kept
    ]
    questions.write_text(json.dumps(records, ensure_ascii=False, indent=1), "utf-8")
    print(f"{len(kept)} of {len(medical.questions)} questions", file=sys.stderr)
    return corpus, questions


def answerable(questions: Sequence[Question], whole: str, part: str) -> list[Question]:
    """Those all of whose sentences of evidence stand in the part as well as in the whole."""
    of_whole = {each.question.id: each for each in evidence_recall.prepare(questions, whole).sought}
    return [
        each.question
        for each in evidence_recall.prepare(questions, part).sought
        if np.array_equal(each.ceilings, of_whole[each.question.id].ceilings)
    ]


@contextmanager
def endpoint(model: str | None, base_url: str | None) -> Iterator[ModelOptions]:
    """The model that everybody asks, one request at a time of ours, so that times are those of an idle process."""
    options: ModelOptions = {"analyst": "llm", "jobs": 1}
    if model is not None:
        yield {**options, "model": model, "base_url": base_url}
        return
    with subprocess.Popen(
        [sys.executable, HERE / "responder.py"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None  # it is a pipe
        try:
            yield {**options, "model": "stand-in", "base_url": process.stdout.readline().strip()}
        finally:
            process.terminate()


def print_table(outcome: BenchOutcome, corpus: Path, questions: Path) -> None:
    """A row a system, from the records alone."""
    asked = load_dataset(str(questions), corpus=corpus).questions
    prepared = evidence_recall.prepare(asked, read_corpus_text(corpus))
    builds = {record.system: record for record in read_builds(outcome.folder / "builds.jsonl")}
    heads = ["system", "nodes", "edges", "build calls", "prompt tokens", "build s", "calls a question"]
    heads += [
        "prompt tokens a question",
        "median query ms",
        *(f"recall / hit, {budget:,} words" for budget in BUDGETS),
        "failed",
    ]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for system in outcome.systems:
        build = builds[system.build]
        if system.name in outcome.failed:
            print(f"| {system.name} | {outcome.failed[system.name]} |")
            continue
        answers = read_answers(outcome.folder / "answers" / f"{system.slug}.jsonl")
        seconds = "" if build.seconds is None else f"{build.seconds:.1f}"
        if build.seconds is not None and build.llm_seconds is not None:
            seconds += f" ({build.seconds - build.llm_seconds:.1f})"
        cells = [
            system.name,
            *map(number, (build.nodes, build.edges, build.llm_calls, build.prompt_tokens)),
            seconds,
        ]
        cells += asking(answers)
        cells += [
            evidence(prepared, asked, answers, budget) if system.budget_words in (None, budget) else ""
            for budget in BUDGETS
        ]
        print(f"| {' | '.join(cells)} | {sum(each.error is not None for each in answers)} |")


def number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def asking(answers: Sequence[AnswerRecord]) -> list[str]:
    """Calls and prompt tokens a question, and the median milliseconds outside of the model."""
    good = [each for each in answers if each.error is None]
    if not good:
        return ["", "", ""]
    own = [1_000 * (each.seconds.get("embed", 0) + each.seconds.get("retrieve", 0)) for each in good]
    return [
        f"{statistics.mean(each.usage['llm_calls'] for each in good):.1f}",
        f"{statistics.mean(each.usage['prompt_tokens'] for each in good):,.0f}",
        f"{statistics.median(own):.0f}",
    ]


def evidence(
    prepared: PreparedEvidence, asked: Sequence[Question], answers: Sequence[AnswerRecord], budget: int
) -> str:
    """Recall / hit of the answered questions; a failed one has no contexts and scores 0."""
    contexts = {each.id: each.contexts for each in answers}
    scores = evidence_recall.score(
        prepared, contexts, budget, [each for each in asked if each.id in contexts]
    )
    return f"{scores.recall.mean():.3f} / {scores.hit.mean():.3f}"


if __name__ == "__main__":
    sys.exit(main())

"""``aitia bench``: systems on a dataset, built, asked, scored."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from aitia.cli.options import (
    FOLDER,
    Command,
    base_url_option,
    bench_model_options,
    json_option,
    model_chosen,
    parse_settings,
    quiet_option,
    with_options,
)

if TYPE_CHECKING:
    from aitia.evaluation.bench.options import BenchOptions
    from aitia.evaluation.bench.results import Result
    from aitia.evaluation.bench.run import BenchOutcome
    from aitia.workflows.analysts import ModelOptions

SHOWN = (
    "evidence_recall", "evidence_hit", "documents_recall", "all@5", "all@10", "mrr@10", "ndcg@10", "rouge_l",
    "contains_match", "abstained_right",
)  # fmt: skip
"""Measures without a judge that the table has, where there are any; the files have all."""

_BENCH_OPTIONS = (
    click.option("--methods", metavar="NAMES", required=True,
                 help="Systems, with commas: hcg:S,hcg:S+fused,qcg,hug,plain:hybrid@3000,peer:lightrag."),
    click.option("--out", type=FOLDER, metavar="DIR", required=True,
                 help="Where everything goes; the same call goes on there."),
    click.option("--runs", type=click.IntRange(min=1), metavar="N", default=1, show_default=True,
                 help="How often each question is asked; the first run builds."),
    click.option("--data", type=FOLDER, envvar="AITIA_DATA", show_envvar=True, metavar="DIR",
                 help="The folder of the benchmarks' data."),
    click.option("--corpus", type=FOLDER, metavar="PATH", help="The documents of a question file of your own."),
    click.option("--questions", type=int, metavar="N", help="Ask so many, drawn by --seed."),
    click.option("--half", metavar="NAME", help="Ask the even or the odd half."),
    click.option("--ids", type=FOLDER, metavar="FILE", help="Ask those whose ids it lists, a line each."),
    click.option("--budget-words", type=int, metavar="N", default=9_000, show_default=True,
                 help="Most words of evidence of a system without @WORDS."),
    click.option("--embedder", metavar="SPEC", default="minilm", show_default=True,
                 help="minilm (bundled), dir:PATH, openai:MODEL or st:NAME."),
    click.option("--seed", type=int, metavar="N", default=0, show_default=True,
                 help="Seed of every sample."),
    click.option("--jobs", type=int, metavar="N",
                 help="Threads, and requests at once (default: 4); with 1, times are those of an idle process."),
    click.option("--retrieve-only", is_flag=True, help="Write no answers."),
    click.option("--writer", metavar="NAME", help="Who answers, rules or llm (default: --analyst)."),
    click.option("--writer-model", metavar="NAME", help="The model of --writer llm (default: --model)."),
    click.option("--writer-base-url", metavar="URL",
                 help="Its endpoint; its key: AITIA_WRITER_API_KEY (default: those of --model)."),
    click.option("--judge-model", metavar="NAME", help="The model that judges; without one nothing is judged."),
    click.option("--judge-base-url", metavar="URL",
                 help="Its endpoint; its key: AITIA_JUDGE_API_KEY (default: those of --model)."),
    click.option("--judge-llm", multiple=True, metavar="KEY=VALUE",
                 help="A setting of the judge, as --llm is; repeatable."),
    click.option("--judged", metavar="NAMES", help="Judged metrics, with commas (default: all)."),
    click.option("--peers", type=FOLDER, metavar="DIR", help="The adapters of peer systems: benchmarks/peers."),
)  # fmt: skip
_PASSED_ON = (
    "runs", "data", "corpus", "questions", "half", "ids", "budget_words", "embedder", "seed",
    "retrieve_only", "max_calls", "max_cost", "peers",
)  # fmt: skip


def _bench_options(command: Command) -> Command:
    return with_options(command, _BENCH_OPTIONS)


@click.command(short_help="Compare methods on a dataset: build, ask, score.")
@click.argument("dataset")
@_bench_options
@click.option("--analyst", metavar="NAME", default="rules", show_default=True,
              help="Who builds: rules needs no model, llm asks --model.")  # fmt: skip
@bench_model_options
@base_url_option
@json_option
@quiet_option
def command(dataset: str, methods: str, out: Path, as_json: bool, quiet: bool, **options: Any) -> int:
    """Build every system once, ask it the questions of DATASET in each run, and score its answers.

    DATASET is medical, novel[:SOURCE], lihua-world, holisqa[:DOMAIN], multihop-rag, epilepsyqa, or a file of
    questions. A call that was stopped or killed goes on where it was. The exit status is 3 if a build or a
    question failed, or a limit was reached: the same call asks for what is missing.
    """
    from aitia.cli.progress import show_progress
    from aitia.evaluation.bench.run import run_bench

    given = _chosen(options)
    with show_progress(quiet) as report:
        given["report"] = report
        outcome = run_bench(dataset, methods, out, **given)
    _write(outcome, as_json, quiet)
    return outcome.exit_status


def _chosen(options: Mapping[str, Any]) -> BenchOptions:
    """The options by the names that the evaluation knows."""
    model_names = ("analyst", "model", "base_url", "jobs", "prompts", "llm")
    builder = model_chosen({name: options[name] for name in model_names})
    given: dict[str, Any] = {name: options[name] for name in _PASSED_ON}
    given |= {"builder": builder, "writer": _writer(options, builder), "judge": _judge(options, builder)}
    if options["judged"]:
        given["judged"] = [name.strip() for name in options["judged"].split(",") if name.strip()]
    return cast("BenchOptions", given)


def _writer(options: Mapping[str, Any], builder: ModelOptions) -> ModelOptions | None:
    name, model = options["writer"], options["writer_model"]
    if not (name or model):
        _need(options, "--writer-model", "writer_base_url")
        return None
    writer: ModelOptions = {**builder, "analyst": name or "llm"}
    return _at(writer, model, options["writer_base_url"], "AITIA_WRITER_API_KEY")


def _judge(options: Mapping[str, Any], builder: ModelOptions) -> ModelOptions | None:
    model = options["judge_model"]
    if not model:
        _need(options, "--judge-model", "judge_base_url", "judge_llm")
        return None
    judge: ModelOptions = {**builder, "analyst": "llm"}
    judge.pop("prompts", None)
    own = parse_settings(options["judge_llm"], "context_tokens=32000", "--judge-llm")
    judge["llm"] = {**builder.get("llm", {}), **own}
    return _at(judge, model, options["judge_base_url"], "AITIA_JUDGE_API_KEY")


def _need(options: Mapping[str, Any], model: str, *names: str) -> None:
    """Refuse options of a model that there is none of."""
    from aitia.errors import UsageError

    given = next((name for name in names if options[name]), None)
    if given:
        raise UsageError(
            f"--{given.replace('_', '-')} is for a model that {model} names; give one, or leave it out"
        )


def _at(options: ModelOptions, model: str | None, base_url: str | None, key: str) -> ModelOptions:
    """A model at an endpoint of its own is sent a key of its own, never that of another."""
    if model:
        options["model"] = model
    if base_url:
        options["base_url"] = base_url
        options.pop("api_key", None)
    own = os.environ.get(key)
    if own:
        options["api_key"] = own
    return options


def _write(outcome: BenchOutcome, as_json: bool, quiet: bool) -> None:
    from aitia.cli.output import note, write_json, write_table
    from aitia.cli.text import counted
    from aitia.evaluation.bench.results import results

    rows = results(outcome)
    if as_json:
        write_json(
            {
                "out": str(outcome.folder),
                "settings": asdict(outcome.settings),
                "systems": [_document(row) for row in rows],
                "partial": outcome.partial,
            }
        )
    else:
        write_table(_table(rows, outcome.settings.judges))
    for text in outcome.notes:
        note(text, quiet)
    for row in rows:  # why the status is not 0, which is not to be silenced
        if row.failed:
            note(f"{row.system} has no answers: {row.failed}")
        if row.error:
            count = counted(row.errors, "answers")
            note(f"{row.system}: {count} ended in an error, the first: {row.error}")
    for name in outcome.partial:
        note(f"{name} is partial: parts of the corpus got no usable reply, and its answers lack them")
    if outcome.failed or any(outcome.errors.values()):
        note("something is missing: the same call asks for it again", quiet)
    place = shlex.quote(str(outcome.folder))
    note(f"\u2192 aitia compare {place}; aitia report {place}", quiet)


def _document(row: Result) -> dict[str, Any]:
    scores = [
        {"metric": measure.metric, "judge": measure.judge, "mean": mean, "questions": row.scored[measure]}
        for measure, mean in row.scores.items()
    ]
    return {**{name: value for name, value in asdict(row).items() if name != "scored"}, "scores": scores}


def _table(rows: Sequence[Result], judges: Sequence[str]) -> list[dict[str, Any]]:
    """A row a system; the judges stand in the order in which they were asked."""
    order = ("", *judges)
    measures = sorted(
        {measure for row in rows for measure in row.scores if measure.judge or measure.metric in SHOWN},
        key=lambda measure: (
            order.index(measure.judge) if measure.judge in order else len(order),
            measure.judge,
            SHOWN.index(measure.metric) if not measure.judge else 0,
            measure.metric,
        ),
    )
    return [
        {
            "system": row.system,
            "questions": row.questions,
            "errors": row.errors,
            "nodes": _known(row.build and row.build.nodes),
            "edges": _known(row.build and row.build.edges),
            "build s": _known(row.build and row.build.seconds),
            "median query ms": _known(row.query_ms),
            **{_head(measure): _known(row.scores.get(measure)) for measure in measures},
        }
        for row in rows
    ]


def _head(measure: Any) -> str:
    return f"{measure.metric} ({measure.judge})" if measure.judge else str(measure.metric)


def _known(value: Any) -> Any:
    return "-" if value is None else value

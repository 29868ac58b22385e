"""What builds and questions took, and what the benchmark was run with, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from aitia.evaluation.records import AnswerRecord, BuildRecord, median_query_seconds
from aitia.evaluation.report.bench_folder import Bench
from aitia.evaluation.report.tables import SYSTEM, Cell, Head, Table, remarks
from aitia.evaluation.report.wording import NONE, amount, plain, share

BUILD = {
    "nodes": "Nodes",
    "edges": "Edges",
    "edges_per_node": "Edges/node",
    "build_minutes": "Minutes",
    "build_llm_calls": "LLM calls",
    "build_prompt_tokens": "Prompt tokens",
    "build_reply_tokens": "Reply tokens",
    "build_embedding_calls": "Embedding calls",
}
QUESTION = {
    "question_llm_calls": "LLM calls",
    "question_prompt_tokens": "Prompt tokens",
    "question_reply_tokens": "Reply tokens",
    "question_embedding_calls": "Embedding calls",
    "question_query_seconds": "Query (median ms)",
    "question_embed_seconds": "Embed (median ms)",
    "question_retrieve_seconds": "Retrieve (median ms)",
    "question_answer_seconds": "Answer (median s)",
    "question_fallback": "Fell back",
}
_MILLISECONDS = ("question_query_seconds", "question_embed_seconds", "question_retrieve_seconds")


def build_figures(build: BuildRecord | None) -> dict[str, float | None]:
    """The figures of a build by name, in the order of `BUILD`; None for what was not told."""
    if build is None or build.error is not None:
        return dict.fromkeys(BUILD)
    per_node = build.edges / build.nodes if build.nodes and build.edges is not None else None
    minutes = None if build.seconds is None else build.seconds / 60
    values = (
        *(build.nodes, build.edges, per_node, minutes, build.llm_calls),
        *(build.prompt_tokens, build.reply_tokens, build.embedding_calls),
    )
    return dict(zip(BUILD, values, strict=True))


def question_figures(answers: Sequence[AnswerRecord]) -> dict[str, float | None]:
    """Uses of models as means a question, times as medians, over all runs, by the names of `QUESTION`.

    Answers that failed are left out, and those that do not tell it. The query is embedding and retrieval, as
    ``aitia bench`` shows it: the median of the sums, not the sum of the medians. ``question_fallback`` is the
    share of answers that did not come from the graph, None where all did.
    """
    done = [answer for answer in answers if answer.error is None]
    if not done:
        return dict.fromkeys(QUESTION)
    found: dict[str, float | None] = {}
    for name in ("llm_calls", "prompt_tokens", "reply_tokens", "embedding_calls"):
        found[f"question_{name}"] = _mean([answer.usage for answer in done], name)
    found["question_query_seconds"] = median_query_seconds(answers)
    for name in ("embed", "retrieve", "answer"):
        times = [answer.seconds[name] for answer in done if name in answer.seconds]
        found[f"question_{name}_seconds"] = median(times) if times else None
    fallbacks = sum(not answer.graph_matched for answer in done)
    found["question_fallback"] = fallbacks / len(done) if fallbacks else None
    return found


def cost_tables(bench: Bench) -> tuple[Table, ...]:
    """Size and cost of the builds, and the cost of a question."""
    said = remarks(bench)
    return (
        _table(
            "build",
            "Size, and cost of the build",
            BUILD,
            {system: build_figures(bench.builds.get(system)) for system in bench.systems},
            {system: text for system, text in said.items() if text.startswith("not built")},
        ),
        _table(
            "question",
            "Cost of a question",
            QUESTION,
            {system: question_figures(bench.answers.get(system, ())) for system in bench.systems},
            said,
        ),
    )


def settings_table(bench: Bench) -> Table | None:
    """What the benchmark was run with; None where it does not say."""
    rows = [(Cell(plain(name)), Cell(plain(text))) for name, text in flat(bench.settings)]
    head = (Head("Setting", number=False), Head("Value", number=False))
    return Table("settings", "Settings", head, tuple(rows)) if rows else None


def flat(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Settings of settings by dotted names, lists with commas."""
    found: list[tuple[str, str]] = []
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found += flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            found.append((f"{prefix}{name}", ", ".join(map(str, value))))
        else:
            found.append((f"{prefix}{name}", str(value).lower() if isinstance(value, bool) else str(value)))
    return found


def _mean(records: Sequence[Mapping[str, float]], name: str) -> float | None:
    told = [record[name] for record in records if name in record]
    return sum(told) / len(records) if told else None


def _table(
    slug: str,
    title: str,
    names: Mapping[str, str],
    figures: Mapping[str, Mapping[str, float | None]],
    said: Mapping[str, str],
) -> Table:
    """Columns that no system has a figure of are left out."""
    shown = [name for name in names if any(each[name] is not None for each in figures.values())]
    rows = []
    for system, each in figures.items():
        cells = [_cell(name, each[name]) for name in shown]
        rows.append((Cell(plain(system)), *cells, *([Cell(said.get(system, ""))] if said else [])))
    head = [SYSTEM, *(Head(names[name]) for name in shown), *([Head("Remark", number=False)] if said else [])]
    note = f"{NONE}: none, or not told."
    if slug == "question":
        note = f"Means, of times medians, over all questions and runs that did not fail. {note}"
    if "question_fallback" in shown:
        note += " Fell back: the share of answers whose evidence is the fallback's, not the graph's."
    return Table(slug, title, tuple(head), tuple(rows), note)


def _cell(name: str, value: float | None) -> Cell:
    if value is None:
        return Cell(NONE)
    if name == "question_fallback":
        return Cell(share(value), value)
    return Cell(amount(value * 1000 if name in _MILLISECONDS else value), value)

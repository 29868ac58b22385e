"""What builds and questions take: bars with their values, a panel a quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aitia.evaluation.report.bench_folder import Bench
from aitia.evaluation.report.canvas import SMALL, finish, new_figure
from aitia.evaluation.report.costs import build_figures, question_figures
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.palette import SOFT, Style
from aitia.evaluation.report.wording import compact, shortened

_ROW = 0.145
"""Inches a row."""
_LONGEST = 20
_PANELS = 2
_BUILD = {"build_llm_calls": "LLM calls", "build_prompt_tokens": "Prompt tokens", "build_minutes": "Minutes"}
_QUESTION = {
    "question_llm_calls": "LLM calls",
    "question_prompt_tokens": "Prompt tokens",
    "question_query_seconds": "Query, median ms",
}

Figures = Mapping[str, Mapping[str, float | None]]


def draw_build(bench: Bench, looks: Mapping[str, Style]) -> Figure | None:
    """The cost of each build once, by the first system that uses it; None where nothing was told."""
    first = {bench.builds[name].system: name for name in reversed(bench.systems) if name in bench.builds}
    shown = {
        build: looks[first[build]]
        for build in dict.fromkeys(
            bench.builds[name].system for name in bench.systems if name in bench.builds
        )
    }
    figures = {build: build_figures(bench.builds[first[build]]) for build in shown}
    words = {build: "failed" for build in shown if bench.builds[first[build]].error is not None}
    return _draw(
        (figures, shown, words),
        _BUILD,
        "cost-build",
        "Cost of the build",
        "What each index took to build; systems that share one are one row.",
    )


def draw_question(bench: Bench, looks: Mapping[str, Style]) -> Figure | None:
    """The cost of a question by system."""
    figures: dict[str, Mapping[str, float | None]] = {}
    for name in bench.systems:
        if bench.answers.get(name):
            found = question_figures(bench.answers[name])
            seconds = found["question_query_seconds"]
            figures[name] = found | {"question_query_seconds": None if seconds is None else seconds * 1000}
    return _draw(
        (figures, {name: looks[name] for name in figures}, {}),
        _QUESTION,
        "cost-question",
        "Cost of a question",
        "Means, of times medians, over all questions and runs that did not fail.",
    )


def _draw(
    rows: tuple[Figures, Mapping[str, Style], Mapping[str, str]],
    names: Mapping[str, str],
    slug: str,
    title: str,
    caption: str,
) -> Figure | None:
    figures, looks, words = rows
    panels = [name for name in names if any((each[name] or 0) > 0 for each in figures.values())][:_PANELS]
    if not panels:
        return None
    drawing = new_figure(0.42 + _ROW * len(figures))
    axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for each, name in zip(axes, panels, strict=True):
        values = [figures[row][name] for row in figures]
        told = [compact(value) if value is not None else words.get(row, "not told")
                for row, value in zip(figures, values, strict=True)]  # fmt: skip
        draw_bars(each, values, told, [looks[row] for row in figures])
        each.set_title(names[name], loc="left")
        each.set_xlim(0, 1.38 * max(value or 0 for value in values))
        each.set_xticks([])
        each.spines["bottom"].set_visible(False)
        name_rows(each, list(figures), _LONGEST)
    return finish(drawing, slug, title, f"{caption} {' and '.join(names[name] for name in panels)}.")


def draw_bars(
    axes: Any, values: Sequence[float | None], words: Sequence[str], looks: Sequence[Style]
) -> None:
    """Horizontal bars from the top down, what each is written behind it."""
    places = range(len(values))
    axes.barh(
        places,
        [value or 0 for value in values],
        height=0.68,
        color=[look.fill for look in looks],
        edgecolor=[look.edge for look in looks],
        linewidth=0.5,
    )
    for place, value, word in zip(places, values, words, strict=True):
        axes.annotate(
            *(word, (value or 0, place), (2.5, 0)),
            textcoords="offset points",
            va="center",
            fontsize=SMALL - 0.5,
            color=SOFT if value is None else None,
        )


def name_rows(axes: Any, names: Sequence[str], longest: int) -> None:
    """Name the rows of panels that share them, the first on top."""
    axes.set_yticks(range(len(names)), [shortened(name, longest) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)

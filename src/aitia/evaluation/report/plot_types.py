"""One metric by type of question: a panel a type, a bar a system, each with its spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aitia.evaluation.report.canvas import SMALL, finish, new_figure
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.measures import ALL, Measure
from aitia.evaluation.report.palette import SOFT, TEXT, Style
from aitia.evaluation.report.plot_cost import name_rows
from aitia.evaluation.report.plot_size import spread_of
from aitia.evaluation.report.tables import slug_of
from aitia.evaluation.report.wording import metric_label, plain, shortened

_ROW = 0.135
_COLUMNS = 2
_LONGEST = 18
_TITLE = 20

Measures = Mapping[tuple[str, str], Measure]
"""Of one metric and judge, by system and type."""


def draw_types(systems: Sequence[str], measures: Measures, looks: Mapping[str, Style]) -> Figure | None:
    """The panels, all questions last; None where nothing was measured."""
    rows = [name for name in systems if any(system == name for system, _ in measures)]
    kinds = list(dict.fromkeys(kind for _, kind in measures))
    if len(kinds) == 2:  # one type, and all questions are of it
        kinds = [ALL]
    if not rows or not kinds:
        return None
    kinds = [*(kind for kind in kinds if kind != ALL), *([ALL] if ALL in kinds else [])]
    high = -(-len(kinds) // _COLUMNS)
    across = min(len(kinds), _COLUMNS)
    drawing = new_figure(high * (0.34 + _ROW * len(rows)) + 0.25)
    grid = drawing.subplots(high, across, sharex=True, sharey=True, squeeze=False)
    top = max(spread_of(each)[1] for each in measures.values() if each.mean is not None)
    for place, axes in enumerate(grid.flat):
        if place >= len(kinds):
            axes.set_visible(False)
            continue
        found = [measures.get((name, kinds[place])) for name in rows]
        _panel(axes, found, [looks[name] for name in rows])
        most = max((each.n for each in found if each), default=0)
        title = shortened(kinds[place], _TITLE) if kinds[place] != ALL else "All questions"
        axes.set_title(title, loc="left", pad=10, fontsize=SMALL)
        axes.annotate(
            f"n = {most:,}", (0, 1), (0, 2.5), xycoords="axes fraction", textcoords="offset points",
            fontsize=SMALL - 0.5, color=SOFT,
        )  # fmt: skip
        axes.set_xlim(0, min(1.0, top * 1.02) if top < 0.75 else 1)
        axes.xaxis.set_tick_params(labelbottom=place + across >= len(kinds))
    for axes in grid.flat:
        name_rows(axes, rows, _LONGEST)
    first = next(iter(measures.values()))
    grid[-1][0].set_xlabel(metric_label(first.metric))
    return finish(drawing, *_words(first))


def _words(first: Measure) -> tuple[str, str, str]:
    judged = f", judged by {plain(first.judge)}" if first.judge else ""
    spread = (
        "sample standard deviations over runs"
        if first.over_runs
        else "95 % bootstrap intervals over questions"
    )
    label = metric_label(first.metric)
    return (
        f"types-{slug_of(first.metric)}",
        f"{label} by type of question",
        f"Mean {label}{judged}; whiskers are {spread}.",
    )


def _panel(axes: Any, found: Sequence[Measure | None], looks: Sequence[Style]) -> None:
    for place, (each, look) in enumerate(zip(found, looks, strict=True)):
        if each is None or each.mean is None:
            axes.annotate(
                "no score", (0, place), (2, 0), textcoords="offset points", va="center", fontsize=5.5
            )
            continue
        axes.barh(place, each.mean, height=0.68, color=look.fill, edgecolor=look.edge, linewidth=0.5)
        axes.plot(spread_of(each), [place, place], color=TEXT, linewidth=0.8, solid_capstyle="butt")
    axes.xaxis.grid(True)
    axes.set_axisbelow(True)

"""What a larger tier gains and what it costs: quality above, size and calls of the build below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aitia.evaluation.report.bench_folder import TIERS, Bench, family_of, tier_of
from aitia.evaluation.report.canvas import WIDTH, finish, new_figure, scale_by_magnitude
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.measures import Measure
from aitia.evaluation.report.palette import Style, hue_of
from aitia.evaluation.report.place_labels import Line, Point, place_labels
from aitia.evaluation.report.plot_size import spread_of
from aitia.evaluation.report.wording import compact, metric_label, plain, shortened

_SIZES = {"nodes": ("Nodes", "o"), "edges": ("Edges", "s"), "llm_calls": ("Build calls", "^")}
_DASHES = ("-", "--", ":", "-.")
_ASIDE = 0.05


def draw_tiers(
    bench: Bench, metrics: Sequence[Mapping[str, Measure]], looks: Mapping[str, Style]
) -> Figure | None:
    """Some metrics, each its measures by system; None where no method was run in two tiers or more."""
    shown = [(measures, series) for measures in metrics if (series := _series(bench.systems, measures))]
    if not shown:
        return None
    drawing = new_figure((0.42 * len(shown) + 0.6) * WIDTH)
    *above, below = drawing.subplots(1 + len(shown), 1, sharex=True)
    points: list[Point] = []
    for axes, (measures, series) in zip(above, shown, strict=True):
        points += _qualities(axes, measures, series, looks)
    longest = max((of for _, series in shown for of in series.values()), key=len)
    points += _sizes(below, bench, longest)
    tiers = [tier for tier in TIERS if any(tier in of for _, series in shown for of in series.values())]
    below.set_ylabel("Size (log scale)")
    below.set_xlabel("Tier")
    below.set_xticks([TIERS.index(tier) for tier in tiers], tiers)
    start, end = TIERS.index(tiers[0]), TIERS.index(tiers[-1])
    below.set_xlim(start - 0.25, end + 0.45 * (end - start))
    place_labels(drawing, points, _drawn((*above, below)))
    return finish(
        drawing,
        "tiers",
        "Quality and size over tiers",
        _caption([next(iter(of.values())) for of, _ in shown]),
    )


def _caption(metrics: Sequence[Measure]) -> str:
    labels = " and ".join(metric_label(each.metric) for each in metrics)
    judges = sorted({plain(each.judge) for each in metrics if each.judge})
    judged = f", judged by {' and '.join(judges)}" if judges else ""
    spread = (
        "sample standard deviations over runs"
        if any(each.over_runs for each in metrics)
        else "95 % bootstrap intervals over questions"
    )
    return f"Above: mean {labels}{judged}, with {spread}. Below: what was built."


def _drawn(panels: Sequence[Any]) -> list[Line]:
    return [
        Line(axes, *np.array(line.get_data(), dtype=np.float64).tolist())
        for axes in panels
        for line in axes.get_lines()
    ]


def _qualities(
    axes: Any,
    measures: Mapping[str, Measure],
    series: Mapping[str, Mapping[str, str]],
    looks: Mapping[str, Style],
) -> list[Point]:
    points = []
    for number, (name, of) in enumerate(series.items()):
        aside = _ASIDE * (number - (len(series) - 1) / 2)  # the spreads of two series side by side
        line = [(TIERS.index(tier) + aside, measures[system]) for tier, system in of.items()]
        _line(axes, line, looks[list(of.values())[-1]], _DASHES[number % len(_DASHES)])
        points.append(Point(axes, line[-1][0], line[-1][1].mean or 0.0, shortened(name, 18)))
    axes.set_ylabel(metric_label(next(iter(measures.values())).metric))
    return points


def _series(systems: Sequence[str], measures: Mapping[str, Measure]) -> dict[str, dict[str, str]]:
    """Systems by tier, of each name without its tier (``hcg+fused``) that has a mean in two tiers or more."""
    found: dict[str, dict[str, str]] = {}
    for system in systems:
        tier = tier_of(system)
        if tier is not None and system in measures and measures[system].mean is not None:
            found.setdefault(system.replace(f":{tier}", "", 1), {})[tier] = system
    return {
        name: {tier: of[tier] for tier in TIERS if tier in of} for name, of in found.items() if len(of) > 1
    }


def _line(axes: Any, line: Sequence[tuple[float, Measure]], look: Style, dashes: str) -> None:
    xs, ys = [x for x, _ in line], [each.mean for _, each in line]
    for x, each in line:
        axes.plot([x, x], spread_of(each), color=look.pale, linewidth=1.1)
    axes.plot(
        *(xs, ys),
        color=look.edge,
        linestyle=dashes,
        marker=look.mark,
        markersize=4,
        markerfacecolor="white",
        markeredgewidth=0.9,
    )


def _sizes(axes: Any, bench: Bench, systems: Mapping[str, str]) -> list[Point]:
    colour = hue_of(family_of(next(iter(systems.values()))))
    points = []
    for name, (label, mark) in _SIZES.items():
        told = [
            (TIERS.index(tier), value)
            for tier, system in systems.items()
            if (value := getattr(bench.builds.get(system), name, None))
        ]
        if told:
            axes.plot(
                *zip(*told, strict=True),
                color=colour,
                marker=mark,
                markersize=4,
                markerfacecolor="white",
                markeredgewidth=0.9,
            )
            points.append(Point(axes, *told[-1], f"{label} {compact(told[-1][1])}"))
    axes.set_yscale("log")
    drawn = [y for line in axes.get_lines() for y in line.get_ydata()]
    if drawn:
        scale_by_magnitude(axes.yaxis, min(drawn), max(drawn))
    return points

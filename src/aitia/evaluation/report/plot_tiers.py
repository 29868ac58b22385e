"""What a larger tier gains and what it costs: quality above, size and calls of the build below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aitia.evaluation.report.bench_folder import TIERS, Bench, family_of, tier_of
from aitia.evaluation.report.canvas import SMALL, WIDTH, finish, new_figure
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.measures import Measure
from aitia.evaluation.report.palette import Style, hue_of
from aitia.evaluation.report.place_labels import Line, Point, place_labels
from aitia.evaluation.report.plot_size import spread_of
from aitia.evaluation.report.tables import slug_of
from aitia.evaluation.report.wording import compact, metric_label, plain, shortened

_SIZES = {"nodes": ("Nodes", "o"), "edges": ("Edges", "s"), "llm_calls": ("Build calls", "^")}
_DASHES = ("-", "--", ":", "-.")


def draw_tiers(bench: Bench, measures: Mapping[str, Measure], looks: Mapping[str, Style]) -> Figure | None:
    """One metric; None where no method was run in two tiers or more."""
    series = _series([name for name in bench.systems if name in measures and measures[name].mean is not None])
    if not series:
        return None
    tiers = [tier for tier in TIERS if any(tier in found for found in series.values())]
    places = {tier: place for place, tier in enumerate(tiers)}
    drawing = new_figure(1.15 * WIDTH)
    above, below = drawing.subplots(2, 1, sharex=True, height_ratios=(1.15, 1))
    points: list[Point] = []
    lines: list[Line] = []
    for number, (name, found) in enumerate(series.items()):
        line = [(places[tier], measures[system]) for tier, system in found.items()]
        look = looks[list(found.values())[-1]]
        _line(above, line, look, _DASHES[number % len(_DASHES)])
        points.append(Point(above, line[-1][0], line[-1][1].mean or 0.0, shortened(name, 18)))
        lines += [Line(above, (x, x), spread_of(each)) for x, each in line]
        lines.append(Line(above, [x for x, _ in line], [each.mean or 0.0 for _, each in line]))
    points += _sizes(below, bench, next(iter(series.values())), places)
    first = measures[next(iter(next(iter(series.values())).values()))]
    above.set_ylabel(metric_label(first.metric))
    below.set_ylabel("Size (log scale)")
    below.set_xlabel("Tier")
    below.set_xticks(range(len(tiers)), tiers)
    below.set_xlim(-0.25, len(tiers) - 1 + 0.34 * len(tiers))
    lines += [
        Line(below, *map(list, np.array(line.get_data(), dtype=float))) for line in below.get_lines()
    ]
    place_labels(drawing, points, lines)
    judged = f", judged by {plain(first.judge)}" if first.judge else ""
    spread = "sample standard deviations over runs" if first.sd is not None else "95 % bootstrap intervals"
    caption = f"Above: mean {metric_label(first.metric)}{judged}, with {spread}. Below: what was built."
    label = metric_label(first.metric)
    return finish(drawing, f"tiers-{slug_of(first.metric)}", f"{label} and size over tiers", caption)


def _series(systems: Sequence[str]) -> dict[str, dict[str, str]]:
    """Systems by tier, of each name without its tier (``hcg+fused``) that has two tiers or more."""
    found: dict[str, dict[str, str]] = {}
    for system in systems:
        tier = tier_of(system)
        if tier is not None:
            found.setdefault(system.replace(f":{tier}", "", 1), {})[tier] = system
    return {
        name: {tier: of[tier] for tier in TIERS if tier in of} for name, of in found.items() if len(of) > 1
    }


def _line(axes: Any, line: Sequence[tuple[int, Measure]], look: Style, dashes: str) -> None:
    xs, ys = [x for x, _ in line], [each.mean for _, each in line]
    for x, each in line:
        axes.plot([x, x], spread_of(each), color=look.edge, linewidth=0.7)
    axes.plot(
        *(xs, ys),
        color=look.edge,
        linestyle=dashes,
        marker=look.mark,
        markersize=4,
        markerfacecolor="white",
        markeredgewidth=0.9,
    )


def _sizes(axes: Any, bench: Bench, systems: Mapping[str, str], places: Mapping[str, int]) -> list[Point]:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    colour = hue_of(family_of(next(iter(systems.values()))))
    points = []
    for name, (label, mark) in _SIZES.items():
        told = [
            (places[tier], value)
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
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: compact(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="y", labelsize=SMALL)
    return points

"""Quality against the size of the graph, with the systems that no other beats in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from aitia.evaluation.report.bench_folder import Bench, method_of
from aitia.evaluation.report.canvas import SMALL, WIDTH, finish, new_figure, scale_by_magnitude
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.measures import Measure
from aitia.evaluation.report.palette import LINE, SOFT, Style
from aitia.evaluation.report.place_labels import Line, Point, place_labels
from aitia.evaluation.report.tables import slug_of
from aitia.evaluation.report.wording import metric_label, plain, shortened
from aitia.evaluation.statistics.frontier import undominated

_HEIGHT = 0.86 * WIDTH
LONGEST = 26
"""Characters of a name in a figure."""


class _Sized(NamedTuple):
    system: str
    nodes: int
    mean: float
    low: float
    high: float


def draw_size(bench: Bench, measures: Mapping[str, Measure], looks: Mapping[str, Style]) -> Figure | None:
    """One metric, its measure by system; None where fewer than two systems have a size and a mean."""
    found = [sized for name in bench.systems if (sized := _sized(bench, measures.get(name), name))]
    if len(found) < 2 or not any(each.nodes for each in found):
        return None
    first = measures[found[0].system]
    best = undominated([(each.mean, -each.nodes) for each in found])
    drawing = new_figure(_HEIGHT)
    bare = [each for each in found if not each.nodes]
    if bare:
        left, right = drawing.subplots(1, 2, sharey=True, width_ratios=(1, 2.7))
        _dress_bare(left)
        right.spines["left"].set_visible(False)
        right.tick_params(axis="y", length=0, labelleft=False)
    else:
        left, right = None, drawing.subplots()
    _dress(right, [each.nodes for each in found if each.nodes])
    (left or right).set_ylabel(metric_label(first.metric))
    points = []
    for each, stays in zip(found, best, strict=True):
        axes, x = (right, each.nodes) if each.nodes else (left, 0.0)
        _mark(axes, x, each, looks[each.system], bool(stays))
        points.append(Point(axes, x, each.mean, shortened(each.system, LONGEST)))
    _limit(right, found)
    lines = [
        Line(point.axes, (point.x, point.x), (each.low, each.high))
        for point, each in zip(points, found, strict=True)
    ]
    lines += _frontier(left, right, [each for each, stays in zip(found, best, strict=True) if stays])
    place_labels(drawing, points, lines)
    missing = [plain(name) for name in bench.systems if name not in {each.system for each in found}]
    return finish(
        drawing,
        f"size-{slug_of(first.metric)}",
        f"{metric_label(first.metric)} against nodes of the graph",
        _caption(first, missing, bare=bool(bare)),
    )


def _caption(first: Measure, missing: Sequence[str], *, bare: bool) -> str:
    spread = (
        "the sample standard deviation over runs"
        if first.over_runs
        else "the 95 % bootstrap interval over questions"
    )
    judged = f" as judged by {plain(first.judge)}" if first.judge else ""
    alone = " Systems without a graph stand to the left." if bare else ""
    absent = f" Not shown, for want of a size or a score: {', '.join(missing)}." if missing else ""
    return (
        f"Mean {metric_label(first.metric)}{judged}; bars are {spread}. Grey line and full marks: the Pareto "
        f"frontier, systems that no other beats with as few nodes.{alone}{absent}"
    )


def _sized(bench: Bench, found: Measure | None, system: str) -> _Sized | None:
    build = bench.builds.get(system)
    nodes = 0 if method_of(system) == "plain" else build.nodes if build else None
    if found is None or found.mean is None or nodes is None:
        return None
    low, high = spread_of(found)
    return _Sized(system, nodes, found.mean, low, high)


def spread_of(found: Measure) -> tuple[float, float]:
    """The ends of an error bar: a standard deviation where runs differ, else the interval, else the mean."""
    mean = found.mean or 0.0
    if found.over_runs and found.sd is not None:
        return mean - found.sd, mean + found.sd
    return (mean if found.low is None else found.low), (mean if found.high is None else found.high)


def _mark(axes: Any, x: float, each: _Sized, look: Style, stays: bool) -> None:
    axes.plot([x, x], [each.low, each.high], color=look.pale, linewidth=1.1, zorder=1, clip_on=False)
    axes.plot(
        *([x], [each.mean]),
        marker=look.mark,
        markersize=4.8 if stays else 4.2,
        markerfacecolor=look.edge if stays else "white",
        markeredgecolor=look.edge,
        markeredgewidth=0.9,
        linestyle="none",
        zorder=3,
        clip_on=False,
    )


def _frontier(left: Any, right: Any, best: Sequence[_Sized]) -> list[Line]:
    """Steps: the best quality to be had with at most so many nodes."""
    graphs = sorted((each.nodes, each.mean) for each in best if each.nodes)
    bare = max((each.mean for each in best if not each.nodes), default=None)
    start, end = right.get_xlim()
    xs = [*([start] if bare is not None else []), *(nodes for nodes, _ in graphs), end]
    ys = [*([bare] if bare is not None else []), *(mean for _, mean in graphs)]
    # Corners: along to the next size, then up.
    corners = [Line(right, np.repeat(xs, 2)[1:-1].tolist(), np.repeat(ys, 2).tolist())]
    if left is not None and bare is not None:
        corners.append(Line(left, (0, 1), (bare, bare)))
    for line in corners:
        line.axes.plot(line.xs, line.ys, color=LINE, linewidth=1.4, zorder=0, solid_capstyle="butt")
    return corners


def _limit(axes: Any, found: Sequence[_Sized]) -> None:
    low, high = min(each.low for each in found), max(each.high for each in found)
    room = max(high - low, 0.02) * 0.12
    axes.set_ylim(low - room, high + room)


def _dress(axes: Any, nodes: Sequence[int]) -> None:
    axes.set_xscale("log")
    axes.set_xlim(min(nodes) / 1.6, max(nodes) * 2.8)
    axes.set_xlabel("Nodes (log scale)")
    scale_by_magnitude(axes.xaxis, min(nodes), max(nodes))


def _dress_bare(axes: Any) -> None:
    axes.set_xlim(-0.12, 1)
    axes.set_xticks([])
    axes.set_xlabel("No graph", color=SOFT, fontsize=SMALL)

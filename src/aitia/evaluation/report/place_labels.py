"""Names beside their points without hiding one another: the first free place of a few around each point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from aitia.evaluation.report.canvas import SMALL
from aitia.evaluation.report.palette import SOFT

_AWAY = (4.5, 9, 15, 22, 30)
"""Points from the mark; from the second on a line leads to it."""
_SIDES = (
    *((1, 0, "left", "center"), (-1, 0, "right", "center"), (0, 1, "center", "bottom")),
    *((0, -1, "center", "top"), (0.8, 0.8, "left", "bottom"), (0.8, -0.8, "left", "top")),
    *((-0.8, 0.8, "right", "bottom"), (-0.8, -0.8, "right", "top")),
)
_MARK = 4
"""Half the side of a mark, in points."""
_HIDES, _LINE = 4, 0.8
"""How much worse than being outside it is to hide a name or a mark, and to lie on a line."""
_FAR = 0.08
"""What a place further away costs, in shares of the name hidden."""


class Point(NamedTuple):
    """A point in the coordinates of its axes, and its name."""

    axes: Any
    x: float
    y: float
    text: str


class Line(NamedTuple):
    """A line that names should not lie on, in the coordinates of its axes."""

    axes: Any
    xs: Sequence[float]
    ys: Sequence[float]


Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels."""


def place_labels(drawing: Any, points: Sequence[Point], lines: Sequence[Line] = ()) -> None:
    """Write the names; from then on the axes of the drawing stay where they are."""
    drawing.canvas.draw()
    drawing.set_layout_engine("none")
    pixel = drawing.dpi / 72
    places = [point.axes.transData.transform((point.x, point.y)) for point in points]
    marks = [_around(x, y, _MARK * pixel) for x, y in places]
    lined = [box for line in lines for box in _along(line, 1.2 * pixel)]
    taken: list[Box] = []
    page = (0.0, 0.0, float(drawing.bbox.width), float(drawing.bbox.height))
    for point, mark in sorted(zip(points, marks, strict=True), key=lambda pair: (-pair[1][1], pair[1][0])):
        label = point.axes.annotate(
            point.text, (point.x, point.y), (0, 0), textcoords="offset points", fontsize=SMALL, zorder=5
        )
        label.set_annotation_clip(False)
        size = label.get_window_extent(drawing.canvas.get_renderer())
        others = [*taken, *(other for other in marks if other is not mark)]
        choices = [
            (_cost(box, (others, lined), page, _limits(point.axes)) + _FAR * level, number, away, side, box)
            for number, (level, away, side) in enumerate(
                (level, away, side) for level, away in enumerate(_AWAY) for side in _SIDES
            )
            for box in [_place(mark, (size.width, size.height), away * pixel, side)]
        ]
        _, _, away, side, box = min(choices)
        label.set_position((away * side[0], away * side[1]))
        label.set_horizontalalignment(side[2])
        label.set_verticalalignment(side[3])
        taken.append(box)
        if away > _AWAY[0]:
            _lead(point, away, side)


def _place(mark: Box, size: tuple[float, float], away: float, side: tuple[float, float, str, str]) -> Box:
    x = (mark[0] + mark[2]) / 2 + away * side[0]
    y = (mark[1] + mark[3]) / 2 + away * side[1]
    left = x - size[0] * {"left": 0, "center": 0.5, "right": 1}[side[2]]
    low = y - size[1] * {"bottom": 0, "center": 0.5, "top": 1}[side[3]]
    return (left, low, left + size[0], low + size[1])


def _along(line: Line, half: float) -> list[Box]:
    corners = line.axes.transData.transform(np.column_stack((line.xs, line.ys)))
    boxes = []
    for start, end in pairwise(corners):
        steps = max(2, int(np.hypot(*(end - start)) / (2 * half)))
        boxes += [_around(x, y, half) for x, y in np.linspace(start, end, steps)]
    return boxes


def _lead(point: Point, away: float, side: tuple[float, float, str, str]) -> None:
    point.axes.annotate(
        "",
        (point.x, point.y),
        (away * side[0], away * side[1]),
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "color": SOFT, "linewidth": 0.4, "shrinkA": 1, "shrinkB": 3},
        annotation_clip=False,
        zorder=1,
    )


def _limits(axes: Any) -> Box:
    box = axes.get_window_extent()
    return (box.x0, box.y0, box.x1, box.y1)


def _around(x: float, y: float, half: float) -> Box:
    return (x - half, y - half, x + half, y + half)


def _cost(box: Box, others: tuple[Sequence[Box], Sequence[Box]], page: Box, axes: Box) -> float:
    """The share of the name that hides or is hidden, or is outside of the axes or, far worse, of the page.

    ``others`` are names and marks, and pieces of lines, which lie pale beneath a name.
    """
    area = (box[2] - box[0]) * (box[3] - box[1])
    hidden = _HIDES * sum(_common(box, other) for other in others[0])
    hidden += _LINE * sum(_common(box, other) for other in others[1])
    return (hidden + (area - _common(box, axes)) + 10 * (area - _common(box, page))) / area


def _common(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)

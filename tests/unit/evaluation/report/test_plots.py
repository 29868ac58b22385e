from __future__ import annotations

import re

import pytest

from aitia.evaluation.report.bench_folder import read_bench
from aitia.evaluation.report.measures import measure
from aitia.evaluation.report.palette import styles

pytest.importorskip("matplotlib")

from aitia.evaluation.report.canvas import WIDTH, house_style, new_figure
from aitia.evaluation.report.place_labels import Line, Point, place_labels
from aitia.evaluation.report.plots import draw

SLUGS = [
    *("size-answer-correctness", "size-evidence-recall", "tiers", "cost-build", "cost-question"),
    *("types-answer-correctness", "types-evidence-recall"),
]


@pytest.fixture(scope="module")
def figures(hostile_bench):
    bench = read_bench(hostile_bench)
    return draw(bench, measure(bench))


def test_every_figure_is_a_column_wide(figures):
    assert [figure.slug for figure in figures] == SLUGS
    for figure in figures:
        svg = figure.images["svg"].decode()
        assert float(re.search(r'width="([\d.]+)pt"', svg)[1]) == pytest.approx(WIDTH * 72)
        assert figure.images["png"].startswith(b"\x89PNG")
        assert figure.images["pdf"].startswith(b"%PDF")
    assert "Not shown, for want of a size or a score: @=1+1 <script>" in figures[0].caption


def test_names_are_drawn_and_never_written(figures):
    for figure in figures:
        svg = figure.images["svg"].decode()
        assert [word for word in ("script", "alert", "<!--", "<text", "<dc:date") if word in svg] == []


def test_a_benchmark_without_scores_has_only_what_it_has(tiny_bench):
    bench = read_bench(tiny_bench)
    assert [figure.slug for figure in draw(bench, [])] == ["cost-build", "cost-question"]


def test_a_system_has_one_look_and_no_two_share_it():
    names = [
        "hcg:XS",
        "hcg:S",
        "hcg:M",
        "hcg:L",
        "qcg",
        "qcg+fused",
        "hug",
        "plain:naive",
        "peer:a",
        "peer:b",
    ]
    found = styles(names)
    assert len(set(found.values())) == len(names)
    assert styles([*names])["peer:b"] == found["peer:b"]
    assert styles(["qcg"])["qcg"].edge == found["qcg"].edge


def test_names_do_not_hide_one_another():
    with house_style():
        drawing = new_figure(2.5)
        axes = drawing.subplots()
        axes.set_xlim(0, 10)
        axes.set_ylim(0, 10)
        points = [Point(axes, 5 + 0.1 * step, 5 + 0.1 * step, f"system {step}") for step in range(5)]
        place_labels(drawing, points, [Line(axes, (0, 10), (5, 5))])
        renderer = drawing.canvas.get_renderer()
        boxes = [text.get_window_extent(renderer) for text in axes.texts if text.get_text()]
        assert len(boxes) == 5
        page = drawing.bbox
        assert all(page.x0 <= box.x0 and box.x1 <= page.x1 for box in boxes)
        assert [(a, b) for a in range(5) for b in range(a) if boxes[a].overlaps(boxes[b])] == []

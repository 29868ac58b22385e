"""Which figures a report has. Needs matplotlib, of the extra ``eval``."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.evaluation.report.bench_folder import Bench
from aitia.evaluation.report.canvas import house_style
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.measures import ALL, Measure
from aitia.evaluation.report.palette import styles
from aitia.evaluation.report.plot_cost import draw_build, draw_question
from aitia.evaluation.report.plot_size import draw_size
from aitia.evaluation.report.plot_tiers import draw_tiers
from aitia.evaluation.report.plot_types import draw_types
from aitia.evaluation.report.tables import headlines, keys_of


def draw(bench: Bench, measures: Sequence[Measure]) -> tuple[Figure, ...]:
    """The figures of the headline metrics, and of cost; one that has nothing to show is left out."""
    looks = styles(bench.systems)
    by_key = [
        [each for each in measures if (each.judge, each.metric) == key]
        for key in headlines(keys_of(measures))
    ]
    overall = [{each.system: each for each in of_key if each.type == ALL} for of_key in by_key]
    by_place = [{(each.system, each.type): each for each in of_key} for of_key in by_key]
    with house_style():
        found = (
            *(draw_size(bench, of_key, looks) for of_key in overall),
            draw_tiers(bench, overall, looks),
            draw_build(bench, looks),
            draw_question(bench, looks),
            *(draw_types(bench.systems, of_key, looks) for of_key in by_place),
        )
    return tuple(each for each in found if each is not None)

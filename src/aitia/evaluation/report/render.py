"""A bench folder as the files of its report."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from aitia.errors import UsageError
from aitia.evaluation.aggregate import rules_of
from aitia.evaluation.report.bench_folder import Bench, read_bench
from aitia.evaluation.report.costs import cost_tables, settings_table
from aitia.evaluation.report.differences import difference_table
from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.latex import write_latex
from aitia.evaluation.report.markdown import write_markdown
from aitia.evaluation.report.measures import Measure, measure
from aitia.evaluation.report.page import write_page
from aitia.evaluation.report.spreadsheet import write_spreadsheet
from aitia.evaluation.report.tables import Table, headlines, keys_of, quality_tables
from aitia.evaluation.report.wording import plain
from aitia.evaluation.statistics.question_scores import read_bench_scores


def can_draw() -> bool:
    """Whether matplotlib, of the extra ``eval``, is there; without it a report has no figures."""
    return find_spec("matplotlib") is not None


def render_report(
    folder: Path, title: str | None = None, baseline: str | None = None
) -> dict[str, str | bytes]:
    """The files of the report by their paths: the same records give the same bytes.

    Raises:
        UsageError: no bench folder, or a baseline that has no scores in it.
        CorpusError: a file of it cannot be read.

    """
    bench = read_bench(folder)
    measures = measure(bench)
    name = plain(title or _title(bench))
    quality = quality_tables(bench, measures)
    tables = (*quality.overview, *_differences(folder, bench, measures, baseline), *cost_tables(bench))
    settings = settings_table(bench)
    details = (*quality.by_type, *([settings] if settings else []))
    figures = _figures(bench, measures)
    files: dict[str, str | bytes] = {
        "report.md": write_markdown(name, tables, figures, details),
        "report.csv": write_spreadsheet(bench, measures),
        "report.tex": write_latex(name, (*tables, *quality.by_type)),
        "report.html": write_page(name, tables, figures, details),
    }
    for figure in figures:
        files |= {f"figures/{figure.slug}.{ending}": image for ending, image in figure.images.items()}
    return files


def _title(bench: Bench) -> str:
    dataset = bench.settings.get("dataset")
    return f"Benchmark: {dataset}" if isinstance(dataset, str) and dataset.strip() else "Benchmark"


def _differences(
    folder: Path, bench: Bench, measures: Sequence[Measure], baseline: str | None
) -> tuple[Table, ...]:
    if baseline is None:
        return ()
    scored = dict.fromkeys(each.system for each in measures)
    if baseline not in scored:
        raise UsageError(
            f"baseline {plain(baseline)!r} has no scores here; expected one of {', '.join(scored) or 'none'}"
        )
    keys = headlines(keys_of(measures))
    return (
        difference_table(read_bench_scores([folder]), baseline, keys, bench.systems, rules_of(bench.dataset)),
    )


def _figures(bench: Bench, measures: Sequence[Measure]) -> tuple[Figure, ...]:
    if not can_draw():
        return ()
    from aitia.evaluation.report.plots import draw

    return draw(bench, measures)

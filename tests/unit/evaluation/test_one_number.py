"""The same thing has one mean and one n: in the table of a benchmark, in a comparison and in a report."""

from __future__ import annotations

import csv
import io

import pytest

from aitia.evaluation.bench.results import results
from aitia.evaluation.bench.run import BenchOutcome
from aitia.evaluation.bench.settings import BenchSettings
from aitia.evaluation.report.bench_folder import read_bench
from aitia.evaluation.report.measures import measure
from aitia.evaluation.report.spreadsheet import write_spreadsheet
from aitia.evaluation.statistics.comparison_tables import Wish, compare_folders
from aitia.evaluation.systems import parse_systems
from aitia.testing.written_bench import add_answers, add_scores, write_empty_bench

TYPES = {
    **{f"f{number}": "Fact Retrieval" for number in range(4)},
    **{f"r{number}": "Complex Reasoning" for number in range(3)},
    **{f"s{number}": "Contextual Summarize" for number in range(2)},
    "c0": "Creative Generation",
}
METRICS = ("rouge_l", "coverage", "faithfulness", "evidence_recall")
# Of every type, as a folder of an earlier version has them; of the types that the metric is of, by hand:
MEANS = {  # of the first system: 0.1 f, 0.3 r, 0.5 s, 0.9 c; the second has 0.05 more
    "rouge_l": ((4 * 0.1 + 3 * 0.3) / 7, 7),
    "coverage": ((2 * 0.5 + 0.9) / 3, 3),
    "faithfulness": (0.9, 1),
    "evidence_recall": ((4 * 0.1 + 3 * 0.3 + 2 * 0.5 + 0.9) / 10, 10),
}
VALUES = {"f": 0.1, "r": 0.3, "s": 0.5, "c": 0.9}
SYSTEMS = ("plain:naive", "plain:bm25")


@pytest.fixture
def folder(tmp_path):
    made = write_empty_bench(tmp_path / "bench", dataset="medical")
    for more, system in zip((0, 0.05), SYSTEMS, strict=True):
        add_answers(made, system, TYPES)
        for metric in METRICS:
            add_scores(made, {system: {id: [VALUES[id[0]] + more] for id in TYPES}}, metric)
    return made


@pytest.mark.parametrize("metric", METRICS)
def test_bench_compare_and_report_say_the_same(folder, metric):
    expected = (pytest.approx(MEANS[metric][0]), MEANS[metric][1])
    row = results(_outcome(folder))[0]
    found = {key.metric: (mean, row.scored[key]) for key, mean in row.scores.items()}
    assert found[metric] == expected
    (pair,) = compare_folders([folder], Wish(baseline=SYSTEMS[0], metrics=(metric,))).pairs
    assert (pair.result.baseline, pair.n) == expected
    bench = read_bench(folder)
    rows = csv.DictReader(io.StringIO(write_spreadsheet(bench, measure(bench))))
    (told,) = [
        row for row in rows if (row["system"], row["metric"], row["type"]) == (SYSTEMS[0], metric, "(all)")
    ]
    assert (float(told["mean"]), int(told["n"])) == (pytest.approx(MEANS[metric][0], abs=1e-6), expected[1])


def _outcome(folder):
    settings = BenchSettings(
        *("1", "medical", 10, "", "", SYSTEMS, 1, 100, "minilm", 0, ()),
        builder={},
        writer={},
    )
    return BenchOutcome(folder, settings, parse_systems(",".join(SYSTEMS)))

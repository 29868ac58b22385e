from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.evaluation.bench.results import _result
from aitia.evaluation.records import AnswerRecord
from aitia.evaluation.report.costs import cost_tables, question_figures, settings_table
from aitia.evaluation.report.differences import difference_table
from aitia.evaluation.report.measures import measure
from aitia.evaluation.report.tables import Table, headlines, keys_of, quality_tables, remarks, said_once
from aitia.evaluation.statistics.question_scores import read_bench_scores
from aitia.evaluation.systems import parse_system

KEYS = (("", "evidence_recall"), ("judge-a", "answer_correctness"))


def texts(table):
    return [[f"{cell.text} ({cell.note})" if cell.note else cell.text for cell in row] for row in table.rows]


def test_overview_and_types(bench):
    found = quality_tables(bench, measure(bench))
    assert [table.title for table in found.overview] == ["Retrieval", "Answers, judged by judge-a"]
    judged = found.overview[1]
    assert [(head.text, head.note) for head in judged.head] == [
        ("System", ""),
        ("Answer correctness", "n = 3"),
        ("Remark", ""),
    ]
    assert texts(judged) == [
        ["hcg:S", "0.650 ± 0.071", ""],
        ["hcg:L", "0.700 ± 0.000 (1 failed)", "1 of 6 answers failed, mostly: no reply within 60 s"],
        ["plain:hybrid", "0.500 ± 0.000 (1 NaN)", ""],
        ["peer:lightrag", "–", "not built: the adapter ended with exit status 1"],
    ]
    assert [head.text for head in found.by_type[1].head] == [
        "System",
        "Fact Retrieval",
        "Complex Reasoning",
        "All",
    ]
    assert texts(found.by_type[1])[0] == ["hcg:S", "0.600 ± 0.000", "0.750 ± 0.212", "0.650 ± 0.071"]


def test_costs(bench):
    build, question = cost_tables(bench)
    assert [head.text for head in build.head][1:5] == ["Nodes", "Edges", "Edges/node", "Minutes"]
    assert texts(build)[0][:7] == ["hcg:S", "900", "8,100", "9", "2", "800", "1,600,000"]
    assert texts(build)[2][:4] == ["plain:hybrid", "0", "0", "–"]
    assert texts(build)[3][1] == "–"
    assert texts(build)[3][-1].startswith("not built: ")
    assert texts(question)[0][:6] == ["hcg:S", "1", "1,000", "16", "4", "12"]
    assert "Fell back" not in [head.text for head in question.head]


def test_times_are_medians_and_the_query_is_that_of_the_benchmarks_table():
    def answer(embed, retrieve, error=None):
        seconds = {"embed": embed, "retrieve": retrieve, "answer": 1.0}
        return AnswerRecord("q", "qcg", 0, "x", "?", "", seconds=seconds, error=error)

    answers = [answer(0.001, 0.002), answer(0.002, 0.001), answer(0.003, 0.9), answer(9.0, 9.0, "failed")]
    found = question_figures(answers)
    assert found["question_embed_seconds"] == found["question_retrieve_seconds"] == 0.002
    # Of the sums 3, 3 and 903 ms, where the sum of the medians would be 4.
    assert found["question_query_seconds"] == pytest.approx(0.003)
    assert _result(parse_system("qcg"), answers, None, None, None).query_ms == 3


def test_a_question_without_answers_costs_nothing_known():
    assert set(question_figures([]).values()) == {None}


def test_settings(bench):
    table = settings_table(bench)
    assert table is not None
    assert ["systems", "hcg:S, hcg:L, plain:hybrid, peer:lightrag"] in texts(table)


def test_differences_by_hand(tiny_bench, bench):
    table = difference_table(read_bench_scores([tiny_bench]), "plain:hybrid", KEYS, bench.systems, {})
    assert [row[0] for row in texts(table)] == ["hcg:S", "hcg:L"]
    cell = table.rows[0][2]
    assert cell.text == "+0.150"  # (.6 - .5 + .6 - .5 + .75 - .5) / 3
    assert cell.note.endswith("[+0.100, +0.250] n 3, 3 differing, too few")
    with pytest.raises(UsageError, match=r"baseline 'qcg' has no scores here; expected one of hcg:S, "):
        difference_table(read_bench_scores([tiny_bench]), "qcg", KEYS, bench.systems, {})


def test_headlines_of_what_there_is(bench):
    assert keys_of(measure(bench)) == KEYS
    assert headlines(KEYS) == (KEYS[1], KEYS[0])
    assert headlines((("", "hits@5"), ("", "map@5"))) == (("", "hits@5"),)
    assert headlines(()) == ()


def test_remarks_name_the_reason(bench):
    assert set(remarks(bench)) == {"hcg:L", "peer:lightrag"}


def test_a_note_is_said_once():
    tables = [
        Table(slug, slug, (), (), note) for slug, note in (("a", "x"), ("b", "x"), ("c", "y"), ("d", "x"))
    ]
    assert [table.note for table in said_once(tables)] == ["x", "", "y", "x"]

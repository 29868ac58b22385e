from __future__ import annotations

import pytest

from aitia.evaluation.report.wording import (
    amount,
    compact,
    metric_label,
    metric_rank,
    plain,
    shortened,
    signed,
)


def test_foreign_text_is_one_visible_line():
    assert plain(" a\n\tb\x1b[1m ") == "a b\\u001b[1m"
    assert plain("x\u202ey\u200fz\u2066") == "x\\u202ey\\u200fz\\u2066"
    assert plain("שלום é 日") == "שלום é 日"


def test_long_names_keep_both_ends():
    assert shortened("peer:fast-graphrag", 18) == "peer:fast-graphrag"
    assert shortened("peer:graphrag-local", 18) == "peer:graphr…-local"


@pytest.mark.parametrize(
    ("value", "long", "short"),
    [(0, "0", "0"), (0.0041, "0.0041", "0.0041"), (2.5, "2.5", "2.5"), (34.24, "34.2", "34.2"),
     (833, "833", "833"), (999.96, "1,000", "1k"), (2214, "2,214", "2.21k"), (11_340_000, "11,340,000", "11.3M")],
)  # fmt: skip
def test_amounts(value, long, short):
    assert (amount(value), compact(value)) == (long, short)


def test_signs():
    assert [signed(value) for value in (0.0126, -0.0126, -0.0001, 0)] == [
        "+0.013",
        "−0.013",
        "0.000",
        "0.000",
    ]


def test_metrics_by_name():
    assert metric_label("rouge_l") == "ROUGE-L"
    assert metric_label("ndcg@10") == "nDCG@10"
    assert metric_label("new_one") == "new one"
    names = ["hits@10", "new", "rouge_l", "hits@5", "answer_correctness"]
    assert sorted(names, key=metric_rank) == ["answer_correctness", "rouge_l", "hits@5", "hits@10", "new"]

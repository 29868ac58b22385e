"""How metrics, numbers and foreign text are written, the same in every format."""

from __future__ import annotations

import math
import re

METRICS = {
    "answer_correctness": "Answer correctness",
    "accuracy": "Accuracy",
    "coverage": "Coverage",
    "faithfulness": "Faithfulness",
    "context_relevance": "Context relevance",
    "judged_evidence_recall": "Evidence recall (judged)",
    "evidence_recall": "Evidence recall",
    "evidence_hit": "Evidence hit",
    "documents_recall": "Document recall",
    "rouge_l": "ROUGE-L",
    "exact_match": "Exact match",
    "contains_match": "Contains match",
    "abstained_right": "Rightly abstained",
}
"""Labels, in the order in which metrics are shown."""
RETRIEVAL = ("evidence_recall", "evidence_hit", "documents_recall", "hits", "all", "map", "mrr", "ndcg")
_RANKED = {"hits": "Hits", "all": "All", "map": "MAP", "mrr": "MRR", "ndcg": "nDCG"}

NONE = "–"
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]"
)


def plain(text: str) -> str:
    """Foreign text on one line; characters that cannot be seen, or turn the direction, as escapes."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(text.split()))


def shortened(text: str, limit: int) -> str:
    """The text, or its beginning and end if it is longer than ``limit`` characters."""
    line = plain(text)
    tail = limit // 3
    return line if len(line) <= limit else f"{line[: limit - tail - 1]}…{line[-tail:]}"


def metric_label(metric: str) -> str:
    """``ROUGE-L`` of ``rouge_l``, ``nDCG@10`` of ``ndcg@10``."""
    if metric in METRICS:
        return METRICS[metric]
    name, at, k = metric.partition("@")
    return plain(_RANKED.get(name, name.replace("_", " ")) + at + k)


def metric_rank(metric: str) -> tuple[int, str, int, str]:
    """Sorts metrics as `METRICS` lists them, then those at k by name and k."""
    name, _, k = metric.partition("@")
    known = list(METRICS)
    position = known.index(metric) if metric in METRICS else len(known)
    return position, name, int(k) if k.isdecimal() else 0, metric


def is_retrieval(metric: str) -> bool:
    """Whether a metric measures what was retrieved, not what was answered."""
    return metric.partition("@")[0] in RETRIEVAL


def share(value: float) -> str:
    """A number in [0, 1]: three decimals."""
    return f"{value:.3f}"


def signed(value: float) -> str:
    """A difference: its sign and three decimals."""
    text = f"{abs(value):.3f}"
    return text if not float(text) else f"{'−' if value < 0 else '+'}{text}"


def amount(value: float) -> str:
    """A count or a duration: whole from 100 on, else three figures."""
    if abs(value) >= 100 or math.isclose(value, round(value), abs_tol=1e-9):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"


def compact(value: float) -> str:
    """An amount for a figure: ``950``, ``1.2k``, ``37M``."""
    for size, unit in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size * 0.9995:
            scaled = value / size
            return f"{scaled:.0f}{unit}" if scaled >= 99.5 else f"{scaled:.3g}{unit}"
    return amount(value)

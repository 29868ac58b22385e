"""Definition 2: which variables a question is about, metric by metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aitia.graph.causal import MetricRows
from aitia.graph.order import Indices
from aitia.methods.hcg.config import QuerySettings

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Match:
    """The matched variables V_q, grouped by metric in gate order, best first within a metric.

    ``metrics``: rows of the metrics that passed the gate, best first; ``sigma`` and ``tau`` their best
    cosine and band. ``variables``: rows; ``cosines`` theirs.
    """

    metrics: Indices
    sigma: Scores
    tau: Scores
    variables: Indices
    cosines: Scores


def band(sigma: float, tau_min: float, beta: float, kind: Literal["min", "max"] = "min") -> float:
    """tau_j of Definition 2: ``min(tau_min, sigma (1 - beta))``; 0.65 gives 0.35 and 0.40 gives 0.32."""
    pick = min if kind == "min" else max
    return pick(tau_min, sigma * (1 - beta))


def match_variables(
    cosines: Scores,
    rows: MetricRows,
    tau_min: float,
    settings: QuerySettings,
    kind: Literal["min", "max"] = "min",
) -> Match:
    """V_q: at most ``settings.per_metric`` variables of each of the best ``settings.metrics`` metrics.

    ``cosines``: of the question to each variable, shape (variables,). ``rows``: the variables by metric.
    Ties keep the order of rows, which is the order of names.
    """
    best = np.maximum.reduceat(cosines[rows.variables], rows.starts) if len(cosines) else cosines
    order = np.argsort(-best, kind="stable")[: settings.metrics]
    metrics = rows.metrics[order[best[order] >= tau_min]]
    sigma = best[order[: len(metrics)]]
    tau = np.array([band(float(value), tau_min, settings.beta, kind) for value in sigma], np.float32)
    variables: list[int] = []
    for metric, low in zip(metrics, tau, strict=True):
        own = rows.of(metric)
        own = own[cosines[own] >= low]
        variables += own[np.argsort(-cosines[own], kind="stable")][: settings.per_metric].tolist()
    chosen = np.array(variables, np.int64)
    return Match(metrics, sigma, tau, chosen, cosines[chosen])

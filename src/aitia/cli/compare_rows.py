"""What ``aitia compare`` shows: rows of a table, and the JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aitia.evaluation.statistics.agreement import Correlation, Flag
    from aitia.evaluation.statistics.comparison_tables import ComparisonTables
    from aitia.evaluation.statistics.comparisons import ComparedPair, Family

NONE = "-"


def pair_row(pair: ComparedPair) -> dict[str, Any]:
    """A comparison as cells; of two counts the baseline's comes first."""
    record = _record(pair)
    cells = {
        name: NONE if record[name] is None else f"{record[name]:{form}}"
        for names, form in ((("baseline_mean", "mean"), ".4f"), (("delta", "low", "high"), "+.4f"))
        for name in names
    }
    counts = {name: "/".join(map(str, record[name].values())) for name in ("nan", "failed")}
    chances = {name: _probability(record[name]) for name in ("p", "q")}
    return {**record, "judge": record["judge"] or NONE, **counts, **cells, **chances}


def narrow_table(pairs: Sequence[ComparedPair]) -> tuple[str, list[dict[str, Any]]]:
    """A title and rows for a terminal, of pairs on one measure and slice; what all share stands in the title."""
    measure, baselines = pairs[0].measure, {pair.baseline for pair in pairs}
    lost = any(pair.dropped or any(pair.nan) or any(pair.failed) for pair in pairs)
    title = [measure.metric, *([measure.judge] if measure.judge else []), f"{pairs[0].slice} questions"]
    if len(baselines) == 1:
        title.append(f"against {pairs[0].baseline}")
    if not lost:
        title.append("none dropped, nan or failed")
    rows = []
    for row in map(pair_row, pairs):
        names = ("system",) if len(baselines) == 1 else ("baseline", "system")
        counts = {"dropped; nan; failed": f"{row['dropped']}; {row['nan']}; {row['failed']}"} if lost else {}
        interval = f"{row['delta']} [{row['low']}, {row['high']}]" if row["n"] else NONE
        sizes = {name: row[name] for name in ("n", "differing")}
        shown = {**{name: row[name] for name in names}, **sizes, **counts, "difference": interval}
        rows.append({**shown, **{name: row[name] for name in ("p", "q", "verdict")}})
    return ", ".join(title), rows


def _p(pair: ComparedPair) -> float | None:
    """None of a handful of questions: the p of one is 0 or 1, whatever the systems."""
    from aitia.evaluation.statistics.comparisons import FEWEST

    return pair.result.p if pair.result and pair.n >= FEWEST else None


def _probability(value: float | None) -> str:
    """Three digits; 10,000 resamples cannot tell what is below from 0."""
    if value is None:
        return NONE
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def document(tables: ComparisonTables, family: Family) -> dict[str, Any]:
    """All of it, for a program."""
    from aitia.evaluation.statistics.compare import RESAMPLES, SEED
    from aitia.evaluation.statistics.comparisons import LEVEL

    return {
        "dataset": tables.bench.dataset,
        "questions": len(tables.bench.questions),
        "systems": list(tables.bench.systems),
        "unscored": list(tables.bench.unscored),
        "judge": tables.judge or None,
        "resamples": RESAMPLES,
        "seed": SEED,
        "level": LEVEL,
        "family": family,
        "comparisons": [_record(pair) for pair in tables.pairs],
        "second_judges": list(agreement_records(tables)),
        "changed_verdicts": changed_verdicts(tables),
        "standings": standing_records(tables),
        "left_out": [
            {"metric": measure.metric, "judge": measure.judge or None} for measure in tables.left_out
        ],
    }


def _record(pair: ComparedPair) -> dict[str, Any]:
    found = pair.result
    return {
        "metric": pair.measure.metric,
        "judge": pair.measure.judge or None,
        "slice": pair.slice,
        "baseline": pair.baseline,
        "system": pair.system,
        "n": pair.n,
        "differing": pair.differing,
        "dropped": pair.dropped,
        "nan": dict(zip(("baseline", "system"), pair.nan, strict=True)),
        "failed": dict(zip(("baseline", "system"), pair.failed, strict=True)),
        "baseline_mean": found and found.baseline,
        "mean": found and found.system,
        "delta": found and found.delta,
        "low": found and found.low,
        "high": found and found.high,
        "p": _p(pair),
        "q": pair.q,
        "verdict": pair.verdict,
    }


def agreement_records(tables: ComparisonTables) -> Iterator[dict[str, Any]]:
    """Each second judge on each metric: how many flags and verdicts it keeps, and the correlations."""
    for agreement in tables.agreements:
        flags = [
            flag for flag in tables.flags[agreement.second] if flag.first.measure.metric == agreement.metric
        ]
        yield {
            "metric": agreement.metric,
            "judge": agreement.first,
            "second": agreement.second,
            "shift": agreement.shift,
            "significant": sum(flag.significant for flag in flags),
            "survive": sum(flag.significant and flag.survives for flag in flags),
            "verdicts": len(flags),
            "kept": sum(flag.survives for flag in flags),
            "systems": _correlation(agreement.systems),
            "questions": _correlation(agreement.questions),
        }


def _correlation(found: Correlation) -> dict[str, Any]:
    return {"n": found.n, "spearman": found.spearman, "kendall": found.kendall}


def agreement_row(agreement: dict[str, Any]) -> dict[str, Any]:
    """Such a record as cells."""
    row = {name: value for name, value in agreement.items() if not isinstance(value, dict)}
    row["shift"] = f"{row['shift']:+.4f}"
    for over in ("systems", "questions"):
        row[f"n_{over}"] = agreement[over]["n"]
        for name in ("spearman", "kendall"):
            value = agreement[over][name]
            row[f"{name}_{over}"] = NONE if value is None else f"{value:+.3f}"
    return row


def narrow_agreement(agreement: dict[str, Any]) -> dict[str, Any]:
    """Such a record for a terminal."""
    row = agreement_row(agreement)
    return {
        "metric": row["metric"],
        "second": row["second"],
        "shift": row["shift"],
        "flags kept": f"{row['survive']} of {row['significant']}",
        "verdicts kept": f"{row['kept']} of {row['verdicts']}",
        **{
            f"rho, tau of {over}": f"{row[f'spearman_{over}']}, {row[f'kendall_{over}']} (n {row[f'n_{over}']})"
            for over in ("systems", "questions")
        },
    }


def changed_verdicts(tables: ComparisonTables) -> list[dict[str, Any]]:
    """The comparisons that a second judge sees in another way."""
    return [_flag_row(flag) for flags in tables.flags.values() for flag in flags if not flag.survives]


def _flag_row(flag: Flag) -> dict[str, Any]:
    return {
        "metric": flag.first.measure.metric,
        "slice": flag.first.slice,
        "baseline": flag.first.baseline,
        "system": flag.first.system,
        "judge": flag.first.measure.judge,
        "verdict": flag.first.verdict,
        "second": flag.second.measure.judge,
        "second_verdict": flag.second.verdict,
    }


def standing_records(tables: ComparisonTables) -> list[dict[str, Any]]:
    """The systems by correctness, coverage and nodes, and whether no other dominates them."""
    from aitia.evaluation.statistics.frontier import on_frontier

    best = on_frontier(tables.standings)
    return [
        {
            "system": name,
            "answer_correctness": standing.correctness,
            "coverage": standing.coverage,
            "nodes": standing.nodes,
            "frontier": name in best,
        }
        for name, standing in tables.standings.items()
    ]


def standing_row(standing: dict[str, Any]) -> dict[str, Any]:
    """Such a record as cells."""
    figures = {name: f"{standing[name]:.4f}" for name in ("answer_correctness", "coverage")}
    return {**standing, **figures, "frontier": "yes" if standing["frontier"] else "no"}

"""Calls, nodes and edges of a build with a model, and how well the plan foresaw them.

    python benchmarks/llm_calls.py CORPUS --out FOLDER [--tiers XS S M L] [--characters N]

Builds CORPUS at each tier against the stand-in model (`aitia.testing.stand_in`), which reads the prompts and
nothing else; it shows what is asked, not how well a model answers. Each build stops after stage 1 for a second
plan and then goes on. Prints Markdown. The published calls are those of HCG-RAG's Table 15.
"""

from __future__ import annotations

import argparse
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from aitia.errors import LimitReached
from aitia.storage.ledger import SqliteLedger
from aitia.testing.llm_server import LLMServer
from aitia.workflows import build_index
from aitia.workflows.plan import STAGE1, BuildPlan, plan_build
from aitia.workflows.show import show_stats

PUBLISHED = {"XS": 131, "S": 833, "M": 1_167, "L": 2_214}
PUBLISHED_NODES = {"XS": 333, "S": 902, "M": 1_064, "L": 1_583}
PUBLISHED_EDGES = {"S": 8_846, "M": 8_455}
CALLS = (
    "| tier | published calls | half | calls | nodes (published) | edges (published) | with a verbatim quote "
    "| pairs asked / left out | seconds |"
)
PLANS = (
    "| tier | stage 1: planned / asked | prompt tokens of stage 1: planned / asked "
    "| tiers 1 and 2: expected before, after stage 1 / asked | bound |"
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the indexes, and a ledger of embeddings")
    parser.add_argument("--tiers", nargs="+", default=list(PUBLISHED), choices=list(PUBLISHED))
    parser.add_argument("--characters", type=int, help="of CORPUS only so many")
    parser.add_argument("--jobs", type=int, default=4)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    corpus = arguments.out / "corpus.txt"
    corpus.write_text(arguments.corpus.read_text("utf-8")[: arguments.characters], "utf-8")
    build_index(corpus, arguments.out / "embeddings", method="plain:naive")
    rows = [measure(corpus, tier, arguments.out, arguments.jobs) for tier in arguments.tiers]
    for heading, name in ((CALLS, "calls"), (PLANS, "plan")):
        print(heading, "|" + "---|" * (heading.count("|") - 1), *(row[name] for row in rows), sep="\n")
        print()


def measure(corpus: Path, tier: str, out: Path, jobs: int) -> dict[str, str]:
    """Build at a tier; a row of each table."""
    index = out / f"index-{tier}"
    shutil.rmtree(index, ignore_errors=True)
    index.mkdir()
    shutil.copy(out / "embeddings" / "ledger.db", index / "ledger.db")
    with LLMServer() as server:
        options: dict[str, Any] = {
            "tier": tier,
            "model": "stand-in",
            "base_url": server.base_url,
            "jobs": jobs,
        }
        before = plan_build(corpus, index, **options)
        stage1 = _calls(before, STAGE1)
        with suppress(LimitReached):
            build_index(corpus, index, analyst="llm", max_calls=stage1, **options)
        after = plan_build(corpus, index, **options)
        began = time.perf_counter()
        built = build_index(corpus, index, analyst="llm", **options)
        seconds = time.perf_counter() - began
    stats = show_stats(built)
    asked = {total.stage: total for total in SqliteLedger(index / "ledger.db").totals()}
    calls = sum(total.calls for total in asked.values())
    first = sum(asked[stage].calls for stage in STAGE1 if stage in asked)
    tokens = sum(asked[stage].prompt_tokens for stage in STAGE1 if stage in asked)
    planned = sum(stage.prompt_tokens for stage in before.stages if stage.stage in STAGE1)
    edges = (
        f"{stats['edges']:,} ({PUBLISHED_EDGES[tier]:,})"
        if tier in PUBLISHED_EDGES
        else f"{stats['edges']:,}"
    )
    effort = stats["effort"]
    return {
        "calls": f"| {tier} | {PUBLISHED[tier]:,} | {PUBLISHED[tier] / 2:,.0f} | {calls:,} "
        f"| {stats['variables']:,} ({PUBLISHED_NODES[tier]:,}) | {edges} | {stats['edges_with_verbatim_evidence']:,} "
        f"| {effort['variable_pairs']:,} / {effort['pairs_left_out']:,} | {seconds:.0f} |",
        "plan": f"| {tier} | {stage1} / {first} | {planned:,} / {tokens:,} ({planned / tokens - 1:+.1%}) "
        f"| {_rest(before)}, {_rest(after)} / {calls - first} | {before.total('at_most'):,} |",
    }


def _calls(plan: BuildPlan, stages: tuple[str, ...]) -> int:
    return sum(stage.calls for stage in plan.stages if stage.stage in stages)


def _rest(plan: BuildPlan) -> int:
    return _calls(plan, ("metric_edges", "node_edges"))


if __name__ == "__main__":
    main()

"""``aitia plan``: what a build with a model would ask and cost."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.cli.corpus_options import build_chosen, corpus_options
from aitia.cli.options import FOLDER, base_url_option, json_option, writer_options

if TYPE_CHECKING:
    from aitia.workflows.plan import BuildPlan


@click.command(short_help="Say what a build with a model would ask and cost.")
@click.argument("corpus", nargs=-1, required=True)
@click.option(
    "--index", type=FOLDER, envvar="AITIA_INDEX", metavar="DIR", help="Count replies that it has as kept."
)
@corpus_options
@click.option("--analyst", metavar="NAME", default="llm", show_default=True, help="As for build.")
@writer_options
@base_url_option
@json_option
def command(corpus: tuple[str, ...], index: Path | None, as_json: bool, **options: Any) -> None:
    """Say what `aitia build CORPUS --analyst llm` would ask and cost, with the same options. Asks nobody.

    A model is needed only by name, to find its replies in the ledger of --index. The calls of stage 1 are
    exact. Those of tiers 1 and 2 are an expectation, with a bound that is never passed; once stage 1 is in
    the ledger of the index, a plan is much closer.
    """
    from aitia.cli.output import write_json
    from aitia.workflows.plan import plan_build

    plan = plan_build(corpus, index, **build_chosen(corpus, options))
    if as_json:
        write_json(_document(plan))
    else:
        _write(plan)


def _document(plan: BuildPlan) -> dict[str, Any]:
    totals = {
        name: plan.total(name) for name in ("kept", "calls", "at_most", "prompt_tokens", "reply_tokens")
    }
    return {
        "model": plan.settings.model,
        "reading_windows": plan.windows,
        "stages": [asdict(stage) for stage in plan.stages],
        **totals,
        "cost": plan.cost,
    }


def _write(plan: BuildPlan) -> None:
    from aitia.cli.output import note, write_styled, write_table

    rows = [
        {
            "stage": stage.stage,
            "in ledger": stage.kept,
            "calls": stage.calls,
            "": "exact" if stage.exact else "expected",
            "at most": stage.at_most,
            "prompt tokens": stage.prompt_tokens,
            "reply tokens": stage.reply_tokens,
        }
        for stage in plan.stages
    ]
    write_table(rows)
    document = _document(plan)
    cost = f", about {plan.cost:.4g} at the prices given" if plan.cost is not None else ""
    write_styled(
        f"{document['calls']:,} calls expected, {document['at_most']:,} at most; {document['prompt_tokens']:,} prompt "
        f"and some {document['reply_tokens']:,} reply tokens{cost}.",
        "bold",
    )
    if plan.cost is None:
        note("for the cost give the prices per million tokens: --llm price_in=0.15 --llm price_out=0.60")

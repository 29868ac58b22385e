"""``aitia curate accept|reject|flip``: judging an edge, or what hug suggests."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.cli.curate_options import deciding_options, keep
from aitia.cli.options import opened
from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.spec.decisions import Action

KINDS = ("edge", "merge", "gate")

kind_option = click.option(
    "--kind",
    type=click.Choice(KINDS),
    help="Of hug: merge or gate (default: what the queue says of the key).",
)


@click.command(short_help="Keep an edge, also if its support goes.")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@kind_option
@deciding_options
def accept(keys: tuple[str, ...], kind: str | None, **options: Any) -> int:
    """Accept edges 'SOURCE -> TARGET', all or none. A claim that was rejected is added as it was made.

    Of hug: merge two entities that may be one, or keep a gate.
    """
    return _judge("accept", keys, kind, options)


@click.command(short_help="Take an edge out, also from later builds.")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@kind_option
@deciding_options
def reject(keys: tuple[str, ...], kind: str | None, **options: Any) -> int:
    """Reject edges 'SOURCE -> TARGET', all or none. New quotes bring one back to the queue, not to the graph.

    Of hug: keep two entities apart, or drop a gate.
    """
    return _judge("reject", keys, kind, options)


@click.command(short_help="Turn an edge round.")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@deciding_options
def flip(keys: tuple[str, ...], **options: Any) -> int:
    """Turn edges 'SOURCE -> TARGET' round, all or none: the effect is the other way, with the same evidence."""
    from aitia.workflows.wording import decision_of

    return keep(options, [decision_of("flip", "edge", key) for key in keys])


def _judge(action: Action, keys: tuple[str, ...], kind: Any, options: dict[str, Any]) -> int:
    from aitia.workflows.curate import queue
    from aitia.workflows.wording import judgement

    folder: Path = options["index"]
    index = opened(folder)
    waiting = queue(index)
    open_keys = {item.key for item in waiting}
    unknown = [key for key in keys if key not in open_keys] if index.method == "hug" and not kind else []
    if unknown:
        raise UsageError(
            f"{action}: {unknown[0]!r} is not in the queue; expected --kind merge or --kind gate"
        )
    if action == "accept":
        for item in waiting:
            if item.needs and item.key in keys:
                raise UsageError(
                    f"accept {item.key}: {item.needs} is terminal and has no effects; "
                    f"first: aitia curate role {shlex.quote(item.needs)} intermediate"
                )
    return keep(options, [judgement(action, key, kind, waiting) for key in keys])

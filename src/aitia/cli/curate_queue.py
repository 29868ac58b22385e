"""``aitia curate queue|history``: what is open, and what was decided."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.cli.options import index_option, json_option, opened, quiet_option

if TYPE_CHECKING:
    from aitia.workflows.queue import QueueItem

TOPICS = ("edge", "rejected", "merge", "gate", "renewed")
SCREEN = 20
"""Items that are printed unless more are asked for; JSON has all."""
QUOTE = 300
"""Characters of a quote on the screen."""


@click.command(short_help="What an expert should look at, riskiest first.")
@index_option
@click.option("--topic", type=click.Choice(TOPICS), help="Only items of this kind.")
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N", help=f"Most items; 0 for all (default: {SCREEN})."
)
@json_option
@quiet_option
def queue(index: Path, topic: str | None, limit: int | None, as_json: bool, quiet: bool) -> None:
    """Show what is open, riskiest first: why, what is claimed, the quotes with their place, and what to type.

    Edges without verbatim evidence, of low confidence, or with contradicting directions or signs; claims that
    were rejected; rejected edges with new support; of hug suggested merges, and gates.
    """
    from aitia.cli.output import note, write, write_json
    from aitia.workflows import curate

    items = [item for item in curate.queue(opened(index)) if topic in (None, item.topic)]
    most = len(items) if limit == 0 or (limit is None and as_json) else SCREEN if limit is None else limit
    if as_json:
        write_json([asdict(item) for item in items[:most]])
        return
    for number, item in enumerate(items[:most], 1):
        if number > 1:
            write()
        _write_item(number, item, index)
    if not items:
        note("Nothing is open." if topic is None else f"Nothing of the kind {topic} is open.", quiet)
    elif most < len(items):
        note(f"{most:,} of {len(items):,}; --limit 0 shows all", quiet)


@click.command(short_help="Every decision, and what became of it.")
@index_option
@json_option
@quiet_option
def history(index: Path, as_json: bool, quiet: bool) -> None:
    """Show decisions in their order: applied, superseded by a later one, undone, lost, or in conflict.

    Those that wait for aitia apply have the status that they will have.
    """
    from aitia.cli.output import note, write_json, write_table
    from aitia.workflows import curate

    decided = curate.history(opened(index))
    rows = [
        {
            "id": each.decision.id,
            "time": each.decision.time,
            "author": each.decision.author,
            "decision": f"{each.decision.action} {each.decision.kind}",
            "target": each.decision.target,
            "value": _value(each.decision.value),
            "status": f"{each.status}, waiting" if each.pending else each.status,
            "detail": each.detail,
            "reason": each.decision.reason,
        }
        for each in decided
    ]
    if as_json:
        found = ({"id": each.decision.id, **each.decision.model_dump(), "status": each.status, "detail": each.detail,
                  "nearest": list(each.nearest), "pending": each.pending} for each in decided)  # fmt: skip
        write_json(list(found))
        return
    write_table(rows)
    waiting = sum(each.pending for each in decided)
    if not decided:
        note("Nothing is decided.", quiet)
    elif waiting:
        note(f"{waiting:,} waiting; aitia apply --index {shlex.quote(str(index))} puts them in force", quiet)


def _value(value: dict[str, Any]) -> str:
    shown = (f"{name}={said}" for name, said in value.items() if name not in ("evidence", "source", "target"))
    return ", ".join(shown)


def _write_item(number: int, item: QueueItem, index: Path) -> None:
    from aitia.cli.output import write, write_styled
    from aitia.cli.text import excerpt, safe_line
    from aitia.workflows.queue_sheet import place_of

    write_styled(safe_line(f"{number}. {item.key}"), "bold")
    write(f"   {item.topic}, risk {item.risk:.2f}: {safe_line('; '.join(item.why))}")
    signs = [str(item.value[name]) for name in ("polarity", "confidence") if name in item.value]
    if item.says:
        write(f"   says: {safe_line(item.says, QUOTE)}" + (f" ({', '.join(signs)})" if signs else ""))
    for quote in item.quotes:
        write(f'   "{excerpt(quote.text, QUOTE)}"  {safe_line(place_of(quote))}')
    if not item.quotes:
        write("   no quote")
    for line in _commands(item, index):
        write(f"   {line}")


def _commands(item: QueueItem, index: Path) -> list[str]:
    """What to type: what must be decided before it can be accepted, to accept it, and to reject it."""
    if any(not character.isprintable() for character in f"{item.key}{item.needs}"):
        return ["its key has signs that no terminal shows; use aitia curate export"]
    at = f"--index {shlex.quote(str(index))}"
    first = [f"first: aitia curate role {shlex.quote(item.needs)} intermediate {at}"] if item.needs else []
    return [*first, *(f"aitia curate {word} {shlex.quote(item.key)} {at}" for word in ("accept", "reject"))]

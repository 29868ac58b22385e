"""``aitia curate``: what an expert decides about an index, one decision or a sheet of them."""

from __future__ import annotations

import click

from aitia.cli.curate_edges import accept, flip, reject
from aitia.cli.curate_queue import history, queue
from aitia.cli.curate_sheet import export_sheet, import_sheet
from aitia.cli.curate_words import add, delete, edit, merge, rename, role, undo

COMMANDS = (
    queue, accept, reject, flip, rename, merge, add, delete, edit, role, undo, history, export_sheet, import_sheet,
)  # fmt: skip


class _InOrder(click.Group):
    """Subcommands in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they are told."""
        return list(self.commands)


@click.group(
    cls=_InOrder,
    invoke_without_command=True,
    short_help="Decide what the graph says: queue, accept, rename, merge ...",
)
@click.pass_context
def command(context: click.Context) -> None:
    """Read, correct and extend an index by decisions, which are kept in its curation.yaml.

    Every build, update and aitia apply replays them. A key is written as the queue and aitia show write it.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for each in COMMANDS:
    command.add_command(each)

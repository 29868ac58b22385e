"""The subcommands of ``aitia``, each imported when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from aitia import __version__

COMMANDS = (
    "build",
    "plan",
    "update",
    "curate",
    "apply",
    "ask",
    "retrieve",
    "show",
    "check",
    "export",
    "import",
    "bench",
    "compare",
    "report",
    "serve",
    "demo",
)
"""Each is the attribute ``command`` of the module of its name."""
MODULES = {"import": "import_graph"}
"""Names that no module can have."""


class Interrupted(Exception):
    """Control-C, by a name that click leaves alone: for its own it prints a line of its own."""


class PipeClosed(Exception):
    """The reader of the output has gone; likewise."""


class _Commands(click.Group):
    """Subcommands, imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are used."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"aitia.cli.{MODULES.get(cmd_name, cmd_name)}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except BrokenPipeError:
            raise PipeClosed from None


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    epilog="Start with: aitia demo",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="aitia", message="%(prog)s %(version)s")
@click.pass_context
def aitia(context: click.Context) -> None:
    """Build a causal graph from documents, and get cited evidence and answers from it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())

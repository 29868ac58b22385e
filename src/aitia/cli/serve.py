"""``aitia serve``: REST, the workbench and an endpoint for embeddings, over one index or several."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from aitia.cli.options import FOLDER, base_url_option, model_chosen, quiet_option, writer_options


@click.command(short_help="Serve indexes: REST, the workbench, embeddings.")
@click.option(
    "--index",
    "folders",
    type=FOLDER,
    envvar="AITIA_INDEX",
    show_envvar=True,
    required=True,
    multiple=True,
    metavar="DIR",
    help="An index folder; repeatable, addresses hold the folders' names.",
)
@click.option("--host", metavar="NAME", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8000,
    show_default=True,
    help="The port, 0 for any that is free.",
)
@click.option(
    "--token",
    envvar="AITIA_TOKEN",
    show_envvar=True,
    metavar="WORD",
    default="",
    help="What clients must show; needed for a --host that others reach. Options are seen by others: use the variable.",
)
@click.option("--analyst", metavar="NAME", help="Who answers, rules or llm (default: who built the index).")
@base_url_option
@writer_options
@quiet_option
def command(folders: tuple[Path, ...], host: str, port: int, token: str, **options: Any) -> None:
    """Serve indexes until interrupted: REST under /api, the workbench at /, embeddings under /v1."""
    from aitia.cli.output import note, write
    from aitia.web.app import create_app
    from aitia.web.serving import address_of, listen, serve
    from aitia.web.settings import ServerSettings, check_access
    from aitia.web.shelf import name_folders

    wanted = ServerSettings(host, port, token, model_chosen(options), access_log=not options["quiet"])
    check_access(wanted)
    named = name_folders(folders)
    taken, settings = listen(wanted)
    with taken:
        app = create_app(named, settings)
        write(f"{', '.join(named)}: {address_of(settings)}")
        sys.stdout.flush()  # a program that started the server waits for the line
        note("\u2192 stop with Ctrl-C; the REST interface is at /docs", options["quiet"])
        if not settings.is_local:
            note(
                "others reach this server and nothing is encrypted: put a proxy with TLS before it",
                options["quiet"],
            )
        with suppress(KeyboardInterrupt):  # which is how a server ends
            serve(app, taken)
        note("stopped", options["quiet"])

"""``aitia import``: a hug index from an entity graph that someone already has."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

import click

from aitia.cli.options import (
    FOLDER,
    base_url_option,
    index_option,
    json_option,
    model_chosen,
    model_options,
    parse_settings,
    quiet_option,
)


@click.command("import", short_help="Make a hug index of an entity graph you have.")
@click.argument("file", type=FOLDER)
@index_option
@click.option("--embedder", metavar="SPEC", default="minilm", show_default=True,
              help="minilm (bundled), dir:PATH, openai:MODEL or st:NAME.")  # fmt: skip
@click.option("--jobs", type=int, metavar="N", help="Threads, and requests at once (default: 4).")
@click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="Seed of the modules.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A build setting; repeatable.")
@click.option("--analyst", metavar="NAME", default="rules", show_default=True,
              help="Who judges gates and writes the summaries that FILE lacks: rules, or llm (--model).")  # fmt: skip
@model_options
@base_url_option
@json_option
@quiet_option
def command(file: Path, as_json: bool, quiet: bool, **options: Any) -> int:
    """Make an index of the entity graph in FILE, JSON or GraphML, with causal gates on top.

    JSON: {"entities": [{"name", "kind", "description", "text"}], "relations": [{"source", "target", "relation",
    "description", "causal", "negated", "confidence"}], "communities": [{"title", "summary", "members"}]}; name,
    source, target, relation and members are needed. Descriptions become the documents that evidence points to.
    Without communities the modules are found. Exports of a hug index, and the tables of graphrag in one JSON
    object, are read as they are.
    """
    from aitia.cli.build import write_built
    from aitia.cli.progress import show_progress
    from aitia.workflows.build import BuildOptions
    from aitia.workflows.import_graph import import_graph

    began = time.perf_counter()
    given = cast("BuildOptions", {"embedder": options["embedder"], "seed": options["seed"]})
    given["settings"] = parse_settings(options["settings"], "tau=0.8")
    given.update(model_chosen(options))  # type: ignore[typeddict-item]
    with show_progress(quiet) as report:
        given["report"] = report
        index = import_graph(file, options["index"], **given)
    return write_built(index, time.perf_counter() - began, as_json, quiet)

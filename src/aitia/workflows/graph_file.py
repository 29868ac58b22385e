"""The file of an entity graph that someone already has: JSON by this form, or GraphML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from aitia.errors import CorpusError

MAX_BYTES = 500_000_000
EXPECTED = 'a JSON object with "entities" and "relations", or GraphML'
SHOWN = 60


def _one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


Name = Annotated[str, StringConstraints(min_length=1, max_length=500), BeforeValidator(_one_line)]
"""White space is one space; never empty."""


class _Part(BaseModel):
    """What else other programs write is not read."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class EntityRow(_Part):
    """An entity: ``description`` and ``text`` are what evidence will quote."""

    name: Name
    kind: str = ""
    description: str = ""
    text: str = ""


class RelationRow(_Part):
    """A relation. ``causal``: the source brings the target about; None where the file does not say."""

    source: Name
    target: Name
    relation: Name
    description: str = ""
    causal: bool | None = None


class CommunityRow(_Part):
    """A community. One without a summary is summarised."""

    title: str = ""
    summary: str = ""
    members: tuple[Name, ...] = Field(min_length=1)


class GraphFile(_Part):
    """A graph whose relations and communities name its entities, each entity in at most one community."""

    entities: tuple[EntityRow, ...]
    relations: tuple[RelationRow, ...]
    communities: tuple[CommunityRow, ...] = ()


def read_graph(path: Path) -> GraphFile:
    """The graph of a file: GraphML where it is XML, else JSON.

    Raises:
        CorpusError: unreadable, of another form, empty, or a name that no entity has.

    """
    content = _content(path)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or path.suffix.lower() == ".graphml":
        from aitia.workflows.graphml_file import parse_graphml

        values: Any = parse_graphml(content, str(path))
    else:
        values = _parse_json(content, path)
    if not isinstance(values, dict):
        raise CorpusError(f"{path} holds one {type(values).__name__}; expected {EXPECTED}")
    try:
        graph = GraphFile.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        found = "" if first["type"] == "missing" else f"found {_shown(first['input'])}; "
        raise CorpusError(
            f"{path}: {_place(first['loc'])}: {found}{first['msg'].lower()}; see: aitia import --help"
        ) from None
    _check_names(graph, path)
    return graph


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CorpusError(
                f"{path} has {path.stat().st_size:,} bytes; expected at most {MAX_BYTES:,}, split it"
            )
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror}); expected {EXPECTED}") from None


def _parse_json(content: bytes, path: Path) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CorpusError(f"{path} is not UTF-8; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise CorpusError(f"{path}:{error.lineno}: no JSON ({error.msg}); expected {EXPECTED}") from None
    except (RecursionError, ValueError):
        raise CorpusError(f"{path} is JSON beyond what is read here; expected {EXPECTED}") from None


def _place(parts: Sequence[int | str]) -> str:
    """``relations[3].target``, counted from 0 as programs do."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _check_names(graph: GraphFile, path: Path) -> None:
    if not graph.entities:
        raise CorpusError(f"{path} has no entity; expected at least one")
    rows: dict[str, int] = {}
    for row, entity in enumerate(graph.entities):
        if entity.name in rows:
            raise CorpusError(
                f"{path}: entities[{rows[entity.name]}] and [{row}] are both named {entity.name!r}; "
                "expected one, merge them"
            )
        rows[entity.name] = row
    for row, relation in enumerate(graph.relations):
        for end in ("source", "target"):
            _check_known(getattr(relation, end), f"{path}: relations[{row}].{end}", rows)
    home: dict[str, int] = {}
    for row, community in enumerate(graph.communities):
        for name in community.members:
            _check_known(name, f"{path}: communities[{row}].members", rows)
            if home.setdefault(name, row) != row:
                raise CorpusError(
                    f"{path}: {name!r} is in communities[{home[name]}] and [{row}]; expected one community an entity, "
                    "leave the coarser level out"
                )


def _check_known(name: str, place: str, known: dict[str, int]) -> None:
    if name not in known:
        raise CorpusError(
            f"{place}: found {_shown(name)}, which is no entity; expected the name of one, add it to entities"
        )

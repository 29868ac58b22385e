"""The file of an entity graph that someone already has: JSON by this form, or GraphML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from aitia.errors import CorpusError
from aitia.workflows.graph_shapes import own_form

MAX_BYTES = 500_000_000
EXPECTED = 'a JSON object with "entities" and "relations", or GraphML'
SHOWN = 60
HELP = "see: aitia import --help"

_ENTITY = 'an object such as {"name": "Pump"}'
_RELATION = 'an object such as {"source": "Pump", "target": "Leak", "relation": "causes"}'
_COMMUNITY = 'an object such as {"title": "Cooling", "members": ["Pump"]}'
FORMS = {
    "entities": f"a list, each {_ENTITY}",
    "relations": f"a list, each {_RELATION}",
    "communities": f"a list, each {_COMMUNITY}",
    "members": "a list of one or more names of entities",
    "entities[]": _ENTITY,
    "relations[]": _RELATION,
    "communities[]": _COMMUNITY,
    "causal": "true or false",
    "negated": "true or false",
    "confidence": "a number from 0 to 1",
}
"""What is expected in a place; elsewhere `TEXT`, or of a field that has to be there `NAME`."""
TEXT, NAME = "a text", "a text of 1 to 500 characters"
NAMES = ("name", "source", "target", "relation", "members[]")


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
    """A relation. ``causal``: the source brings the target about; None where the file does not say.

    ``negated``: the file says that it does not.
    """

    source: Name
    target: Name
    relation: Name
    description: str = ""
    causal: bool | None = None
    negated: bool = False
    confidence: float = Field(default=1.0, ge=0, le=1)


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


def read_graph(path: Path) -> tuple[GraphFile, list[str]]:
    """The graph of a file, GraphML where it is XML, else JSON; and what was changed or left out, a line each.

    Raises:
        CorpusError: unreadable, of another form, empty, or a name that no entity has.

    """
    content = _content(path)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or path.suffix.lower() == ".graphml":
        from aitia.workflows.graphml_file import parse_graphml

        values, notes = parse_graphml(content, str(path))
    else:
        parsed = _parse_json(content, path)
        if not isinstance(parsed, dict):
            raise CorpusError(f"{path} holds {_kind(parsed)}; expected {EXPECTED}")
        values, notes = own_form(parsed, str(path))
    try:
        graph = GraphFile.model_validate(values)
    except ValidationError as error:
        raise CorpusError(f"{path}: {_told(error)}; {HELP}") from None
    _check_names(graph, path)
    loops = sum(relation.source == relation.target for relation in graph.relations)
    if loops:
        notes.append(f"{loops:,} relation{'s' * (loops != 1)} of an entity with itself: text, but no link")
    return graph, notes


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
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_each_key_once)
    except _DoubledKey as error:
        raise CorpusError(f"{path}: an object has the key {error} twice; expected once, remove one") from None
    except UnicodeDecodeError:
        raise CorpusError(f"{path} is not UTF-8; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise CorpusError(f"{path}:{error.lineno}: no JSON ({error.msg}); expected {EXPECTED}") from None
    except (RecursionError, ValueError):
        raise CorpusError(f"{path} is JSON beyond what is read here; expected {EXPECTED}") from None


class _DoubledKey(Exception):
    pass


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _DoubledKey(_shown(next(key for key in keys if keys.count(key) > 1)))
    return found


def _told(error: ValidationError) -> str:
    """The first thing that does not fit: where, what was found, what was expected."""
    first = error.errors(include_url=False)[0]
    place = first["loc"]
    field = str(place[-1])
    if isinstance(place[-1], int):
        field = f"{next(part for part in reversed(place) if isinstance(part, str))}[]"
    expected = FORMS.get(field, NAME if field in NAMES else TEXT)
    if first["type"] == "missing":
        return f"{_place(place)} is missing; expected {expected}"
    return f"{_place(place)}: found {_shown(first['input'])}; expected {expected}"


def _place(parts: Sequence[int | str]) -> str:
    """``relations[3].target``, counted from 0 as programs do."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")


def _shown(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _kind(value: Any) -> str:
    """What a JSON value is that is no object."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return "a list" if isinstance(value, list) else "a text" if isinstance(value, str) else "a number"


def _check_names(graph: GraphFile, path: Path) -> None:
    if not graph.entities:
        raise CorpusError(f"{path} has no entity; expected at least one")
    rows: dict[str, int] = {}
    for row, entity in enumerate(graph.entities):
        if entity.name in rows:
            raise CorpusError(
                f"{path}: entities[{rows[entity.name]}] and [{row}] are both named {_shown(entity.name)}; "
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
                    f"{path}: {_shown(name)} is in communities[{home[name]}] and [{row}]; expected one community "
                    "an entity, leave the coarser level out"
                )


def _check_known(name: str, place: str, known: dict[str, int]) -> None:
    if name not in known:
        raise CorpusError(
            f"{place}: found {_shown(name)}, which is no entity; expected the name of one, add it to entities"
        )

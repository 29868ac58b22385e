"""Items of a reply against their model, one by one, and items of items: a bad one takes no other with it.

What is harmless is mended first: a number for a string and a string for a number, one thing for a list of
one, null or nothing for an empty list, null for an empty string, other capitals in a key or in a word of a
fixed set, a bare name for an item that begins with its name. Keys that were not asked for are dropped. Words
and percentages for a number are malformed, because what they mean would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from aitia.analyst.llm.mend import Faulty
from aitia.analyst.llm.parse import compact_json
from aitia.analyst.llm.shape import Lists, list_fields
from aitia.spec.claims import ReasonCode

Reply = TypeVar("Reply", bound=BaseModel)
UNREADABLE = "it is faulty JSON that cannot be mended"


@dataclass(frozen=True, slots=True)
class Item:
    """An item as it came, where it stood, and either its ``valid`` form or what is wrong with it.

    The ``field`` of an item in an item is a path: ``dimensions.2.entities``.
    """

    field: str
    position: int
    value: Any
    valid: BaseModel | None = None
    fault: str = ""
    reason: ReasonCode = "malformed"

    @property
    def json(self) -> str:
        """The item as compact JSON."""
        return compact_json(self.value)


def check_items(
    lists: Lists, model: type[BaseModel], repeats: Callable[[Any], bool] = lambda value: False
) -> list[Item]:
    """Every item of a reply, in order, each validated alone; before it those in it that it had to lose.

    ``repeats`` tells the prompt's own example.
    """
    return [
        checked
        for field, kind in list_fields(model).items()
        for position, value in enumerate(lists.get(field, []))
        for checked in _checked(Item(field, position, value), kind, repeats)
    ]


def reply_of(model: type[Reply], items: Sequence[Item]) -> Reply:
    """The reply that holds the valid ones among some items."""
    valid = [item for item in items if item.valid is not None]
    return model.model_validate(
        {field: [item.valid for item in valid if item.field == field] for field in list_fields(model)}
    )


def _checked(item: Item, kind: type[BaseModel], repeats: Callable[[Any], bool]) -> Iterator[Item]:
    if isinstance(item.value, Faulty):
        yield replace(item, fault=UNREADABLE)
        return
    value = _mended(item.value, kind)
    if repeats(value):
        yield replace(item, fault="repeats the prompt's example", reason="from_example")
        return
    for field, part in list_fields(kind).items() if isinstance(value, dict) else ():
        path = f"{item.field}.{item.position}.{field}"
        parts = [
            checked
            for position, one in enumerate(value[field])
            for checked in _checked(Item(path, position, one), part, repeats)
        ]
        yield from (checked for checked in parts if checked.valid is None)
        value[field] = [checked.valid for checked in parts if checked.valid is not None]
    try:
        valid = kind.model_validate(value)
    except ValidationError as error:
        yield replace(item, fault=_first(error))
        return
    yield replace(item, valid=valid)


def _first(error: ValidationError) -> str:
    """The first thing that is wrong, in one line."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return " ".join(f"{where}: {message}".removeprefix(": ").split())


def _mended(value: Any, kind: Any) -> Any:
    """A value as its type wants it, where the difference is harmless; else as it is."""
    if get_origin(kind) is Annotated:
        return _mended(value, get_args(kind)[0])
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _mended_object(value, kind)
    if get_origin(kind) in (list, tuple):
        items = value if isinstance(value, list) else [] if value is None else [value]
        return [_mended(item, get_args(kind)[0]) for item in items]
    if get_origin(kind) is Literal:
        return _one_of(value, get_args(kind))
    if kind is str:
        return _text(value)
    # Pydantic takes true for 1, which no model means.
    return str(value) if kind in (int, float) and isinstance(value, bool) else value


def _mended_object(value: Any, kind: type[BaseModel]) -> Any:
    fields = {name: field.annotation for name, field in kind.model_fields.items()}
    if isinstance(value, str) and not isinstance(value, Faulty):
        value = {next(iter(fields)): value}
    if not isinstance(value, dict):
        return value
    named = {key.strip().casefold(): part for key, part in value.items()} | value
    lists: dict[str, Any] = {name: [] for name, part in fields.items() if get_origin(part) in (list, tuple)}
    return lists | {name: _mended(named[name], part) for name, part in fields.items() if name in named}


def _text(value: Any) -> Any:
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _one_of(value: Any, options: Sequence[Any]) -> Any:
    folded = value.strip().casefold() if isinstance(value, str) else value
    return folded if folded in options else value

"""Finds the object that was asked for in what a model made of it: a bare list, a single item, a wrapping key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel

_MAX_WRAPPERS = 3

Lists = dict[str, list[Any]]
"""The items of each list field of a reply's model, unchecked."""


def list_fields(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """The fields of a model that are lists of objects, and the model of these."""
    lists = {
        name: get_args(field.annotation)[0]
        for name, field in model.model_fields.items()
        if get_origin(field.annotation) in (list, tuple)
    }
    return {
        name: kind for name, kind in lists.items() if isinstance(kind, type) and issubclass(kind, BaseModel)
    }


def own_object(value: Any, model: type[BaseModel]) -> Lists | None:
    """The lists of an object that has one of them under its own name; absent and null ones are empty."""
    if not isinstance(value, Mapping):
        return None
    fields = list_fields(model)
    present = {name: value[name] for name in fields if name in value}
    lists = {name: _items(part, fields[name]) for name, part in present.items()}
    if any(items is not None for items in lists.values()):
        return {name: _kept(lists.get(name), present.get(name)) for name in fields}
    return _only(own_object(part, model) for part in present.values())


def wanted_object(value: Any, model: type[BaseModel], wrappers: int = _MAX_WRAPPERS) -> Lists | None:
    """The object itself, a bare list of its items, one item, or any of them under a key of its own making."""
    if isinstance(value, list):
        return _by_fields(value, model) or _only(own_object(part, model) for part in value)
    if not isinstance(value, Mapping):
        return None
    if echoes_schema(value):  # some models fill in the schema instead of following it
        return own_object(value.get("properties"), model)
    found = own_object(value, model) or _by_fields([value], model)
    if found or not wrappers:
        return found
    return _only(wanted_object(part, model, wrappers - 1) for part in value.values())


def echoes_schema(value: Any) -> bool:
    """Whether an object is a JSON schema and not what the schema describes."""
    if not isinstance(value, Mapping):
        return False
    return "$defs" in value or (isinstance(value.get("properties"), Mapping) and "type" in value)


def _items(part: Any, item: type[BaseModel]) -> list[Any] | None:
    if isinstance(part, list):
        return part
    if part is None:
        return []
    return [part] if _likeness(part, item) else None


def _kept(items: list[Any] | None, raw: Any) -> list[Any]:
    """Something else beside a list that can be read is kept as one item, which will not validate."""
    return [raw] if items is None and raw is not None else items or []


def _by_fields(items: list[Any], model: type[BaseModel]) -> Lists | None:
    """Each item in the list whose items have its fields; None unless one of them has some."""
    fields = list_fields(model)
    lists: Lists = {name: [] for name in fields}
    known = not items
    for value in items:
        scores = {name: _likeness(value, item) for name, item in fields.items()}
        best = max(scores, key=lambda name: scores[name])
        known = known or scores[best] > 0
        lists[best].append(value)
    return lists if known else None


def _likeness(value: Any, item: type[BaseModel]) -> float:
    """The share of an item's fields that a value has, 0 if it is under half of them (rounded down)."""
    if not isinstance(value, Mapping):
        return 0.0
    shared = len(value.keys() & item.model_fields.keys())
    return shared / len(item.model_fields) if shared >= max(1, len(item.model_fields) // 2) else 0.0


def _only(found: Any) -> Lists | None:
    """The one thing found; None for nothing, and for several of which none is meant more than the others."""
    some = [lists for lists in found if lists]
    return some[0] if len(some) == 1 else None

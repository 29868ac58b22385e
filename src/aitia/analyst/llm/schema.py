"""The JSON schema of a reply, from its pydantic model, as strict structured output takes it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

_DROPPED = frozenset({"title", "default"})


@cache
def reply_schema(model: type[BaseModel]) -> str:
    """The schema as compact JSON: every field required, no other allowed, no titles and defaults.

    Fields keep the order of the model, because servers make a model write them in the schema's order.
    """
    return json.dumps(_strict(model.model_json_schema()), separators=(",", ":"), ensure_ascii=False)


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs"):
            strict[keyword] = {name: _strict(part) for name, part in value.items()}
        elif keyword not in _DROPPED:
            strict[keyword] = _strict(value)
    if "properties" in strict:
        strict.pop("description", None)  # the class's docstring, which is for us
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict

"""Settings as a user gives them, by name, made into the models that a method takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, get_args

from pydantic import Field, ValidationError

from aitia.errors import UsageError
from aitia.spec.model import Frozen

Settings = TypeVar("Settings", bound=Frozen)

Weight = Annotated[float, Field(ge=0, le=1000)]
"""What a part of a ranking counts; 0 leaves it out."""

Seed = Annotated[int, Field(ge=0, le=2**32 - 1)]
"""Of what is drawn: a number that every generator takes."""


def check_names(values: Mapping[str, Any], what: str, *models: type[Frozen]) -> None:
    """Refuse a name that is a field of none of the models; ``what`` says of what, with ``{}`` for the name.

    Raises:
        UsageError: there is one.

    """
    known = sorted({name for model in models for name in model.model_fields})
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise UsageError(f"unknown {what.format(repr(unknown[0]))}; expected one of {', '.join(known)}")


def read_settings(values: Mapping[str, Any], model: type[Settings]) -> Settings:
    """The model with those of the values that are its own; the word ``none`` is none where a setting may be.

    Raises:
        UsageError: a value that cannot be.

    """
    fields = {name: field for name, field in model.model_fields.items() if name in values}
    own = {name: values[name] for name in fields}
    own |= {
        name: None
        for name, field in fields.items()
        if values[name] == "none" and type(None) in get_args(field.annotation)
    }
    try:
        return model(**own)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(
            f"setting {first['loc'][0]}: found {first['input']!r}; {first['msg'].lower()}"
        ) from None

"""The body of an answer of status 200 as JSON, and its parts, whatever shape they have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aitia.clients.faults import Fault, FaultError, read_answer

_SHOWN = 80


def read_body(content: bytes, content_type: str, expected: str) -> Mapping[str, Any]:
    """The object in an answer; ``expected`` names it, as ``chat completion``.

    Raises FaultError for anything else: ``refused`` for a page or another text, which is what the next
    request would get too, ``transient`` for JSON that is cut off or no object.
    """
    text = content.decode("utf-8", "replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):  # also digits without end, and nesting without end
        if text.strip() and "json" not in content_type.lower():
            raise FaultError(Fault("refused", f"no {expected} but {text[:_SHOWN]!r}")) from None
        raise FaultError(Fault("transient", "an answer that is not JSON")) from None
    if not isinstance(body, Mapping):
        raise FaultError(Fault("transient", f"no {expected} but {text[:_SHOWN]!r}"))
    raise_if_error(body)
    return body


def part_of(value: Any, name: str) -> Any:
    """A field of an object of JSON or of the openai package; None where there is none, or no object."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def raise_if_error(part: Any) -> None:
    """Proxies report the error of a model behind them in an answer of status 200."""
    error = part_of(part, "error")
    if error:
        raise FaultError(read_answer(0, error, {}))
    if part_of(part, "finish_reason") == "error":
        raise FaultError(Fault("transient", "an answer that ended in an error"))

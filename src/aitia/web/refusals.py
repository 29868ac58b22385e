"""Errors as a client sees them: a status and one line of JSON, never a traceback."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import JSONResponse

from aitia.errors import (
    AitiaError,
    CorpusError,
    EmbedderError,
    IndexFolderError,
    LimitReached,
    ModelError,
    PartialBuild,
    PeerError,
    SpecError,
    UsageError,
)

STATUS: Mapping[type[AitiaError], int] = {
    UsageError: 400,
    CorpusError: 409,
    SpecError: 409,
    IndexFolderError: 409,
    PartialBuild: 409,
    LimitReached: 429,
    EmbedderError: 502,
    ModelError: 502,
    PeerError: 502,
}
"""What a class of errors is to a client. Any other error is 500."""

LONGEST = 600
UNEXPECTED = "this is a fault of Aitia, AITIA_DEBUG=1 shows where in the server's own output"


@dataclass
class Refused(AitiaError):
    """A request that is not served; ``status`` says why to a program, ``message`` to a person."""

    status: int
    message: str
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message


class JsonResponse(JSONResponse):
    """JSON in UTF-8; halves of surrogate pairs, which UTF-8 has no form for, as escapes."""

    def render(self, content: Any) -> bytes:
        """The bytes of a value."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def status_of(error: Exception) -> int:
    """The status of an error; 500 for one that nobody foresaw."""
    if isinstance(error, Refused):
        return error.status
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)


def line_of(error: Exception) -> str:
    """What an error says, on one line."""
    if not isinstance(error, AitiaError):
        return f"unexpected {type(error).__name__}; {UNEXPECTED}"
    line = " ".join(str(error).split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} ..."


def without_commands(line: str) -> str:
    """A line for a page, without the commands that it names: who reads a page may have no shell of the server."""
    bare = re.sub(r" \((?:see:? )?aitia [a-z][^()]*\)", "", line)
    clauses = [re.sub(r", for example:? aitia [a-z].*", "", clause) for clause in bare.split("; ")]
    return "; ".join(
        [clauses[0], *(clause for clause in clauses[1:] if not re.search(r"\baitia [a-z]", clause))]
    )


def report(error: Exception) -> None:
    """Say an unexpected error on standard error: one line, or where it was for whoever looks for it."""
    if os.environ.get("AITIA_DEBUG"):
        traceback.print_exception(error)
    else:
        sys.stderr.write(f"aitia: {ascii(line_of(error))[1:-1]}\n")


def problem(error: Exception, path: str = "", line: str | None = None) -> JsonResponse:
    """The response to an error: ``{"error": "one line"}``, and under ``/v1/`` the shape that OpenAI's clients read."""
    headers = error.headers if isinstance(error, Refused) else {}
    status, line = status_of(error), line or line_of(error)
    if not path.startswith("/v1/"):
        return JsonResponse({"error": line}, status, headers)
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return JsonResponse(
        {"error": {"message": line, "type": kind, "param": None, "code": None}}, status, headers
    )

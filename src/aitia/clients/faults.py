"""Reads an error of a server, or of the way to it, into what it means for the caller.

Servers agree on little but the status: what a 400 or a 429 means stands in codes and words, which are
those of OpenAI, Azure, vLLM, llama.cpp, Ollama, LiteLLM, OpenRouter, Anthropic and Google.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import urlsplit

Kind = Literal["busy", "transient", "unreachable", "moved", "key", "quota", "overflow", "filtered", "refused"]
"""``busy``: ask again, and ask less; ``transient``: ask again; ``overflow``: the prompt is too long;
``filtered``: a content filter took offence at the prompt; the others end the work. The words of ``moved``
are the host that a redirect names."""

RETRIED: frozenset[Kind] = frozenset({"busy", "transient"})
ENDS_THE_WORK: frozenset[Kind] = frozenset({"unreachable", "moved", "key", "quota", "refused"})
LONGEST_WAIT_S = 120.0

_BUSY = frozenset({429, 503, 529})
_TRANSIENT = frozenset({408, 409, 425})
_REDIRECTS = range(300, 400)
_QUOTA_CODES = frozenset(
    {"insufficient_quota", "billing_not_active", "billing_hard_limit_reached", "insufficient_credits"}
    | {"insufficient_balance", "insufficient_user_quota", "budget_exceeded"}
)
_QUOTA = re.compile(
    r"insufficient.?(quota|balance|credit|funds)|exceeded your current quota|credit balance|out of credits"
    r"|billing|used all available credits|budget has been exceeded|exceededbudget|payment required",
    re.IGNORECASE,
)
# A limit per minute is spoken of with the same words: "... quota, check your billing. Retry in 20 s".
_RATE = re.compile(r"(try|retry)[^.]{0,20}\b(in|after)\b|per.?(minute|second|day)|rate.?limit", re.IGNORECASE)
_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|context.?window.?exceeded"
    r"|(maximum|max|available|model'?s) context.?(length|size|window)|context.?(length|size|window) exceeded"
    r"|exceeds?\b.{0,60}context.?(length|size|window|limit)|prompt is too long|maximum model length"
    r"|input (token|length)\w*\b.{0,40}exceed|request too large|reduce the length of|max_new_tokens` must be"
    r"|too many tokens in (the )?prompt|prompt .{0,40}exceeds",
    re.IGNORECASE,
)
_OVERFLOW_STATUS = frozenset({400, 413, 422, 429, 500})
_FILTERED = re.compile(
    r"content_?filter|content management policy|input was flagged|ResponsibleAIPolicy", re.IGNORECASE
)
_WORDS = ("message", "detail", "msg")
_NEVER_THERE = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
_BAD_ADDRESS = frozenset({"UnsupportedProtocol", "InvalidURL", "LocalProtocolError"})


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong. ``words`` and ``codes``: as the server put it, secrets and all; ``wait_s``: as it asked."""

    kind: Kind
    words: str
    status: int = 0
    wait_s: float | None = None
    codes: tuple[str, ...] = ()


class FaultError(Exception):
    """An attempt that failed. For the clients alone: callers of Aitia get an AitiaError."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.words)
        self.fault = fault


def read_fault(error: Exception) -> Fault:
    """What an exception means that a call of the openai package raised."""
    from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

    own = next((cause.fault for cause in _causes(error) if isinstance(cause, FaultError)), None)
    if own is not None:
        return own
    if isinstance(error, APIStatusError) and error.status_code in _REDIRECTS:
        return Fault("moved", _host(error.response.headers.get("location", "")), error.status_code)
    if isinstance(error, APIStatusError):
        # The exception's own text leaves out codes and all words outside of "message".
        return read_answer(error.status_code, error.body or error.message, error.response.headers)
    if isinstance(error, APITimeoutError):
        return Fault("busy", "no answer in time")
    if isinstance(error, APIConnectionError):
        return _read_connection(error)
    if isinstance(error, APIError):  # an error amid a stream, whose status was 200 long before
        return read_answer(0, error.body or error.message, {})
    if isinstance(error, json.JSONDecodeError):
        return Fault("transient", "an answer that is not JSON")
    return Fault("refused", f"{type(error).__name__}: {error}")


def read_answer(status: int, body: object, headers: Mapping[str, str]) -> Fault:
    """What an answer with an error means. A body may name the status that the HTTP answer lacks (0)."""
    codes, words = _codes_and_words(body)
    status = status or next((int(code) for code in codes if code.isdigit()), 0)
    kind = _meaning(status, codes, " ".join([words, *codes]))
    return Fault(kind, words or " ".join(codes) or "no words", status, _wait(headers), codes)


def _meaning(status: int, codes: tuple[str, ...], text: str) -> Kind:
    if _QUOTA_CODES.intersection(codes) or status == 402:
        return "quota"
    if status in (400, 403, 429) and _QUOTA.search(text) and not _RATE.search(text):
        return "quota"
    if status == 413 or ((not status or status in _OVERFLOW_STATUS) and _OVERFLOW.search(text)):
        return "overflow"
    if status in (400, 403) and _FILTERED.search(text):
        return "filtered"
    if status in (401, 403):
        return "key"
    if status in _BUSY:
        return "busy"
    if not status or status in _TRANSIENT or status >= 500:
        return "transient"
    return "refused"


def _codes_and_words(body: object) -> tuple[tuple[str, ...], str]:
    """What an error's body gives as code, type and parameter, and its message; any shape will do."""
    error: Any = body
    while isinstance(error, Mapping) and isinstance(error.get("error"), Mapping | str):
        error = error["error"]
    if not isinstance(error, Mapping):
        return (), str(error or "")
    codes = tuple(str(error[name]) for name in ("code", "type", "param") if error.get(name))
    return codes, str(next((error[name] for name in _WORDS if error.get(name)), "" if codes else dict(error)))


def _read_connection(error: BaseException) -> Fault:
    causes = list(_causes(error))
    words = " ".join(str(causes[-1]).split()) or type(causes[-1]).__name__
    gone = any(isinstance(cause, _NEVER_THERE) or type(cause).__name__ in _BAD_ADDRESS for cause in causes)
    return Fault("unreachable" if gone else "transient", words)


def _host(location: str) -> str:
    """Where a redirect leads, without the rest of the address, which may hold secrets."""
    try:
        url = urlsplit(location)
        host, port = url.hostname or "", f":{url.port}" if url.port else ""
    except ValueError:
        host = port = ""
    return f"{url.scheme or 'http'}://{host}{port}" if host else "another address"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` asks for, from 0 to 120; None where it does not, or not in words we know."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return min(float(value) * unit, LONGEST_WAIT_S)
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return min(max(moment.timestamp() - time.time(), 0.0), LONGEST_WAIT_S)

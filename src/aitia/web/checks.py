"""What a request must be before anything reads it. Each check raises `Refused`; none opens, looks up or waits."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from aitia.web.call import Call
from aitia.web.refusals import Refused
from aitia.web.settings import is_loopback

BODIES = ("application/json", "application/x-www-form-urlencoded")


def check_host(call: Call) -> None:
    """On loopback the name must be this machine's own, or a name that an attacker's DNS points here would do."""
    host = call.host
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        name = None
    if name is None or not is_loopback(name):
        raise Refused(
            421, "the Host header does not name this machine; expected localhost, 127.0.0.1 or [::1]"
        )


def check_path(call: Call) -> None:
    """No step up in the path or in any parameter, however often it was encoded, and no NUL."""
    pairs = parse_qsl(call.query, keep_blank_values=True, encoding="latin-1")
    for part in (call.path, call.raw_path, *(text for pair in pairs for text in pair)):
        fault = fault_of(part)
        if fault:
            raise Refused(400, f"the address or a parameter holds {fault}; nothing is found by that")


def fault_of(text: str) -> str:
    """What a text, decoded until nothing changes, must not hold and does: ``..`` as a step, or a NUL; else nothing."""
    for _ in range(4):
        if "\0" in text:
            return "a NUL character"
        if ".." in text.replace("\\", "/").split("/"):
            return "'..' as a step"
        decoded = unquote(text, errors="replace")
        if decoded == text:
            return ""
        text = decoded
    return "what was encoded more than three times"


def check_site(call: Call) -> None:
    """A browser that is on another site's page neither writes nor reads what programs read."""
    if not (call.is_unsafe or call.is_of_program):
        return
    allowed = (None, "same-origin") if call.is_unsafe else (None, "same-origin", "none")
    if call.header("sec-fetch-site") not in allowed or len(call.headers.get("sec-fetch-site", ())) > 1:
        raise Refused(403, "the request comes from a page of another site, and is refused")
    origins = call.headers.get("origin", ())
    if origins and any(urlsplit(origin).netloc.lower() != call.host for origin in origins):
        raise Refused(
            403, "the Origin header names another site than the Host header; the request is refused"
        )


def check_body_type(call: Call) -> None:
    """A write is JSON or a plain form: types that a page of another site could send with files are not read."""
    if call.content_type not in BODIES:
        raise Refused(
            415, f"a body of type {call.content_type or 'none'!r}; expected Content-Type: application/json"
        )


def is_of_browser(call: Call) -> bool:
    """Whether a browser may have sent it: every browser names the origin of a write, or sends cookies."""
    return any(name in call.headers for name in ("origin", "sec-fetch-site", "cookie", "referer"))

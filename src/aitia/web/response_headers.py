"""The headers of every response: what a browser may do with a page, and that nobody else may frame it."""

from __future__ import annotations

from collections.abc import Mapping

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing inline, nothing from another host."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": with that, browsers send "Origin: null" with the forms of our own pages.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

UNCACHED = "no-store"
"""For everything but static files: answers and pages are of this moment, and may be private."""


def with_headers(given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A response's headers with those of every response; a ``cache-control`` of its own stays."""
    names = {name.lower() for name, _ in given}
    added = (
        [*HEADERS.items()] if b"cache-control" in names else [*HEADERS.items(), ("cache-control", UNCACHED)]
    )
    ours = [(name.encode(), value.encode()) for name, value in added]
    kept = [(name, value) for name, value in given if name.lower().decode("latin-1") not in HEADERS]
    return [*kept, *ours]

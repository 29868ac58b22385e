"""Text of documents, files and errors, made safe to print: it is data, and a terminal obeys control characters."""

from __future__ import annotations

import re

LONGEST_MESSAGE = 600

# C0 and C1 controls, line and paragraph separators, bidirectional overrides, halves of surrogate pairs.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\n\r\v\f]+")


def safe_block(text: str) -> str:
    r"""The text with its line ends and tabs, every other control character as its escape (``\x1b``)."""
    return _UNSAFE.sub(_escape, text.replace("\r\n", "\n"))


def safe_line(text: str, limit: int | None = None) -> str:
    """The text on one line, runs of white space as one space; of more than ``limit`` characters the ends."""
    line = _UNSAFE.sub(_escape, _SPACE.sub(" ", text).strip())
    if limit is None or len(line) <= limit:
        return line
    tail = limit // 4
    return f"{line[: limit - tail - 5].rstrip()} ... {line[-tail:].lstrip()}"


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text on one line, cut at a word."""
    line = safe_line(text)
    if len(line) <= limit:
        return line
    return f"{line[:limit].rpartition(' ')[0] or line[:limit]} ..."


def counted(number: int, things: str) -> str:
    """``1 edge``, ``2,000 edges``."""
    return f"{number:,} {things.removesuffix('s') if number == 1 else things}"


def safe_json(text: str) -> str:
    """JSON in which every unsafe character is an escape; they can only stand inside its strings."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

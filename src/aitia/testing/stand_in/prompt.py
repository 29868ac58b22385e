"""Reads a prompt as a model sees it: headings, lists, and what stands between fences."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

_FENCE = re.compile(r"^<<<(\w+) ([0-9a-f]+)>>>\n(.*?)\n?^<<<end \1 \2>>>$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## +(.*?)\s*$", re.MULTILINE)
_DIMENSION = re.compile(r"^- ([^:\n]+):(.*)$", re.MULTILINE)
_METRIC = re.compile(r"^- ([^(\n]+)\((.*?)\): ?(.*)$", re.MULTILINE)
_CLAIM = re.compile(r"^(\d+)\. ([^:(\n]+?)(?:\((.*?)\))?(?:: ?(.*))?$", re.MULTILINE)
_PART = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]+)')
_ENTITIES = re.compile(r"(?:^|\s)Entities: *(.*)$")


@dataclass(frozen=True, slots=True)
class Read:
    """The user part: lines by heading, in lower case and without fences, and fenced texts by label."""

    sections: Mapping[str, str]
    fenced: Mapping[str, str]

    def section(self, heading: str) -> str:
        """The lines under a heading; nothing if the prompt has no such heading."""
        return self.sections.get(heading, "")


@dataclass(frozen=True, slots=True)
class Listed:
    """A metric as a prompt lists it; a claim has its number too."""

    name: str
    signature: tuple[str, ...]
    description: str
    number: int = 0


def read_prompt(user: str) -> Read:
    """Fences first, since what they hold may look like a heading."""
    fenced = {match.group(1): match.group(3) for match in _FENCE.finditer(user)}
    parts = _HEADING.split(_FENCE.sub("", user))
    sections: dict[str, str] = {}
    for heading, lines in zip(parts[1::2], parts[2::2], strict=True):
        sections[heading.lower()] = lines.strip("\n")
    return Read(sections, fenced)


def read_dimensions(prompt: Read) -> dict[str, tuple[str, ...]]:
    """The entities shown of each dimension."""
    found: dict[str, tuple[str, ...]] = {}
    for name, rest in _DIMENSION.findall(prompt.section("dimensions")):
        entities = _ENTITIES.search(rest)
        names = entities.group(1).split(";") if entities else []
        found[name.strip()] = tuple(each.strip().rstrip(".") for each in names if each.strip())
    return found


def read_metrics(prompt: Read) -> tuple[Listed, ...]:
    """The metrics shown."""
    return tuple(
        Listed(name.strip(), read_parts(parts), description)
        for name, parts, description in _METRIC.findall(prompt.section("metrics"))
    )


def read_claims(prompt: Read) -> tuple[Listed, ...]:
    """The numbered claims that a consolidation is asked about."""
    return tuple(
        Listed(name.strip(), read_parts(parts), description, int(number))
        for number, name, parts, description in _CLAIM.findall(prompt.section("claims"))
    )


def read_parts(inside: str) -> tuple[str, ...]:
    """What stands between the parentheses of ``Name(a, "b, c")``."""
    parts = (part.strip() for part in _PART.findall(inside))
    return tuple(str(json.loads(part)) if part.startswith('"') else part for part in parts if part)


def write_key(name: str, parts: tuple[str, ...]) -> str:
    """``Name(a, b)``, a part with a comma or parenthesis as a JSON string."""
    written = (json.dumps(part, ensure_ascii=False) if re.search(r'[,()"]', part) else part for part in parts)
    return f"{name}({', '.join(written)})"

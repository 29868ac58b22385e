"""A figure as a value: its words, and its bytes by format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """``slug`` is its name as a file; ``images`` are its bytes by the ending of that name (svg, png, pdf)."""

    slug: str
    title: str
    caption: str
    images: Mapping[str, bytes]

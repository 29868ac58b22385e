"""Settings that belong together, as published with a benchmark: ``--preset``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aitia.errors import UsageError


@dataclass(frozen=True, slots=True)
class Preset:
    """A method with its splitter, and settings of its build and of questions."""

    method: str
    splitter: str
    build: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)


PRESETS: Mapping[str, Preset] = {
    "lihua-world": Preset(
        "qcg", "tokens:1200/100", {"neighbours": 2}, {"nodes": 10, "gamma": 1.5, "score": "mean", "chunks": 5}
    ),
    "multihop-rag": Preset(
        "qcg", "tokens:1200/100", {"neighbours": 3}, {"nodes": 15, "gamma": 1.0, "score": "mean", "chunks": 5}
    ),
    "multihop-rag-512": Preset(
        "qcg", "tokens:512/64", {"neighbours": 3}, {"nodes": 15, "gamma": 1.0, "score": "mean", "chunks": 5}
    ),
    "naive-rag": Preset("plain:naive", "words:1200/200"),
}
"""The values of ``--preset``: QCG-RAG's two benchmarks (one with its second chunking), and HCG-RAG's baseline."""


def find_preset(name: str | None, method: str | None) -> Preset | None:
    """The preset of a name; None where none is asked for.

    Raises:
        UsageError: there is no such preset, or it is of another method.

    """
    if name is None:
        return None
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}; expected one of {', '.join(PRESETS)}")
    preset = PRESETS[name]
    if method not in (None, preset.method):
        raise UsageError(
            f"preset {name} is of the method {preset.method}, found {method}; leave --method out, or the preset"
        )
    return preset

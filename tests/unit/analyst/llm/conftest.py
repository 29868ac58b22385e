"""Stages asked with scripted replies, over a window of our own words about a harbour."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.prompt import load_prompts
from aitia.clients.llm_settings import LLMSettings
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.model import Dimension, Metric
from aitia.testing.scripted_llm import ScriptedLLM

HARBOUR = (
    "Salt corrodes the hull of a trawler. A corroded hull needs more repairs, and repairs of the hull cost a lot.",
    "Paint keeps salt from the hull. Red paint has no effect on the speed of a ferry. Ferries are fast.",
)


def chunk_of(text: str, ordinal: int = 0, path: str = "harbour.md") -> Chunk:
    """A chunk that is its whole document."""
    return Chunk(document_id=path, path=path, ordinal=ordinal, start=0, end=len(text), text=text)


@pytest.fixture
def harbour() -> ReadingWindow:
    """Two passages of two documents."""
    return ReadingWindow(tuple(chunk_of(text, n, f"harbour{n}.md") for n, text in enumerate(HARBOUR)))


@pytest.fixture
def ship() -> Dimension:
    """Ships, with an alias."""
    return Dimension(
        name="ship", description="Ships.", entities=("ferry", "trawler"), aliases={"fishing boat": "trawler"}
    )


@pytest.fixture
def ship_metrics() -> tuple[Metric, ...]:
    """Three metrics of ships."""
    return tuple(
        Metric(name=name, signature=("ship",), description=f"The {name} of a ship.", category="state")
        for name in ("Corrosion", "RepairCost", "Speed")
    )


@pytest.fixture
def ask() -> Callable[..., tuple[Inquiry, ScriptedLLM]]:
    """An inquiry whose model gives these replies, one a call in the order of calls, the last for ever."""

    def made(*replies: Any, **settings: Any) -> tuple[Inquiry, ScriptedLLM]:
        texts = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]
        calls = iter(range(10_000))
        llm = ScriptedLLM(lambda request: texts[min(next(calls), len(texts) - 1)])
        return Inquiry(llm, load_prompts(), LLMSettings(model="scripted", **settings)), llm

    return made

"""Settings of the plain methods."""

from __future__ import annotations

from pydantic import Field

from aitia.methods.settings import Seed
from aitia.spec.model import Frozen


class BuildSettings(Frozen):
    """What a text index is built with: a seed for the sentences that stand in for questions."""

    seed: Seed = 0


class D2qSettings(BuildSettings):
    """Doc2Query: so many questions are written for a chunk, and the best ``keep`` of all are appended to theirs."""

    questions: int = Field(default=20, ge=1, le=100)
    keep: float = Field(default=1.0, gt=0, le=1)


class D2qMinusSettings(D2qSettings):
    """Doc2Query--: a fifth of the questions of the corpus is dropped, those least like their chunks."""

    keep: float = Field(default=0.8, gt=0, le=1)

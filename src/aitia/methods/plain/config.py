"""Settings of the plain methods."""

from __future__ import annotations

from pydantic import Field

from aitia.spec.model import Frozen


class BuildSettings(Frozen):
    """What a text index is built with: a seed for the sentences that stand in for questions."""

    seed: int = Field(default=0, ge=0)

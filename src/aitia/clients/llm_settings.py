"""How a language model is reached, how hard it is asked, and what it costs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aitia.spec.model import Frozen


class LLMSettings(Frozen):
    """Settings of a chat model behind an OpenAI-compatible endpoint. The key is never among them.

    ``jobs``: requests in flight at once. ``attempts``: how often one request is sent before it counts as
    failed. ``context_tokens``: what prompt and reply may have together. ``json_schema``: ``auto`` asks for
    structured output and goes without where the server refuses it. ``price_in``, ``price_out``: per million
    tokens, in any currency. ``run`` tells repeated experiments apart in the ledger.
    """

    model: str
    base_url: str | None = None
    api_version: str | None = None
    jobs: int = Field(default=4, ge=1, le=256)
    timeout_s: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    attempts: int = Field(default=8, ge=1)
    context_tokens: int = Field(default=128_000, ge=512)
    max_output_tokens: int = Field(default=16_384, ge=16)
    temperature: float = Field(default=0.0, ge=0, le=2)
    json_schema: Literal["auto", "on", "off"] = "auto"
    price_in: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    price_out: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    run: int = Field(default=0, ge=0)

"""A deterministic reader that answers the prompts from their text alone, where tests need a model."""

from aitia.testing.stand_in.answer import answer_prompt

__all__ = ["answer_prompt"]

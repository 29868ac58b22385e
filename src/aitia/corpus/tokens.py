"""The bundled tokenizer: counts and offsets of WordPiece tokens, without any download."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@cache
def bundled_tokenizer() -> Tokenizer:
    """MiniLM's tokenizer without padding and truncation. Shared: do not change its settings."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(files("aitia.corpus").joinpath("tokenizer.json").read_text("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer

"""The bundled tokenizer: counts and offsets of WordPiece tokens, without any download."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_BLOCK = re.compile(r"\S.{0,4000}(?!\S)|\S{1,4000}", re.DOTALL)
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONGEST_TOKEN, _PIECE = 40, 4


@cache
def bundled_tokenizer() -> Tokenizer:
    """MiniLM's tokenizer without padding and truncation. Shared: do not change its settings."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(files("aitia.corpus").joinpath("tokenizer.json").read_text("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def token_starts(text: str) -> NDArray[np.int64]:
    """Where each token of a text begins, ascending.

    A token of more than 40 characters is a word that the vocabulary does not know; it counts once
    for every four of its characters, as much as an average token has. Linear in the length of the text.
    """
    text = _LONE_SURROGATE.sub("\ufffd", text)  # which the tokenizer cannot take
    blocks = [(match.start(), match.group()) for match in _BLOCK.finditer(text)]
    encodings = bundled_tokenizer().encode_batch([block for _, block in blocks], add_special_tokens=False)
    starts: list[int] = []
    for (offset, _), encoding in zip(blocks, encodings, strict=True):
        for start, end in encoding.offsets:
            step = _PIECE if end - start > _LONGEST_TOKEN else max(1, end - start)
            starts.extend(range(offset + start, offset + end, step))
    return np.unique(np.array(starts, dtype=np.int64))


def count_tokens(text: str) -> int:
    """The number of tokens of a text, as `token_starts` counts them."""
    return len(token_starts(text))

"""Words, as splitters count them.

A word is a run of characters without white space, of at most `LONGEST_WORD` characters: what is
longer (base64, a minified script) counts once for every so many. Chinese and Japanese are written
without spaces, and a character counts as a word there, which is also what WordPiece makes of it.
"""

from __future__ import annotations

import re

import numpy as np

from aitia.corpus.clusters import Positions

LONGEST_WORD = 100
_CJK = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_WORD = re.compile(rf"[^\s{_CJK}]{{1,{LONGEST_WORD}}}|[{_CJK}]")


def word_starts(text: str) -> Positions:
    """Where each word begins, ascending."""
    return np.array([match.start() for match in _WORD.finditer(text)], dtype=np.int64)

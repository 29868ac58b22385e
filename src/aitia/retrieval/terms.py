"""Content terms of a text, for lexical ranking."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# Scripts written without spaces have no word boundary to find: each of their characters is a term.
_TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff]|[^\W_]+")


@cache
def stop_words() -> frozenset[str]:
    """Words too common to tell passages apart."""
    return frozenset(files("aitia.retrieval").joinpath("stop_words.txt").read_text("utf-8").split())


def content_terms(text: str) -> list[str]:
    """Lower-case terms in order, without stop words."""
    stops = stop_words()
    return [term for term in _TERM.findall(text.lower()) if term not in stops]

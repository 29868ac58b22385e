"""The retrieval methods; each has its own folder, and none imports another."""

from __future__ import annotations

from aitia.errors import UsageError
from aitia.retrieval.rankings import RANKINGS

METHODS = ("hcg", *(f"plain:{ranking}" for ranking in RANKINGS))
"""The values of ``--method``."""


def check_method(name: str) -> str:
    """The method of a name.

    Raises:
        UsageError: no such method.

    """
    if name == "plain":
        return "plain:hybrid"
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}; expected one of {', '.join(METHODS)}")
    return name

"""The retrieval methods; each has its own folder, and none imports another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aitia.errors import UsageError
from aitia.retrieval.rankings import RANKINGS


@dataclass(frozen=True, slots=True)
class Method:
    """Where the parts of a method live, as ``module:name``; nothing of them is imported before it is needed.

    ``settings``: of a build, a model with its defaults. ``build``: a function of a request and the settings.
    ``retriever``: a `aitia.methods.query.Retriever`, opened with the text index and the store, for the
    ``retrievals``, the default one first. What a method has none of is empty.
    """

    settings: str
    build: str = ""
    retriever: str = ""
    retrievals: tuple[str, ...] = ()


METHODS: Mapping[str, Method] = {
    "hcg": Method(
        "aitia.methods.hcg.config:BuildSettings",
        "aitia.methods.hcg.build:build",
        "aitia.methods.hcg.retrieve:HcgRetriever",
        ("fused", "graph"),
    ),
    "qcg": Method(
        "aitia.methods.qcg.config:BuildSettings",
        "aitia.methods.qcg.build:build",
        "aitia.methods.qcg.retrieve:QcgRetriever",
        ("fused", "graph"),
    ),
    "hug": Method(
        "aitia.methods.hug.config:BuildSettings",
        "aitia.methods.hug.build:build",
        "aitia.methods.hug.retrieve:HugRetriever",
        ("fused", "graph"),
    ),
    **{
        f"plain:{ranking}": Method(
            "aitia.methods.plain.config:BuildSettings", retrievals=(f"plain:{ranking}",)
        )
        for ranking in RANKINGS
    },
    **{
        f"plain:{name}": Method(
            f"aitia.methods.plain.config:{settings}",
            "aitia.methods.plain.d2q:build",
            "aitia.methods.plain.d2q:D2qRetriever",
            (f"plain:{name}",),
        )
        for name, settings in (("d2q", "D2qSettings"), ("d2q_minus", "D2qMinusSettings"))
    },
}
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


def load(place: str) -> Any:
    """The object of a ``module:name``."""
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name)

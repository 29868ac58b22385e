"""Aitia: retrieval over small, typed, auditable causal graphs.

``build`` makes an index folder from documents, ``import_graph`` from an entity graph, ``open`` opens one; an
`Index` has ``retrieve``, ``ask`` and ``graph``. Every error a user can mend is an `AitiaError`.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from aitia.answering.answer import Answer
    from aitia.errors import AitiaError
    from aitia.retrieval.result import Evidence, Retrieval
    from aitia.workflows import Index
    from aitia.workflows import build_index as build
    from aitia.workflows import open_index as open
    from aitia.workflows.import_graph import import_graph

__all__ = ["AitiaError", "Answer", "Evidence", "Index", "Retrieval", "build", "import_graph", "open"]

_HOME = {
    "AitiaError": ("aitia.errors", "AitiaError"),
    "Answer": ("aitia.answering.answer", "Answer"),
    "Evidence": ("aitia.retrieval.result", "Evidence"),
    "Index": ("aitia.workflows", "Index"),
    "Retrieval": ("aitia.retrieval.result", "Retrieval"),
    "build": ("aitia.workflows", "build_index"),
    "import_graph": ("aitia.workflows.import_graph", "import_graph"),
    "open": ("aitia.workflows", "open_index"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import aitia`` stays quick."""
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module 'aitia' has no attribute {name!r}")
    module, attribute = _HOME[name]
    return getattr(import_module(module), attribute)

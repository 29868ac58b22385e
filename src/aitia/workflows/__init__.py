"""The only place that joins reading, methods and writing; everything above calls it."""

from aitia.workflows.build import build_index
from aitia.workflows.index import Index, open_index

__all__ = ["Index", "build_index", "open_index"]

"""What was read, what was skipped, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aitia.web.pages.page import Visit
from aitia.workflows.show import show_stats


def overview(visit: Visit) -> Mapping[str, Any]:
    """The statistics of the index."""
    return {"stats": show_stats(visit.opened.index)}

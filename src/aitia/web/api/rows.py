"""Lists a part at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query

from aitia.web.api.bodies import Page
from aitia.web.refusals import JsonResponse

Paged = Annotated[Page, Query()]


def part(rows: Sequence[Any], page: Page) -> JsonResponse:
    """The rows of a page, and how many there are in all."""
    return JsonResponse(
        {
            "total": len(rows),
            "offset": page.offset,
            "rows": list(rows[page.offset : page.offset + page.limit]),
        }
    )

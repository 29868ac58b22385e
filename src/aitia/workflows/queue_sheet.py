"""The queue as a spreadsheet, and what a person wrote into it: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aitia.errors import UsageError
from aitia.spec.curation_file import read_decisions
from aitia.spec.decisions import ARROW, Action, Decision, edge_key, split_key
from aitia.workflows import folder as files
from aitia.workflows.curate import decide_all
from aitia.workflows.index import open_index
from aitia.workflows.queue import PlacedQuote, QueueItem, queue
from aitia.workflows.sheet_file import LONGEST_CELL, read_sheet, write_sheet
from aitia.workflows.wording import PAIRS, decision_of, judgement, word_of

COLUMNS = ("key", "kind", "why", "risk", "mechanism", "quotes", "decision", "to", "reason", "author")
READ = ("key", "kind", "mechanism", "decision", "to", "reason", "author")
"""What an import needs; the other columns are for the eyes."""

IN_OR_OUT: Mapping[Action, str] = {
    "accept": "accept",
    "add": "accept",
    "reject": "reject",
    "delete": "reject",
}
"""What an action says of a pair: that it holds, or that it does not."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The decisions that were kept, and the rows whose decision was there already."""

    made: tuple[Decision, ...]
    known: int


def place_of(quote: PlacedQuote) -> str:
    """Where a quote stands, as ``file p. 12``."""
    return quote.document if quote.page is None else f"{quote.document} p. {quote.page}"


def export_queue(items: Iterable[QueueItem], separator: str = "comma") -> str:
    """The queue with empty columns for a person: what to decide, what it becomes, why, and who says so."""
    return write_sheet(COLUMNS, map(sheet_row, items), separator)


def sheet_row(item: QueueItem) -> dict[str, object]:
    """An item as the cells of a row."""
    quotes = "\n".join(f"{quote.text} [{place_of(quote)}]" for quote in item.quotes)
    shown = quotes if len(quotes) <= LONGEST_CELL else f"{quotes[:LONGEST_CELL]} ..."
    first = [f"first: role of {item.needs} to intermediate"] if item.needs else []
    told = item.key, item.decides, "; ".join([*item.why, *first]), item.risk, item.says, shown
    return dict(zip(COLUMNS, (*told, "", "", "", ""), strict=True))


def import_queue(folder: str | Path, data: bytes, name: str, author: str = "") -> Imported:
    """Keep what a sheet decides; rows without a decision say nothing, and decisions that are there are left.

    ``author`` is who says so where a row does not.

    Raises:
        UsageError: a row that cannot be; the one line names it, and nothing is kept of any.

    """
    every = read_sheet(data, name, READ, "mechanism")  # further a spreadsheet may cut what is empty
    rows = [row for row in every if row[1]["decision"].strip()]
    target = Path(folder)
    index = open_index(target)
    known = list(read_decisions(target / files.CURATION))
    waiting = queue(index)
    made: list[Decision] = []
    places: list[str] = []
    said: dict[tuple[str, ...], tuple[str, int]] = {}
    for number, cells in rows:
        place = f"{name} row {number}"
        try:
            plain, wanted = _decisions(cells, waiting)
            about, word = _verdict(plain)
            earlier, row = said.setdefault(about, (word, number))
            if earlier != word:
                raise UsageError(
                    f"found {word!r} of {plain.target}, and {earlier!r} in row {row}; expected one of them"
                )
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from None
        if not any(_same(wanted, each) or _same(plain, each) for each in [*known, *made]):
            made.append(wanted if wanted.author else wanted.model_copy(update={"author": author}))
            places.append(place)
    return Imported(tuple(decide_all(target, made, places)), len(rows) - len(made))


def _decisions(cells: dict[str, str], waiting: Sequence[QueueItem]) -> tuple[Decision, Decision]:
    """What a row says to the letter, and the decision that it is."""
    words = cells["decision"].casefold().split()
    action, kind = word_of(words[0], cells["kind"].strip().casefold())
    key, to = cells["key"], cells["to"]
    told = {"reason": cells["reason"], "author": cells["author"].strip()}
    plain = decision_of(action, kind, key, to, " ".join(words[1:])).model_copy(update=told)
    wanted = plain
    if action in ("accept", "reject"):
        wanted = judgement(action, key, kind, waiting)
    elif action == "add" and kind == "edge" and cells["mechanism"]:
        wanted = plain.model_copy(update={"value": {"mechanism": cells["mechanism"]}})
    return plain, wanted.model_copy(update=told)


def _verdict(plain: Decision) -> tuple[tuple[str, ...], str]:
    """What a row decides on, and how; two rows on the same thing must agree."""
    kind, action, target = plain.kind, plain.action, plain.target
    if kind == "merge" and ARROW in target:
        target = edge_key(*sorted(split_key(target)))
    if kind in PAIRS and action in IN_OR_OUT:
        return (kind, target), IN_OR_OUT[action]
    said = {name: str(to) for name, to in plain.value.items() if name != "field"}
    return (kind, target, action, str(plain.value.get("field", ""))), " ".join([action, *said.values()])


def _same(wanted: Decision, made: Decision) -> bool:
    """Whether a decision says what a row wants: whoever said it, unless the row does; also if it was undone since."""
    acts = made.action == wanted.action or (wanted.action, made.action) == ("accept", "add")
    said = made.kind == wanted.kind and made.target == wanted.target and wanted.author in ("", made.author)
    return acts and said and all(_equal(made.value.get(name), to) for name, to in wanted.value.items())


def _equal(made: Any, wanted: Any) -> bool:
    return bool(made == wanted) or (wanted in ([], ()) and made is None)

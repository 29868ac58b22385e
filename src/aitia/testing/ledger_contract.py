# ruff: noqa: D102 - the names of the tests are their documentation
"""What every ledger must do. Subclass it and define the fixture ``open_ledger``.

The fixture returns a function that opens the same ledger again: what one has committed, the next sees.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from aitia.clients.protocols import Ledger

OpenLedger = Callable[[], Ledger]


class LedgerContract:
    """Append-only rows by embedder and text."""

    def test_an_unknown_text_is_absent(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        assert ledger.vectors("model", ["a"]) == {}
        ledger.add_vectors("model", {"a": b"\x00\x01"})
        assert ledger.vectors("model", ["b", "a", "a"]) == {"a": b"\x00\x01"}

    def test_nothing_asked_nothing_found(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        ledger.add_vectors("model", {})
        assert ledger.vectors("model", []) == {}

    def test_models_are_kept_apart(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        ledger.add_vectors("one", {"a": b"1"})
        ledger.add_vectors("two", {"a": b"2"})
        assert ledger.vectors("one", ["a"]) == {"a": b"1"}
        assert ledger.vectors("two", ["a"]) == {"a": b"2"}

    def test_the_first_row_stays(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        ledger.add_vectors("model", {"a": b"first"})
        ledger.add_vectors("model", {"a": b"second", "b": b"new"})
        assert ledger.vectors("model", ["a", "b"]) == {"a": b"first", "b": b"new"}

    def test_many_rows_at_once(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        rows = {f"text {i}": i.to_bytes(4, "little") for i in range(2_500)}
        ledger.add_vectors("model", rows)
        assert ledger.vectors("model", list(rows)) == rows

    def test_a_second_opening_sees_what_was_committed(self, open_ledger: OpenLedger) -> None:
        open_ledger().add_vectors("model", {"a": b"kept"})
        assert open_ledger().vectors("model", ["a"]) == {"a": b"kept"}

    def test_threads_may_share_it(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: ledger.add_vectors("model", {f"{i % 10}": b"row"}), range(40)))
        assert ledger.vectors("model", [f"{i}" for i in range(10)]) == {f"{i}": b"row" for i in range(10)}

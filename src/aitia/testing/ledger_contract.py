# ruff: noqa: D102 - the names of the tests are their documentation
"""What every ledger must do. Subclass it and define the fixture ``open_ledger``.

The fixture returns a function that opens the same ledger again: what one has committed, the next sees.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from aitia.clients.protocols import Ledger, LedgerTotals, LLMReply, LLMRequest

OpenLedger = Callable[[], Ledger]

ASKED = LLMRequest("claims", "claims", "system", "user")
REPLY = LLMReply(
    "text", "length", prompt_tokens=7, completion_tokens=3, seconds=0.5, attempts=2, detail="cut off"
)


class LedgerContract:
    """Append-only rows by embedder and text, and replies by key."""

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

    def test_a_reply_comes_back_as_it_was_committed(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        assert ledger.replies(["a"]) == {}
        ledger.add_reply("m", "a", ASKED, REPLY)
        assert ledger.replies(["b", "a", "a"]) == {"a": REPLY}
        assert open_ledger().replies(["a"]) == {"a": REPLY}

    def test_no_key_asked_no_reply_found(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        ledger.retire([])
        assert ledger.replies([]) == {}
        assert ledger.totals() == []

    def test_the_first_reply_stays(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        ledger.add_reply("m", "a", ASKED, LLMReply("first"))
        ledger.add_reply("m", "a", ASKED, LLMReply("second"))
        assert ledger.replies(["a"]) == {"a": LLMReply("first")}
        assert [total.calls for total in ledger.totals()] == [1]

    def test_a_retired_reply_gives_way_to_the_next(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        for draw in ("first", "second", "third"):
            ledger.add_reply("m", "a", ASKED, LLMReply(draw))
            assert open_ledger().replies(["a"]) == {"a": LLMReply(draw)}
            ledger.retire({"a"})
            ledger.retire({"a"})
            assert open_ledger().replies(["a"]) == {}
        assert [total.calls for total in ledger.totals()] == [3]

    def test_retiring_touches_the_named_keys_only(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        ledger.add_reply("m", "a", ASKED, REPLY)
        ledger.retire(["b", "unknown"])
        ledger.add_reply("m", "b", ASKED, REPLY)
        assert ledger.replies(["a", "b"]) == {"a": REPLY, "b": REPLY}

    def test_totals_by_model_and_stage(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        answer = LLMRequest("answer", "answer", "system", "user")
        ledger.add_reply("z", "a", answer, REPLY)
        ledger.add_reply("m", "b", ASKED, REPLY)
        ledger.add_reply("m", "c", answer, LLMReply("x", prompt_tokens=1, seconds=0.25))
        ledger.retire(["b"])
        ledger.add_reply("m", "b", ASKED, LLMReply("y", completion_tokens=10, seconds=2.0))
        assert ledger.totals() == [
            LedgerTotals("m", "answer", 1, 1, 0, 0.25, 1),
            LedgerTotals("m", "claims", 2, 7, 13, 2.5, 3),
            LedgerTotals("z", "answer", 1, 7, 3, 0.5, 2),
        ]

    def test_any_text_can_be_kept(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        texts = {"nul": "a\0b", "empty": "", "astral": "\U0001f41d", "quotes": "'\";--", "lone": "a\ud83db"}
        for key, text in texts.items():
            ledger.add_reply("m", key, ASKED, LLMReply(text, detail=text))
        kept = open_ledger().replies(list(texts))
        assert {key: reply.text for key, reply in kept.items()} == {**texts, "lone": "a?b"}
        assert kept["lone"].detail == "a?b"

    def test_many_replies_looked_up_at_once(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        for i in range(0, 1_200, 100):
            ledger.add_reply("m", f"{i}", ASKED, LLMReply(f"reply {i}"))
        found = ledger.replies([f"{i}" for i in range(1_200)])
        assert found == {f"{i}": LLMReply(f"reply {i}") for i in range(0, 1_200, 100)}

    def test_threads_may_commit_replies_at_once(self, open_ledger: OpenLedger) -> None:
        ledger = open_ledger()
        keys = [f"{i % 10}" for i in range(40)]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda key: ledger.add_reply("m", key, ASKED, LLMReply(f"of {key}")), keys))
        assert ledger.replies(keys) == {key: LLMReply(f"of {key}") for key in keys}
        assert [total.calls for total in ledger.totals()] == [10]

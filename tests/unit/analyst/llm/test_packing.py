from __future__ import annotations

from aitia.analyst.llm.packing import begins_by_content, pack


def test_as_many_as_fit_and_one_that_does_not_alone():
    assert pack([3, 2, 9, 1, 4, 5], lambda unit: unit, 5) == [(3, 2), (9,), (1, 4), (5,)]
    assert pack([], len, 5) == []


def test_no_more_than_the_most_and_a_beginning_begins():
    assert pack("abcde", lambda unit: 1, 9, 2) == [("a", "b"), ("c", "d"), ("e",)]
    assert pack("abcde", lambda unit: 1, 9, 3, lambda unit: unit == "b") == [("a",), ("b", "c", "d"), ("e",)]


def test_a_unit_that_goes_changes_few_calls():
    keys = [f"{number:03}" for number in range(200)]

    def calls(units):
        return set(pack(units, lambda unit: 1, 99, 8, lambda unit: begins_by_content(unit, 8)))

    whole = calls(keys)
    assert 25 <= len(whole) <= 70
    changed = [len(calls(keys[:gone] + keys[gone + 1 :]) - whole) for gone in range(0, 200, 10)]
    assert sum(changed) / len(changed) < 2.5

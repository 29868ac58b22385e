from __future__ import annotations

from aitia.evaluation.peers.usage import Meter, Usage


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_calls_at_once_count_once_and_embedding_within_a_chat_is_the_chats():
    clock = Clock()
    meter = Meter(clock)
    clock.time = 103  # nobody asks
    with meter.waiting("llm"):
        clock.time = 104
        with meter.waiting("llm"):
            clock.time = 106
        with meter.waiting("embedding"):
            clock.time = 107
        clock.time = 108
    with meter.waiting("embedding"):
        clock.time = 108.5
    clock.time = 120
    usage = meter.read()
    assert (usage.llm_seconds, usage.embedding_seconds) == (5.0, 0.5)


def test_what_is_still_in_flight_counts_up_to_now():
    clock = Clock()
    meter = Meter(clock)
    with meter.waiting("llm"):
        clock.time = 101
        assert meter.read().llm_seconds == 1.0
        clock.time = 103
        assert meter.read().llm_seconds == 3.0


def test_a_call_that_raises_is_not_in_flight_any_more():
    clock = Clock()
    meter = Meter(clock)
    try:
        with meter.waiting("llm"):
            clock.time = 101
            raise ValueError
    except ValueError:
        pass
    clock.time = 200
    assert meter.read().llm_seconds == 1.0


def test_counts_and_what_came_since():
    meter = Meter(Clock())
    meter.chat(10, 3)
    before = meter.read()
    meter.chat(20, 4)
    meter.chat_failed()
    meter.embedded(7)
    assert meter.read() - before == Usage(llm_calls=1, failed=1, embedded=7, prompt_tokens=20, reply_tokens=4)

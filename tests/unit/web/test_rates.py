"""Buckets of tokens, with a clock that stands until it is moved."""

from __future__ import annotations

from aitia.web.rates import MOST_CLIENTS, TokenBuckets


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_the_rate():
    clock = Clock()
    buckets = TokenBuckets(2.0, 3, clock)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == 0.5
    assert buckets.take("b") == 0
    clock.now = 0.25
    assert buckets.wait("a") == 0.25
    clock.now = 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a") == 0.5


def test_a_bucket_holds_no_more_than_a_burst():
    clock = Clock()
    buckets = TokenBuckets(1.0, 2, clock)
    buckets.take("a")
    clock.now = 1000.0
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 1]


def test_looking_takes_nothing():
    buckets = TokenBuckets(1.0, 1, Clock())
    assert [buckets.wait("a") for _ in range(3)] == [0, 0, 0]


def test_no_rate_is_no_limit():
    buckets = TokenBuckets(0.0, 1, Clock())
    assert {buckets.take("a") for _ in range(100)} == {0}


def test_buckets_are_bounded():
    buckets = TokenBuckets(1.0, 1, Clock())
    for client in range(MOST_CLIENTS + 5):
        buckets.take(str(client))
    assert len(buckets._left) == MOST_CLIENTS
    assert buckets.take(str(MOST_CLIENTS)) == 1
    assert buckets.take("0") == 0

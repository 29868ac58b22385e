from __future__ import annotations

from threading import Event, Thread

from aitia.clients.slots import Slots


def test_a_success_adds_its_share_and_never_passes_the_most():
    slots = Slots(8)
    with slots.slot(Event()) as slot:
        slot.was_busy()
        assert slots.limit == 4
        for _ in range(4):
            slot.succeeded()
        assert slots.limit == 4  # 4, 4.25, 4.49, 4.71, 4.92
        slot.succeeded()
        assert slots.limit == 5
        for _ in range(100):
            slot.succeeded()
        assert slots.limit == 8


def test_requests_that_met_one_crowd_halve_once():
    slots = Slots(16)
    with slots.slot(Event()) as first, slots.slot(Event()) as second:
        first.was_busy()
        second.was_busy()
        assert slots.limit == 8
        second.renew()
        second.was_busy()
        first.was_busy()
        assert slots.limit == 4


def test_the_limit_never_falls_below_one():
    slots = Slots(3)
    with slots.slot(Event()) as slot:
        for _ in range(5):
            slot.was_busy()
            slot.renew()
        assert slots.limit == 1


def test_no_more_than_the_limit_are_let_in():
    slots, inside = Slots(1), Event()

    def enter():
        with slots.slot(Event()):
            inside.set()

    thread = Thread(target=enter)
    with slots.slot(Event()):
        thread.start()
        assert not inside.wait(0.05)
    thread.join(5)
    assert inside.is_set()


def test_once_stopped_nobody_waits():
    slots, stop = Slots(1), Event()
    stop.set()
    with slots.slot(stop), slots.slot(stop):
        pass
    with slots.slot(Event()):
        assert slots.limit == 1

from __future__ import annotations

from threading import Barrier, Event

import pytest

from aitia.clients.crowd import Crowd


def nothing(piece, result):
    pass


def test_results_come_in_the_order_of_the_pieces_whatever_ends_first():
    last = Event()

    def work(piece, stop):
        if piece == 3:
            last.set()
        elif piece == 0:
            last.wait(5)
        return piece * piece

    assert Crowd(work, nothing).run(4, threads=2) == [0, 1, 4, 9]


def test_nothing_to_do():
    assert Crowd(lambda piece, stop: piece, nothing).run(0, threads=4) == []


def test_an_error_starts_no_new_piece_and_loses_none_that_had_begun():
    both, told, begun = Barrier(2), [], []

    def work(piece, stop):
        begun.append(piece)
        both.wait(5)
        if piece == 0:
            raise OSError("first")
        stop.wait(5)
        return piece

    with pytest.raises(OSError, match="first"):
        Crowd(work, lambda piece, result: told.append(piece)).run(10, threads=2)
    assert (sorted(begun), told) == ([0, 1], [1])

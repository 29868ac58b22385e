"""Sessions: signed, ending, and of one process."""

from __future__ import annotations

import pytest

from aitia.web.sessions import SECONDS, Sessions, same


def test_what_is_issued_is_read():
    sessions = Sessions()
    for signed_in in (True, False):
        session = sessions.issue(signed_in=signed_in)
        assert session.signed_in is signed_in
        assert sessions.read(session.cookie) == session
        assert session.csrf not in session.cookie


def test_no_two_are_the_same():
    sessions = Sessions()
    issued = [sessions.issue(signed_in=False) for _ in range(20)]
    assert len({each.cookie for each in issued}) == len({each.csrf for each in issued}) == 20


@pytest.mark.parametrize("cookie", ["", "x", "a.b.c", "....", "ä.1.1.ö", "\ud800"])
def test_nonsense_is_no_session(cookie):
    assert Sessions().read(cookie) is None


def test_a_changed_cookie_is_none():
    sessions = Sessions()
    cookie = sessions.issue(signed_in=False).cookie
    nonce, expires, flag, mark = cookie.split(".")
    assert flag == "0"
    for forged in (
        f"{nonce}.{expires}.1.{mark}",
        f"{nonce}.{int(expires) + 1}.0.{mark}",
        cookie[:-1],
        f"{cookie}0",
    ):
        assert sessions.read(forged) is None


def test_another_process_believes_nothing():
    assert Sessions().read(Sessions().issue(signed_in=True).cookie) is None


def test_a_session_ends_by_time_and_by_hand():
    now = [1000.0]
    sessions = Sessions(lambda: now[0])
    session = sessions.issue(signed_in=True)
    now[0] += SECONDS
    assert sessions.read(session.cookie) == session
    now[0] += 1
    assert sessions.read(session.cookie) is None
    other = sessions.issue(signed_in=True)
    sessions.end(other)
    assert sessions.read(other.cookie) is None
    now[0] += SECONDS + 1
    sessions.end(sessions.issue(signed_in=False))
    assert len(sessions._ended) == 1


def test_texts_are_compared_whole():
    assert same("ä", "ä")
    assert not same("ä", "a")
    assert not same("", "a")

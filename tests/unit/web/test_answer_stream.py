"""The stream of an answer: its thread, its end, and a reader who leaves."""

from __future__ import annotations

import json
from threading import Event, Thread

import pytest

import aitia.web.answer_stream as answer_stream
from aitia.errors import UsageError


def test_words_then_the_answer():
    released = []

    def write(say):
        say("a\n\nb")
        return {"answer": "ä"}

    sent = b"".join(answer_stream.stream_answer(write, lambda: released.append(1)))
    assert (
        sent == b'event: text\ndata: {"text": "a\\n\\nb"}\n\nevent: answer\ndata: {"answer": "\\u00e4"}\n\n'
    )
    assert released == [1]


@pytest.mark.parametrize(("error", "status"), [(UsageError("no"), 400), (ValueError("secret"), 500)])
def test_an_error_is_the_last_event(error, status):
    def write(say):
        raise error

    released = []
    (sent,) = answer_stream.stream_answer(write, lambda: released.append(1), lambda line: f"<{line}>")
    name, data = sent.decode().strip().split("\n")
    said = json.loads(data.removeprefix("data: "))
    assert (name, said["status"]) == ("event: error", status)
    assert "secret" not in said["error"]
    assert released == [1]


def test_a_silent_stream_says_that_it_lives(monkeypatch):
    monkeypatch.setattr(answer_stream, "BEAT_SECONDS", 0.01)
    go_on = Event()
    stream = answer_stream.stream_answer(lambda say: {"waited": go_on.wait(10)}, lambda: None)
    assert next(stream) == b": still writing\n\n"
    go_on.set()
    assert list(stream)[-1] == b'event: answer\ndata: {"waited": true}\n\n'


def test_a_reader_who_leaves_stops_the_writer():
    go_on, ended = Event(), Event()
    written = []

    def write(say):
        say("one")
        assert go_on.wait(10)
        for word in ("two", "three"):
            say(word)
            written.append(word)
        return {}

    stream = answer_stream.stream_answer(write, ended.set)
    assert next(stream).startswith(b"event: text")
    stream.close()
    go_on.set()
    assert ended.wait(10)
    assert written == []


def test_a_place_is_given_back_though_nobody_reads():
    ended = Event()
    stream = answer_stream.stream_answer(lambda say: {}, ended.set)
    assert ended.wait(10)
    reader = Thread(target=list, args=(stream,))
    reader.start()
    reader.join(10)
    assert not reader.is_alive()

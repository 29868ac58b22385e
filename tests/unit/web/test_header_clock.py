"""Heads of requests that come slowly, or never."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest
import uvicorn
from uvicorn.server import ServerState

from aitia.web import header_clock

HEAD = b"GET / HTTP/1.1\r\nHost: here\r\n"


async def app(scope, receive, send):
    await asyncio.sleep(0.5 if scope["path"] == "/slow" else 0)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def talk(*sent: bytes) -> tuple[bytes, float]:
    """What a server says to pieces of bytes that come 0.1 s after one another, and how long it took to hang up."""

    async def run() -> tuple[bytes, float]:
        config = uvicorn.Config(app, log_config=None, timeout_keep_alive=1)
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: header_clock.TimedProtocol(config, state, {}), "127.0.0.1", 0
        )
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        begun = monotonic()
        for piece in sent:
            writer.write(piece)
            await asyncio.sleep(0.1)
        said = await asyncio.wait_for(reader.read(), 10)
        took = monotonic() - begun
        writer.close()
        server.close()
        return said, took

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(header_clock, "HEADER_SECONDS", 0.3)


@pytest.mark.parametrize("sent", [(), (b"G",), (HEAD,), (HEAD, b"A: b\r\n", b"C: d\r\n", b"E: f\r\n")])
def test_a_head_that_does_not_end_ends_the_connection(sent):
    said, took = talk(*sent)
    assert said == b""
    assert 0.25 < took < 0.9


def test_a_later_head_has_the_same_time():
    said, took = talk(HEAD, b"\r\n", HEAD)
    assert said.count(b"200 OK") == 1
    assert 0.45 < took < 0.9


def test_a_whole_head_may_be_answered_slowly():
    said, took = talk(HEAD.replace(b"/ ", b"/slow ") + b"\r\n")
    assert said.endswith(b"ok")
    assert took > 1.4

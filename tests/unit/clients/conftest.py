"""A chat server on loopback that does what a test tells it, and models that ask it without waiting."""

from __future__ import annotations

import json
import socket
import struct
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

import pytest

from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM


def ok(text=None, **choice):
    """A complete reply; without a text it repeats what the user said."""

    def answer(handler, body):
        said = body["messages"][-1]["content"] if "messages" in body else ""
        message = {"role": "assistant", "content": f"re: {said}" if text is None else text}
        choices = [{"index": 0, "finish_reason": "stop", "message": message, **choice}]
        usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        send(handler, 200, {"id": "x", "object": "chat.completion", "choices": choices, "usage": usage})

    return answer


def error(status, message="no", headers=None, **fields):
    return lambda handler, body: send(
        handler, status, {"error": {"message": message, **fields}}, headers=headers or {}
    )


def answer_json(value, status=200):
    return lambda handler, body: send(handler, status, value)


def answer_text(text, content_type="text/html", status=200):
    return lambda handler, body: send(handler, status, text, content_type)


def reset(handler, body):
    """The connection is gone before a word was said."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def reset_amid_body(handler, body):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "500")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"message"')
    handler.wfile.flush()
    handler.close_connection = True


def stall(handler, body):
    handler.server.released.wait(10)


def stream(*pieces, finish="stop", usage=None, whole=True):
    """A stream of text; without a finish and the end of the last chunk it breaks off."""

    def answer(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        events = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
        if finish:
            events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        if usage:
            events.append({"choices": [], "usage": usage})
        lines = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
        for line in [*lines, b"data: [DONE]\n\n"] if whole else lines:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
            handler.wfile.flush()
        handler.wfile.write(b"0\r\n\r\n" if whole else b"")
        handler.close_connection = True

    return answer


def send(handler, status, value, content_type="application/json", headers=()):
    content = (value if isinstance(value, str) else json.dumps(value)).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(len(content)))
    for name, text in dict(headers).items():
        handler.send_header(name, text)
    handler.end_headers()
    handler.wfile.write(content)


class ScriptedServer:
    """Answers with ``script`` in order of arrival, with ``always`` once that is used up.

    ``said`` has answers for what the user said, which go first. ``bodies``, ``headers`` and ``paths`` hold
    what arrived; ``most_at_once`` how many requests were being answered at one time.
    """

    ok, error, stream = staticmethod(ok), staticmethod(error), staticmethod(stream)
    answer_json, answer_text = staticmethod(answer_json), staticmethod(answer_text)
    reset, reset_amid_body, stall = staticmethod(reset), staticmethod(reset_amid_body), staticmethod(stall)

    def __init__(self):
        self.script = []
        self.said = {}
        self.always = ok()
        self.bodies, self.headers, self.paths = [], [], []
        self.most_at_once = self._at_once = 0
        self._lock = Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._http.released = Event()
        self._http.handle_error = lambda request, address: None  # clients hang up in some tests
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        self.base_url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def close(self):
        self._http.released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _next(self, body, handler):
        with self._lock:
            self.bodies.append(body)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            self.paths.append(handler.path)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            said = body["messages"][-1]["content"] if "messages" in body else None
            if said in self.said:
                return self.said[said]
            return self.script.pop(0) if self.script else self.always

    def _handler(self):
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = scripted._next(body, self)
                try:
                    answer(self, body)
                finally:
                    with scripted._lock:
                        scripted._at_once -= 1

            def log_message(self, format, *args):
                pass

        return Handler


@pytest.fixture
def chat():
    running = ScriptedServer()
    yield running
    running.close()


@pytest.fixture
def waited():
    """The seconds that models would have waited between two attempts."""
    return []


@pytest.fixture
def opened(chat, waited):
    """Opens a model of the chat server; asks one request at a time unless told otherwise."""
    models = []

    def open_model(api_key="sk-canary-0123456789", **fields):
        settings = {"model": "m", "base_url": chat.base_url, "timeout_s": 5.0, "jobs": 1} | fields
        model = OpenAILLM(LLMSettings(**settings), api_key, sleep=waited.append)
        models.append(model)
        return model

    yield open_model
    for model in models:
        model.close()

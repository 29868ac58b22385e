"""The log: a line for each request, with nothing in it that a client meant for the server alone."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from aitia.web.app import create_app
from aitia.web.settings import ServerSettings


def test_a_line_for_each_request(tiny, capsys):
    app = create_app({"tiny": tiny}, ServerSettings())
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    client.get("/api/tiny/graph/edges?text=a-private-search", headers={"x-note": "private"})
    client.get("/health?token=private")
    client.post("/api/tiny/retrieve", json={"question": "a private question?", "budget_words": 0})
    client.get("/a%0ab%1b[2J/ä?x")
    lines = capsys.readouterr().err.splitlines()
    said = [re.sub(r"^\S+T\S+ |\d+ ms$", "", line) for line in lines]
    assert said == [
        "testclient GET /api/tiny/graph/edges 200 ",
        "testclient GET /health 200 ",
        "testclient POST /api/tiny/retrieve 422 ",
        "testclient GET /a%0ab%1b[2J/%C3%A4 404 ",
    ]


def test_a_long_path_is_cut(tiny, capsys):
    app = create_app({"tiny": tiny}, ServerSettings())
    TestClient(app, base_url="http://127.0.0.1:8000").get(f"/{'x' * 1000}")
    assert len(capsys.readouterr().err) < 300


def test_the_log_can_be_left_out(tiny, capsys):
    app = create_app({"tiny": tiny}, ServerSettings(access_log=False))
    TestClient(app, base_url="http://127.0.0.1:8000").get("/health")
    assert capsys.readouterr().err == ""

"""The guard in front of a whole server: what it refuses, and that what is refused never reached a route."""

from __future__ import annotations

import re
from html import unescape

import pytest

from aitia.web.refusals import UNEXPECTED
from aitia.web.settings import Limits

TOKEN = "a-token-of-many-characters"
QUESTION = {"question": "What do mites do?"}
OTHER_HOST = "http://workbench.example:8000"
LOCAL = "http://127.0.0.1:8000"

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


def word(page: str) -> str:
    found = re.search(r'<meta name="csrf-token" content="([0-9a-f]{64})">', page)
    assert found
    return found.group(1)


@pytest.fixture
def guarded(serve):
    """A client of a server that others reach, without the token."""
    return serve(base_url=OTHER_HOST, host="0.0.0.0", token=TOKEN)


# Who comes in


def test_loopback_needs_no_token(client):
    assert client.get("/api").json()["indexes"][0]["name"] == "tiny"
    assert client.post("/api/tiny/retrieve", json=QUESTION).status_code == 200


@pytest.mark.parametrize(
    "path", ["/api", "/api/tiny/stats", "/openapi.json", "/v1/models", "/api/nothing/stats"]
)
def test_without_the_token_nothing_is_told(guarded, path):
    refused = guarded.get(path)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert "tiny" not in refused.text


def test_a_write_without_the_token_is_refused(guarded):
    assert guarded.post("/api/tiny/retrieve", json=QUESTION).status_code == 401
    assert guarded.post("/v1/embeddings", json={"input": "a", "model": "tiny"}).status_code == 401


@pytest.mark.parametrize("sent", [f"{TOKEN}x", TOKEN[:-1], "", TOKEN.upper()])
def test_a_wrong_token_is_refused(guarded, sent):
    assert guarded.get("/api", headers={"authorization": f"Bearer {sent}"}).status_code == 401


def test_the_token_opens(guarded):
    allowed = {"authorization": f"Bearer {TOKEN}"}
    assert guarded.get("/api", headers=allowed).status_code == 200
    assert guarded.post("/api/tiny/retrieve", json=QUESTION, headers=allowed).status_code == 200


def test_a_token_in_the_address_opens_nothing(guarded):
    for name in ("token", "access_token", "authorization"):
        assert guarded.get(f"/api?{name}={TOKEN}").status_code == 401


def test_a_token_on_loopback_is_demanded_too(serve):
    assert serve(token=TOKEN).get("/api").status_code == 401


def test_what_is_open_tells_nothing(guarded):
    assert set(guarded.get("/health").json()) == {"status", "version"}
    page = guarded.get("/login")
    assert page.status_code == 200
    assert "tiny" not in page.text


def test_a_session_without_the_token_opens_nothing(guarded):
    mine = word(guarded.get("/login").text)
    assert guarded.cookies
    assert guarded.get("/api").status_code == 401
    assert guarded.get("/index/tiny/overview").status_code == 303
    refused = guarded.post("/api/tiny/retrieve", json=QUESTION, headers={"x-csrf-token": mine})
    assert refused.status_code == 401


def test_guessing_has_to_wait(serve):
    client = serve(base_url=OTHER_HOST, host="0.0.0.0", token=TOKEN, limits=Limits(failures=(0.01, 3)))
    wrong = {"authorization": "Bearer guess-guess-guess-guess"}
    assert [client.get("/api", headers=wrong).status_code for _ in range(4)] == [401, 401, 401, 429]


def test_guessing_locks_nobody_else_out(serve):
    client = serve(base_url=OTHER_HOST, host="0.0.0.0", token=TOKEN, limits=Limits(failures=(0.01, 1)))
    wrong = {"authorization": "Bearer guess-guess-guess-guess"}
    assert [client.get("/api", headers=wrong).status_code for _ in range(2)] == [401, 429]
    assert client.get("/api", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    form = {"csrf": word(client.get("/login").text), "token": "guess"}
    assert client.post("/login", data=form).status_code == 429
    assert client.post("/login", data={**form, "token": TOKEN}).status_code == 303


# Signing in


def test_a_page_asks_for_the_token_then_shows(guarded):
    sent_away = guarded.get("/index/tiny/overview?a=b")
    assert (sent_away.status_code, sent_away.headers["location"]) == (
        303,
        "/login?next=/index/tiny/overview%3Fa%3Db",
    )
    form = {
        "csrf": word(guarded.get("/login?next=/index/tiny/overview").text),
        "next": "/index/tiny/overview",
    }
    before = dict(guarded.cookies)
    wrong = guarded.post("/login", data={**form, "token": "guess"})
    assert wrong.status_code == 401
    assert dict(guarded.cookies) == before
    signed = guarded.post("/login", data={**form, "token": TOKEN})
    assert (signed.status_code, signed.headers["location"]) == (303, "/index/tiny/overview")
    said = signed.headers["set-cookie"].lower()
    assert said.startswith("aitia_session_8000=")
    assert {"httponly", "samesite=strict", "path=/"} <= set(said.split("; "))
    assert dict(guarded.cookies) != before
    assert guarded.get("/api").status_code == 200


def test_signing_in_leads_to_the_page_with_its_question(guarded):
    wanted = "/index/tiny/ask?q=a%26b+%C3%A9%25&budget=50"
    asked = guarded.get(guarded.get(wanted).headers["location"]).text
    place = unescape(re.search(r'name="next" value="([^"]*)"', asked)[1])
    assert place == wanted
    signed = guarded.post("/login", data={"csrf": word(asked), "token": TOKEN, "next": place})
    assert signed.headers["location"] == wanted


def test_a_cookie_alone_writes_nothing(guarded):
    form = {"csrf": word(guarded.get("/login").text), "token": TOKEN}
    guarded.post("/login", data=form)
    assert guarded.post("/api/tiny/retrieve", json=QUESTION).status_code == 403
    mine = word(guarded.get("/docs").text)
    allowed = guarded.post("/api/tiny/retrieve", json=QUESTION, headers={"x-csrf-token": mine})
    assert allowed.status_code == 200
    held = dict(guarded.cookies)
    left = guarded.post("/logout", data={"csrf": mine})
    assert (left.status_code, left.headers["location"]) == (303, "/login")
    guarded.cookies.update(held)
    assert guarded.get("/api").status_code == 401


def test_the_login_form_is_guarded_too(guarded):
    assert guarded.post("/login", data={"token": TOKEN}).status_code == 403
    csrf = word(guarded.get("/login").text)
    cross = {"origin": "http://evil.example"}
    assert guarded.post("/login", data={"token": TOKEN, "csrf": csrf}, headers=cross).status_code == 403


@pytest.mark.parametrize(
    "place", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "", "/a/../b"]
)
def test_signing_in_leads_nowhere_else(guarded, place):
    csrf = word(guarded.get("/login").text)
    signed = guarded.post("/login", data={"csrf": csrf, "token": TOKEN, "next": place})
    assert signed.headers["location"] == "/"


# Other sites


def test_a_name_that_an_attacker_points_here_is_refused(serve):
    client = serve(base_url="http://rebound.example:8000")
    assert client.get("/api").status_code == 421
    assert client.post("/api/tiny/retrieve", json=QUESTION).status_code == 421


def test_a_proxy_on_this_machine_has_a_name_of_its_own(serve):
    client = serve(base_url="http://workbench.example", token=TOKEN)
    assert client.get("/api", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert client.get("/api").status_code == 401
    held = client.get("/login", headers={"x-forwarded-proto": "https"}).headers["set-cookie"]
    assert "; Secure" in held


def test_a_form_of_another_site_is_refused(client):
    page = client.get("/docs")
    fields = {"csrf": word(page.text), "question": "x"}
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        assert client.post("/api/tiny/curation/apply", data=fields, headers=headers).status_code == 403


def test_a_browser_says_the_word_of_its_session(client):
    mine = {"origin": LOCAL, "sec-fetch-site": "same-origin"}
    assert client.post("/api/tiny/retrieve", json=QUESTION, headers=mine).status_code == 403
    csrf = word(client.get("/docs").text)
    assert client.post("/api/tiny/retrieve", json=QUESTION, headers=mine).status_code == 403
    wrong = {**mine, "x-csrf-token": "0" * 64}
    assert client.post("/api/tiny/retrieve", json=QUESTION, headers=wrong).status_code == 403
    right = {**mine, "x-csrf-token": csrf}
    assert client.post("/api/tiny/retrieve", json=QUESTION, headers=right).status_code == 200


def test_the_word_of_another_session_is_refused(client, serve):
    other = word(serve().get("/docs").text)
    client.get("/docs")
    headers = {"origin": LOCAL, "x-csrf-token": other}
    assert client.post("/api/tiny/retrieve", json=QUESTION, headers=headers).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/xml", ""])
def test_bodies_that_any_page_could_send_are_not_read(client, kind):
    headers = {"content-type": kind} if kind else {}
    refused = client.post("/api/tiny/retrieve", content=b'{"question": "x"}', headers=headers)
    assert refused.status_code == 415


def test_no_other_origin_is_allowed(client):
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    for answer in (
        client.options("/api/tiny/retrieve", headers=asked),
        client.get("/health", headers={"origin": LOCAL}),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


# What every response says


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/health", 200),
        ("GET", "/docs", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/", 303),
        ("GET", "/nothing", 404),
        ("GET", "/api/tiny/records/entities", 400),
        ("GET", "/api?x=../y", 400),
        ("POST", "/health", 415),
        ("PUT", "/health", 415),
    ],
)
def test_headers_of_every_response(client, method, path, status):
    answer = client.request(method, path)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/health", "/api/tiny/stats", "/index/tiny/overview", "/nothing"]
)
def test_head_is_get_without_its_body(client, path):
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]


def test_a_fault_is_one_line_without_a_traceback(client, monkeypatch, capsys):
    monkeypatch.delenv("AITIA_DEBUG", raising=False)
    monkeypatch.setattr("aitia.web.api.about.show_cost", lambda _: 1 / 0)
    answer = client.get("/api/tiny/cost")
    line = f"unexpected ZeroDivisionError; {UNEXPECTED}"
    assert (answer.status_code, answer.json()) == (500, {"error": line})
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert capsys.readouterr().err == f"aitia: {line}\n"


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/api/%2e%2e%2ftiny/stats",
        "/api/..%2f..%2fetc/stats",
        "/api/tiny/passages/..%2f..%2findex.db",
        "/api/tiny/records/..%5c..%5cx",
        "/static/..%2fapp.py",
        "/static/%252e%252e%252fapp.py",
        "/index/tiny/..%2f..%2fx",
        "/api/tiny/graph/edges?text=../../x",
        "/api/tiny/graph/edge?source=../x&target=y",
        "/api/tiny/spec/variables?metric=..%2f..",
        "/login?next=/../x",
    ],
)
def test_a_step_up_anywhere_is_refused(client, path):
    answer = client.get(path)
    assert answer.status_code == 400
    assert "'..'" in answer.json()["error"]


def test_a_step_up_in_a_body_is_refused(client):
    for name in ("documents", "retrieval"):
        refused = client.post("/api/tiny/retrieve", json={**QUESTION, name: "../../*"})
        assert (refused.status_code, refused.json()["error"]) == (422, f"{name}: '..' as a step is refused")
    refused = client.post("/api/tiny/why", json={**QUESTION, "chunk": "../index.db"})
    assert refused.status_code == 422
    assert client.post("/api/tiny/retrieve", json={"question": "What is ../x of mites?"}).status_code == 200


def test_names_are_keys(client, tiny):
    for path in ("/api/%2Fetc/stats", "/api/tiny%2F/stats", f"/api/{str(tiny).replace('/', '%2F')}/stats"):
        assert client.get(path).status_code == 404
    assert client.get("/static/app.py").status_code == 404


# Limits


def test_a_large_body_is_refused(serve):
    client = serve(limits=Limits(body=1000, embedding_body=3000))
    big = {"question": "x" * 1000}
    assert client.post("/api/tiny/retrieve", json=big).status_code == 413
    headers = {"content-type": "application/json"}
    in_pieces = client.post("/api/tiny/retrieve", content=(b"x" * 600 for _ in range(2)), headers=headers)
    assert in_pieces.status_code == 413
    texts = {"input": "x" * 2000, "model": "tiny"}
    assert client.post("/v1/embeddings", json=texts).status_code == 200
    assert client.post("/v1/embeddings", json={**texts, "input": "x" * 3000}).status_code == 413


def test_a_client_that_calls_too_often_waits(serve):
    client = serve(limits=Limits(calls=(0.01, 2)))
    assert [client.get("/health").status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get("/health")
    assert 1 <= int(refused.headers["retry-after"]) <= 100
    assert refused.json()["error"].startswith("too many requests")


def test_answers_have_a_rate_of_their_own(serve):
    client = serve(limits=Limits(asks=(0.01, 1)))
    assert client.post("/api/tiny/ask", json=QUESTION).status_code == 200
    assert client.post("/api/tiny/ask/stream", json=QUESTION).status_code == 429
    assert client.post("/api/tiny/retrieve", json=QUESTION).status_code == 200

"""Pages: found by name, rendered as text, and the list of routes."""

from __future__ import annotations

import re
from html import unescape

import pytest

from aitia.web.page_routes import list_routes
from aitia.web.pages import PAGES
from aitia.web.settings import Limits

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_one_index_is_entered_at_once(client):
    start = client.get("/")
    assert (start.status_code, start.headers["location"]) == (303, "/index/tiny")
    assert client.get("/index/tiny").headers["location"] == f"/index/tiny/{PAGES[0].slug}"


def test_several_are_a_choice(serve, tiny, own):
    page = serve(folders={"a": tiny, "b c/<i>": own}).get("/").text
    assert 'href="/index/a"' in page
    assert "<i>" not in page


def test_a_page_that_is_not_there(client):
    missing = client.get("/index/tiny/nothing")
    assert missing.status_code == 404
    assert "no page 'nothing'" in unescape(missing.text)
    assert missing.headers["content-type"] == "text/html; charset=utf-8"
    no_index = client.get("/index/<script>alert(1)<%2Fscript>/overview")
    assert no_index.status_code == 404
    assert "<script>alert" not in no_index.text


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nowhere", 404, "there is nothing at this address"),
        ("/index/tiny/ask?q=../x", 400, "'..' as a step"),
        ("/index/tiny/ask?q=%00a", 400, "a NUL character"),
        ("/index/tiny/edges", 404, "no two ends were named; choose an arrow of the graph page"),
        ("/index/tiny/edges?source=a&target=b", 404, "no metric or variable 'a'"),
        ("/index/tiny/nothing/more", 404, "there is nothing at this address"),
    ],
)
def test_a_browser_gets_a_page_with_the_menu(client, path, status, said):
    page = client.get(path, headers=BROWSER)
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert said in unescape(page.text)
    for each in PAGES:
        assert each.under or f'href="/index/tiny/{each.slug}"' in page.text


def test_a_program_gets_json(client):
    assert client.get("/nowhere").json() == {"error": "there is nothing at this address; see /docs"}
    assert "error" in client.get("/api/tiny/nothing", headers=BROWSER).json()


def test_who_has_no_token_gets_no_names(serve):
    client = serve(token="a-token-of-many-characters", limits=Limits(failures=(0.01, 1)))
    page = client.get("/nowhere?x=..", headers=BROWSER)
    assert (page.status_code, "tiny" in page.text) == (400, False)
    page = client.get("/login", headers=BROWSER)
    form = {"csrf": re.search(r'name="csrf" value="(\w+)"', page.text)[1], "token": "guess"}
    pages = [client.post("/login", data=form, headers=BROWSER) for _ in range(2)]
    assert [page.status_code for page in pages] == [401, 429]
    assert pages[1].headers["retry-after"] == "100"
    assert "Too often" in pages[1].text
    assert "tiny" not in pages[1].text


def test_a_name_that_was_pointed_here_gets_no_page(serve):
    refused = serve(base_url="http://rebound.example:8000").get("/", headers=BROWSER)
    assert (refused.status_code, refused.headers["content-type"]) == (421, "application/json")


def test_a_page_is_told_no_commands(client):
    empty = {"question": "?"}
    said = client.post("/api/tiny/retrieve", json=empty).json()["error"]
    assert "aitia ask" in said
    csrf = re.search(r'csrf-token" content="(\w+)"', client.get("/docs").text)[1]
    ours = {"x-csrf-token": csrf, "sec-fetch-site": "same-origin"}
    shown = client.post("/api/tiny/retrieve", json=empty, headers=ours).json()["error"]
    assert shown == "the question has no words; expected words"


def test_slugs_are_different():
    assert len({page.slug for page in PAGES}) == len(PAGES)


def test_every_route_is_on_the_page(client):
    document = client.get("/openapi.json").json()
    page = unescape(client.get("/docs").text)
    operations = [(method.upper(), path) for path, each in document["paths"].items() for method in each]
    assert len(operations) > 20
    for method, path in operations:
        assert f"{method} {path}" in re.sub(r"<[^>]+>", "", page).replace("\n", " ") or path in page
    assert not [path for path in document["paths"] if path.startswith(("/index", "/static", "/login"))]


def test_every_route_says_what_it_does(client):
    document = client.get("/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, said in operations.items():
            assert said.get("description"), (method, path)
            assert said.get("tags"), (method, path)
            assert said["responses"]["422"]["content"]["application/json"]["schema"]["$ref"].endswith(
                "/Problem"
            )


@pytest.mark.parametrize("path", ["/docs", "/login", "/nothing"])
def test_nothing_comes_from_another_host(serve, path):
    page = serve(token="a-token-of-many-characters").get(path).text
    assert not re.findall(r"(?:src|href|action)=\"(?:https?:)?//", page)
    assert not re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)


def test_routes_are_listed_with_their_fields():
    document = {
        "paths": {
            "/a/{x}": {
                "post": {
                    "tags": ["t"],
                    "description": "Does.",
                    "parameters": [{"name": "x", "required": True, "schema": {"type": "string"}}],
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/B"}}}
                    },
                }
            }
        },
        "components": {
            "schemas": {
                "B": {
                    "required": ["n"],
                    "properties": {
                        "n": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "how many"},
                        "l": {"type": "array", "items": {"enum": ["u", "v"]}},
                    },
                }
            }
        },
    }
    assert list_routes(document) == {
        "t": [
            {
                "method": "POST",
                "path": "/a/{x}",
                "text": "Does.",
                "parameters": [{"name": "x", "type": "string", "required": True, "text": ""}],
                "body": [
                    {"name": "n", "type": "integer", "required": True, "text": "how many"},
                    {"name": "l", "type": "list of u, v", "required": False, "text": ""},
                ],
            }
        ]
    }

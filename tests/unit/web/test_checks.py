"""What a request must be, check by check."""

from __future__ import annotations

import pytest

from aitia.web.call import Call, read_call
from aitia.web.checks import check_host, check_path, check_site, fault_of, is_of_browser
from aitia.web.refusals import Refused


def call(method: str = "GET", path: str = "/", query: str = "", **headers: str) -> Call:
    named = {name.replace("_", "-"): (value,) for name, value in headers.items()}
    return Call(method, path, path, query, named, "10.0.0.1")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LocalHost:1", "[::1]:9", "127.0.0.2"])
def test_names_of_this_machine(host):
    check_host(call(host=host))


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.",
        "[::1",
        "127.0.0.1@evil.example",
        "0.0.0.0",
    ],
)
def test_other_names_are_refused(host):
    with pytest.raises(Refused) as refused:
        check_host(call(host=host))
    assert refused.value.status == 421


def test_two_hosts_are_none():
    twice = Call("GET", "/", "/", "", {"host": ("127.0.0.1", "evil.example")}, "")
    with pytest.raises(Refused):
        check_host(twice)


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "../x",
        "a/../b",
        "a/..",
        "..\\x",
        "%2e%2e%2fx",
        "%252e%252e/x",
    ],
)
def test_steps_up_are_found(text):
    assert fault_of(text) == "'..' as a step"


@pytest.mark.parametrize("text", ["a%00b", "\0", "%2500"])
def test_nul_is_found_and_named(text):
    assert fault_of(text) == "a NUL character"
    with pytest.raises(Refused, match="holds a NUL character"):
        check_path(call(path="/a", query=f"q={text}"))


def test_what_is_encoded_again_and_again_is_refused():
    assert fault_of("%25252525252e%2e") == "what was encoded more than three times"


@pytest.mark.parametrize(
    "text", ["", "a..b", "...", "a/.../b", "wait.. what", "50%", "Level(a, b)", "a/b", "%", "..."]
)
def test_other_dots_are_none(text):
    assert fault_of(text) == ""


@pytest.mark.parametrize(
    ("path", "query"),
    [("/a/%2e%2e/b", ""), ("/a", "name=..%2Fx"), ("/a", "..%2Fx=1"), ("/a", "x=1&y=%252e%252e")],
)
def test_a_step_up_in_any_parameter_is_refused(path, query):
    with pytest.raises(Refused) as refused:
        check_path(call(path=path, query=query))
    assert refused.value.status == 400


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "nonsense"])
def test_a_write_from_another_site_is_refused(site):
    with pytest.raises(Refused) as refused:
        check_site(call("POST", host="127.0.0.1:8000", sec_fetch_site=site))
    assert refused.value.status == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9000", "", "http://127.0.0.1"]
)
def test_an_origin_that_is_not_the_host_is_refused(origin):
    with pytest.raises(Refused):
        check_site(call("POST", host="127.0.0.1:8000", origin=origin))


def test_a_write_of_our_own_page_passes():
    check_site(
        call("POST", host="127.0.0.1:8000", origin="http://127.0.0.1:8000", sec_fetch_site="same-origin")
    )
    check_site(call("POST", host="127.0.0.1:8000"))


def test_pages_are_linked_to_and_programs_are_not():
    check_site(call("GET", "/index/tiny/graph", host="127.0.0.1:8000", sec_fetch_site="cross-site"))
    check_site(call("GET", "/api/tiny/stats", host="127.0.0.1:8000", sec_fetch_site="none"))
    with pytest.raises(Refused):
        check_site(call("GET", "/api/tiny/stats", host="127.0.0.1:8000", sec_fetch_site="cross-site"))


def test_a_browser_is_known_by_what_only_browsers_send():
    assert not is_of_browser(call("POST", host="127.0.0.1", authorization="Bearer x"))
    for name in ("origin", "sec_fetch_site", "cookie", "referer"):
        assert is_of_browser(call("POST", **{name: "x"}))


def test_a_call_is_read_from_a_scope():
    scope = {
        "method": "GET",
        "path": "/a b",
        "raw_path": b"/a%20b",
        "query_string": b"x=1",
        "headers": [
            (b"Host", b"h"),
            (b"cookie", b"a=1"),
            (b"cookie", b"b=2"),
            (b"authorization", b"bearer  T "),
        ],
        "client": ("10.0.0.1", 5),
    }
    read = read_call(scope)
    assert (read.path, read.raw_path, read.query, read.client) == ("/a b", "/a%20b", "x=1", "10.0.0.1")
    assert read.cookies == {"a": "1", "b": "2"}
    assert read.header("cookie") is None
    assert read.bearer == "T"

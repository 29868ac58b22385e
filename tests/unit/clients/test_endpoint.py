from __future__ import annotations

import pytest

from aitia.clients.endpoint import Endpoint
from aitia.clients.faults import Fault, read_answer, read_fault
from aitia.errors import ModelError


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (None, "https://api.openai.com/v1"),
        ("https://user:secret%20word@host.example:8443/v1?key=a-long-key", "https://host.example:8443/v1"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address, shown):
    endpoint = Endpoint(address, None)
    assert endpoint.shown == shown


def test_no_secret_of_an_address_is_told():
    endpoint = Endpoint("https://user:secret%20word@host.example/v1?key=a-long-key", None)
    assert endpoint.tell("secret%20word, secret word, a-long-key; a-l**") == "***, ***, ***; a-l**"
    assert Endpoint(None, "sk-key").tell("sk-key; sk-k**") == "***; sk-k**"


def test_a_user_in_the_address_is_sent_where_there_is_no_key(chat):
    endpoint = Endpoint(chat.base_url.replace("//", "//user:secret@"), None)
    endpoint.client().chat.completions.create(model="m", messages=[{"role": "user", "content": "a"}])
    assert chat.headers[0]["authorization"] == "Basic dXNlcjpzZWNyZXQ="
    why = endpoint.explain(Fault("key", "no", 401), "m")
    assert "refused the user name and password of the base URL (401)" in why
    endpoint.close()


@pytest.mark.parametrize("user", ["user:secret", "secret", ":secret"])
def test_a_key_and_a_user_exclude_each_other(user):
    with pytest.raises(ModelError, match=r"both an API key and a user name .* --base-url") as caught:
        Endpoint(f"https://{user}@host.example/v1", "sk-key")
    assert "secret" not in str(caught.value)
    assert "sk-key" not in str(caught.value)


def test_the_query_of_an_address_is_sent(chat):
    endpoint = Endpoint(f"{chat.base_url}?key=a-long-key", None)
    endpoint.client().chat.completions.create(model="m", messages=[{"role": "user", "content": "a"}])
    assert chat.paths == ["/v1/chat/completions?key=a-long-key"]
    endpoint.close()


@pytest.mark.parametrize("key", ["sk-\u2026abc", "sk abc", "sk\nabc"])
def test_a_key_that_no_header_carries_is_not_repeated(key):
    with pytest.raises(ModelError, match="the API key holds characters that no key has") as caught:
        Endpoint(None, key)
    assert "abc" not in str(caught.value)


def test_a_key_from_a_file_may_end_in_a_line_break(chat):
    endpoint = Endpoint(chat.base_url, "sk-key\n")
    endpoint.client().chat.completions.create(model="m", messages=[{"role": "user", "content": "a"}])
    assert chat.headers[0]["authorization"] == "Bearer sk-key"
    endpoint.close()


def test_words_of_a_server_are_one_short_line():
    told = Endpoint(None, "x" * 20).tell("a\n\x1b[31mb " + "c" * 300)
    assert told == "a [31mb " + "c" * 232 + "..."


def test_a_key_at_the_cut_leaves_no_piece():
    assert "sk-k" not in Endpoint(None, "sk-key-of-length").tell("c" * 235 + "sk-key-of-length")


def test_no_key_where_one_is_wanted_is_said():
    why = Endpoint("http://127.0.0.1:1/v1", None).explain(Fault("key", "no", 401), "m")
    assert why.startswith("http://127.0.0.1:1/v1 refused to answer without an API key (401)")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "100000"}, 120.0),
    ],
)
def test_how_long_a_server_asks_to_wait(headers, seconds):
    assert read_answer(429, {}, headers).wait_s == seconds


@pytest.mark.parametrize(
    "body", [None, "", "text", [1], {}, {"error": None}, {"error": "text"}, {"detail": [1]}]
)
def test_any_body_of_an_error_is_read(body):
    fault = read_answer(400, body, {})
    assert fault.kind == "refused"
    assert fault.words
    assert "\n" not in fault.words


def test_an_error_that_nobody_expected_ends_the_work():
    assert read_fault(TypeError("odd")) == Fault("refused", "TypeError: odd")

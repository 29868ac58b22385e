from __future__ import annotations

import pytest

from aitia.clients.bodies import read_body
from aitia.clients.faults import FaultError


@pytest.mark.parametrize(
    ("content", "content_type", "kind", "words"),
    [
        (b"", "application/json", "transient", "an answer that is not JSON"),
        (b"", "", "transient", "an answer that is not JSON"),
        (b"<html>", "text/html", "refused", "no chat completion but '<html>'"),
        (b"<html>", "application/json", "transient", "an answer that is not JSON"),
        (b"[" * 100_000, "application/json", "transient", "an answer that is not JSON"),
        (b"9" * 10_000, "application/json", "transient", "an answer that is not JSON"),
        (b"null", "application/json", "transient", "no chat completion but 'null'"),
        (b"[]", "application/json", "transient", "no chat completion but '[]'"),
        (b"3", "application/json", "transient", "no chat completion but '3'"),
        (b'"text"', "application/json", "transient", "no chat completion but '\"text\"'"),
        (b'{"error": "exploded"}', "application/json", "transient", "exploded"),
        (b'{"error": {"message": "no", "code": 401}}', "application/json", "key", "no"),
    ],
)
def test_what_is_no_object_is_a_fault(content, content_type, kind, words):
    with pytest.raises(FaultError) as caught:
        read_body(content, content_type, "chat completion")
    assert (caught.value.fault.kind, caught.value.fault.words) == (kind, words)


def test_an_object_is_an_object_whatever_it_is_called():
    assert read_body(b'{"a": 1}', "text/plain", "chat completion") == {"a": 1}

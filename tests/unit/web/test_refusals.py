"""Errors as statuses and lines."""

from __future__ import annotations

import json

import pytest

from aitia import errors
from aitia.web.refusals import (
    UNEXPECTED,
    JsonResponse,
    Refused,
    line_of,
    problem,
    status_of,
    without_commands,
)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.UsageError("x"), 400),
        (errors.CorpusError("x"), 409),
        (errors.SpecError("x"), 409),
        (errors.IndexFolderError("x"), 409),
        (errors.PartialBuild("x"), 409),
        (errors.LimitReached("x"), 429),
        (errors.EmbedderError("x"), 502),
        (errors.ModelError("x"), 502),
        (errors.PeerError("x"), 502),
        (errors.AitiaError("x"), 500),
        (Refused(418, "x"), 418),
        (ValueError("x"), 500),
    ],
)
def test_status(error, status):
    assert status_of(error) == status


def test_every_error_has_a_status():
    kinds = {
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.AitiaError)
    }
    assert {kind.__name__ for kind in kinds if status_of(kind("x")) == 500} == {"AitiaError"}


def test_a_line_is_one_line():
    assert line_of(errors.UsageError("a\n  b\tc")) == "a b c"
    assert line_of(errors.UsageError("x" * 1000)) == "x" * 600 + " ..."
    assert line_of(KeyError("a secret")) == f"unexpected KeyError; {UNEXPECTED}"


def test_shapes():
    refused = Refused(429, "wait", {"retry-after": "3"})
    plain = problem(refused, "/api/tiny/ask")
    assert (json.loads(plain.body), plain.status_code, plain.headers["retry-after"]) == (
        {"error": "wait"},
        429,
        "3",
    )
    openai = json.loads(problem(refused, "/v1/embeddings").body)
    assert openai == {
        "error": {"message": "wait", "type": "invalid_request_error", "param": None, "code": None}
    }
    assert json.loads(problem(ValueError(), "/v1/models").body)["error"]["type"] == "server_error"


def test_halves_of_characters_are_escaped():
    assert JsonResponse({"a": "ä\ud800"}).body == b'{"a":"\\u00e4\\ud800"}'
    assert JsonResponse({"a": "ä"}).body == '{"a":"ä"}'.encode()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("it is empty; expected words, for example: aitia ask 'Why?'", "it is empty; expected words"),
        ("no such file fits; expected one (see: aitia show documents)", "no such file fits; expected one"),
        ("no graph; see aitia show links, aitia export, or build it with hcg", "no graph"),
        ("not in the index; run aitia apply; then look", "not in the index; then look"),
        ("Aitia knows no 'x'; expected one of a, b", "Aitia knows no 'x'; expected one of a, b"),
    ],
)
def test_a_page_names_no_commands(line, shown):
    assert without_commands(line) == shown

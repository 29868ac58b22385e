import json

import pytest

from aitia.corpus.readers.content import Unreadable
from aitia.corpus.readers.records import read_json, read_jsonl


def lines(*records):
    return "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records).encode()


def test_records_of_lines_are_known_by_id_or_line_number():
    content = read_jsonl(lines({"id": 7, "text": "a"}, "", {"text": "b"}, {"title": "T\n x", "context": "c"}))
    assert [(piece.record, piece.name, piece.text) for piece in content.pieces] == [
        ("7", "7", "a"),
        ("3", None, "b"),
        ("4", "T x", "c"),
    ]
    assert content.pieces[2].sections[0].heading_path == ("T x",)
    assert content.faults == ()


def test_an_id_that_is_taken_gets_its_number():
    content = read_jsonl(lines({"id": "x", "text": "a"}, {"id": "x", "text": "b"}))
    assert [piece.record for piece in content.pieces] == ["x", "x@2"]


def test_a_bad_line_costs_only_itself():
    bad = ['{"text": "cut', "[1]", {"body": "x"}, {"text": 3}, {"text": " "}, "[" * 100_000]
    content = read_jsonl(lines({"text": "a"}, *bad, {"text": "b\u2028c"}))
    assert [piece.text for piece in content.pieces] == ["a", "b\u2028c"]
    assert content.faults == (
        "line 2: not JSON (Unterminated string starting at)",
        "line 3: found a list, expected an object with the field text or context",
        "line 4: no field text or context",
        "line 5: the field text is not a string",
        "line 6: the field text is empty",
        "line 7: not JSON (RecursionError)",
    )


def test_json_holds_a_list_a_record_or_lines():
    one = {"corpus_name": "Medical", "context": "a"}
    assert [(piece.record, piece.name) for piece in read_json(lines(one)).pieces] == [("1", "Medical")]
    assert [piece.text for piece in read_json(json.dumps([one, {"text": "b"}]).encode()).pieces] == ["a", "b"]
    assert [piece.text for piece in read_json(lines(one, {"text": "b"})).pieces] == ["a", "b"]


def test_a_file_without_a_record_says_where_it_fails():
    with pytest.raises(Unreadable, match=r"^line 2: not JSON \(Expecting ',' delimiter\)$"):
        read_json(b'{"text": "a"\n"b"}')
    with pytest.raises(
        Unreadable, match=r"^no record to read: record 1: no field text or context, and 1 more$"
    ):
        read_json(b'[{"a": 1}, {}]')
    with pytest.raises(Unreadable, match=r"^no record to read: line 1: not JSON"):
        read_jsonl(b"not json")
    with pytest.raises(Unreadable, match="RecursionError"):
        read_json(b"[" * 100_000)
    assert read_json(b"[]").pieces == ()


def test_texts_are_cleaned():
    assert (
        read_jsonl(b'{"text": "a\\r\\nb\\u0000 \\ud83d\\ude00 \\ud83d"}').pieces[0].text == "a\nb 😀 \ufffd"
    )

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from aitia.cli.text import counted, excerpt, safe_block, safe_json, safe_line


def test_control_characters_become_their_escapes():
    assert safe_block("a\x1b[31mb\x07") == "a\\x1b[31mb\\x07"
    assert (
        safe_block("c1: \x9b31m, bidi: \u202e, half: \udc80") == "c1: \\x9b31m, bidi: \\u202e, half: \\udc80"
    )


def test_a_block_keeps_its_lines_and_a_line_does_not():
    assert safe_block("one\r\ntwo\tthree\rfour") == "one\ntwo\tthree\\x0dfour"
    assert safe_line("  one\r\ntwo\t three \n") == "one two three"


def test_long_lines_keep_both_ends():
    assert safe_line("x" * 100, 40) == "x" * 25 + " ... " + "x" * 10
    assert safe_line("a" * 40, 40) == "a" * 40


def test_excerpts_end_at_a_word():
    assert excerpt("one two three", 9) == "one two ..."
    assert excerpt("onetwothree", 4) == "onet ..."
    assert excerpt("one two", 7) == "one two"


def test_one_thing_is_singular():
    assert [counted(1, "edges"), counted(0, "edges"), counted(2500, "edges")] == [
        "1 edge",
        "0 edges",
        "2,500 edges",
    ]


@given(st.text(), st.integers(20, 60))
def test_no_line_has_control_characters_or_is_too_long(text, limit):
    line = safe_line(text, limit)
    assert line.isprintable() or not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in line)
    assert len(line) <= limit


@given(st.text(st.characters()))
def test_json_reads_back_whatever_was_escaped(text):
    safe = safe_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(safe) == {"text": text}
    assert safe.encode("utf-8")

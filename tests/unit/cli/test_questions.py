from __future__ import annotations

import json

import pytest

from aitia.cli.questions import Question, read_questions
from aitia.errors import CorpusError


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_records_and_plain_strings(tmp_path):
    content = [
        {"id": "a", "question": " Why? x ", "answer": "..."},
        "What causes y?",
        {"id": 7, "question": "z"},
    ]
    assert read_questions(write(tmp_path / "q.json", content)) == [
        Question("a", "Why? x"),
        Question("2", "What causes y?"),
        Question(7, "z"),
    ]


def test_a_record_a_line(tmp_path):
    lines = '\ufeff{"id": "a", "question": "Why x?"}\n\n"Why y?"\n'
    assert read_questions(write(tmp_path / "q.jsonl", lines)) == [
        Question("a", "Why x?"),
        Question("2", "Why y?"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "q.json:1: not JSON"),
        ('["a",\n "b"\n oops]', "q.json:3: not JSON"),
        ("[]", "holds no question"),
        ("{}", "holds one dict; expected a list"),
        ('[{"id": "a"}]', 'question 1: expected a text, or a record with "id" and "question"'),
        ('[{"id": "a", "question": 3}]', "question 1: expected a text"),
        ("[[1]]", "question 1: expected a text"),
        ('[{"id": ["a"], "question": "x"}]', "question 1: the id is a list"),
        (
            '[{"id": "a", "question": "x"}, {"id": "a", "question": "y"}]',
            "question 2 has the id 'a' of an earlier one",
        ),
        ('["x", "  "]', r"question 2 \(id '2'\): the question is empty"),
        (json.dumps(["x" * 100_000]), r"question 1 \(id '1'\): the question has 100,000 characters"),
        ("[" * 100_000, "beyond what is read here"),
    ],
)
def test_what_is_wrong_and_where(tmp_path, content, message):
    with pytest.raises(CorpusError, match=message):
        read_questions(write(tmp_path / "q.json", content))


def test_the_line_of_a_bad_record(tmp_path):
    with pytest.raises(CorpusError, match=r"q\.jsonl:2: not JSON"):
        read_questions(write(tmp_path / "q.jsonl", '"a"\n{"id": }\n'))


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "latin.json").write_bytes(b'["caf\xe9"]')
    with pytest.raises(CorpusError, match="not UTF-8"):
        read_questions(tmp_path / "latin.json")
    with pytest.raises(CorpusError, match="No such file"):
        read_questions(tmp_path / "none.json")
    with pytest.raises(CorpusError, match="Is a directory"):
        read_questions(tmp_path)

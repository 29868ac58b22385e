from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.errors import CorpusError
from aitia.evaluation.datasets import Question, half_of, questions_hash, read_questions

HEADER = "id,question,answer,question_type,evidence,evidence_documents\n"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_csv_is_read_as_the_csv_module_reads_it(tmp_path):
    path = write(
        tmp_path / "q.csv",
        HEADER
        + '1,"Why, ""then""?","So,\nyes.",Fact,"One; two.<and>Three.",d1 <and> d2\n\n2,How?,Thus.,,,\n',
    )
    assert read_questions(path) == (
        Question("1", 'Why, "then"?', "So,\nyes.", "Fact", ("One; two.", "Three."), ("d1", "d2")),
        Question("2", "How?", "Thus."),
    )


def test_json_lines_are_read_whatever_stands_in_a_text(tmp_path):
    path = write(tmp_path / "q.jsonl", '{"id": "1", "question": "a\u2028b", "answer": "c"}\r\n\r\n')
    assert read_questions(path) == (Question("1", "a\u2028b", "c"),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marks_of_an_encoding_are_read(tmp_path, encoding):
    path = write(tmp_path / "q.csv", "id,question,answer\r\n1,Où?,Là.\r\n".encode(encoding))
    assert read_questions(path) == (Question("1", "Où?", "Là."),)
    path = write(tmp_path / "q.json", '[{"id": "1", "question": "Où?", "answer": "Là."}]'.encode(encoding))
    assert read_questions(path) == (Question("1", "Où?", "Là."),)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("q.csv", "", "holds no record; expected at least one"),
        ("q.csv", HEADER, "holds no record; expected at least one"),
        ("q.csv", "id,answer\n1,a\n", 'line 2: expected "question" as text, found the fields id, answer'),
        (
            "q.csv",
            "id;question;answer\n1;a;b\n",
            'line 2: expected "id" as text, found the fields id;question',
        ),
        ("q.csv", "id,question,id\n1,a,b\n", "line 1: a column is named twice; found id, question, id"),
        ("q.csv", "id,question,answer\n1,a\n", "line 2: found 2 cells, expected 3, as the header"),
        ("q.csv", 'id,question\n1,"a\nb"\n2,"c\n', "line 4: not CSV .unexpected end of data."),
        ("q.csv", "id,question,answer\n,a,b\n", 'line 2: expected "id" as text, found an empty text'),
        ("q.csv", "id,question,answer\nnan,a,b\n", "line 2: .* found the missing value 'nan'"),
        ("q.csv", "id,question,answer\n1,a,b\n1,c,d\n", "two questions have one id, '1' .questions 1 and 2."),
        ("q.csv", "id,question,answer\n1,é,b\n".encode("cp1252"), "cannot be read .not UTF-8."),
        ("q.jsonl", '{"id": "1", "question": "a"}\n{', "line 2: not JSON"),
        ("q.jsonl", "[1]", "line 1: expected a record with named fields, found a list"),
        ("q.json", "[" * 100_000, "not JSON"),
    ],
)
def test_a_fault_is_one_line_with_its_place(tmp_path, name, content, message):
    path = write(tmp_path / name, content)
    with pytest.raises(CorpusError, match=message) as caught:
        read_questions(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_half_characters_are_replaced_for_no_file_can_hold_them(tmp_path):
    path = write(tmp_path / "q.json", rb'[{"id": "1\ud800", "question": "\ud83d\ude00", "answer": "b"}]')
    assert read_questions(path) == (Question("1\ufffd", "\U0001f600", "b"),)


FIELDS = ["id", "question", "answer", "question_type", "evidence", "evidence_documents", "source", "x\ny"]
VALUES = (
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2)
)
RECORDS = st.lists(st.dictionaries(st.sampled_from(FIELDS), VALUES) | VALUES, max_size=3)


@given(records=RECORDS)
@settings(max_examples=150, deadline=None)
def test_whatever_json_holds_is_questions_or_one_line(tmp_path_factory, records):
    path = write(tmp_path_factory.getbasetemp() / "any.json", json.dumps(records))
    try:
        questions = read_questions(path)
    except CorpusError as error:
        assert "\n" not in str(error)
    else:
        assert len({question.id for question in questions}) == len(records) > 0
        assert all(question.id.strip() and question.text.strip() for question in questions)


@given(content=st.text(alphabet='a,"\n\r;<and>\0é', max_size=40) | st.binary(max_size=20))
@settings(max_examples=150, deadline=None)
def test_whatever_a_table_holds_is_questions_or_one_line(tmp_path_factory, content):
    head = b"id,question,answer\n"
    content = content.encode() if isinstance(content, str) else content
    path = write(tmp_path_factory.getbasetemp() / "any.csv", head + content)
    try:
        assert read_questions(path)
    except CorpusError as error:
        assert "\n" not in str(error)


def test_a_hundred_thousand_rows_are_read(tmp_path):
    rows = "".join(f"q{number},Why {number}?,So {number}.\n" for number in range(100_000))
    questions = read_questions(write(tmp_path / "q.csv", "id,question,answer\n" + rows))
    assert len(questions) == 100_000
    assert questions[-1] == Question("q99999", "Why 99999?", "So 99999.")


def test_the_hash_changes_with_every_field_and_not_with_the_order():
    first, second = Question("1", "a", "b"), Question("2", "a", "b")
    others = [
        Question("3", "a", "b"),
        Question("1", "A", "b"),
        Question("1", "a", "B"),
        Question("1", "a", "b", "T"),
        Question("1", "a", "b", evidence=("x",)),
        Question("1", "a", "b", evidence_documents=("x",)),
        Question("1", "a", "b", source="x"),
        Question("1", "a", "b", answerable=False),
    ]
    hashes = {questions_hash([other, second]) for other in others}
    assert len(hashes) == len(others)
    assert questions_hash([first, second]) == questions_hash([second, first])
    assert questions_hash([first, second]) not in hashes
    written = (
        '{"answer": "b", "answerable": true, "evidence": [], "evidence_documents": [], "id": "1", '
        '"source": "", "text": "a", "type": "all"}'
    )
    assert questions_hash([first]) == hashlib.sha256(written.encode()).hexdigest()[:16]


def test_the_types_without_an_answer_are_told(tmp_path):
    path = write(
        tmp_path / "q.csv",
        HEADER
        + "1,a,Insufficient information,Null,,\n2,a,b,null_query,,\n3,a,Insufficient information.,T,,\n"
        + "4,a,Insufficient information,T,,d1\n5,a,b,T,,\n",
    )
    assert [question.answerable for question in read_questions(path)] == [False, False, False, True, True]
    assert half_of("1") == "odd"  # sha1("1") = 356a...

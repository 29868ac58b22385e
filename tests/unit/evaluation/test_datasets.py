from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets import (
    Question,
    corpus_path,
    half_of,
    in_half,
    load_questions,
    read_corpus_text,
    read_questions,
)


def write(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records), "utf-8")
    return path


def test_every_shape_of_evidence_is_read(tmp_path):
    path = write(
        tmp_path / "questions.json",
        [
            {
                "id": "1",
                "question": "Why?",
                "answer": "So.",
                "question_type": "Fact",
                "evidence": "One. Two.",
            },
            {"id": "2", "question": "How?", "answer": "Thus.", "evidence": ["One.", "Two."]},
            {"id": "3", "question": "Who?", "answer": "He.", "evidence_documents": ["d1", "d2"]},
        ],
    )
    assert read_questions(path) == (
        Question("1", "Why?", "So.", "Fact", ("One. Two.",)),
        Question("2", "How?", "Thus.", "all", ("One.", "Two.")),
        Question("3", "Who?", "He.", evidence_documents=("d1", "d2")),
    )


def test_a_dataset_is_found_in_its_folder(tmp_path):
    write(tmp_path / "holisqa/computer_science/questions.json", [{"id": "1", "question": "Why?"}])
    assert load_questions(tmp_path, "holisqa") == (Question("1", "Why?", ""),)
    assert corpus_path(tmp_path, "novel") == tmp_path / "novel/docs"


def test_an_unknown_dataset_names_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match="'squad' is unknown; expected one of medical, novel, lihua-world"):
        load_questions(tmp_path, "squad")


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ({"id": "1"}, "expected a list of questions, found one dict"),
        ([], "holds no record; expected at least one"),
        ({}, "expected a list of questions, found one dict"),
        (
            [{"id": "1", "question": "a"}, {"id": "2"}],
            'question 2: expected "question" as text, found the fields id',
        ),
        ([{}], 'question 1: expected "id" as text, found the fields none'),
        ([{"id": 1, "question": "a"}], 'question 1: expected "id" as text, found one int'),
        ([{"id": float("nan"), "question": "a"}], 'question 1: expected "id" as text, found NaN'),
        ([{"id": "NaN", "question": "a"}], "to tell the question apart, found the missing value 'NaN'"),
        ([{"id": " ", "question": "a"}], 'question 1: expected "id" as text, found an empty text'),
        ([{"id": "1", "question": None}], 'expected "question" as text, found null'),
        ([{"id": "1", "question": "a", "answer": 3}], 'expected "answer" as text, found one int'),
        ([{"id": "1", "question": "a", "evidence": {}}], '"evidence" as a list of texts, found one dict'),
        ([{"id": "1", "question": "a", "evidence": [1]}], "a list of texts, found a list of other things"),
        (["text"], "question 1: expected a record with named fields, found a text"),
        (
            [{"id": "1", "question": "a"}, {"id": "2", "question": "b"}, {"id": "1", "question": "c"}],
            r"two questions have one id, '1' .questions 1 and 3.",
        ),
    ],
)
def test_a_faulty_file_is_one_line(tmp_path, records, message):
    path = write(tmp_path / "questions.json", records)
    with pytest.raises(CorpusError, match=message) as caught:
        read_questions(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_json_or_missing_is_one_line(tmp_path):
    (tmp_path / "bad.json").write_text("{", "utf-8")
    for name in ("bad.json", "missing.json"):
        with pytest.raises(CorpusError) as caught:
            read_questions(tmp_path / name)
        assert "\n" not in str(caught.value)


def test_halves_follow_the_first_digit_of_sha1():
    # sha1("a") = 86f7..., sha1("b") = e9d7..., sha1("d") = 3c36..., sha1("abc") = a999...
    assert [half_of(id) for id in ("a", "b", "d", "abc")] == ["even", "even", "odd", "even"]
    questions = [Question(id, "", "") for id in ("a", "b", "d")]
    assert [question.id for question in in_half(questions, "odd")] == ["d"]
    assert [question.id for question in in_half(questions, "even")] == ["a", "b"]
    assert len(in_half(questions, None)) == 3


def test_corpora_of_every_form_are_read(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "b.txt").write_text("second", "utf-8")
    (folder / "a.txt").write_text("first", "utf-8")
    (folder / ".hidden").write_text("not read", "utf-8")
    (tmp_path / "nested" / "week2").mkdir(parents=True)
    (tmp_path / "nested" / "week1").mkdir()
    (tmp_path / "nested" / "week2" / "a.txt").write_text("second", "utf-8")
    (tmp_path / "nested" / "week1" / "b.txt").write_text("first", "utf-8")
    (tmp_path / "page.md").write_text("# Head\n\nBody.", "utf-8")
    (tmp_path / "c.jsonl").write_text('{"text": "first"}\n{"text": "sec\u2028ond"}\n', "utf-8")
    (tmp_path / "c.json").write_text('[{"context": "first"}, {"context": "second"}]', "utf-8")
    (tmp_path / "one.json").write_text('{"context": "only"}', "utf-8")
    assert read_corpus_text(folder) == "first\nsecond"
    assert read_corpus_text(folder / "a.txt") == "first"
    assert read_corpus_text(tmp_path / "nested") == "first\nsecond"
    assert "Body." in read_corpus_text(tmp_path / "page.md")
    assert read_corpus_text(tmp_path / "c.jsonl") == "first\nsec\u2028ond"
    assert read_corpus_text(tmp_path / "c.json") == "first\nsecond"
    assert read_corpus_text(tmp_path / "one.json") == "only"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.jsonl", b'{"text": "a"}\n{', "not JSON"),
        ("c.jsonl", b'{"body": "a"}', "expected records with their text in 'text' or 'context'"),
        ("c.json", b'[{"text": 1}]', "expected records with their text in 'text' or 'context'"),
        ("c.json", b'["a"]', "expected records with their text in 'text' or 'context'"),
        ("c.txt", b"\xff\xfe\xfd", "cannot be read .not UTF-8."),
    ],
)
def test_a_faulty_corpus_is_one_line(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message) as caught:
        read_corpus_text(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.data
@pytest.mark.skipif("AITIA_DATA" not in os.environ, reason="AITIA_DATA is not set")
@pytest.mark.parametrize(
    ("dataset", "questions"), [("medical", 1068), ("novel", 327), ("lihua-world", 300), ("holisqa", 420)]
)
def test_the_benchmark_data_is_read(dataset, questions):
    data = Path(os.environ["AITIA_DATA"])
    assert len(load_questions(data, dataset)) == questions
    assert len(read_corpus_text(corpus_path(data, dataset))) > 100_000

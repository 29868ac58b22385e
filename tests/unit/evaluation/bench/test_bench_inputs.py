from __future__ import annotations

import pytest

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.bench.inputs import Selection, choose, hash_corpus, unknown_documents
from aitia.evaluation.datasets import Question, half_of

QUESTIONS = tuple(Question(f"q{number}", "Why?", "so") for number in range(20))


def ids(**given):
    return [each.id for each in choose(QUESTIONS, Selection(**given))]


def test_all_of_them_without_a_choice():
    assert choose(QUESTIONS, Selection()) == QUESTIONS


def test_a_number_is_drawn_by_the_seed_and_a_smaller_is_part_of_a_larger():
    five, ten = ids(count=5), ids(count=10)
    assert len(five) == 5
    assert set(five) < set(ten)
    assert ten == [each.id for each in QUESTIONS if each.id in ten]
    assert ids(count=5) == five != ids(count=5, seed=1)
    assert ids(count=99) == [each.id for each in QUESTIONS]


def test_halves():
    assert ids(half="odd") == [each.id for each in QUESTIONS if half_of(each.id) == "odd"]
    assert len(ids(half="odd")) + len(ids(half="even")) == 20


def test_ids_of_a_file(tmp_path):
    path = tmp_path / "ids.txt"
    path.write_text("q7\n\n q3 \n")
    assert ids(ids=path) == ["q3", "q7"]
    path.write_text("q7\nq99\n")
    with pytest.raises(UsageError, match="'q99' is the id of no question"):
        ids(ids=path)
    with pytest.raises(UsageError, match=r"--ids .*none\.txt: cannot be read"):
        ids(ids=tmp_path / "none.txt")


def test_documents_that_no_index_has_are_counted():
    questions = [
        Question("q1", "Why?", "so", evidence_documents=("a.txt", "b")),
        Question("q2", "Why?", "so", evidence_documents=("c", "b")),
        Question("q3", "Why?", "so"),
    ]
    assert unknown_documents(questions, ["c", "b", "a.txt", "z"]) == []
    assert unknown_documents(questions[2:], []) == []
    assert unknown_documents(questions, ["c", "a.txt"]) == [
        "1 of 3 documents that questions name as evidence are in no index and count as not found, as 'b' of "
        "question 'q1'; an index has names as 'a.txt'"
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"count": 0}, "--questions 0; expected at least 1"),
        ({"half": "both"}, "expected even or odd"),
        ({"count": 1, "half": "odd"}, "exclude one another"),
    ],
)
def test_what_cannot_be_chosen(given, said):
    with pytest.raises(UsageError, match=said):
        ids(**given)


def test_none_left(tmp_path):
    (tmp_path / "ids.txt").write_text("\n")
    with pytest.raises(UsageError, match="no question is left"):
        ids(ids=tmp_path / "ids.txt")


def test_a_corpus_is_its_names_and_bytes(tmp_path):
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("x")
    (folder / "sub" / "b.txt").write_text("y")
    first = hash_corpus(folder)
    assert hash_corpus(folder) == first
    assert hash_corpus(folder.rename(tmp_path / "moved")) == first
    folder = tmp_path / "moved"
    (folder / "a.txt").rename(folder / "c.txt")
    second = hash_corpus(folder)
    (folder / "c.txt").write_text("z")
    assert len({first, second, hash_corpus(folder), hash_corpus(folder / "c.txt")}) == 4
    with pytest.raises(CorpusError, match="does not exist"):
        hash_corpus(tmp_path / "none")

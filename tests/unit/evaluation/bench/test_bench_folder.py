from __future__ import annotations

import subprocess
import sys

import pytest

from aitia.errors import UsageError
from aitia.evaluation.bench.folder import opened, resume_answers
from aitia.evaluation.records import AnswerRecord, append_record, read_answers, write_records


def record(id="a", run=0, **values):
    return AnswerRecord(id, "qcg", run, "all", "Why?", "so", **values)


def test_what_need_not_be_asked_again(tmp_path):
    path = tmp_path / "answers.jsonl"
    assert resume_answers(path) == []
    assert not path.exists()
    kept = [record("a"), record("a", 1), record("c", reply="x", contexts=("y",))]
    write_records(path, [kept[0], record("b", error="no"), *kept[1:]])
    assert resume_answers(path) == kept
    assert read_answers(path) == kept
    before = path.stat()
    assert resume_answers(path) == kept
    assert path.stat() == before


def test_a_line_that_was_cut_off_does_not_spoil_the_next(tmp_path):
    path = tmp_path / "answers.jsonl"
    append_record(path, record("a"))
    with path.open("a") as file:
        file.write('{"id": "b", "sys')
    assert resume_answers(path) == [record("a")]
    append_record(path, record("b"))
    assert read_answers(path) == [record("a"), record("b")]
    path.write_text('{"id"')
    assert resume_answers(path) == []
    assert path.read_text() == ""


def test_half_of_a_surrogate_pair_is_kept(tmp_path):
    path = tmp_path / "answers.jsonl"
    append_record(path, record("\ud800", reply="\U0001f41d"))
    assert read_answers(path) == [record("\ud800", reply="\U0001f41d")]


def test_a_folder_is_made_and_held(tmp_path):
    out = tmp_path / "a" / "b"
    with opened(out) as folder:
        assert {each.name for each in out.iterdir()} >= {"answers", "indexes", "scores"}
        assert folder.ledger == out / "ledger.db"
        code = (
            "import sys; from pathlib import Path; from aitia.evaluation.bench.folder import opened\n"
            "with opened(Path(sys.argv[1])): pass"
        )
        other = subprocess.run(
            [sys.executable, "-c", code, str(out)], capture_output=True, text=True, check=False, timeout=60
        )
        assert "is used by another benchmark" in other.stderr
    with opened(out):
        pass


def test_other_files_are_no_benchmark(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match=r"holds other files \('thesis.tex'\)"), opened(tmp_path):
        pass
    with pytest.raises(UsageError, match="is a file"), opened(tmp_path / "thesis.tex"):
        pass
    (tmp_path / "bench.toml").write_text("")
    with opened(tmp_path):
        pass

"""Indexes by name: found, opened once, and opened anew when they were written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from aitia.errors import IndexFolderError, UsageError
from aitia.web.refusals import Refused
from aitia.web.shelf import Shelf, name_folders


def rewrite(folder: Path) -> None:
    """What a build does: a new file, renamed into place."""
    fresh = folder / "index.db.new"
    shutil.copyfile(folder / "index.db", fresh)
    fresh.replace(folder / "index.db")
    os.utime(folder / "index.db", ns=(1, 1))


def test_names_are_those_of_the_folders(tmp_path):
    (tmp_path / "a").mkdir()
    assert name_folders([tmp_path / "a", tmp_path / "a" / ".." / "b"]) == {
        "a": tmp_path / "a",
        "b": tmp_path / "b",
    }
    with pytest.raises(UsageError, match="two indexes are called 'a'"):
        name_folders([tmp_path / "a", tmp_path / "x" / "a"])
    with pytest.raises(UsageError, match="/ has no name"):
        name_folders([Path("/")])


def test_an_index_is_opened_once_until_it_is_written(own):
    shelf = Shelf({"own": own})
    first = shelf.get("own")
    assert shelf.get("own") is first
    rewrite(own)
    second = shelf.get("own")
    assert second is not first
    assert shelf.get("own") is second


def test_an_unknown_name(own):
    with pytest.raises(Refused, match="no index 'x'; expected one of own") as refused:
        Shelf({"own": own}).get("x")
    assert refused.value.status == 404


def test_what_is_no_index(tmp_path):
    with pytest.raises(IndexFolderError):
        Shelf({"x": tmp_path})


def test_an_index_that_goes_away_is_an_error_and_comes_back(own, tmp_path):
    shelf = Shelf({"own": own})
    shutil.move(own / "index.db", tmp_path / "kept")
    with pytest.raises(IndexFolderError):
        shelf.get("own")
    shutil.move(tmp_path / "kept", own / "index.db")
    assert shelf.get("own").index.method == "hcg"


def test_a_call_that_met_two_indexes_is_made_once_more(own):
    shelf = Shelf({"own": own})
    seen = []

    def call(opened):
        seen.append(opened)
        if len(seen) == 1:
            rewrite(own)
        return len(seen)

    assert shelf.use("own", call) == 2
    assert seen[0] is not seen[1]

    def fail(opened):
        seen.append(opened)
        if len(seen) == 3:
            (own / "aitia.toml").touch()
            raise IndexFolderError("mixed")
        return "good"

    assert shelf.use("own", fail) == "good"


def test_an_error_of_one_index_stands(own):
    calls = []

    def fail(opened):
        calls.append(opened)
        raise UsageError("no")

    with pytest.raises(UsageError):
        Shelf({"own": own}).use("own", fail)
    assert len(calls) == 1


def test_a_line_without_places(own):
    assert (
        Shelf({"own": own}).private(f"{own} and {own}/index.db are gone") == "own and own/index.db are gone"
    )

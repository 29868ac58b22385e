from __future__ import annotations

from aitia.corpus.document import Document
from aitia.workflows.changes import Changes, compare_documents


def documents(**texts):
    return [Document(path, path, text) for path, text in texts.items()]


def compared(before, now):
    return compare_documents(documents(**before), documents(**now))


def test_each_document_is_one_of_five():
    before = {"kept": "a", "edited": "b", "old": "c", "gone": "d"}
    now = {"kept": "a", "edited": "B", "new": "c", "fresh": "e"}
    assert compared(before, now) == Changes(
        added=("fresh",),
        changed=("edited",),
        renamed=(("old", "new"),),
        removed=("gone",),
        unchanged=("kept",),
    )


def test_a_path_that_another_document_takes():
    assert compared({"a": "1", "b": "2"}, {"a": "2", "b": "1"}) == Changes(renamed=(("a", "b"), ("b", "a")))
    assert compared({"a": "1"}, {"b": "1", "a": "2"}) == Changes(added=("a",), renamed=(("a", "b"),))
    assert compared({"a": "1", "b": "2"}, {"a": "2"}) == Changes(renamed=(("b", "a"),), removed=("a",))


def test_whether_anything_changed():
    assert not compared({"a": "1"}, {"a": "1"})
    for now in ({"b": "1"}, {"a": "2"}, {"a": "1", "b": "2"}, {}):
        assert compared({"a": "1"}, now)

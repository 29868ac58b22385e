from __future__ import annotations

import pytest

from aitia.errors import SpecError
from aitia.spec.curation_file import append_decisions, append_text, parse_decisions, read_decisions
from aitia.spec.decisions import Decision, split_key, undone_by

RENAME = Decision(
    action="rename", kind="metric", target="Loss", value={"to": "Mortality"}, author="ada",
    time="2026-01-01T00:00:00Z", reason="as doctors say",
)  # fmt: skip
ADD = Decision(
    action="add", kind="edge", target='A("x, y") -> B()',
    value={"mechanism": "m: #1", "confidence": 1, "quotes": [{"text": "a\nb", "chunk": "0e12"}]},
)  # fmt: skip


def test_what_is_appended_follows_what_stands_there_to_the_letter(tmp_path):
    path = tmp_path / "curation.yaml"
    assert read_decisions(path) == ()
    append_decisions(path, [])
    assert not path.exists()
    append_decisions(path, [RENAME])
    first = path.read_text("utf-8") + "# a remark of ours\n"
    path.write_text(first, "utf-8")
    append_decisions(path, [ADD])
    assert path.read_text("utf-8").startswith(first)
    assert read_decisions(path) == (RENAME, ADD)
    assert [child.name for child in tmp_path.iterdir()] == ["curation.yaml"]


def test_a_file_of_remarks_and_one_that_a_person_indented():
    assert parse_decisions(append_text("# ours", [RENAME])) == (RENAME,)
    text = "  - action: delete\n    kind: metric\n    target: X\n"
    assert [each.target for each in parse_decisions(append_text(text, [RENAME]))] == ["X", "Loss"]


def test_numbers_are_numbers_and_words_are_words():
    text = "- {action: add, kind: edge, target: A() -> B(), value: {mechanism: 1.0, confidence: 1, polarity: none}}"
    assert parse_decisions(text)[0].value == {"mechanism": "1.0", "confidence": 1.0, "polarity": "none"}
    text = "- {action: edit, kind: edge, target: A() -> B(), value: {field: confidence, to: 0.5}}"
    assert parse_decisions(text)[0].value["to"] == 0.5


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("decisions: []", "curation.yaml:1: found a mapping, expected a list of decisions"),
        ("- {kind: metric, target: X}", "curation.yaml:1: found no action in a decision, expected one"),
        (
            "\n- {action: flip, kind: metric, target: X}",
            "curation.yaml:2: found the action on a metric 'flip'",
        ),
        ("- {action: rename, kind: metrics, target: X}", "curation.yaml:1: found the kind 'metrics'"),
        (
            "- {action: rename, kind: metric, target: ' '}",
            "curation.yaml:1: found nothing, expected a target",
        ),
        ("- {action: rename, kind: metric, target: X, value: Y}", "curation.yaml:1: expected the value as"),
        (
            "- {action: add, kind: edge, target: X, value: {confidence: 2}}",
            "curation.yaml:1: found the confidence '2'",
        ),
        (
            "- {id: '00', action: delete, kind: metric, target: X}",
            "curation.yaml:1: found the id '00' of a decision",
        ),
        ("- &a {action: delete, kind: metric, target: X}", "curation.yaml:1: found an anchor or alias"),
    ],
)
def test_errors_name_the_line(text, error):
    with pytest.raises(SpecError) as caught:
        parse_decisions(text)
    assert str(caught.value).startswith(error)
    assert "\n" not in str(caught.value)


def test_nothing_is_appended_to_a_list_in_brackets():
    for text in ("[]", "[{action: delete, kind: metric, target: X}]\n"):
        with pytest.raises(SpecError, match="in brackets"):
            append_text(text, [RENAME])


def test_an_id_is_of_all_but_the_reason():
    assert RENAME.id == RENAME.model_copy(update={"reason": "why not"}).id
    for field, other in (("target", "Gain"), ("author", "bob"), ("time", ""), ("value", {"to": "Death"})):
        assert RENAME.model_copy(update={field: other}).id != RENAME.id
    assert len(RENAME.id) == 8


def test_an_undo_may_be_undone():
    undo = Decision(action="undo", kind="metric", target=RENAME.id)
    again = Decision(action="undo", kind="metric", target=undo.id)
    assert undone_by([RENAME, undo]) == {RENAME.id: undo.id}
    assert undone_by([RENAME, undo, again]) == {undo.id: again.id}


def test_ends_of_a_key():
    assert split_key('A("x -> y, z") -> B(u -> v)') == ('A("x -> y, z")', "B(u -> v)")
    assert split_key("ant -> bee") == ("ant", "bee")
    assert split_key("A(x) -> B()") == ("A(x)", "B()")
    with pytest.raises(ValueError, match="expected two names"):
        split_key("A(x)")

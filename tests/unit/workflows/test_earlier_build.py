"""What an earlier build, a killed one or a person left in the index folder."""

from __future__ import annotations

import pytest

from aitia.errors import IndexFolderError, SpecError
from aitia.spec.curation_file import read_decisions
from aitia.spec.model import OutcomeConfig
from aitia.workflows.earlier import Taken, check_untouched, earlier_outcomes, take_edits
from aitia.workflows.folder import locked, prepare, read_settings


def test_nothing_was_there(tmp_path):
    assert earlier_outcomes(tmp_path) is None
    assert take_edits(tmp_path) == Taken(None, ())


def test_proposed_outcomes_are_proposed_anew_and_written_ones_hold(own):
    assert earlier_outcomes(own) is None
    (own / "outcomes.yaml").write_text("terminal: [Mortality]\n", "utf-8")
    assert earlier_outcomes(own) == OutcomeConfig(terminal=("Mortality",))
    (own / "outcomes.yaml").write_bytes(b"terminal: [caf\xe9]\n")
    with pytest.raises(SpecError, match="expected UTF-8"):
        earlier_outcomes(own)


def test_an_edit_of_the_specification_is_a_decision_once(own):
    path = own / "graph_spec.yaml"
    generated = path.read_text("utf-8")
    assert take_edits(own) == Taken(generated, ())
    path.write_text(f"{generated}# a remark\n", "utf-8")
    assert take_edits(own) == Taken(f"{generated}# a remark\n", ())
    assert not (own / "curation.yaml").exists()
    path.write_text(generated.replace("How much", "How little"), "utf-8")
    taken = take_edits(own)
    assert [each.says for each in taken.edits] == [
        ("edit", "metric", "Level", '{"field": "description", "to": "How little there is."}')
    ]
    assert taken.decisions == taken.edits == read_decisions(own / "curation.yaml")
    assert taken.edits[0].author == "file"
    again = take_edits(own)  # killed before the index was written
    assert again.decisions == taken.decisions and not again.edits


def test_an_edit_that_was_taken_back_before_it_was_applied_is_taken_back(own):
    path = own / "graph_spec.yaml"
    generated = path.read_text("utf-8")
    path.write_text(generated.replace("How much", "How little"), "utf-8")
    take_edits(own)
    path.write_text(generated, "utf-8")
    taken = take_edits(own)
    assert [each.value["to"] for each in taken.decisions] == ["How little there is.", "How much there is."]


@pytest.mark.parametrize("section", ["dimensions", "metrics", "variables", "relations"])
def test_a_file_that_was_cut_off_deletes_nothing(own, section):
    path = own / "graph_spec.yaml"
    generated = path.read_text("utf-8")
    at = generated.index(f"{section}:")
    lines = generated[:at].count("\n")
    for text, line in ((generated[:at], lines), (f"{generated[:at]}{section}:\n", lines + 1)):
        path.write_text(text, "utf-8")
        with pytest.raises(SpecError, match=rf"^graph_spec.yaml:{line}: found no {section}, expected the \d"):
            take_edits(own)
    assert not (own / "curation.yaml").exists()


def test_all_relations_can_be_deleted(own):
    path = own / "graph_spec.yaml"
    generated = path.read_text("utf-8")
    path.write_text(f"{generated[: generated.index('relations:')]}relations: []\n", "utf-8")
    assert {each.action for each in take_edits(own).edits} == {"delete"}


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("text: Mites raise", "text: Mites lower", "found the quote 'Mites lower the mortality of bees.'"),
        ("chunk: ", "chunk: x", "found the chunk 'x"),
    ],
)
def test_a_quote_that_stands_nowhere_is_refused_with_its_line(own, old, new, error):
    path = own / "graph_spec.yaml"
    generated = path.read_text("utf-8")
    assert generated.count(old) == 1
    line = generated[: generated.index("text: Mites")].count("\n") + 1
    path.write_text(generated.replace(old, new), "utf-8")
    with pytest.raises(SpecError, match=rf"^graph_spec.yaml:{line}: {error}"):
        take_edits(own)
    assert not (own / "curation.yaml").exists()


def test_another_quote_that_stands_there_is_an_edit(own):
    path = own / "graph_spec.yaml"
    text = path.read_text("utf-8").replace(
        "text: Mites raise the mortality of bees.", "text: raise the Mortality"
    )
    path.write_text(text, "utf-8")
    assert [each.value["field"] for each in take_edits(own).edits] == ["quotes"]


def test_what_was_deleted_and_is_still_named_is_refused_with_what_to_do(own):
    path = own / "graph_spec.yaml"
    path.write_text(path.read_text("utf-8").replace("  - bee\n", ""), "utf-8")
    with pytest.raises(SpecError, match=r"or any; if that was deleted, delete this too$"):
        take_edits(own)


def test_a_file_that_is_edited_meanwhile_is_not_written_over(own):
    taken = take_edits(own)
    check_untouched(own, taken)
    (own / "graph_spec.yaml").write_text("metrics: []\n", "utf-8")
    with pytest.raises(IndexFolderError, match="was edited while the index was being written"):
        check_untouched(own, taken)


def test_a_damaged_index_is_no_dead_end_and_the_file_is_kept(own):
    (own / "index.db").write_bytes(b"damaged" * 1000)
    edited = (own / "graph_spec.yaml").read_text("utf-8") + "# mine\n"
    (own / "graph_spec.yaml").write_text(edited, "utf-8")
    assert take_edits(own) == Taken(None, ())
    assert (own / "graph_spec.yaml.old").read_text("utf-8") == edited
    assert earlier_outcomes(own) == OutcomeConfig(outcome=("Mortality",))
    prepare(own)


def test_what_a_killed_build_leaves_is_ours(tmp_path):
    for name in ("index.db.new", "index.db.new-journal", "ledger.db", "ledger.db-journal", ".aitia.lock",
                 ".aitia.lock.owner", "aitia.toml.new", "graph_spec.yaml.new"):  # fmt: skip
        (tmp_path / name).write_bytes(b"")
    prepare(tmp_path)


def test_one_writer_at_a_time(tmp_path):
    with (
        locked(tmp_path),
        pytest.raises(IndexFolderError, match=r"is being written by process \d+ for \d+ s"),
        locked(tmp_path),
    ):
        pass
    with locked(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_others_have_is_not(tmp_path):
    (tmp_path / "index.db").write_bytes(b"")
    with pytest.raises(IndexFolderError, match="is not Aitia's"):
        prepare(tmp_path)
    (tmp_path / "index.db").unlink()
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(IndexFolderError, match=r"holds other files \('thesis.txt'\) and no index"):
        prepare(tmp_path)
    with pytest.raises(IndexFolderError, match="is a file; expected a folder"):
        prepare(tmp_path / "thesis.txt")
    with pytest.raises(IndexFolderError, match="cannot be made"):
        prepare(tmp_path / "thesis.txt" / "index")


WHOLE = 'method = "hcg"\n[embedder]\nid = "a"\nhash = "b"\n[thresholds]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("method = [", "cannot be read"),
        ("", "no usable entry method"),
        ('method = "hcg"\nembedder = "minilm"', "no usable entry embedder.id"),
        ('method = "hcg"\n[embedder]\nid = "a"\nhash = 3', "no usable entry embedder.hash"),
        (
            'method = "hcg"\n[embedder]\nid = "a"\nhash = "b"\n[thresholds]',
            "no usable entry thresholds.question_chunk",
        ),
        (f"{WHOLE}question_chunk = nan", "no usable entry thresholds.question_chunk"),
        (f"{WHOLE}question_chunk = 0.5\ntau_min = inf", "no usable entry thresholds.tau_min"),
        (f"query = 5\n{WHOLE}question_chunk = 0.5", "no usable entry query"),
    ],
)
def test_damaged_settings(tmp_path, text, message):
    (tmp_path / "aitia.toml").write_text(text, "utf-8")
    with pytest.raises(IndexFolderError, match=message):
        read_settings(tmp_path)

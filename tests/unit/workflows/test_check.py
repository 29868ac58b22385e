"""Each kind of damage has a finding, and a whole index has none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from aitia.errors import IndexFolderError
from aitia.workflows.check import check_index
from aitia.workflows.index import open_index


def test_a_whole_index_has_no_finding(tiny):
    assert check_index(open_index(tiny)) == []


def found(folder):
    return check_index(open_index(folder))


def test_edges_whose_ends_are_gone(own, sql):
    sql("UPDATE edges SET target = 7 WHERE position = 2")
    assert found(own) == ["index.db: row 2 of edges points to no row of variables"]


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE edges SET confidence = 1.5 WHERE position = 2",
         "edge Level(mite) -> Mortality(bee): its confidence is 1.5"),
        ("UPDATE edges SET polarity = 'up' WHERE position = 2",
         "edge Level(mite) -> Mortality(bee): its polarity is 'up'"),
        ("UPDATE evidence SET quote = 'Mites rise' WHERE quote LIKE 'Mites raise%'",
         "edge Level(mite) -> Mortality(bee): its quote is not the text of mites.md at 0-34"),
        ("UPDATE evidence SET start = 1 WHERE found_by = 'mention'",
         "edge Level(mite) -> Mortality(bee): its quote is not the text of mites.md at 1-70"),
        ("UPDATE evidence SET start = 500, \"end\" = 530 WHERE found_by = 'mention'",
         "edge Level(mite) -> Mortality(bee): its evidence, mites.md at 500-530, does not touch chunk {mites}"),
        ("UPDATE evidence SET found_by = 'guess' WHERE found_by = 'mention'",
         "edge Level(mite) -> Mortality(bee): its evidence, mites.md at 35-70, was found by 'guess'"),
        ("UPDATE evidence SET start = 3 WHERE found_by = 'cosine'",
         "edge Level(cold) -> Mortality(bee): its evidence by vector, {path} at 3-66, is not the whole chunk {cold}"),
    ],
)  # fmt: skip
def test_edges_and_evidence(own, sql, change, finding):
    sql(change)
    cold, mites = open_index(own).store.chunks()
    assert found(own) == [finding.format(cold=cold.id, mites=mites.id, path=cold.path)]


def test_loops_and_repeats(own, sql):
    sql("UPDATE edges SET target = 0 WHERE position = 0")
    sql("UPDATE edges SET source = 0 WHERE position = 2")
    lines = found(own)
    assert "edge Level(cold) -> Level(cold): it leads to itself" in lines
    assert "edge Level(cold) -> Mortality(bee): it is there 2 times" in lines
    assert "array graph_sources: it is not that of the graph's rows" in lines


def test_a_terminal_metric_has_no_effects(own, sql):
    sql("UPDATE metrics SET value = replace(value, 'intermediate', 'terminal') WHERE position = 0")
    lines = found(own)
    assert lines[0] == "edge Level(cold) -> Level(mite): a terminal metric has an effect"
    assert "metrics: those of the specification and those of the graph differ" in lines


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE variables SET metric = 'Weight', key = 'Weight(bee)' WHERE position = 2",
         "variable Weight(bee): its metric is missing"),
        ("UPDATE variables SET entities = '[]', key = 'Mortality()' WHERE position = 2",
         "variable Mortality(): 0 entities for Mortality(subject)"),
        ("UPDATE variables SET entities = '[\"wasp\"]', key = 'Mortality(wasp)' WHERE position = 2",
         "variable Mortality(wasp): wasp is no entity of subject"),
        ("DELETE FROM dimensions", "metric Level(subject): its dimension subject is missing"),
    ],
)  # fmt: skip
def test_variables(own, sql, change, finding):
    sql(change)
    lines = found(own)
    assert finding in lines
    assert any("of the specification and those of the graph differ" in line for line in lines)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE variables SET key = 'Mortality(wasp)' WHERE position = 2",
         "variable Mortality(wasp): its key is not that of its metric and entities"),
        ("UPDATE documents SET id = 'cafe' WHERE position = 1",
         "document mites.md: its id cafe is not the hash of its text"),
        ("UPDATE chunks SET id = 'cafe' WHERE position = 1",
         "chunk cafe: its id is not the hash of its document and span"),
    ],
)  # fmt: skip
def test_ids(own, sql, change, finding):
    sql(change)
    assert finding in found(own)


def test_counts(own, sql):
    sql("DELETE FROM evidence WHERE edge = 2")
    sql("DELETE FROM edges WHERE position = 2")
    assert found(own)[0] == "edges: 2 rows, expected 3"


def test_chunks_are_verbatim(own, sql):
    sql("UPDATE chunks SET text = 'Mites lower the mortality of bees.' WHERE position = 1")
    lines = found(own)
    assert any(line.endswith("it is not the text of mites.md at 0-70") for line in lines)
    assert "array chunk_words: it is not the number of words of each chunk" in lines


def rewrite(sql, name, change):
    """Change an array of one part."""

    def run(array):
        array = change(array)
        sql("UPDATE arrays SET dtype = ?, shape = ?, data = ? WHERE name = ?",
            array.dtype.str, json.dumps(array.shape), array.tobytes(), name)  # fmt: skip

    return run


@pytest.mark.parametrize(
    ("name", "change", "finding"),
    [
        ("block_vectors", lambda a: a * 2, "array block_vectors: 2 of 2 vectors are not of length 1"),
        ("block_vectors", lambda a: a * np.nan, "array block_vectors: 2 of 2 vectors are not of length 1"),
        ("block_vectors", lambda a: a[:1], "array block_vectors: shape (1, 64), expected (2, 64)"),
        ("variable_vectors", lambda a: a[:, :5], "array variable_vectors: shape (3, 5), expected (3, 64)"),
        ("variable_vectors", lambda a: a + 1, "array variable_vectors: 3 of 3 vectors are not of length 1"),
        ("graph_targets", lambda a: a[::-1] + 0, None),
        ("graph_targets", lambda a: a * 0, "array graph_targets: it is not that of the graph's rows"),
        ("graph_roles", lambda a: a * 0, "array graph_roles: it is not that of the graph's rows"),
        ("graph_edge_of", lambda a: a[1:], "array graph_edge_of: it is not that of the graph's rows"),
        ("window_last", lambda a: a - 1,
         "arrays window_chunk, window_first, window_last: they are not the windows of the chunks"),
        ("block_chunk", lambda a: a[:1],
         "arrays block_chunk, block_first, block_last: they are not the blocks of the chunks"),
        ("chunk_bm25_units", lambda a: a + 9, "arrays chunk_bm25*: they do not fit 2 chunks and 12 terms"),
        ("window_bm25_indptr", lambda a: a[:-1], "arrays window_bm25*: they do not fit 2 windows and 12 terms"),
    ],
)  # fmt: skip
def test_arrays(own, sql, name, change, finding):
    rewrite(sql, name, change)(open_index(own).store.array(name))
    lines = found(own)
    assert finding in lines if finding else lines == []


def test_arrays_that_cannot_be_read(own, sql):
    sql("UPDATE arrays SET data = x'0102' WHERE name = 'graph_targets'")
    (line,) = found(own)
    assert "index.db is damaged or no Aitia index (" in line


def test_rows_that_are_no_json(own, sql):
    sql("UPDATE metrics SET value = '{' WHERE position = 0")
    (line,) = found(own)
    assert "index.db is damaged or no Aitia index (1 validation error for Metric" in line


def test_a_damaged_database(own):
    data = (own / "index.db").read_bytes()
    for start in range(4096, len(data), 4096):  # without the first page it is no database
        (own / "index.db").write_bytes(data[:start] + bytes(4096) + data[start + 4096 :])
        try:
            lines = found(own)
        except IndexFolderError as error:
            lines = [str(error)]
        assert lines
        assert not any("\n" in line for line in lines)


def test_a_truncated_database(own):
    data = (own / "index.db").read_bytes()
    for length in range(0, len(data), 8192):
        (own / "index.db").write_bytes(data[:length])
        with pytest.raises(IndexFolderError, match=r"index\.db is damaged"):
            found(own)


def test_an_edited_specification(own):
    path = own / "graph_spec.yaml"
    path.write_text(path.read_text("utf-8").replace("How much there is.", "How many there are."), "utf-8")
    assert found(own) == ["graph_spec.yaml: edited since the build; run aitia apply"]
    path.write_text("metrics: [", "utf-8")
    assert found(own)[0].startswith("graph_spec.yaml:1: ")
    path.unlink()
    assert found(own) == ["graph_spec.yaml: missing; aitia show spec prints it as built"]


def test_the_files_beside(own):
    (own / "outcomes.yaml").write_text("terminals: []\n", "utf-8")
    settings = (own / "aitia.toml").read_text("utf-8")
    (own / "aitia.toml").write_text(settings.replace('tier = "S"', 'tier = "M"'), "utf-8")
    (own / "ledger.db").write_bytes(b"no database at all, but long enough to be one" * 40)
    lines = found(own)
    assert lines[0] == "aitia.toml: edited; it is not what the index was built with"
    assert lines[1].startswith("outcomes.yaml:1: found the key")
    assert lines[2] == "ledger.db: file is not a database"


def test_the_embedder(own, sql):
    settings = (own / "aitia.toml").read_text("utf-8")
    embedder = 'id = "minilm"\nhash = "0123456789abcdef"'
    start, _, rest = settings.partition('id = "hash:64"\nhash = "')
    (own / "aitia.toml").write_text(start + embedder + rest.partition('"')[2], "utf-8")
    lines = found(own)
    assert lines[0] == "aitia.toml: edited; it is not what the index was built with"
    assert "was built with minilm of hash 0123456789abcdef, found " in lines[1]


def test_thresholds(own, sql):
    sql("UPDATE facts SET value = '0.3' WHERE name = 'tau_min'")
    assert found(own) == ["threshold tau_min: 0.3 in the index, 0.4 beside it"]

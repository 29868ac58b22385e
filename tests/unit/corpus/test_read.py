import os
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document as new_docx
from reportlab.pdfgen.canvas import Canvas

from aitia.corpus.read import read_corpus
from aitia.errors import CorpusError


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    return root


def write(root, **files):
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def paths(corpus):
    return [document.path for document in corpus.documents]


def reasons(corpus):
    return {item.path: item.reason for item in corpus.skipped}


def test_every_format_is_read_from_a_folder_tree(folder):
    page = BytesIO()
    canvas = Canvas(page)
    canvas.drawString(72, 700, "From a PDF.")
    canvas.save()
    document = new_docx()
    document.add_paragraph("From Word.")
    document.save(folder / "w.docx")
    write(folder, b_txt="Plain.", sub__a_md="# M\nMark.", h_HTML="<p>Page.", p_pdf=page.getvalue())
    write(folder, j_json='{"context": "Json."}', l_jsonl='{"id": "x", "text": "Line."}')
    corpus = read_corpus([folder])
    assert {document.path: document.text for document in corpus.documents} == {
        "b.txt": "Plain.",
        "h.HTML": "Page.",
        "j.json#1": "Json.",
        "l.jsonl#x": "Line.",
        "p.pdf": "From a PDF.",
        "sub/a.md": "# M\nMark.",
        "w.docx": "From Word.",
    }
    assert [document.name for document in corpus.documents] == ["b", "h", "j", "x", "p", "a", "w"]
    assert corpus.skipped == corpus.notes == ()


def test_what_cannot_be_read_is_listed_with_a_reason_and_the_rest_is_built(folder):
    write(folder, good_txt="Good.", empty_txt="", white_txt=" \n\t", bom_txt="\ufeff", image_png=b"\x89PNG")
    write(
        folder,
        binary_txt=bytes(range(256)),
        bad_pdf=b"%PDF-1.4 cut",
        bad_docx=b"PK\x03\x04",
        bad_json="{",
        README="x",
    )
    write(folder, some_jsonl='{"text": "a"}\n{"text"\n')
    corpus = read_corpus([folder])
    assert paths(corpus) == ["good.txt", "some.jsonl#1"]
    assert reasons(corpus) == {
        "README": "no suffix",
        "bad.docx": "damaged DOCX (not a zip archive)",
        "bad.json": "line 1: not JSON (Expecting property name enclosed in double quotes)",
        "bad.pdf": "damaged PDF (PdfStreamError)",
        "binary.txt": "binary, or of an unknown encoding; expected UTF-8",
        "bom.txt": "empty",
        "empty.txt": "empty",
        "image.png": "unsupported suffix .png",
        "some.jsonl": "line 2: not JSON (Expecting ':' delimiter)",
        "white.txt": "only white space",
    }


def test_encodings_that_were_detected_are_noted(folder):
    text = "Die Ärzte prüften die Größe."
    write(
        folder,
        a_txt=text.encode("latin-1"),
        b_txt=(text + "1").encode("utf-16"),
        c_txt=(text + "2").encode("utf-16-le"),
    )
    corpus = read_corpus([folder])
    assert [document.text for document in corpus.documents] == [text, text + "1", text + "2"]
    assert [(note.path, note.text) for note in corpus.notes] == [
        ("a.txt", "not UTF-8: read as cp1252 (detected)"),
        ("c.txt", "not UTF-8: read as utf-16-le (detected)"),
    ]


def test_a_duplicate_is_skipped_for_the_first_path(folder):
    write(folder, b_txt="Same.\r\n", a_md="Same.\n", c_jsonl='{"text": "Same.\\n"}\n{"text": "Other."}')
    corpus = read_corpus([folder])
    assert paths(corpus) == ["a.md", "c.jsonl#2"]
    assert reasons(corpus) == {"b.txt": "duplicate of a.md", "c.jsonl#1": "duplicate of a.md"}


def test_links_are_followed_to_files_inside_only(folder, tmp_path):
    write(tmp_path, secret_txt="Secret.")
    write(folder, real_txt="Real.", _hidden__store_txt="Stored.", sub__x_txt="X.")
    links = {
        "out.txt": tmp_path / "secret.txt",
        "out": tmp_path,
        "loop": folder / "loop",
        "up": folder,
        "side": folder / "sub",
        "broken.txt": folder / "none",
        "again.txt": folder / "real.txt",
        "shown.txt": folder / ".hidden" / "store.txt",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    corpus = read_corpus([folder])
    assert paths(corpus) == ["real.txt", "shown.txt", "sub/x.txt"]
    assert reasons(corpus) == {
        "again.txt": "duplicate of real.txt",
        "broken.txt": "broken link",
        "loop": "link loop",
        "out": "link out of the folder",
        "out.txt": "link out of the folder",
        "side": "link to a folder that is read in its own place",
        "up": "link loop",
    }


def test_hidden_files_are_passed_over_unless_named(folder):
    write(folder, a_txt="A.", _git__b_txt="B.", _c_txt="C.")
    assert paths(read_corpus([folder])) == ["a.txt"]
    assert read_corpus([folder]).skipped == ()
    assert paths(read_corpus([folder / ".c.txt"])) == [".c.txt"]
    assert paths(read_corpus([folder / ".git"])) == ["b.txt"]


def test_a_folder_may_be_called_like_a_file_and_a_pipe_is_not_read(folder):
    write(folder, x_txt__y_txt="Y.")
    os.mkfifo(folder / "pipe.txt")
    corpus = read_corpus([folder])
    assert paths(corpus) == ["x.txt/y.txt"]
    assert reasons(corpus) == {"pipe.txt": "not a regular file"}


def test_an_unreadable_file_or_folder_is_skipped(folder, monkeypatch):
    write(folder, a_txt="A.", b_txt="B.", locked__c_txt="C.")

    def deny(function):
        def denied(path):
            if Path(path).name in ("b.txt", "locked"):  # permissions do not bind the superuser
                raise PermissionError(13, "Permission denied")
            return function(path)

        return denied

    monkeypatch.setattr(Path, "read_bytes", deny(Path.read_bytes))
    monkeypatch.setattr(os, "scandir", deny(os.scandir))
    corpus = read_corpus([folder])
    assert paths(corpus) == ["a.txt"]
    assert reasons(corpus) == {
        "b.txt": "unreadable (Permission denied)",
        "locked": "unreadable (Permission denied)",
    }


def test_the_same_path_in_two_roots_is_told_apart_whatever_the_order(tmp_path):
    write(
        tmp_path,
        x__docs__n_txt="One.",
        y__docs__n_txt="Two.",
        y__docs__m_txt="Three.",
        x__docs__k_txt="Three.",
    )
    one, two = tmp_path / "x" / "docs", tmp_path / "y" / "docs"
    corpus = read_corpus([one, two])
    assert paths(corpus) == ["k.txt", "x/docs:n.txt", "y/docs:n.txt"]
    assert [document.text for document in corpus.documents] == ["Three.", "One.", "Two."]
    assert reasons(corpus) == {"m.txt": "duplicate of k.txt"}
    assert read_corpus([two, one]) == corpus
    assert [document.name for document in corpus.documents] == ["k", "n", "n"]


def test_sources_that_overlap_are_read_once(folder):
    write(folder, a_txt="A.", sub__b_txt="B.")
    corpus = read_corpus([folder / "sub", folder / "a.txt", folder, str(folder)])
    assert paths(corpus) == ["a.txt", "sub/b.txt"]
    assert corpus.skipped == ()


def test_standard_input_is_a_source(folder):
    write(folder, a_txt="A.")
    corpus = read_corpus(["-", folder], stdin="\ufeffPiped.\r\n")
    assert [(document.path, document.text) for document in corpus.documents] == [
        ("a.txt", "A."),
        ("stdin", "Piped.\n"),
    ]


def test_records_without_an_id_are_named_by_file_and_number(folder):
    write(folder, c_jsonl='{"text": "a"}\n{"text": "b"}')
    assert [document.name for document in read_corpus([folder]).documents] == ["c#1", "c#2"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, "no file"),
        ({"a_txt": ""}, "1 found and skipped (a.txt: empty)"),
        (
            {"a_png": "x", "b_png": "x", "c_txt": " ", "d": "x"},
            "4 found and skipped (a.png: unsupported suffix .png; ",
        ),
    ],
)
def test_nothing_to_read_is_one_line_that_says_what_was_found(folder, files, expected):
    write(folder, **files)
    with pytest.raises(CorpusError) as error:
        read_corpus([folder])
    assert expected in str(error.value)
    assert str(error.value).startswith(f"nothing to read in {folder}: ")
    assert "expected text in .txt .md" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("source", ["missing", "missing/a.txt", "a\0b", "x" * 5000])
def test_a_source_that_does_not_exist_is_an_error(folder, source):
    with pytest.raises(CorpusError, match="expected a folder, a file, or - for standard input"):
        read_corpus([folder / source])


def test_no_source_and_empty_input_are_errors():
    with pytest.raises(CorpusError, match="nothing to read in no source"):
        read_corpus([])
    with pytest.raises(CorpusError, match=r"nothing to read in -: 1 found and skipped \(stdin: empty\)"):
        read_corpus(["-"])


def test_a_file_name_that_is_not_utf_8_is_made_storable(folder):
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    (path,) = paths(read_corpus([folder]))
    assert path.encode() == "caf\ufffd.txt".encode()


def test_a_line_of_three_megabytes_is_read(folder):
    write(folder, a_txt="x" * 3_000_000)
    assert len(read_corpus([folder]).documents[0].text) == 3_000_000


@pytest.mark.data
@pytest.mark.skipif("AITIA_DATA" not in os.environ, reason="$AITIA_DATA is not set")
def test_the_benchmark_corpora_are_read_and_split():
    from aitia.corpus.split import open_splitter

    data = Path(os.environ["AITIA_DATA"])
    for source, documents in (("medical/corpus.txt", 1), ("lihua-world/docs", 442)):
        corpus = read_corpus([data / source])
        chunks = [chunk for document in corpus.documents for chunk in open_splitter("passage")(document)]
        assert len(corpus.documents) == documents
        assert len(chunks) > 500

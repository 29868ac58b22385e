import zipfile
from io import BytesIO

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from aitia.corpus.readers.content import Unreadable
from aitia.corpus.readers.docx import read_docx


def saved(document):
    target = BytesIO()
    document.save(target)
    return target.getvalue()


def test_headings_paragraphs_and_tables_come_in_order():
    document = Document()
    document.add_heading("Report", 0)
    document.add_paragraph("Intro.\tTab")
    document.add_heading("Staging", 1)
    table = document.add_table(2, 2)
    for position, words in enumerate(["Drug", "Dose", "A", "3 mg"]):
        table.cell(position // 2, position % 2).text = words
    document.add_heading("Detail", 2)
    document.add_paragraph("")
    document.add_paragraph("End.")
    (piece,) = read_docx(saved(document)).pieces
    assert piece.text == "Report\n\nIntro.\tTab\n\nStaging\n\nDrug\tDose\nA\t3 mg\n\nDetail\n\nEnd."
    assert [(section.heading_path, section.start) for section in piece.sections] == [
        (("Report",), 0),
        (("Report", "Staging"), 20),
        (("Report", "Staging", "Detail"), 47),
    ]


def test_tracked_insertions_and_content_controls_count_and_deletions_do_not():
    document = Document()
    paragraph = document.add_paragraph("kept ")
    for xml in (
        "<w:ins {ns}><w:r><w:t>new </w:t></w:r></w:ins>",
        "<w:del {ns}><w:r><w:delText>old</w:delText><w:t>gone</w:t></w:r></w:del>",
        "<w:sdt {ns}><w:sdtContent><w:r><w:t>chosen</w:t></w:r></w:sdtContent></w:sdt>",
    ):
        paragraph._p.append(parse_xml(xml.format(ns=nsdecls("w"))))
    assert read_docx(saved(document)).pieces[0].text == "kept new chosen"


def test_an_outline_level_makes_a_heading():
    document = Document()
    paragraph = document.add_paragraph("Custom")
    paragraph._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="1"/>'))
    assert read_docx(saved(document)).pieces[0].sections[0].heading_path == ("Custom",)


def test_damaged_files_are_refused():
    data = saved(Document())
    other = BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("x", "y")
    for bad in (b"PK\x03\x04", b"text", data[: len(data) // 2], other.getvalue()):
        with pytest.raises(Unreadable, match=r"^damaged DOCX \("):
            read_docx(bad)


def test_a_decompression_bomb_is_refused_before_it_is_unpacked():
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 40_000_000)
    with pytest.raises(Unreadable, match="unpacks to 40 MB"):
        read_docx(target.getvalue())

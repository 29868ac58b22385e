from aitia.corpus.readers.markdown import read_markdown


def headings(source):
    (piece,) = read_markdown(source.encode()).pieces
    return [(section.heading_path, piece.text[section.start :].split("\n")[0]) for section in piece.sections]


def test_the_text_stays_as_it_is_written():
    source = "# A *b*\n\n- x\n\n```\n# no\n```\n"
    assert read_markdown(source.encode()).pieces[0].text == source


def test_headings_of_both_kinds_nest_and_lose_their_markup():
    source = "intro\n# A *b* `c`\ntext\n\nSub [link](u) &amp; more\n---\n### C ###\n# D\n"
    assert headings(source) == [
        (("A b c",), "# A *b* `c`"),
        (("A b c", "Sub link & more"), "Sub [link](u) &amp; more"),
        (("A b c", "Sub link & more", "C"), "### C ###"),
        (("D",), "# D"),
    ]


def test_code_quotations_lists_front_matter_and_empty_headings_are_no_headings():
    source = "---\ntitle: x\n---\n```\n# code\n```\n> # quoted\n\n- # listed\n\n#\n\n    # indented\n"
    assert headings(source) == []


def test_offsets_hold_after_front_matter_windows_lines_and_accents():
    assert headings("---\r\na: é\r\n---\r\n# Éa\r\nx\r\n## B\r\n") == [
        (("Éa",), "# Éa"),
        (("Éa", "B"), "## B"),
    ]


def test_a_detected_encoding_is_reported():
    assert read_markdown("# Größe für Ärzte".encode("latin-1")).notes == (
        "not UTF-8: read as cp1252 (detected)",
    )

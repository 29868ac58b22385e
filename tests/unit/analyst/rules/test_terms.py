"""Terms: what a noun phrase counts as, and how it is shown."""

from __future__ import annotations

from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.terms import Terminology, head_of, key_of, read_terms
from aitia.corpus.chunk import Chunk


def terms(*texts: str) -> Terminology:
    chunks = [Chunk("d", "d.txt", n, 0, len(text), text) for n, text in enumerate(texts)]
    return read_terms(sentence for chunk in chunks for sentence in read_sentences(chunk))


def names(found: Terminology) -> set[str]:
    return {found.name(key) for key in found.counts}


def test_empty_modifiers_are_left_out_and_plurals_are_one_term() -> None:
    found = terms("Many other engines failed.", "The first engine failed.")
    assert found.counts[key_of("engine")] == 2
    assert names(found) == {"engine"}


def test_an_empty_noun_is_no_term_and_ends_none() -> None:
    assert names(terms("A lot of things in the kind of box.")) == {"box"}


def test_a_participle_belongs_to_a_noun_only_if_it_keeps_to_it() -> None:
    kept = terms(*["They chose targeted therapy."] * 4)
    dropped = terms("They removed tissue.", "The removed tissue dried.", "A removed engine rusted.")
    assert "targeted therapy" in names(kept)
    assert not any("removed" in name for name in names(dropped))


def test_a_numeral_numbers_the_noun_before_it() -> None:
    found = terms("The stage III melanoma grew.", "In stage III it is large.")
    assert found.counts["stage", "iii"] == 2
    assert found.counts[("melanoma",)] == 1
    assert head_of(("stage", "iii")) == "stage"


def test_an_ellipsis_is_one_term_where_its_end_never_stands_alone() -> None:
    found = terms(
        *["Head and neck cancer is treated.", "We study head and neck cancer.", "Head and neck cancer hurts."]
    )
    assert found.counts[("head", "and", "neck", "cancer")] == 3
    assert ("neck", "cancer") not in found.counts


def test_a_heading_without_a_full_stop_does_not_join_the_text() -> None:
    found = terms("Imaging tests Imaging tests take pictures.", "The imaging test helps.")
    assert names(found) == {"imaging test", "picture"}
    assert found.counts["imaging", "test"] == 3


def test_a_capital_is_kept_where_the_corpus_never_leaves_it() -> None:
    found = terms("They met European foulbrood.", "The Imaging test failed.", "An imaging test helps.")
    assert {"European foulbrood", "imaging test"} <= names(found)


def test_acronyms_and_names_keep_their_case() -> None:
    found = terms("The MRI showed it.", "Doctors met Heywood there.")
    assert {"MRI", "Heywood"} <= names(found)


def test_a_plural_is_shown_in_the_singular_unless_the_text_treats_it_as_one() -> None:
    found = terms("The pancreas makes juice.", "A pancreas is a gland.", "Headaches hurt.", "Many headaches.")
    assert {"pancreas", "headache"} <= names(found)

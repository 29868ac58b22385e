"""Other names of one thing: what is merged, and what never is."""

from __future__ import annotations

from aitia.analyst.rules.aliases import find_aliases
from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.terms import read_terms
from aitia.corpus.chunk import Chunk


def aliases(text: str) -> dict[str, str]:
    terms = read_terms(read_sentences(Chunk("d", "d.txt", 0, 0, len(text), text)))
    return {terms.name(name): terms.name(known) for name, known in find_aliases(terms).items()}


def test_an_acronym_stands_for_the_words_that_it_spells() -> None:
    text = "They saw a basal cell carcinoma (BCC) there. The BCC is small."
    assert aliases(text) == {"BCC": "basal cell carcinoma"}


def test_an_acronym_may_come_first() -> None:
    text = "They use CNC (computer numerical control) here. The CNC is new."
    assert aliases(text)["CNC"] == "computer numerical control"


def test_letters_in_brackets_that_spell_something_else_are_no_alias() -> None:
    assert "NASA" not in aliases("They saw a basal cell carcinoma (NASA) there. NASA paid.")


def test_also_called_joins_two_names() -> None:
    text = "The spanner, also called a wrench, is heavy. A spanner is useful. The spanner broke."
    assert aliases(text) == {"wrench": "spanner"}


def test_spellings_with_and_without_hyphen_are_one() -> None:
    assert aliases("An x-ray was made. The x-ray helps. The xray hurts.") == {"xray": "x-ray"}


def test_opposites_and_numbers_stay_apart() -> None:
    text = (
        "Non-small cell lung cancer differs. Small cell lung cancer grows. In stage I it is small. "
        "In stage II it is large. Hypothyroidism is slow. Hyperthyroidism is fast."
    )
    assert aliases(text) == {}

from __future__ import annotations

from aitia.analyst.graph_protocols import ModuleRequest
from aitia.analyst.rules.modules import summarize_modules
from aitia.spec.model import Quote


def request(entities, quotes, links=()):
    return ModuleRequest(
        "m", tuple(entities), tuple(links), tuple(Quote(text=q, chunk_id="c") for q in quotes)
    )


def test_the_sentences_that_name_most_of_the_important_stand_in_the_order_given():
    (said,) = summarize_modules(
        [
            request(
                ["frost", "pipe", "leak"],
                [
                    "A pipe is long.",
                    "The leak grew.",
                    "Frost bites.",
                    "Frost broke the pipe.",
                    "Nothing here.",
                ],
            )
        ]
    )
    assert said.title == "frost / pipe / leak"
    assert said.summary == "The leak grew. Frost broke the pipe."


def test_with_less_than_two_sentences_members_are_listed():
    (said,) = summarize_modules([request(["frost", "pipe"], ["Frost broke the pipe."], ["frost break pipe"])])
    assert said.summary == "Frost broke the pipe. entities: frost, pipe; links: frost break pipe"
    (said,) = summarize_modules([request(["frost", "pipe"], [])])
    assert said.summary == "entities: frost, pipe; links: none"


def test_a_summary_has_four_sentences_at_most_and_none_of_more_than_sixty_words():
    names = ["ash", "elm", "oak", "fir", "yew", "box"]
    quotes = [f"The {name} grows." for name in names]
    (said,) = summarize_modules([request(names, [*quotes, f"{'ash elm oak ' * 21} end."])])
    assert said.summary == "The ash grows. The elm grows. The oak grows. The fir grows."

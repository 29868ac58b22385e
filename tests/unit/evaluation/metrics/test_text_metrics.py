"""ROUGE-L, matches and abstention against values worked by hand and against the package itself."""

from __future__ import annotations

import builtins
import math
import sys

import numpy as np
import pytest

from aitia.errors import UsageError
from aitia.evaluation.metrics.abstention import abstained_right, abstains
from aitia.evaluation.metrics.match import contains_match, exact_match, normalise
from aitia.evaluation.metrics.rouge_l import rouge_l

NAN = math.nan


@pytest.mark.parametrize(
    ("answer", "reference", "score"),
    [
        # the, cat, sit, mat in order: 4 of 6 and 4 of 5 words, F = 2 * 4 / (6 + 5)
        ("the cats sat sitting on mats", "the cat sits under mat", 8 / 11),
        # police kill the gunman / police ended the gunman: 3 of 4 both ways (Lin 2004's sentences)
        ("police kill the gunman", "police ended the gunman", 0.75),
        ("b a", "a b", 0.5),
        ("The treatments, failing!", "treatment failed", 4 / 5),
        ("", "a b", 0.0),
        (" \n", "a b", 0.0),
        ("a b", "", 0.0),
        ("a b", "c d", 0.0),
        ("日本語", "日本語", 0.0),
        ("x y z", "x y z", 1.0),
    ],
)
def test_rouge_l_by_hand(answer, reference, score):
    assert rouge_l([answer], [reference]) == pytest.approx([score])


def longest_common(first, second):
    """By its recursion, over stems."""
    row = [0] * (len(second) + 1)
    for one in first:
        above = row[:]
        for at, other in enumerate(second):
            row[at + 1] = above[at] + 1 if one == other else max(above[at + 1], row[at])
    return row[-1]


def test_rouge_l_agrees_with_the_package_and_with_a_table_of_our_own_on_60_cases():
    from nltk.stem.porter import PorterStemmer
    from rouge_score.rouge_scorer import RougeScorer

    scorer, stem = RougeScorer(["rougeL"], use_stemmer=True), PorterStemmer().stem
    words = [
        "treating",
        "treatment",
        "treated",
        "cells",
        "cell",
        "of",
        "the",
        "tumour",
        "tumours",
        "it",
        "is",
        "as",
        "gas",
    ]
    generator = np.random.default_rng(42)
    drawn = [generator.choice(words, generator.integers(0, 30)).tolist() for _ in range(120)]
    texts = [" ".join(each).capitalize() + "." for each in drawn]
    found = rouge_l(texts[:60], texts[60:])
    package = [
        scorer.score(reference, answer)["rougeL"].fmeasure
        for answer, reference in zip(texts[:60], texts[60:], strict=True)
    ]
    assert found.tolist() == package
    for score, own, other in zip(found, drawn[:60], drawn[60:], strict=True):
        # the package stems words of more than three letters alone
        stems = [[stem(word) if len(word) > 3 else word for word in side] for side in (own, other)]
        length = longest_common(*stems)
        expected = 2 * length / (len(own) + len(other)) if length else 0.0
        assert score == pytest.approx(expected)


def test_without_the_package_one_line_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("rouge_score"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "rouge_score.rouge_scorer", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UsageError, match=r"pip install 'aitia\[eval\]'$"):
        rouge_l(["a"], ["a"])


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Hull, of a “trawler”!", "hull of trawler"),
        ("anthem theory", "anthem theory"),
        ("It's 3.5 mg/day", "its 35 mgday"),
        ("THE", ""),
    ],
)
def test_texts_are_normalised_as_squad_does(text, normal):
    assert normalise(text) == normal


def test_exact_and_contained_match():
    answers = ["The yes.", "Yes, it does", "yesterday", "", "a"]
    references = ["yes", "Yes", "yes", "yes", "the"]
    np.testing.assert_array_equal(exact_match(answers, references), [1, 0, 0, 0, NAN])
    np.testing.assert_array_equal(contains_match(answers, references), [1, 1, 0, 0, NAN])
    assert contains_match(["on 5 May 2026, at noon"], ["May 2026"]).tolist() == [1.0]


def test_only_questions_without_an_answer_are_about_abstaining():
    found = abstained_right([False, False, True, True], [True, False, True, False])
    np.testing.assert_array_equal(found, [1, 0, NAN, NAN])


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " ",
        "Insufficient information.",
        "I don’t know",
        "Sorry, I'm not able to provide an answer to that question.[no-context]",
        "The provided context does not contain any information about it. It speaks of ships.",
        "There is not enough evidence to say.",
        "This cannot be determined from the text.",
        "No relevant information is available",
    ],
)
def test_what_abstains(reply):
    assert abstains(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "Salt rusts the hull. There is not enough information about paint.",
        "Nobody knows what a hull is, but salt rusts it.",
        "Unable ships sink.",
        "INSUFFICIENT funds",
    ],
)
def test_what_does_not_abstain(reply):
    assert not abstains(reply)

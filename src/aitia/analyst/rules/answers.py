"""Extractive answers: the evidence sentences that say most about the question, verbatim and cited.

Sentences are ranked by BM25 (Robertson and Zaragoza 2009) over the sentences of the evidence at hand, so
a word is rare if few of *these* sentences have it. Evidence is data: nothing in it is followed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aitia.analyst.protocols import AnswerDraft, AnswerSentence, NumberedEvidence
from aitia.analyst.rules.folding import fold
from aitia.analyst.rules.lexicon import lexicon
from aitia.corpus.sentences import sentence_spans

MAX_SENTENCES = 5
K1 = 1.2
B = 0.5
CUE_GAIN = 1.25
"""Factor for a sentence with a causal cue where the question asks for causes or effects."""
NOT_A_STATEMENT = 0.3
"""Factor for questions, headings and lists of links."""
RANK_DECAY = 0.1
"""What each place down the evidence costs, as a share."""
LEAST_SHARE = 0.5
"""Sentences below this share of the best score are left out."""
MAX_OVERLAP = 0.6
"""Jaccard overlap of content words above which a sentence repeats another."""
SHORTEST, LONGEST = 5, 80
"""Words of a sentence; beyond these it is no statement, or several glued together."""

_TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff]|[^\W_]+")
_END = re.compile(r"[.!。！।。۔][\"'”’)\]]*$")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence, the evidence that holds it, its place among all sentences, and its content words."""

    text: str
    numbers: tuple[int, ...]
    place: int
    rank: int
    terms: Counter[str]
    words: int


def write_answer(question: str, evidence: Sequence[NumberedEvidence], language: str | None) -> AnswerDraft:
    """One to five evidence sentences, in the order of the evidence, each with the numbers that hold it.

    The words are those of the evidence, so ``language`` changes nothing. The draft is empty and not
    ``sufficient`` when no sentence shares a content word with the question.
    """
    asked = frozenset(_terms(question))
    candidates = _candidates(evidence)
    scores = _scores(asked, candidates, _asks_for_causes(question))
    chosen = _choose(candidates, scores)
    sentences = tuple(
        AnswerSentence(candidates[i].text, candidates[i].numbers)
        for i in sorted(chosen, key=lambda i: candidates[i].place)
    )
    return AnswerDraft(sentences, sufficient=bool(sentences))


def _terms(text: str) -> list[str]:
    stop = lexicon().answers["stop"]
    return [fold(word) for word in _TERM.findall(text.lower()) if word not in stop]


def _asks_for_causes(question: str) -> bool:
    return not lexicon().answers["causal"].isdisjoint(_TERM.findall(question.lower()))


def _candidates(evidence: Sequence[NumberedEvidence]) -> list[_Candidate]:
    """The distinct sentences of the evidence, in order."""
    places: dict[str, tuple[str, list[int], int, int]] = {}
    place = 0
    for rank, item in enumerate(evidence):
        for start, end in sentence_spans(item.text):
            text = item.text[start:end]
            _, numbers, _, _ = places.setdefault(" ".join(text.split()), (text, [], place, rank))
            if item.number not in numbers:
                numbers.append(item.number)
            place += 1
    return [
        _Candidate(text, tuple(numbers), at, rank, Counter(_terms(text)), len(text.split()))
        for text, numbers, at, rank in places.values()
    ]


def _scores(asked: frozenset[str], candidates: Sequence[_Candidate], causal: bool) -> list[float]:
    """BM25 times the share of the question's content words, with the factors above; 0 for none shared."""
    frequency = Counter(term for candidate in candidates for term in asked & candidate.terms.keys())
    total = len(candidates)
    weight = {term: math.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}
    mean = sum(candidate.terms.total() for candidate in candidates) / max(total, 1)
    scores = []
    for candidate in candidates:
        shared = sorted(asked & candidate.terms.keys())
        score = sum(weight[term] * _saturated(candidate, term, mean) for term in shared)
        scores.append(score * len(shared) / len(asked) * _quality(candidate, causal) if shared else 0.0)
    return scores


def _saturated(candidate: _Candidate, term: str, mean: float) -> float:
    count = candidate.terms[term]
    length = candidate.terms.total() / mean
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length))


def _quality(candidate: _Candidate, causal: bool) -> float:
    """How far a sentence is a statement, and one of the kind that was asked for."""
    factor = 1 / (1 + RANK_DECAY * candidate.rank)
    statement = SHORTEST <= candidate.words <= LONGEST and _END.search(candidate.text)
    if not statement or "://" in candidate.text or "www." in candidate.text:
        factor *= NOT_A_STATEMENT
    if causal and lexicon().has_cue(_TERM.findall(candidate.text.lower())):
        factor *= CUE_GAIN
    return factor


def _choose(candidates: Sequence[_Candidate], scores: Sequence[float]) -> list[int]:
    """The best sentences that do not repeat one another."""
    order = sorted(range(len(candidates)), key=lambda i: (-scores[i], candidates[i].place))
    chosen: list[int] = []
    for i in order:
        if len(chosen) == MAX_SENTENCES or scores[i] <= LEAST_SHARE * scores[order[0]]:
            break
        if all(_overlap(candidates[i].terms, candidates[j].terms) <= MAX_OVERLAP for j in chosen):
            chosen.append(i)
    return chosen


def _overlap(left: Counter[str], right: Counter[str]) -> float:
    union = len(left.keys() | right.keys())
    return len(left.keys() & right.keys()) / union if union else 0.0

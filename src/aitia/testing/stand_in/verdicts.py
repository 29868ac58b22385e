"""Answers to the prompts of the judged metrics, all by words in common: facts, support, relevance, correctness."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aitia.testing.stand_in.prompt import Read
from aitia.testing.stand_in.propose import Reply
from aitia.testing.stand_in.text import Sentence, content_words, read_sentence, sentences

SUPPORTED = 0.6
"""Share of the content words of a fact that one sentence must have."""
ANSWERED, HELPFUL = 0.9, 0.4
"""Shares of the content words of a question that a context must have for a rating of 2 and of 1."""
CORRECT = 0.6
"""Share of the content words of the reference that an answer must have."""

_FACT = re.compile(r"^([ARF]\d+)\. (.*)$", re.MULTILINE)
_CITED = re.compile(r"\s*\[\d+\]")
_NO_ANSWER = re.compile(r"insufficient|does not (?:speak|say)|no answer", re.IGNORECASE)
_DENIED = frozenset(["no", "not", "never", "without", "cannot"])


def list_facts(prompt: Read) -> Reply:
    """The sentences of the text, without marks of citation and without those that say there is no answer."""
    text = {label: _CITED.sub("", text) for label, text in prompt.fenced.items()}
    facts = dict.fromkeys(each.text for each in sentences(text) if not _NO_ANSWER.search(each.text))
    return {"facts": [{"fact": fact} for fact in facts]}


def compare_facts(prompt: Read) -> Reply:
    """A fact is supported if a fact of the other side has most of its words."""
    sides = {label[0]: dict(_FACT.findall(text)) for label, text in prompt.fenced.items()}
    verdicts = []
    for label in prompt.section("facts to be judged").split():
        own, other = sides.get(label[0], {}), sides.get("A" if label[0] == "R" else "R", {})
        said = [read_sentence(each, text) for each, text in other.items()]
        verdicts.append(_verdict(label, own.get(label, ""), said))
    return {"verdicts": verdicts}


def find_support(prompt: Read) -> Reply:
    """A fact is supported if a sentence of the text has most of its words."""
    texts = {label: text for label, text in prompt.fenced.items() if label.startswith("Text")}
    said = sentences(texts)
    listed = _FACT.findall("\n".join(text for label, text in prompt.fenced.items() if label not in texts))
    return {"verdicts": [_verdict(label, fact, said) for label, fact in listed]}


def _verdict(label: str, fact: str, said: Sequence[Sentence]) -> Reply:
    """Of a fact of several sentences the least supported decides."""
    best = min((_best(part, said) for part in sentences({label: fact})), default=0.0)
    reason = f"A sentence has {best:.0%} of its words."
    return {"fact": label, "reason": reason, "supported": best >= SUPPORTED}


def _best(part: Sentence, said: Sequence[Sentence]) -> float:
    """The largest share of its words in a sentence that denies as it does."""
    words, denied = content_words(part), _denies(part.text)
    return max(
        (_share(words, content_words(each)) for each in said if _denies(each.text) == denied), default=0.0
    )


def rate_relevance(prompt: Read) -> Reply:
    """By the words of the question that the context has."""
    share = _share(_words(prompt.section("question")), _all_words(prompt.fenced))
    rating = 2 if share >= ANSWERED else 1 if share >= HELPFUL else 0
    return {"ratings": [{"reason": f"It has {share:.0%} of the words.", "rating": rating}]}


def judge_correct(prompt: Read) -> Reply:
    """By the words of the reference that the answer has; without an answer in both it is correct too."""
    reference, answer = (prompt.fenced.get(f"{side}1", "") for side in ("Reference", "Answer"))
    silent = [bool(_NO_ANSWER.search(text)) for text in (reference, answer)]
    share = _share(_words(reference), _words(answer))
    correct = all(silent) if any(silent) else share >= CORRECT
    return {"judgements": [{"reason": f"It has {share:.0%} of the words.", "correct": correct}]}


def _all_words(fenced: Mapping[str, str]) -> frozenset[str]:
    return frozenset().union(*(content_words(each) for each in sentences(fenced)))


def _words(text: str) -> frozenset[str]:
    return content_words(read_sentence("", text))


def _denies(text: str) -> bool:
    return not _DENIED.isdisjoint(text.lower().split())


def _share(wanted: frozenset[str], had: frozenset[str]) -> float:
    """Of the words wanted; 0 where there are none."""
    return len(wanted & had) / len(wanted) if wanted else 0.0

"""The stand-in's one entrance: which prompt it is, and the reply as a model writes it.

It reads the prompt and nothing else, as a model does. It knows some English, about medicine and bees
above all, and finds much plausible; it is no measure of what a real model would find.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from aitia.testing.stand_in.graph import find_entities, judge_modules, judge_paths, summarise_modules
from aitia.testing.stand_in.judge import judge_metrics, judge_variables
from aitia.testing.stand_in.merge import merge_dimensions, merge_metrics
from aitia.testing.stand_in.prompt import Read, read_prompt
from aitia.testing.stand_in.propose import Reply, propose_dimensions, propose_metrics, propose_outcomes
from aitia.testing.stand_in.relate import claim_effects
from aitia.testing.stand_in.text import content_words, read_sentence, sentences
from aitia.testing.stand_in.verdicts import (
    compare_facts,
    find_support,
    judge_correct,
    list_facts,
    rate_relevance,
)

MOST_SENTENCES = 5


def write_questions(prompt: Read) -> Reply:
    """A question for each sentence of the passage, by the words that it alone has or has first."""
    count = re.search(r"\d+", prompt.section("questions wanted"))
    asked: dict[str, str] = {}
    for sentence in sentences(prompt.fenced):
        words = " ".join(dict.fromkeys(key for key in sentence.keys if key in content_words(sentence)))
        if words:
            asked.setdefault(f"What is said of {words}?", sentence.text)
    kept = list(asked.items())[: int(count[0]) if count else 0]
    return {"questions": [{"question": question, "answer": answer} for question, answer in kept]}


_TASK = re.compile(r"\s*Task: *([^\n]*?)\.?\s*(?:\n|$)")
_TASKS: Mapping[str, Callable[[Read], Reply]] = {
    "list the dimensions of a domain": propose_dimensions,
    "merge the dimensions that are one": merge_dimensions,
    "list the metrics of a domain": propose_metrics,
    "merge the metrics that are one": merge_metrics,
    "say which metrics are outcomes": propose_outcomes,
    "find variables and their effects": claim_effects,
    "judge which metrics influence which": judge_metrics,
    "judge pairs of variables": judge_variables,
    "write questions that a passage answers": write_questions,
    "find entities and their links": find_entities,
    "summarise modules of a graph": summarise_modules,
    "judge causes between modules": judge_modules,
    "tell causal paths from spurious ones": judge_paths,
    "split a text into its facts": list_facts,
    "compare the facts of an answer with those of a reference": compare_facts,
    "find out which facts a text supports": find_support,
    "rate how far a context answers a question": rate_relevance,
    "judge an answer against a reference": judge_correct,
}
_ANSWER = "answer a question from numbered evidence"


def answer_prompt(system: str, user: str) -> str:
    """The reply to a prompt of the LLM analyst: JSON, or sentences with their evidence numbers.

    Raises ValueError for a task that it does not know. Deterministic.
    """
    match = _TASK.match(system)
    task = match.group(1).lower() if match else ""
    prompt = read_prompt(user)
    if task == _ANSWER:
        return _answer(prompt)
    if task not in _TASKS:
        raise ValueError(f"the stand-in knows no task {task!r}; expected one of {sorted([*_TASKS, _ANSWER])}")
    return json.dumps(_TASKS[task](prompt), ensure_ascii=False)


def _answer(prompt: Read) -> str:
    """The evidence sentences that share most words with the question, in the order of the evidence."""
    asked = content_words(read_sentence("", prompt.section("question")))
    shared = [(len(asked & content_words(each)), each) for each in sentences(prompt.fenced)]
    best = sorted(shared, key=lambda row: -row[0])[:MOST_SENTENCES]
    kept = {each for count, each in best if count and 2 * count >= best[0][0]}
    if not kept:
        return "INSUFFICIENT\nThe evidence does not speak of this."
    lines = dict.fromkeys(f"{each.text.rstrip('.!? ')} [{each.label}]." for _, each in shared if each in kept)
    return " ".join(lines)

"""How well the rules see stated causes: direction-correct F1 on pairs of marked nominals.

    python benchmarks/cause_effect.py $AITIA_DATA/cause-effect/train.json [--half even|odd|all] [--json]

The file is a list of ``{id, sentence, causal}``; the sentence marks two nominals with ``<e1>`` and
``<e2>`` (SemEval-2010 Task 8, Hendrickx et al.), and ``causal`` is ``e1->e2``, ``e2->e1`` or null.
A link counts for a pair if one nominal overlaps the words up to its cause's head and the other those
up to its effect's. Only links of kind ``produce`` and polarity other than ``none`` count: the task asks
what brings the effect about, not what raises, lowers or prevents it. A pair with null that is called
causal is a false positive; a wrong direction is a false positive and a false negative. The rules were
tuned on even ids; odd ids are the report.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aitia.analyst.rules.causal import CausalLink, causal_links
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.corpus.chunk import Chunk

MARK = re.compile(r"<(e[12])>(.*?)</\1>")
HALVES = {"even": (0,), "odd": (1,), "all": (0, 1)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", choices=sorted(HALVES), default="all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    records = json.loads(options.file.read_text("utf-8"))
    scores = score([record for record in records if record["id"] % 2 in HALVES[options.half]])
    if options.json:
        print(json.dumps(scores))
    else:
        print(" ".join(f"{name} {value:.3f}" for name, value in scores.items()))


def score(records: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Precision, recall and F1 in [0, 1] over the records."""
    right = predicted = expected = 0
    for record in records:
        found = directions(record["sentence"])
        right += record["causal"] in found
        predicted += len(found)
        expected += record["causal"] is not None
    precision = right / predicted if predicted else 0.0
    recall = right / expected if expected else 0.0
    total = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / total if total else 0.0,
        "pairs": len(records),
    }


def directions(marked: str) -> set[str]:
    """``e1->e2`` and ``e2->e1``, as far as the rules see them in a sentence with both marks."""
    nominals: dict[str, tuple[int, int]] = {}
    text, end = "", 0
    for mark in MARK.finditer(marked):
        text += marked[end : mark.start()]
        nominals[mark[1]] = (len(text), len(text) + len(mark[2]))
        text += mark[2]
        end = mark.end()
    text += marked[end:]
    chunk = Chunk("marked", "marked", 0, 0, len(text), text)
    links = [(sentence, link) for sentence in read_sentences(chunk) for link in causal_links(sentence)]
    return {
        f"{cause}->{effect}"
        for cause, effect in (("e1", "e2"), ("e2", "e1"))
        if any(_joins(sentence, link, nominals[cause], nominals[effect]) for sentence, link in links)
    }


def _joins(sentence: Sentence, link: CausalLink, cause: tuple[int, int], effect: tuple[int, int]) -> bool:
    return (
        link.cue.kind == "produce"
        and link.polarity != "none"
        and _names(sentence, (link.cause[0], link.cause_head), cause)
        and _names(sentence, (link.effect[0], link.effect_head), effect)
    )


def _names(sentence: Sentence, tokens: tuple[int, int], nominal: tuple[int, int]) -> bool:
    first, last = tokens
    return any(
        token.start < nominal[1] and token.end > nominal[0] for token in sentence.tokens[first : last + 1]
    )


if __name__ == "__main__":
    main()

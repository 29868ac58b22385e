"""A deterministic stand-in for a chat model that answers the prompts of peers, and Aitia's own.

    python benchmarks/peers/responder.py [--port PORT]

Prints its address. It reads what a prompt asks for off the format that it shows (delimited records, or the names
of JSON fields) and fills that from the text: noun phrases are runs of content words, a relation joins two
neighbours in a sentence. So a peer's machinery runs end to end at once and always alike; its answers mean nothing.
"""

from __future__ import annotations

import argparse
import json
import re
from itertools import pairwise
from threading import Event, Thread
from typing import Any

from aitia.corpus.tokens import count_tokens
from aitia.evaluation.peers.loopback import Answer, Body, JsonServer
from aitia.evaluation.stem_windows import STOP_WORDS
from aitia.testing.stand_in import answer_prompt

PHRASES_A_SENTENCE = 3
MOST_PHRASES = 40
_INPUTS = (
    r".*---Input Text---\s*```\n(.*?)\n```",
    r".*\*\*Document\*\*:\n(.*?)\n<<DOCUMENT_END>>",
    r".*\bText:\s*(.*?)\n#{6,}",
)
_TYPES = (r".*\*\*Entity Types\*\*:\s*([^\n]+)", r".*[Ee]ntity_types: *([^\n]+)")
_ENTITY = re.compile(r'\(?"?entity"?(<\|#?\|?>)')
_QUESTIONS = (r".*User Query: *([^\n]+)", r".*Query: *([^\n]+)", r".*# USER QUERY\n([^\n]+)")
_MORE = re.compile(r"missed in the last|last extraction task|in the last extraction|have still been missed")

Phrases = list[tuple[str, str]]


def respond(messages: list[dict[str, Any]]) -> str:
    """The reply to a chat."""
    said = [(message["role"], _text(message["content"])) for message in messages]
    system = "\n".join(text for role, text in said if role == "system")
    user = [text for role, text in said if role == "user"]
    last = user[-1] if user else system
    try:
        return answer_prompt(system, last)
    except (ValueError, KeyError, IndexError):
        pass
    whole = "\n".join([system, *user])
    if _MORE.search(last):
        return _nothing_more(whole, last)
    for mark, reply in _REPLIES.items():
        if mark in whole:
            return reply(whole, last)
    delimiter = _ENTITY.search(whole)
    if delimiter:
        return _records(whole, delimiter.group(1))
    return _plain(whole, last)


def phrases_of(text: str) -> Phrases:
    """Noun phrases in their order, each with its sentence; one that comes again is left out."""
    found: dict[str, str] = {}
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        runs = re.findall(r"[A-Za-z][a-z]+(?: [A-Za-z][a-z]+)*", sentence)
        names = [name for run in runs for name in _content(run)]
        for name in names[:PHRASES_A_SENTENCE]:
            found.setdefault(name, " ".join(sentence.split()))
    return list(found.items())[:MOST_PHRASES]


def _content(run: str) -> list[str]:
    names, words = [], []
    for word in [*run.split(), "the"]:
        if word.lower() in STOP_WORDS or len(word) < 4 or len(words) == 3:
            if len(words) > 1:
                names.append(" ".join(words).title())
            words = []
        else:
            words.append(word)
    return names


def _pairs(phrases: Phrases) -> list[tuple[str, str, str]]:
    """Neighbours that stand in one sentence, with it."""
    return [
        (source, target, sentence)
        for (source, sentence), (target, other) in pairwise(phrases)
        if sentence == other
    ]


def _records(whole: str, delimiter: str) -> str:
    phrases = phrases_of(_first(_INPUTS, whole))
    kind = _first(_TYPES, whole).split(",")[0].strip("[] ") or "Concept"
    pairs = _pairs(phrases)
    if "#" in delimiter:  # LightRAG's rows
        rows = [delimiter.join(("entity", name, kind, sentence)) for name, sentence in phrases]
        rows += [delimiter.join(("relation", a, b, "stated", sentence)) for a, b, sentence in pairs]
        return "\n".join([*rows, "<|COMPLETE|>"])
    with_keywords = ["stated"] if "relationship_keywords" in whole else []
    records = [delimiter.join(('("entity"', name, kind, f"{sentence})")) for name, sentence in phrases]
    for source, target, sentence in pairs:
        records.append(delimiter.join(('("relationship"', source, target, sentence, *with_keywords, "5)")))
    return "\n##\n".join(records) + "\n<|COMPLETE|>"


def _graph(whole: str, last: str) -> str:
    phrases = phrases_of(_first(_INPUTS, whole))
    kind = _first(_TYPES, whole).split(",")[0].strip()
    graph = {
        "entities": [{"name": name, "type": kind, "desc": sentence} for name, sentence in phrases],
        "relationships": [{"source": a, "target": b, "desc": sentence} for a, b, sentence in _pairs(phrases)],
        "other_relationships": [],
    }
    return json.dumps(graph)


def _names(question: str) -> list[str]:
    return [name for name, _ in phrases_of(question)] or ["Question"]


def _keywords(whole: str, last: str) -> str:
    names = _names(_first(_QUESTIONS, last))
    return json.dumps({"high_level_keywords": names[:2], "low_level_keywords": names})


def _typed_keywords(whole: str, last: str) -> str:
    return json.dumps(
        {"answer_type_keywords": ["Concept"], "entities_from_query": _names(_first(_QUESTIONS, last))}
    )


def _named(whole: str, last: str) -> str:
    return json.dumps(
        {"named": [f"[CONCEPT] {name}" for name in _names(_first(_QUESTIONS, last))], "generic": []}
    )


def _report(whole: str, last: str) -> str:
    words = " ".join(last.rpartition("# Real Data")[2].partition("Text:")[2].split()[:60]) or "nothing"
    finding = {"summary": words[:80], "explanation": words}
    report = {"title": words[:60], "summary": words, "rating": 5.0, "rating_explanation": "A stand-in's."}
    return json.dumps({**report, "findings": [finding] * 5})


def _points(whole: str, last: str) -> str:
    tables = whole.partition("---Data tables---")[2]
    return json.dumps({"points": [{"description": " ".join(tables.split()[:60]), "score": 50}]})


def _groups(whole: str, last: str) -> str:
    return json.dumps({"groups": []})


_REPLIES = {
    '"other_relationships"': _graph,
    '"named": [': _named,
    '"high_level_keywords"': _keywords,
    '"answer_type_keywords"': _typed_keywords,
    '"rating_explanation"': _report,
    '"points": [': _points,
    "grouped_facts": _groups,
}


def _nothing_more(whole: str, last: str) -> str:
    if re.search(r"Answer Y\b", last):
        return "N"
    if re.search(r"YES\b", last):
        return "NO"
    if '"other_relationships"' in whole:
        return json.dumps({"entities": [], "relationships": [], "other_relationships": []})
    return "<|COMPLETE|>"


def _plain(whole: str, last: str) -> str:
    """The first words of what was given, in the one field that a schema names, if it names one."""
    given = re.split(r"Description List:|# INPUT DATA|---Context---|---Data tables---|Current:", whole)[-1]
    words = " ".join(given.split()[:40]) or "nothing"
    schema = re.search(r'"properties": \{\s*"(answer|description)"', whole)
    return json.dumps({schema.group(1): words}) if schema else words


def _first(patterns: tuple[str, ...], text: str) -> str:
    found = (re.match(pattern, text, re.DOTALL) for pattern in patterns)  # of the last place that fits
    return next((match.group(1) for match in found if match), "")


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content or [])


def answer(path: str, authorization: str, body: Body) -> Answer:
    """An OpenAI-compatible completion, with its tokens counted."""
    text = respond(body["messages"])
    prompt = sum(count_tokens(_text(message["content"])) for message in body["messages"])
    reply = count_tokens(text)
    message = {"role": "assistant", "content": text}
    return Answer(
        200,
        {
            "id": "chatcmpl-stand-in",
            "object": "chat.completion",
            "created": 0,
            "model": body.get("model", ""),
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply},
        },
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0)
    count_tokens("loads the tokenizer")
    server = JsonServer(answer, parser.parse_args().port)
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"{server.address}/v1", flush=True)
    Event().wait()


if __name__ == "__main__":
    main()

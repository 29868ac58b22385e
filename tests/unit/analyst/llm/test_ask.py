import json
from itertools import product

import pytest
from pydantic import BaseModel

from aitia.analyst.llm.ask import Asker, Found, Task
from aitia.analyst.llm.prompt import Prompt
from aitia.analyst.llm.schema import reply_schema
from aitia.analyst.protocols import Unread
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.spec.claims import MalformedClaim, Rejection
from aitia.testing.scripted_llm import ScriptedLLM


class Word(BaseModel):
    name: str


class Words(BaseModel):
    words: list[Word]


PROMPT = Prompt(
    "words", 'Task: x\n## Example reply\n```json\n{"words": [{"name": "vorpel"}]}\n```', "$passages"
)
SETTINGS = LLMSettings(model="m", temperature=0.5, run=3, context_tokens=4000, max_output_tokens=1000)


def task(*words: str) -> Task[str]:
    return Task(
        units=words,
        render=lambda units: PROMPT.render(passages=" ".join(units)),
        place=lambda units: f"words {units[0]} to {units[-1]}",
        text=" ".join,
    )


def echo(request: LLMRequest) -> str:
    return json.dumps({"words": [{"name": word} for word in request.user.split()]})


def words(*names: str) -> Words:
    return Words(words=[Word(name=name) for name in names])


def asked(llm: ScriptedLLM) -> list[tuple[str, int]]:
    return [(request.user, request.max_tokens) for request in llm.requests]


def asker(llm: ScriptedLLM, settings: LLMSettings = SETTINGS) -> Asker:
    return Asker(llm, {"words": PROMPT}, settings)


def test_what_is_sent():
    llm = ScriptedLLM(echo)
    assert asker(llm).ask("words", "step 1", Words, [task("a", "b"), task(), task("c")]) == [
        Found(0, ("a", "b"), words("a", "b")),
        Found(2, ("c",), words("c")),
    ]
    request = LLMRequest("step 1", "words", PROMPT.system, "a b", reply_schema(Words), 1000, 0.5, 0, 3)
    assert llm.requests[0] == request
    assert asked(llm) == [("a b", 1000), ("c", 1000)]


def test_a_useless_reply_is_asked_for_once_more_in_halves_with_more_room():
    llm = ScriptedLLM(
        lambda request: LLMReply('{"words": [', "length") if "a b" in request.user else echo(request)
    )
    asking = asker(llm)
    found = asking.ask("words", "step", Words, [task("a", "b", "c"), task("d"), task("a b")])
    assert found == [
        Found(0, ("a",), words("a")),
        Found(0, ("b", "c"), words("b", "c")),
        Found(1, ("d",), words("d")),
    ]
    assert asked(llm) == [
        *[("a b c", 1000), ("d", 1000), ("a b", 1000)],
        *[("a", 2000), ("b c", 2000), ("a b", 2000)],
    ]
    keys = tuple(llm.requests[position].key("scripted") for position in (2, 5))
    assert asking.unread == (Unread("step", "words a b to a b", "the reply was cut off twice", keys),)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (reply_schema(Words), "", "the reply repeated the schema, then was empty"),
        ("No.", "No.", "the reply held no JSON twice"),
        (
            LLMReply("{", "stop"),
            LLMReply("", "overflow"),
            "it does not fit the model's context; see --llm context_tokens",
        ),
        ("No.", LLMReply("", "filtered"), "the provider's content filter withheld the reply"),
        ("No.", LLMReply("", "failed", detail="HTTP 503, 8 attempts"), "HTTP 503, 8 attempts"),
    ],
)
def test_the_reason_of_an_unread_part_says_what_came_back(first, second, reason):
    llm = ScriptedLLM(lambda request: first if request.max_tokens == 1000 else second)
    asking = asker(llm)
    assert asking.ask("words", "step", Words, [task("a")]) == []
    kept = llm.requests if isinstance(second, str) or second.finish == "filtered" else llm.requests[:1]
    keys = tuple(request.key("scripted") for request in kept)
    assert asking.unread == (Unread("step", "words a to a", reason, keys),)


def test_no_room_for_more_is_no_second_request():
    small = LLMSettings(model="m", context_tokens=512, max_output_tokens=200)
    llm = ScriptedLLM(lambda request: "No.")
    asking = asker(llm, small)
    asking.ask("words", "step", Words, [task("a " * 140)])
    (first, room), (again, more) = asked(llm)
    assert first == again and room == 200 < more < 400  # what the context leaves
    filled = asker(ScriptedLLM(lambda request: "No."), small.model_copy(update={"max_output_tokens": more}))
    filled.ask("words", "step", Words, [task("a " * 140)])
    assert filled.unread[0].reason == "the reply held no JSON"
    assert len(filled.unread[0].keys) == 1


def test_overflow_halves_as_often_as_needed_and_is_no_retry():
    def answer(request: LLMRequest) -> str | LLMReply:
        if len(request.user.split()) > 2 or request.user == "x":
            return LLMReply("", "overflow")
        return "No." if request.user == "d e" else echo(request)

    llm = ScriptedLLM(answer)
    asking = asker(llm)
    found = asking.ask("words", "step", Words, [task("a", "b", "c", "d", "e"), task("x")])
    assert [item.units for item in found] == [("a", "b"), ("c",), ("d",), ("e",)]
    assert asked(llm) == [
        *[("a b c d e", 1000), ("x", 1000)],
        *[("a b", 1000), ("c d e", 1000)],
        *[("c", 1000), ("d e", 1000)],
        *[("d", 2000), ("e", 2000)],
    ]
    reason = "it does not fit the model's context; see --llm context_tokens"
    assert asking.unread == (Unread("step", "words x to x", reason, ()),)
    count = len(llm.requests)
    asking.ask("words", "step", Words, [task("x")])  # the model's refusal is remembered
    assert len(llm.requests) == count and len(asking.unread) == 1


def test_what_cannot_fit_is_halved_without_asking():
    llm = ScriptedLLM(echo)
    asking = asker(llm, LLMSettings(model="m", context_tokens=512, max_output_tokens=9999))
    long = ["a " * 60, "b " * 60, "c " * 400]
    found = asking.ask("words", "step", Words, [task(*long)])
    assert asked(llm) == [(long[0], 256), (long[1], 256)]
    assert [item.units for item in found] == [(long[0],), (long[1],)]
    reason = "it does not fit the model's context; see --llm context_tokens"
    assert asking.unread == (Unread("step", f"words {long[2]} to {long[2]}", reason),)


def test_bad_items_and_the_example_s_are_rejected_each_once():
    def answer(request: LLMRequest) -> str:
        return json.dumps(
            {"words": [{"name": [1]}, {"name": "Vorpel"}, {"name": "a"}, {"name": ["x" * 600]}]}
        )

    llm = ScriptedLLM(answer)
    asking = asker(llm)
    for _ in range(2):
        (found,) = asking.ask("words", "step", Words, [task("a")])
        assert found.reply == words("a")
    detail = "name: Input should be a valid string"

    def rejected(text, reason, detail):
        return Rejection(claim=MalformedClaim(kind="step", text=text), reason=reason, detail=detail)

    expected = (
        rejected('{"name":[1]}', "malformed", detail),
        rejected('{"name":"Vorpel"}', "from_example", "repeats the prompt's example"),
        rejected('{"name":["' + "x" * 489 + "…", "malformed", detail),
    )
    assert asking.rejected == expected
    (found,) = asking.ask("words", "step", Words, [task("a", "vorpel")])
    assert found.reply == words("Vorpel", "a")  # it stands in the text asked about


def test_the_order_of_completion_changes_nothing():
    def answer(request: LLMRequest) -> str | LLMReply:
        if "e" in request.user:
            return LLMReply("", "length")
        return json.dumps(
            {"words": [{"name": word} for word in request.user.split()] + [{"name": None, "x": [[]]}, 3]}
        )

    tasks = [task(*letters) for letters in product("abe", repeat=3)]
    results = []
    for jobs, seed in ((1, 0), (16, 1), (16, 2)):
        asking = asker(ScriptedLLM(answer, jobs=jobs, seed=seed))
        results.append((asking.ask("words", "step", Words, tasks), asking.rejected, asking.unread))
    assert results[0] == results[1] == results[2]
    assert len(results[0][2]) > 5 and [found.task for found in results[0][0]] == sorted(
        found.task for found in results[0][0]
    )

# ruff: noqa: D102 - the names of the tests are their documentation
"""What every language model behind `LLM` must do.

Subclass it in a test module and define the fixture ``llm``; it answers a request of `asking` in its schema,
which leaves it no choice, and `LONG` as too long for it::

    class TestMine(LLMContract):
        @pytest.fixture
        def llm(self):
            return MyLLM()
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

from aitia.clients.protocols import LLM, LLMReply, LLMRequest

WORDS = ("melanoma", "harbour", "Ærøskøbing", "医生 😀", "a")

LONG = LLMRequest("contract", "long", "Count.", "one two three four five " * 600, max_tokens=8)
"""3,000 words: more than the model under test takes."""

FREE = LLMRequest("contract", "free", "You tell long stories.", "Tell one of the sea.", max_tokens=8)
"""Plain text that does not end within its eight tokens."""


def asking(word: str, max_tokens: int = 100) -> LLMRequest:
    """A request to which only ``{"word": word}`` is a reply."""
    schema = {
        "type": "object",
        "properties": {"word": {"type": "string", "enum": [word]}},
        "required": ["word"],
        "additionalProperties": False,
    }
    system = "Reply with one JSON object."
    return LLMRequest("contract", "word", system, f"The word: {word}", json.dumps(schema), max_tokens)


def words(replies: list[LLMReply]) -> list[str]:
    """The words that the replies to `asking` hold."""
    return [json.loads(reply.text)["word"] for reply in replies]


class LLMContract:
    """Tests that need only the fixture ``llm``."""

    def test_it_has_a_name(self, llm: LLM) -> None:
        assert llm.model
        assert llm.model == llm.model.strip()

    def test_nothing_asked_nothing_answered(self, llm: LLM) -> None:
        assert llm.map([]) == []

    def test_replies_are_in_the_order_of_the_requests(self, llm: LLM) -> None:
        asked = [*WORDS, *WORDS[:2]]
        assert words(llm.map([asking(word) for word in asked])) == asked

    def test_each_reply_is_told_before_the_call_returns(self, llm: LLM) -> None:
        told: list[tuple[int, LLMReply]] = []
        replies = llm.map([asking(word) for word in WORDS], lambda at, reply: told.append((at, reply)))
        assert sorted(told, key=lambda pair: pair[0]) == list(enumerate(replies))

    def test_tokens_are_counted(self, llm: LLM) -> None:
        short, long = llm.map([asking("a"), asking("harbour " * 20)])
        assert 0 < short.prompt_tokens < long.prompt_tokens
        assert 0 < short.completion_tokens < long.completion_tokens <= 100
        assert short.attempts == long.attempts == 1

    def test_a_reply_that_is_cut_off_says_so(self, llm: LLM) -> None:
        (reply,) = llm.map([FREE])
        assert (reply.finish, reply.completion_tokens) == ("length", 8)
        assert reply.text

    def test_a_prompt_that_is_too_long_is_an_overflow_and_harms_no_other(self, llm: LLM) -> None:
        first, long, last = llm.map([asking("a"), LONG, asking("harbour")])
        assert words([first, last]) == ["a", "harbour"]
        assert (long.finish, long.text) == ("overflow", "")

    def test_a_stream_says_what_a_call_says(self, llm: LLM) -> None:
        for word in WORDS:
            pieces: list[str] = []
            streamed = llm.stream(asking(word), pieces.append)
            assert "".join(pieces) == streamed.text
            (called,) = llm.map([asking(word)])
            assert words([streamed]) == words([called]) == [word]
            assert streamed.prompt_tokens == called.prompt_tokens
            assert streamed.completion_tokens > 0

    def test_a_stream_that_is_cut_off_says_so(self, llm: LLM) -> None:
        pieces: list[str] = []
        reply = llm.stream(FREE, pieces.append)
        assert reply.finish == "length"
        assert reply.text == "".join(pieces) != ""

    def test_a_stream_of_a_prompt_that_is_too_long_is_an_overflow(self, llm: LLM) -> None:
        pieces: list[str] = []
        reply = llm.stream(LONG, pieces.append)
        assert (reply.finish, reply.text, pieces) == ("overflow", "", [])

    def test_it_answers_inside_a_running_event_loop(self, llm: LLM) -> None:
        async def ask() -> list[LLMReply]:
            return llm.map([asking("harbour")])

        assert words(asyncio.run(ask())) == ["harbour"]

    def test_it_answers_several_threads(self, llm: LLM) -> None:
        with ThreadPoolExecutor(2) as pool:
            replies = pool.map(lambda word: llm.map([asking(word)]), WORDS)
            assert [words(found) for found in replies] == [[word] for word in WORDS]

"""Every language model against the one contract, and what llama.cpp's server answers that the client builds on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import openai
import pytest

from aitia.analyst.llm import replies
from aitia.analyst.llm.schema import reply_schema
from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.errors import ModelError
from aitia.testing import MemoryLedger
from aitia.testing.llama_server import LlamaServer
from aitia.testing.llm_contract import FREE, LONG, LLMContract, asking, words
from aitia.testing.scripted_llm import ScriptedLLM

CONTEXT = 512
REPLIES = (
    replies.DimensionsReply,
    replies.DimensionGroupsReply,
    replies.MetricsReply,
    replies.MetricGroupsReply,
    replies.OutcomesReply,
    replies.ClaimsReply,
    replies.MetricEdgesReply,
    replies.NodeEdgesReply,
)


def forced(request: LLMRequest) -> LLMReply:
    """The one reply that a contract's request leaves open, a word a token."""
    size = len(request.user.split())
    if size > CONTEXT:
        return LLMReply("", "overflow")
    if request.schema is None:
        return LLMReply("The sea was cold that year, and", "length", size, request.max_tokens)
    (word,) = json.loads(request.schema)["properties"]["word"]["enum"]
    text = json.dumps({"word": word}, ensure_ascii=False)
    return LLMReply(text, "stop", size, len(text.split()))


@pytest.fixture(scope="module")
def server():
    with LlamaServer(context=CONTEXT) as running:
        yield running


def settings(server: LlamaServer, **more) -> LLMSettings:
    return LLMSettings(model=server.model, base_url=server.base_url, context_tokens=CONTEXT, **more)


class TestScripted(LLMContract):
    @pytest.fixture
    def llm(self):
        return ScriptedLLM(forced)


class TestLedgered(LLMContract):
    @pytest.fixture
    def llm(self):
        return LedgerLLM(ScriptedLLM(forced), MemoryLedger(), settings=LLMSettings(model="scripted"))


class TestLlamaCpp(LLMContract):
    @pytest.fixture
    def llm(self, server):
        return OpenAILLM(settings(server), None)

    def test_the_servers_own_count_is_the_sum_of_the_replies(self, llm, server):
        read, written = server.tokens()
        replies = llm.map([asking("harbour"), FREE, LONG])
        now_read, now_written = server.tokens()
        assert now_read - read == sum(reply.prompt_tokens for reply in replies)
        assert now_written - written == sum(reply.completion_tokens for reply in replies)

    def test_without_schemas_a_reply_comes_all_the_same(self, server):
        (reply,) = OpenAILLM(settings(server, json_schema="off"), None).map([asking("harbour", 16)])
        assert reply.finish in ("stop", "length")
        assert 0 < reply.completion_tokens <= 16


class TestServer:
    """What the client has to recognise, in llama.cpp's own words."""

    @pytest.fixture
    def chat(self, server):
        with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:

            def chat(user: str, **more):
                messages = [{"role": "user", "content": user}]
                return client.chat.completions.create(
                    model=server.model, messages=messages, temperature=0, max_tokens=8, **more
                )

            yield chat

    def test_a_prompt_beyond_the_context_is_refused_with_both_counts(self, chat):
        with pytest.raises(openai.BadRequestError) as refused:
            chat("word " * 2 * CONTEXT)
        body = refused.value.body
        assert (body["code"], body["type"]) == (400, "exceed_context_size_error")
        assert body["n_prompt_tokens"] > body["n_ctx"] == CONTEXT

    def test_a_reply_that_meets_the_end_of_the_context_is_cut_off(self, chat):
        reply = chat("word " * (CONTEXT - 34), extra_body={"ignore_eos": True})
        assert reply.choices[0].finish_reason == "length"
        assert reply.usage.total_tokens == CONTEXT

    def test_a_schema_it_cannot_hold_is_a_bad_request(self, chat):
        schema = {"name": "odd", "strict": True, "schema": {"type": "nonsense"}}
        with pytest.raises(openai.BadRequestError, match="JSON schema error"):
            chat("Hello", response_format={"type": "json_schema", "json_schema": schema})

    @pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.__name__)
    def test_it_holds_every_schema_of_the_analyst(self, chat, reply):
        schema = {"name": "reply", "strict": True, "schema": json.loads(reply_schema(reply))}
        answer = chat("Hello", response_format={"type": "json_schema", "json_schema": schema})
        assert answer.choices[0].message.content.lstrip().startswith("{")

    def test_a_stream_counts_tokens_when_asked(self, chat):
        *_, last = chat("Hello", stream=True, stream_options={"include_usage": True})
        assert (last.choices, last.usage.completion_tokens) == ([], 8)

    def test_any_model_name_is_taken(self, server):
        other = settings(server).model_copy(update={"model": "another"})
        assert words(OpenAILLM(other, None).map([asking("a")])) == ["a"]


def test_a_file_that_is_no_model_is_told_in_one_line(tmp_path):
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(b"not a model")
    with (
        pytest.raises(ModelError, match=r"^llama.cpp did not start \(.+\); expected a .gguf model"),
        LlamaServer(odd),
    ):
        pass


def test_the_server_ends_with_its_block_even_in_the_middle_of_a_reply():
    with pytest.raises(KeyError), LlamaServer() as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="none")
        endless = client.chat.completions.create(
            model=server.model, messages=[{"role": "user", "content": "Count."}], stream=True
        )
        next(iter(endless))
        raise KeyError
    client.close()
    assert server.process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_the_server_ends_with_a_killed_parent():
    start = (
        "import time\n"
        "from aitia.testing.llama_server import LlamaServer\n"
        "with LlamaServer() as server:\n"
        "    print(server.process.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", start], stdout=subprocess.PIPE, encoding="utf-8") as parent:
        pid = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not running(pid)


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    # A child of nobody stays a zombie where no init process takes it.
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")

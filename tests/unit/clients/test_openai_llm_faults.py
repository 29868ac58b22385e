from __future__ import annotations

import threading
import time
import traceback
from email.utils import formatdate

import pytest

from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM
from aitia.clients.protocols import LLMRequest
from aitia.errors import LimitReached, ModelError

KEY = "sk-canary-0123456789"


def request(user="hello"):
    return LLMRequest(stage="claims", prompt="claims", system="Be brief.", user=user)


# Faults that pass


def test_a_busy_server_is_asked_again_after_the_time_it_names(chat, opened, waited):
    chat.script = [chat.error(429, headers={"Retry-After": "2"})]
    (reply,) = opened().map([request()])
    assert (reply.text, reply.attempts) == ("re: hello", 2)
    assert len(waited) == 1
    assert 2 <= waited[0] <= 3


def test_the_time_may_be_a_date_and_is_capped(chat, opened, waited):
    later = formatdate(time.time() + 30, usegmt=True)
    hours = {"Retry-After": "7200"}
    chat.script = [chat.error(529, headers={"Retry-After": later}), chat.error(503, headers=hours)]
    assert opened().map([request()])[0].attempts == 3
    assert 20 <= waited[0] <= 31
    assert waited[1] == 120


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_status_that_passes_is_asked_again(chat, opened, waited, status):
    chat.script = [chat.error(status), chat.answer_text("<html>gateway</html>", status=status)]
    assert opened().map([request()])[0].attempts == 3
    assert 0.25 <= waited[0] <= 1
    assert 0.5 <= waited[1] <= 2


def test_lost_connections_are_made_again(chat, opened):
    chat.script = [chat.reset, chat.reset_amid_body, chat.answer_text('{"choices": [', "application/json")]
    assert opened().map([request()])[0].attempts == 4


def test_a_server_that_stalls_is_asked_again(chat, opened):
    chat.script = [chat.stall]
    assert opened(timeout_s=0.1).map([request()])[0].attempts == 2


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "upstream is down", "code": 502}},
        {"choices": [{"error": {"message": "upstream is down", "code": 502}}]},
        {"choices": [{"finish_reason": "error", "message": {"content": ""}}]},
        {"choices": []},
    ],
)
def test_an_error_of_status_200_is_asked_again(chat, opened, body):
    chat.script = [chat.answer_json(body)]
    assert opened().map([request()])[0].attempts == 2


def test_a_request_that_keeps_failing_has_failed(chat, opened, waited):
    chat.script = [chat.error(500, f"broken for {KEY}")] * 3
    failed, fine = opened(attempts=3).map([request(), request("again")])
    assert (failed.finish, failed.attempts, failed.text) == ("failed", 3, "")
    assert failed.detail == f"{chat.base_url} answered with an error (500: broken for ***)"
    assert (fine.text, len(waited)) == ("re: again", 2)


def test_three_failures_in_a_row_end_the_work(chat, opened):
    chat.said = {"bad": chat.error(500, "broken")}
    told = []
    model = opened(attempts=2)
    users = ["bad", "bad", "good", "bad", "bad", "bad", "never"]
    with pytest.raises(ModelError) as caught:
        model.map([request(user) for user in users], lambda position, reply: told.append(position))
    assert told == [0, 1, 2, 3, 4]
    assert len(chat.bodies) == 2 * 5 + 1
    assert str(caught.value) == (
        f"m: 3 requests in a row failed after 2 attempts each ({chat.base_url} answered with an error "
        "(500: broken)); every reply so far is kept. Run again when the server is well"
    )


def test_the_end_of_the_work_wakes_up_what_waits_to_ask_again(chat):
    waiting = threading.Event()

    def busy(handler, body):
        chat.error(500, headers={"Retry-After": "100"})(handler, body)
        waiting.set()

    def refuse(handler, body):
        waiting.wait(5)
        chat.error(400, "bad")(handler, body)

    model = OpenAILLM(LLMSettings(model="m", base_url=chat.base_url, jobs=2), KEY)
    model.map([request()])
    chat.said = {"busy": busy, "refused": refuse}
    with pytest.raises(ModelError, match="400: bad"):
        model.map([request("busy"), request("refused")])
    assert len(chat.bodies) == 3
    model.close()


# Faults that end the work


def test_a_refused_connection_ends_the_work_at_once(chat, opened, waited):
    chat.close()
    with pytest.raises(ModelError) as caught:
        opened().map([request()])
    assert str(caught.value).startswith(f"m: no answer from {chat.base_url} (")
    assert str(caught.value).endswith("Check the base URL and that the server runs")
    assert waited == []


@pytest.mark.parametrize(
    ("status", "message", "found"),
    [
        (401, f"Incorrect API key provided: {KEY}", "refused the API key (401). Check the key"),
        (403, f"{KEY} may not", "refused the API key (403). Check the key"),
        (404, f"model 'm' not found for {KEY}", "(404: model 'm' not found for ***); expected the model m"),
        (400, f"bad\nvalue {KEY}", "answered with an error (400: bad value ***)"),
        (422, "bad value", "answered with an error (422: bad value)"),
    ],
)
def test_a_refusal_is_one_line_without_the_key(chat, opened, status, message, found):
    chat.always = chat.error(status, message)
    with pytest.raises(ModelError) as caught:
        opened(jobs=4).map([request(str(number)) for number in range(8)])
    assert found in str(caught.value)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert len(chat.bodies) == 1


def test_a_page_instead_of_an_answer_ends_the_work(chat, opened):
    chat.script = [chat.answer_text("<html>Welcome</html>")]
    with pytest.raises(ModelError, match=r"gave no usable answer .no chat completion but '<html>Welcome"):
        opened().map([request()])


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}),
        (429, {"message": "no", "type": "insufficient_quota", "code": None}),
        (402, {"message": "Insufficient Balance"}),
        (400, {"message": "Your credit balance is too low to access the API"}),
        (429, {"message": "Budget has been exceeded! Current cost: 2", "type": "budget_exceeded"}),
        (403, {"message": "Your account is not active, please check your billing details"}),
    ],
)
def test_a_used_up_quota_stops_at_once(chat, opened, waited, status, fields):
    chat.always = chat.error(status, **fields)
    with pytest.raises(LimitReached, match=r"every reply so far is kept\. Run again when"):
        opened().map([request(), request("next")])
    assert (len(chat.bodies), waited) == (1, [])


@pytest.mark.parametrize(
    "message",
    [
        "Rate limit reached for m. Please try again in 20s. Add a payment method at https://x/account/billing.",
        "You exceeded your current quota, check your plan and billing details. Please retry in 31.5s.",
        "Requests have exceeded the call rate limit of your pricing tier. Please retry after 20 seconds.",
    ],
)
def test_a_limit_per_minute_is_no_used_up_quota(chat, opened, message):
    chat.script = [chat.error(429, message)]
    assert opened().map([request()])[0].attempts == 2


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (400, {"message": "too long", "code": "context_length_exceeded"}),
        (400, {"message": "This model's maximum context length is 4096 tokens. However, you requested 5000"}),
        (400, {"message": "The decoder prompt (length 9) is longer than the maximum model length of 8."}),
        (
            400,
            {
                "message": "the request exceeds the available context size",
                "type": "exceed_context_size_error",
            },
        ),
        (500, {"message": "the request exceeds the available context size. try increasing it"}),
        (400, {"message": "litellm.ContextWindowExceededError: no"}),
        (400, {"message": "prompt is too long: 210000 tokens > 200000 maximum"}),
        (400, {"message": "input length exceeds the context length"}),
        (400, {"message": "The input token count (9) exceeds the maximum number of tokens allowed (8)"}),
        (429, {"message": "Request too large for m on tokens per min (TPM): Limit 3, Requested 4."}),
        (413, {"message": "entity too large"}),
    ],
)
def test_a_prompt_that_is_too_long(chat, opened, waited, status, fields):
    chat.script = [chat.error(status, **fields)]
    overflow, fine = opened().map([request(), request("next")])
    assert (overflow.finish, overflow.attempts, overflow.text) == ("overflow", 1, "")
    assert overflow.detail == f"{chat.base_url} answered with an error ({status}: {fields['message']})"
    assert (fine.text, waited) == ("re: next", [])


def test_a_prompt_that_the_filter_refuses_ends_nothing(chat, opened):
    chat.script = [chat.error(400, "The response was filtered", code="content_filter")]
    assert [reply.finish for reply in opened().map([request(), request()])] == ["filtered", "stop"]

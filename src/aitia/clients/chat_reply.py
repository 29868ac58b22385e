"""From what a chat endpoint answered to a reply, or to the fault that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from aitia.clients.faults import Fault, read_answer
from aitia.clients.protocols import Finish, LLMReply
from aitia.clients.retries import FaultError
from aitia.clients.vectors import encodable

_FINISHES: dict[str, Finish] = {
    **dict.fromkeys(("length", "max_tokens", "model_length"), "length"),
    **dict.fromkeys(("content_filter", "safety"), "filtered"),
}


def read_completion(completion: Any) -> LLMReply:
    """The reply in a ``ChatCompletion``, without what a reasoning model thought before it.

    Raises FaultError for anything else that came with status 200.
    """
    if isinstance(completion, str):
        raise FaultError(Fault("refused", f"no chat completion but {completion[:80]!r}"))
    choices = getattr(completion, "choices", None)
    _raise_if_error(completion, *(choices or ())[:1])
    if not choices or getattr(choices[0], "message", None) is None:
        raise FaultError(Fault("transient", "an answer without a choice"))
    message, finish = choices[0].message, choices[0].finish_reason
    refusal = getattr(message, "refusal", None)
    return _reply(_plain(message.content), "content_filter" if refusal else finish, completion.usage)


def read_stream(chunks: Iterable[Any], on_text: Callable[[str], None]) -> LLMReply:
    """The reply that a stream brought piece by piece, each given to ``on_text`` as it came.

    Raises FaultError for a stream that ends before the server said why.
    """
    text, finish, usage = "", None, None
    for chunk in chunks:
        choices = getattr(chunk, "choices", None) or []
        _raise_if_error(chunk, *choices[:1])
        usage = getattr(chunk, "usage", None) or usage
        if not choices:
            continue
        finish = choices[0].finish_reason or finish
        piece = clean(_plain(getattr(choices[0].delta, "content", None)))
        if piece:
            text += piece
            on_text(piece)
    if finish is None:
        raise FaultError(Fault("transient", "a stream that broke off"))
    return _reply(text, finish, usage)


def clean(text: str) -> str:
    """The text as a database and a file can keep it: no NUL, no lone surrogate."""
    return encodable(text.replace("\0", "\ufffd"))


def _raise_if_error(*parts: Any) -> None:
    """Proxies report the error of a model behind them in an answer of status 200."""
    for part in parts:
        error = getattr(part, "error", None)
        if error:
            raise FaultError(read_answer(0, error, {}))
        if getattr(part, "finish_reason", None) == "error":
            raise FaultError(Fault("transient", "an answer that ended in an error"))


def _reply(text: str, finish: str | None, usage: Any) -> LLMReply:
    # Tokens that the server did not count stay 0: a limit of cost then reckons with the worst case.
    return LLMReply(
        clean(text),
        _FINISHES.get((finish or "").lower(), "stop"),
        prompt_tokens=getattr(usage, "prompt_tokens", None) or 0,
        completion_tokens=getattr(usage, "completion_tokens", None) or 0,
    )


def _plain(content: Any) -> str:
    """Content as text; where it comes in parts, the parts that are text."""
    if isinstance(content, list):
        return "".join(_plain(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""

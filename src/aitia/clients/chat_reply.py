"""From what a chat endpoint answered to a reply, or to the fault that it holds.

Nothing that comes with status 200 is trusted to have the shape it should have: what is no reply is a fault
like a lost connection, and a count of tokens that cannot be true is no count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from aitia.clients.bodies import part_of, raise_if_error
from aitia.clients.faults import Fault, FaultError
from aitia.clients.protocols import Finish, LLMReply
from aitia.clients.vectors import encodable

MOST_TOKENS = 10**9
"""More than this in one call is no count."""

_FINISHES: dict[str, Finish] = {
    **dict.fromkeys(("length", "max_tokens", "model_length"), "length"),
    **dict.fromkeys(("content_filter", "safety"), "filtered"),
}


def read_completion(completion: Any) -> LLMReply:
    """The reply in a chat completion, without what a reasoning model thought before it.

    Raises FaultError, which passes, for anything else.
    """
    choice = _choice(completion)
    message = part_of(choice, "message")
    if message is None:
        raise _malformed("without a choice")
    text = _plain(part_of(message, "content"))
    if isinstance(message, str) or text is None:
        raise _malformed("whose message is none")
    finish = _finish(choice)
    refusal = part_of(message, "refusal")
    return _reply(text, "content_filter" if refusal else finish, part_of(completion, "usage"))


def read_stream(chunks: Iterable[Any], on_text: Callable[[str], None]) -> LLMReply:
    """The reply that a stream brought piece by piece, each given to ``on_text`` as it came.

    No piece ends amid a line end or a character. Raises FaultError for a stream that ends before the
    server said why.
    """
    text, held, finish, usage = "", "", None, None

    def pass_on(piece: str) -> None:
        nonlocal text
        if piece:
            text += clean(piece)
            on_text(clean(piece))

    for chunk in chunks:
        raise_if_error(chunk)
        usage = part_of(chunk, "usage") or usage
        if not part_of(chunk, "choices"):
            continue
        choice = _choice(chunk)
        finish = _finish(choice) or finish
        piece = _plain(part_of(part_of(choice, "delta"), "content"))
        if piece is None:
            raise _malformed("with a piece that is no text")
        piece = held + piece
        held = piece[-1:] if piece[-1:] == "\r" or "\ud800" <= piece[-1:] <= "\udbff" else ""
        pass_on(piece[: len(piece) - len(held)])
    pass_on(held)
    if finish is None:
        raise FaultError(Fault("transient", "a stream that broke off"))
    return _reply(text, finish, usage)


def clean(text: str) -> str:
    """The text as a database and a file can keep it: no NUL, no lone surrogate, whole characters."""
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return encodable(paired.replace("\0", "\ufffd"))


def _malformed(how: str) -> FaultError:
    return FaultError(Fault("transient", f"an answer {how}"))


def _choice(answer: Any) -> Any:
    choices = part_of(answer, "choices")
    if not isinstance(choices, list) or not choices:
        raise _malformed("without a choice")
    raise_if_error(choices[0])
    return choices[0]


def _finish(choice: Any) -> str | None:
    finish = part_of(choice, "finish_reason")
    if finish is not None and not isinstance(finish, str):
        raise _malformed("whose finish_reason is no word")
    return finish


def _reply(text: str, finish: str | None, usage: Any) -> LLMReply:
    # Tokens that the server did not count stay 0: a limit of cost then reckons with the worst case.
    return LLMReply(
        clean(text),
        _FINISHES.get((finish or "").lower(), "stop"),
        prompt_tokens=_count(part_of(usage, "prompt_tokens")),
        completion_tokens=_count(part_of(usage, "completion_tokens")),
    )


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value <= MOST_TOKENS else 0


def _plain(content: Any) -> str | None:
    """Content as text; where it comes in parts, the parts that are text. None for what is none."""
    if isinstance(content, list):
        return "".join(_plain(part_of(part, "text")) or "" for part in content)
    return "" if content is None else content if isinstance(content, str) else None

"""Asking: tasks become requests, useless replies are asked for once more, and what stays unread is named.

All requests of a round are made before any is sent, in the order of tasks and units, and results are
merged in that order: neither concurrency nor a resumed ledger changes a byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from aitia.analyst.llm.parse import Unusable, parse_reply
from aitia.analyst.llm.prompt import Prompt
from aitia.analyst.llm.schema import reply_schema
from aitia.analyst.llm.shape import Lists
from aitia.analyst.llm.validate import Item, check_items, reply_of
from aitia.analyst.protocols import Unread
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import COMPLETE, LLM, LLMReply, LLMRequest
from aitia.corpus.fold import fold_text
from aitia.corpus.tokens import count_tokens
from aitia.spec.claims import MalformedClaim, Rejection

Unit = TypeVar("Unit")
Reply = TypeVar("Reply", bound=BaseModel)

MAX_CLAIM_CHARACTERS = 500
TOO_LONG = "it does not fit the model's context; see --llm context_tokens"
FILTERED = "the provider's content filter withheld the reply"


@dataclass(frozen=True)
class Task(Generic[Unit]):
    """Something to ask about, in units (chunks, pairs, metrics, claims) of which a smaller call has fewer.

    Of some of its units, ``render`` makes the user part, ``place`` says what they are to a person
    ("a.md, passages 3 to 9"), and ``text`` is the corpus text asked about. ``sample`` tells independent
    replies to the same words apart.
    """

    units: tuple[Unit, ...]
    render: Callable[[Sequence[Unit]], str]
    place: Callable[[Sequence[Unit]], str]
    text: Callable[[Sequence[Unit]], str]
    sample: int = 0


@dataclass(frozen=True)
class Found(Generic[Unit, Reply]):
    """A reply to some units of a task (by position), with only those of its items that are valid.

    ``lost`` counts the others.
    """

    task: int
    units: tuple[Unit, ...]
    reply: Reply
    lost: int = 0


@dataclass(frozen=True)
class _Part(Generic[Unit]):
    """Units of a task, ``start`` of the first, and the faults and ledger keys of useless replies so far."""

    task: int
    start: int
    units: tuple[Unit, ...]
    max_tokens: int
    faults: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    def halves(self) -> list[_Part[Unit]]:
        middle = len(self.units) // 2
        return [
            replace(self, units=self.units[:middle]),
            replace(self, start=self.start + middle, units=self.units[middle:]),
        ]


class Asker:
    """Asks a model through prompts, and keeps what was no claim and what got no usable reply."""

    def __init__(self, llm: LLM, prompts: Mapping[str, Prompt], settings: LLMSettings) -> None:
        self._llm = llm
        self._prompts = prompts
        self._settings = settings
        self._rejected: dict[tuple[str, str, int], Rejection] = {}
        self._unread: dict[Unread, None] = {}
        self._refused: dict[str, LLMReply] = {}

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """What came back and was no claim of its kind, in the order asked; the same reply's once."""
        return tuple(self._rejected.values())

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The parts that got no usable reply, in the order asked; each once."""
        return tuple(self._unread)

    def ask(
        self, prompt: str, step: str, reply: type[Reply], tasks: Sequence[Task[Unit]]
    ) -> list[Found[Unit, Reply]]:
        """The readable replies in task and unit order; a task may have several (of its halves) or none.

        Raises ModelError and LimitReached as the model does.
        """
        asking = _Asking(self._prompts[prompt], step, reply, tasks, self._settings)
        pending = asking.first_parts()
        while pending:
            requests = [asking.request(part) for part in pending]
            replies = self._replies(requests)
            pending = [
                smaller
                for part, request, answer in zip(pending, requests, replies, strict=True)
                for smaller in asking.take(part, request.key(self._llm.model), answer)
            ]
        self._rejected |= {
            key: claim for place in sorted(asking.rejected) for key, claim in asking.rejected[place]
        }
        self._unread |= {asking.unread[place]: None for place in sorted(asking.unread)}
        return [asking.found[place] for place in sorted(asking.found)]

    def _replies(self, requests: Sequence[LLMRequest]) -> list[LLMReply]:
        """Replies in order. What the model refused is not in a ledger and is remembered here."""
        keys = [request.key(self._llm.model) for request in requests]
        new = [position for position, key in enumerate(keys) if key not in self._refused]
        answers = self._llm.map([requests[position] for position in new]) if new else []
        replies = dict(zip(new, answers, strict=True))
        self._refused |= {
            keys[position]: got for position, got in replies.items() if got.finish not in COMPLETE
        }
        return [
            replies[position] if position in replies else self._refused[key]
            for position, key in enumerate(keys)
        ]


class _Asking(Generic[Unit, Reply]):
    """One call of `Asker.ask`: its parts, and what came of them by (task, first unit)."""

    def __init__(
        self,
        prompt: Prompt,
        step: str,
        reply: type[Reply],
        tasks: Sequence[Task[Unit]],
        settings: LLMSettings,
    ) -> None:
        self._prompt = prompt
        self._step = step
        self._model = reply
        self._tasks = tasks
        self._settings = settings
        self._schema = reply_schema(reply)
        self._fixed = f"{prompt.system}\n{self._schema}"
        self.found: dict[tuple[int, int], Found[Unit, Reply]] = {}
        self.rejected: dict[tuple[int, int], list[tuple[tuple[str, str, int], Rejection]]] = {}
        self.unread: dict[tuple[int, int], Unread] = {}

    def first_parts(self) -> list[_Part[Unit]]:
        """The tasks with units, halved until each fits the context."""
        reserve = min(self._settings.max_output_tokens, self._settings.context_tokens // 2)
        tasks = [
            _Part(number, 0, task.units, reserve) for number, task in enumerate(self._tasks) if task.units
        ]
        return [part for task in tasks for part in self._fitting(task)]

    def request(self, part: _Part[Unit]) -> LLMRequest:
        """What is sent for a part."""
        return LLMRequest(
            stage=self._step,
            prompt=self._prompt.name,
            system=self._prompt.system,
            user=self._tasks[part.task].render(part.units),
            schema=self._schema,
            max_tokens=part.max_tokens,
            temperature=self._settings.temperature,
            sample=self._tasks[part.task].sample,
            run=self._settings.run,
        )

    def take(self, part: _Part[Unit], key: str, reply: LLMReply) -> list[_Part[Unit]]:
        """Keep what a reply holds; the parts to ask next where it is useless."""
        if reply.finish == "overflow":
            return self._smaller(part)
        if reply.finish == "failed":
            return self._give_up(part, reply.detail or "the model did not reply")
        if reply.finish == "filtered":
            return self._give_up(replace(part, keys=(*part.keys, key)), FILTERED)
        read = parse_reply(reply.text, self._model, cut_off=reply.finish == "length")
        if isinstance(read, Unusable):
            return self._again(replace(part, faults=(*part.faults, read.reason), keys=(*part.keys, key)))
        self._keep(part, key, read.value)
        return []

    def _fitting(self, part: _Part[Unit]) -> list[_Part[Unit]]:
        if self._room(part) >= part.max_tokens:
            return [part]
        return [piece for half in self._smaller(part) for piece in self._fitting(half)]

    def _room(self, part: _Part[Unit]) -> int:
        """What the context leaves for the reply, or twice its limit if that is left in any case."""
        user = self._tasks[part.task].render(part.units)
        most = 2 * part.max_tokens
        if len(self._fixed) + len(user) + most <= self._settings.context_tokens:
            return most  # a token has a character at least: no need to count
        return self._settings.context_tokens - self._fixed_tokens - count_tokens(user)

    @cached_property
    def _fixed_tokens(self) -> int:
        return count_tokens(self._fixed)

    def _smaller(self, part: _Part[Unit]) -> list[_Part[Unit]]:
        return part.halves() if len(part.units) > 1 else self._give_up(part, TOO_LONG)

    def _again(self, part: _Part[Unit]) -> list[_Part[Unit]]:
        """The second request after a useless reply: half the units, twice the room for the reply."""
        if len(part.faults) > 1:
            return self._give_up(part, _told(part.faults))
        parts = part.halves() if len(part.units) > 1 else [part]
        roomier = [replace(half, max_tokens=min(2 * half.max_tokens, self._room(half))) for half in parts]
        # A request that differs in nothing has the reply that it had.
        return roomier if roomier != [part] else self._give_up(part, _told(part.faults))

    def _give_up(self, part: _Part[Unit], reason: str) -> list[_Part[Unit]]:
        place = self._tasks[part.task].place(part.units)
        self.unread[part.task, part.start] = Unread(self._step, place, reason, part.keys)
        return []

    def _keep(self, part: _Part[Unit], key: str, lists: Lists) -> None:
        text = cache(lambda: fold_text(self._tasks[part.task].text(part.units)).text)

        def repeats(value: Any) -> bool:
            """Whether an item repeats the prompt's example in words that the text asked about does not have."""
            words = self._prompt.repeated(value)
            return bool(words) and not any(word in text() for word in words)

        items = check_items(lists, self._model, repeats)
        place = part.task, part.start
        lost = sum(1 for item in items if item.fault)
        self.found[place] = Found(part.task, part.units, reply_of(self._model, items), lost)
        self.rejected[place] = [self._rejection(key, item) for item in items if item.fault]

    def _rejection(self, key: str, item: Item) -> tuple[tuple[str, str, int], Rejection]:
        text = (
            item.json
            if len(item.json) <= MAX_CLAIM_CHARACTERS
            else f"{item.json[: MAX_CLAIM_CHARACTERS - 1]}…"
        )
        claim = MalformedClaim(kind=self._step, text=text)
        rejection = Rejection(claim=claim, reason=item.reason, detail=item.fault)
        return (key, item.field, item.position), rejection


def _told(faults: Sequence[str]) -> str:
    if len(faults) == 2 and len(set(faults)) == 1:
        return f"the reply {faults[0]} twice"
    return f"the reply {', then '.join(faults)}"

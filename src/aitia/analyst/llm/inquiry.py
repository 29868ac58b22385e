"""What every stage asks with: the asker, the prompts, the settings; and what it had to refuse itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from aitia.analyst.llm.ask import Asker
from aitia.analyst.llm.prompt import Prompt
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLM
from aitia.spec.claims import MalformedClaim, ReasonCode, Rejection

Unit = TypeVar("Unit")


class ReplyItem(Protocol):
    """An item of a reply, which can be kept as the JSON it came in."""

    def model_dump_json(self) -> str:
        """The item as JSON."""
        ...


class Inquiry:
    """One analyst's asking. Refusals are kept once each, however often the same is asked."""

    def __init__(self, llm: LLM, prompts: Mapping[str, Prompt], settings: LLMSettings) -> None:
        self.llm = llm
        self.prompts = prompts
        self.settings = settings
        self.asker = Asker(llm, prompts, settings)
        self._refused: dict[str, Rejection] = {}

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """What was no claim of its kind, in an order that depends on the replies only."""
        return (*self.asker.rejected, *(self._refused[key] for key in sorted(self._refused)))

    @property
    def reply_tokens(self) -> int:
        """The reserve for a reply."""
        return min(self.settings.max_output_tokens, self.settings.context_tokens // 2)

    @property
    def prompt_tokens(self) -> int:
        """What a prompt may have beside that reserve."""
        return self.settings.context_tokens - self.reply_tokens

    def refuse(self, step: str, item: ReplyItem, reason: ReasonCode, detail: str) -> None:
        """Keep an item of a reply that stands for nothing that was asked about."""
        claim = MalformedClaim(kind=step, text=item.model_dump_json())
        self.reject(Rejection(claim=claim, reason=reason, detail=detail))

    def asked(
        self, step: str, thing: str, number: int, known: Mapping[int, Unit], item: ReplyItem
    ) -> Unit | None:
        """What the number of an item stands for; where that was not asked about, the item is refused."""
        found = known.get(number)
        if found is None:
            self.refuse(step, item, "malformed", f"{thing} {number} is none of those asked about")
        return found

    def reject(self, rejection: Rejection) -> None:
        """Keep a claim that was refused before anything outside saw it."""
        self._refused[rejection.model_dump_json()] = rejection

    def render(self, prompt: str, **fields: str) -> str:
        """The user part of a prompt."""
        return self.prompts[prompt].render(**fields)

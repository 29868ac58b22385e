"""The LLM judge: facts, support, relevance and correctness by prompts to a chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aitia.analyst.fact_protocols import (
    AnswerPair,
    FactCounts,
    FactRequest,
    FactSets,
    RelevanceRequest,
    SupportRequest,
)
from aitia.analyst.llm import compare_facts, correct, facts, relevance, support
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.prompt import Prompt
from aitia.analyst.protocols import Unread
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLM
from aitia.spec.claims import Rejection


class LLMJudge:
    """Implements `aitia.analyst.fact_protocols.FactExtractor` and `FactJudge`.

    Every method sends its requests in one `LLM.map`, equal ones once. All raise ModelError and LimitReached
    as the model does; a request whose reply is of no use is None, and is among ``unread`` or ``rejected``.
    """

    def __init__(self, llm: LLM, settings: LLMSettings, prompts: Mapping[str, Prompt]) -> None:
        self._inquiry = Inquiry(llm, prompts, settings)

    @property
    def rejected(self) -> Sequence[Rejection]:
        """What came back and was no fact or verdict, so far."""
        return self._inquiry.rejected

    @property
    def unread(self) -> Sequence[Unread]:
        """The requests that got no usable reply, so far."""
        return self._inquiry.asker.unread

    def extract_facts(self, requests: Sequence[FactRequest]) -> list[tuple[str, ...] | None]:
        """One call a text."""
        return facts.extract_facts(self._inquiry, requests)

    def compare_facts(self, requests: Sequence[FactSets]) -> list[FactCounts | None]:
        """One call a request; a second for facts that its reply passed over."""
        return compare_facts.compare_facts(self._inquiry, requests)

    def find_support(self, requests: Sequence[SupportRequest]) -> list[tuple[bool, ...] | None]:
        """One call a request; a second for facts that its reply passed over."""
        return support.find_support(self._inquiry, requests)

    def rate_relevance(self, requests: Sequence[RelevanceRequest]) -> list[int | None]:
        """One call a rating."""
        return relevance.rate_relevance(self._inquiry, requests)

    def judge_answers(self, requests: Sequence[AnswerPair]) -> list[bool | None]:
        """One call an answer."""
        return correct.judge_answers(self._inquiry, requests)

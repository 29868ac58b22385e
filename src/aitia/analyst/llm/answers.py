"""Answers: one call with the question and numbered evidence; the reply is plain text with marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from aitia.analyst.llm.drafts import INSUFFICIENT, Opening, read_draft
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.passages import FENCE_TOKENS, Passages
from aitia.analyst.protocols import AnswerDraft, NumberedEvidence
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.corpus.tokens import count_tokens
from aitia.errors import ModelError

ASKED_LANGUAGE = "the language of the question"

OnText = Callable[[str], None]


@runtime_checkable
class Forgetful(Protocol):
    """A model that keeps replies, and can be told to ask again."""

    def retire(self, requests: Sequence[LLMRequest]) -> None:
        """Forget the replies to these."""
        ...


def write_answer(
    inquiry: Inquiry, question: str, evidence: Sequence[NumberedEvidence], language: str | None
) -> AnswerDraft:
    """An answer from as much of the evidence as fits the context: whole items, in their order.

    ``evidence`` is numbered from 1. Without any the model is not asked. A useless reply is not kept, so
    that the same question asks again.

    Raises:
        ModelError: there was no reply, an empty one, or not even one item fits.
        LimitReached: as the model does.

    """
    return _ask(inquiry, question, evidence, language, lambda request: inquiry.llm.map([request])[0])


def stream_answer(
    inquiry: Inquiry,
    question: str,
    evidence: Sequence[NumberedEvidence],
    language: str | None,
    on_text: OnText,
) -> AnswerDraft:
    """The same, its text given to ``on_text`` as it comes, without thoughts and the word INSUFFICIENT."""

    def send(request: LLMRequest) -> LLMReply:
        opening = Opening(on_text)
        reply = inquiry.llm.stream(request, opening.take)
        opening.end()
        return reply

    return _ask(inquiry, question, evidence, language, send)


def _ask(
    inquiry: Inquiry,
    question: str,
    evidence: Sequence[NumberedEvidence],
    language: str | None,
    send: Callable[[LLMRequest], LLMReply],
) -> AnswerDraft:
    shown = _fitting(inquiry, question, evidence)
    while shown:
        request = _request(inquiry, question, shown, language)
        reply = send(request)
        if reply.finish != "overflow":
            try:
                return _draft(inquiry, reply)
            except ModelError:
                if isinstance(inquiry.llm, Forgetful):
                    inquiry.llm.retire([request])
                raise
        if len(shown) == 1:
            raise ModelError(
                f"{inquiry.settings.model}: the evidence is longer than the model's context window; "
                "lower the budget of words, or use a model with a larger window"
            )
        shown = shown[: len(shown) // 2]
    return AnswerDraft((), sufficient=False)


def _fitting(
    inquiry: Inquiry, question: str, evidence: Sequence[NumberedEvidence]
) -> Sequence[NumberedEvidence]:
    """The first items that fit, at least one."""
    prompt = inquiry.prompts["answer"]
    room = inquiry.prompt_tokens - count_tokens(f"{prompt.system}\n{prompt.user}\n{question}")
    for position, item in enumerate(evidence):
        room -= count_tokens(item.text) + FENCE_TOKENS
        if room < 0:
            return evidence[: max(position, 1)]
    return evidence


def _request(
    inquiry: Inquiry, question: str, evidence: Sequence[NumberedEvidence], language: str | None
) -> LLMRequest:
    fenced = Passages([("", item.text) for item in evidence], letter="").render()
    return LLMRequest(
        stage="answer",
        prompt="answer",
        system=inquiry.prompts["answer"].system,
        user=inquiry.render(
            "answer",
            question=" ".join(question.split()),
            evidence=fenced,
            language=language or ASKED_LANGUAGE,
        ),
        max_tokens=inquiry.reply_tokens,
        temperature=inquiry.settings.temperature,
        run=inquiry.settings.run,
    )


def _draft(inquiry: Inquiry, reply: LLMReply) -> AnswerDraft:
    if reply.finish == "failed":
        raise ModelError(
            f"{inquiry.settings.model} gave no answer: {reply.detail or 'it did not reply'}; ask again"
        )
    if reply.finish == "filtered":
        raise ModelError(f"{inquiry.settings.model}: the provider's content filter withheld the answer")
    draft = read_draft(reply.text)
    if not draft.sentences and INSUFFICIENT not in reply.text:
        raise ModelError(
            f"{inquiry.settings.model} wrote an empty answer; ask again, or allow it more output tokens"
        )
    return draft

"""Facts of an answer against those of the reference: one call labels both sides."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.fact_protocols import FactCounts, FactSets
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.facts import PLACE_WORDS
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.verdicts import LabelledFact, fact_lines, judge_facts, labelled
from aitia.analyst.llm.vocabulary import one_line


def compare_facts(inquiry: Inquiry, requests: Sequence[FactSets]) -> list[FactCounts | None]:
    """What both sides have and what one alone has. Where a side has no facts no model is asked.

    None where a fact of either side got no verdict. Equal requests are one call.
    """
    asked = [request for request in dict.fromkeys(requests) if request.answer and request.reference]
    verdicts = judge_facts(inquiry, "compare_facts", [_task(inquiry, request) for request in asked])
    counts = {
        request: None if given is None else _counts(given)
        for request, given in zip(asked, verdicts, strict=True)
    }
    return [
        counts[request] if request in counts else FactCounts(0, len(request.answer), len(request.reference))
        for request in requests
    ]


def _counts(verdicts: dict[str, bool]) -> FactCounts:
    answer = [supported for label, supported in verdicts.items() if label.startswith("A")]
    reference = [supported for label, supported in verdicts.items() if label.startswith("R")]
    return FactCounts(tp=answer.count(True), fp=answer.count(False), fn=reference.count(False))


def _task(inquiry: Inquiry, request: FactSets) -> Task[LabelledFact]:
    answer, reference = labelled("A", request.answer), labelled("R", request.reference)

    def render(units: Sequence[LabelledFact]) -> str:
        return inquiry.render(
            "compare_facts",
            question=one_line(request.question),
            reference=fact_lines(reference, "Reference"),
            answer=fact_lines(answer, "Answer"),
            labels=" ".join(unit.label for unit in units),
        )

    def place(units: Sequence[LabelledFact]) -> str:
        return f'{len(units)} facts of the answer to "{one_line(request.question, PLACE_WORDS)}"'

    def text(units: Sequence[LabelledFact]) -> str:
        return "\n".join([request.question, *request.reference, *request.answer])

    return Task((*answer, *reference), render, place, text)

"""What a request may say: unknown fields are refused, and every text and number has an end."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from aitia.spec.decisions import Action, Kind
from aitia.web.checks import climbs
from aitia.workflows.index import MAX_QUESTION, QueryOptions


def _stays(text: str) -> str:
    if climbs(text):
        raise ValueError("'..' as a step is refused")
    return text


Name = Annotated[str, Field(max_length=400), AfterValidator(_stays)]
"""A name, key, id or pattern; it is compared with what is there, and never made into a place."""
Text = Annotated[str, Field(max_length=10_000)]


class Body(BaseModel):
    """The body of a request, or its parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Question(Body):
    """A question, and how evidence is sought for it; what is left out is the index's own default."""

    question: str = Field(max_length=MAX_QUESTION, examples=["Why do bees die in winter?"])
    retrieval: Name | None = Field(None, description="fused, graph, or plain:naive|bm25|rrf|hybrid")
    budget_words: int | None = Field(None, ge=1, le=1_000_000, description="most words of evidence")
    documents: Name | None = Field(None, description="only evidence of these documents, as guides/*.md")
    explain: bool = Field(False, description="whether the trace is sent too")
    settings: dict[Name, Any] = Field(default_factory=dict, max_length=32)

    @property
    def options(self) -> QueryOptions:
        """As `aitia.workflows.index.Index.retrieve` takes them."""
        options: QueryOptions = {"explain": self.explain, "settings": dict(self.settings)}
        if self.retrieval is not None:
            options["retrieval"] = self.retrieval
        if self.budget_words is not None:
            options["budget_words"] = self.budget_words
        if self.documents is not None:
            options["documents"] = self.documents
        return options


class Ask(Question):
    """A question to answer, by the server's own writer; a request may only choose the rules, which cost nothing."""

    context: Literal["evidence", "nodes_only", "in_context"] = "evidence"
    language: Annotated[str, Field(max_length=40)] | None = None
    analyst: Literal["rules"] | None = None


class Why(Body):
    """A question, and the passage whose place in its ranking is to be explained."""

    question: str = Field(max_length=MAX_QUESTION)
    chunk: Name
    retrieval: Name | None = None
    budget_words: int | None = Field(None, ge=1, le=1_000_000)


class Page(Body):
    """Which rows of a list."""

    offset: int = Field(0, ge=0)
    limit: int = Field(100, ge=1, le=1000)


class VariablesOf(Page):
    """Which variables: of a metric by name, or with a text in their key."""

    metric: Name | None = None
    text: Name = ""


class Edges(Page):
    """Which edges; every parameter that is given must fit."""

    source_metric: Name | None = None
    target_metric: Name | None = None
    metric: Name | None = Field(None, description="of either end")
    variable: Name | None = Field(None, description="the key of either end")
    polarity: Literal["positive", "negative", "unclear", "none"] | None = None
    min_confidence: float = Field(0.0, ge=0, le=1)
    max_confidence: float = Field(1.0, ge=0, le=1)
    evidence: Literal["quote", "other", "none"] | None = None
    text: Name = Field("", description="part of a key or of a mechanism")


class OneEdge(Body):
    """An edge, by the keys of its ends."""

    source: Name
    target: Name


def _writable(value: dict[str, Any]) -> dict[str, Any]:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no text") from None
    return value


class DecisionBody(Body):
    """A decision, as `aitia.spec.decisions.Decision` explains it; its time is the server's."""

    action: Action
    kind: Kind
    target: Text
    value: Annotated[dict[str, Any], Field(max_length=32), AfterValidator(_writable)] = Field(
        default_factory=dict
    )
    author: Annotated[str, Field(max_length=200)] = ""
    reason: Text = ""


class Decisions(Body):
    """Decisions that are kept all or none, in this order."""

    decisions: list[DecisionBody] = Field(min_length=1, max_length=1000)


class Embed(BaseModel):
    """As OpenAI's; fields that it has and this does not know are ignored."""

    input: str | list[str]
    model: Name
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None

"""What a request may say: unknown fields are refused, and every text and number has an end."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from aitia.spec.decisions import Action, Kind
from aitia.web.checks import fault_of
from aitia.workflows.index import MAX_QUESTION, QueryOptions


def _stays(text: str) -> str:
    fault = fault_of(text)
    if fault:
        raise ValueError(f"{fault} is refused")
    return text


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character is refused")
    return text


def _readable(text: str) -> str:
    """What a person reads in the order in which it is written: it goes to a file and to terminals."""
    if any((category(each) == "Cc" and each not in "\t\n") or each in TURNS for each in text):
        raise ValueError("control characters are refused, as are those that turn the direction of writing")
    return text


def _on_one_line(text: str) -> str:
    if "\n" in text or "\t" in text:
        raise ValueError("expected one line")
    return text


TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Embeddings, overrides and isolates, by which a text is shown in another order than it has."""

Name = Annotated[str, Field(max_length=400), AfterValidator(_stays)]
"""A name, key, id or pattern; it is compared with what is there, and never made into a place."""
Text = Annotated[str, Field(max_length=10_000), AfterValidator(_without_nul)]
Asked = Annotated[str, Field(max_length=MAX_QUESTION), AfterValidator(_without_nul)]


class Body(BaseModel):
    """The body of a request, or its parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Question(Body):
    """A question, and how evidence is sought for it; what is left out is the index's own default."""

    question: Asked = Field(examples=["Why do bees die in winter?"])
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

    question: Asked
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


def is_text(text: str) -> bool:
    """Whether UTF-8 has a form for it: there is none for half of a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _writable(value: dict[str, Any]) -> dict[str, Any]:
    if not is_text(json.dumps(value, ensure_ascii=False)):
        raise ValueError("half of a surrogate pair is no text")
    return value


class DecisionBody(Body):
    """A decision, as `aitia.spec.decisions.Decision` explains it; its time is the server's."""

    action: Action
    kind: Kind
    target: Text
    value: Annotated[dict[str, Any], Field(max_length=32), AfterValidator(_writable)] = Field(
        default_factory=dict
    )
    author: Annotated[str, Field(max_length=200), AfterValidator(_readable), AfterValidator(_on_one_line)] = (
        ""
    )
    reason: Annotated[Text, AfterValidator(_readable)] = ""


class Decisions(Body):
    """Decisions that are kept all or none, in this order."""

    decisions: list[DecisionBody] = Field(min_length=1, max_length=1000)


class Embed(BaseModel):
    """As OpenAI's; fields that it has and this does not know are ignored."""

    input: str | list[str]
    model: Name
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None

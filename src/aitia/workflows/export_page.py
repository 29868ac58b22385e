"""The graph and its evidence as one web page to send to a colleague. It asks no host for anything.

All it needs stands in it, and its Content-Security-Policy allows nothing else: the style and the script by
their hashes. Foreign text is text: it is escaped, and isolated in ``<bdi>`` so that its direction ends with it.
Without JavaScript everything can be read; the search and the filters are not there then.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

from aitia import __version__
from aitia.corpus.chunk import Chunk
from aitia.errors import UsageError
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence
from aitia.spec.model import Metric
from aitia.workflows.index import Index
from aitia.workflows.show import find_warnings

if TYPE_CHECKING:
    from markupsafe import Markup

FORMATS = {"hug": "json, graphml or csv", "qcg": "json, graphml or csv"}
"""What exports an index that has no causal graph; json where none is named."""
EXCERPT = 240
"""Characters of a passage that has no quote of its own."""
SIGNS = {"positive": "+", "negative": "\N{MINUS SIGN}", "unclear": "?", "none": "0"}
SAID = {"positive": "increases", "negative": "reduces", "unclear": "affects", "none": "has no effect on"}

_NOT_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote, or the beginning of the passage that stands for one, and its place."""

    text: str
    place: str
    verbatim: bool
    how: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An edge as the page has it."""

    source: str
    target: str
    mechanism: str
    polarity: str
    confidence: float
    evidence: tuple[Cited, ...]

    @property
    def verbatim(self) -> bool:
        """Whether it rests on a quote of its own."""
        return any(each.verbatim for each in self.evidence)


@dataclass(frozen=True, slots=True)
class Group:
    """All edges from one metric to another, the best supported first."""

    source: Metric
    target: Metric
    edges: tuple[Shown, ...]

    @property
    def signs(self) -> dict[str, int]:
        """How many edges have which polarity, the most frequent first."""
        return dict(Counter(edge.polarity for edge in self.edges).most_common())

    @property
    def quoted(self) -> int:
        """How many edges rest on a quote of their own."""
        return sum(edge.verbatim for edge in self.edges)

    @property
    def confidence(self) -> float:
        """That of the surest edge."""
        return max(edge.confidence for edge in self.edges)


def export_html(index: Index) -> str:
    """The page. Equal content gives equal bytes.

    Raises:
        UsageError: the method has no causal graph; the one line names the formats that it has.

    """
    graph = index.store.graph()
    if graph is None or index.method != "hcg":
        raise UsageError(
            f"{index.folder} was built with {index.method}, which has no causal graph to put on a page; "
            f"expected --format {FORMATS.get(index.method, 'json')}"
        )
    chunks = index.store.chunks()
    groups = _groups(graph, chunks)
    style, script = (_resource(f"export_page.{ending}") for ending in ("css", "js"))
    page: str = _template().render(
        title=index.folder.resolve().name,
        version=__version__,
        warnings=find_warnings(index),
        figures=_figures(index, graph, groups),
        groups=groups,
        metrics=_metrics(graph),
        categories=sorted({metric.category for metric in graph.metrics if metric.category}),
        polarities=[name for name in SIGNS if any(name in group.signs for group in groups)],
        dimensions=index.store.dimensions(),
        documents=[index.names[each.id] for each in index.store.documents()],
        signs=SIGNS,
        said=SAID,
        style=_markup(style),
        style_hash=_hash(style),
        script=_markup(script),
        script_hash=_hash(script),
    )
    return page


def _groups(graph: CausalGraph, chunks: Sequence[Chunk]) -> list[Group]:
    metric_of = {metric.name: metric for metric in graph.metrics}
    pairs = [
        ((graph.variables[edge.source].metric, graph.variables[edge.target].metric), edge)
        for edge in graph.edges
    ]
    pairs.sort(
        key=lambda row: (*row[0], -len(row[1].evidence), -row[1].confidence, row[1].source, row[1].target)
    )
    found = [
        Group(metric_of[pair[0]], metric_of[pair[1]], tuple(_shown(edge, graph, chunks) for _, edge in rows))
        for pair, rows in groupby(pairs, key=lambda row: row[0])
    ]
    return sorted(found, key=lambda group: -len(group.edges))


def _shown(edge: CausalEdge, graph: CausalGraph, chunks: Sequence[Chunk]) -> Shown:
    return Shown(
        graph.variables[edge.source].key,
        graph.variables[edge.target].key,
        edge.mechanism,
        edge.polarity,
        edge.confidence,
        tuple(dict.fromkeys(_cited(item, chunks[item.chunk]) for item in edge.evidence)),
    )


_HOW = {
    "quote": "quoted for it",
    "mention": "names both",
    "chunk": "a passage that names both",
    "cosine": "the nearest passage",
}


def _cited(item: EdgeEvidence, chunk: Chunk) -> Cited:
    text = item.quote
    if not text:
        whole = " ".join(chunk.text.split())
        cut = whole[:EXCERPT]
        text = cut if len(whole) <= EXCERPT else f"{cut.rpartition(' ')[0] or cut} ..."
    return Cited(text, chunk.citation, item.found_by == "quote", _HOW[item.found_by])


def _figures(index: Index, graph: CausalGraph, groups: Sequence[Group]) -> dict[str, str]:
    edges = len(graph.edges)
    share = f"{sum(group.quoted for group in groups) / edges:.0%}" if edges else "none"
    return {
        "documents": f"{len(index.names):,}",
        "metrics": f"{len(graph.metrics):,}",
        "variables": f"{len(graph.variables):,}",
        "effects": f"{edges:,}",
        "with a verbatim quote": share,
    }


def _metrics(graph: CausalGraph) -> list[dict[str, Any]]:
    metric_of = [variable.metric for variable in graph.variables]
    variables = Counter(metric_of)
    leaving = Counter(metric_of[edge.source] for edge in graph.edges)
    arriving = Counter(metric_of[edge.target] for edge in graph.edges)
    return [
        {
            "metric": metric,
            "variables": variables[metric.name],
            "out": leaving[metric.name],
            "in": arriving[metric.name],
        }
        for metric in graph.metrics
    ]


def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_clean
    )
    return environment.from_string(_resource("export_page.html"))


def _clean(value: object) -> object:
    """Text without what a page has no form for: control characters stand as their escapes. Markup is clean."""
    if type(value) is not str:
        return value
    return _NOT_HTML.sub(lambda match: f"\\x{ord(match.group()):02x}", value)


def _markup(content: str) -> Markup:
    from markupsafe import Markup

    return Markup(content)


def _resource(name: str) -> str:
    return (files("aitia.workflows") / name).read_text("utf-8")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()

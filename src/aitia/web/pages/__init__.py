"""The pages of the workbench, in the order of the navigation; the first is where an index is entered."""

from aitia.web.pages.ask import ask, compare
from aitia.web.pages.audit import audit, history
from aitia.web.pages.edges import edges
from aitia.web.pages.graph import graph
from aitia.web.pages.overview import overview
from aitia.web.pages.page import Page
from aitia.web.pages.passage import passage
from aitia.web.pages.vocabulary import metric, vocabulary
from aitia.web.pages.why import why

PAGES: tuple[Page, ...] = (
    Page("overview", "Overview", "overview.html", overview),
    Page("vocabulary", "Vocabulary", "vocabulary.html", vocabulary),
    Page("graph", "Graph", "graph.html", graph),
    Page("audit", "Audit", "audit.html", audit),
    Page("ask", "Ask", "ask.html", ask),
    Page("compare", "Compare", "compare.html", compare),
    Page("metric", "Metric", "metric.html", metric, under="vocabulary"),
    Page("edges", "Edges", "edges.html", edges, under="graph"),
    Page("history", "Decisions", "history.html", history, under="audit"),
    Page("passage", "Passage", "passage.html", passage, under="ask"),
    Page("why", "Why", "why.html", why, under="ask"),
)

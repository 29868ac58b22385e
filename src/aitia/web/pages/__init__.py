"""The pages of the workbench, in the order of the navigation; the first is where an index is entered."""

from aitia.web.pages.edges import edges
from aitia.web.pages.graph import graph
from aitia.web.pages.overview import overview
from aitia.web.pages.page import Page
from aitia.web.pages.passage import passage
from aitia.web.pages.vocabulary import metric, vocabulary

PAGES: tuple[Page, ...] = (
    Page("overview", "Overview", "overview.html", overview),
    Page("vocabulary", "Vocabulary", "vocabulary.html", vocabulary),
    Page("graph", "Graph", "graph.html", graph),
    Page("metric", "Metric", "metric.html", metric, under="vocabulary"),
    Page("edges", "Edges", "edges.html", edges, under="graph"),
    Page("passage", "Passage", "passage.html", passage, under="ask"),
)

"""Variables: a claim for each mention, with its sentence."""

from __future__ import annotations

from aitia.analyst.rules.variables import find_variables
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.model import Dimension, Metric

DIMENSIONS = (Dimension(name="machine", entities=("lathe", "drill")),)
METRICS = (
    Metric(name="MachinePresence", signature=("machine",), description="", category="state"),
    Metric(name="Speed", signature=("machine",), description="", category="measurement"),
)


def test_each_mention_is_a_claim_with_a_verbatim_quote() -> None:
    text = "The speed of the lathe fell.  The drill\nstood still. Speed matters."
    chunk = Chunk("d", "d.txt", 0, 0, len(text), text)
    claims = find_variables([ReadingWindow((chunk,))], DIMENSIONS, METRICS)
    assert [(c.metric, c.entities) for c in claims] == [
        ("Speed", ("lathe",)),
        ("MachinePresence", ("drill",)),
        ("Speed", ("any",)),
    ]
    assert [c.quote.text for c in claims if c.quote] == [
        "The speed of the lathe fell.",
        "The drill\nstood still.",
        "Speed matters.",
    ]
    assert all(c.quote and c.quote.chunk_id == chunk.id and c.quote.text in text for c in claims)


def test_the_same_claims_whatever_the_order_of_entities() -> None:
    text = "The speed of the lathe fell. The drill stood still."
    window = ReadingWindow((Chunk("d", "d.txt", 0, 0, len(text), text),))
    turned = (Dimension(name="machine", entities=("drill", "lathe")),)
    assert find_variables([window], turned, METRICS[::-1]) == find_variables([window], DIMENSIONS, METRICS)

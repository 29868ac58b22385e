"""How fast the workbench's graph page is in a browser: first paint of the drawing, and frames of pan and zoom.

    python benchmarks/workbench_graph.py [--variables 1583 --edges 20000 --metrics 173]

Needs chromium and playwright, and the scripts of ``make assets``. Prints one JSON document; times in ms.
``page_cpu`` is what the page's thread was busy until the drawing stood, which other work does not stretch.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from playwright.sync_api import Page, sync_playwright

from aitia.corpus.document import Corpus
from aitia.graph.causal import ROLES, CausalEdge, CausalGraph, EdgeEvidence
from aitia.spec.model import Dimension, Metric, Variable
from aitia.storage.contents import IndexContents
from aitia.testing.random_graphs import Size, random_graph
from aitia.testing.tiny_index import MITES, write_tiny_index
from aitia.web.app import create_app
from aitia.web.settings import Limits, ServerSettings
from aitia.workflows import folder as files
from aitia.workflows.index import open_index

SIGNS = ("positive", "negative", "unclear", "none")
SIGN_SHARES = (0.4, 0.25, 0.3, 0.05)

FRAMES = """() => {
  window.frames_ms = [];
  let last = performance.now();
  const step = (now) => {
    window.frames_ms.push(now - last); last = now; if (window.frames_on) requestAnimationFrame(step);
  };
  window.frames_on = true;
  requestAnimationFrame(step);
}"""


def write_large_index(folder: Path, size: Size) -> Path:
    """An index whose graph is random, of that size, over the texts of the tiny one."""
    write_tiny_index(folder)
    store = open_index(folder).store
    contents = IndexContents(
        store.facts(),
        Corpus(tuple(store.documents())),
        store.chunks(),
        {name: store.array(name) for name in store.arrays()},
        [Dimension(name="subject", entities=tuple(f"subject {row}" for row in range(size.variables)))],
        make_graph(size),
    )
    files.commit(folder, contents, {})
    return folder


def make_graph(size: Size) -> CausalGraph:
    """A random graph as values, with signs, confidences and a quote of every second edge."""
    generator = np.random.default_rng(0)
    arrays = random_graph(generator, size)
    metrics = tuple(
        Metric(name=f"Metric{row:03}", signature=("subject",), description="Made for measuring.",
               category=f"category {row % 8}", graph_role=ROLES[role])
        for row, role in enumerate(arrays.roles.tolist())
    )  # fmt: skip
    variables = tuple(
        Variable(metric=metrics[row].name, entities=(f"subject {number}",))
        for number, row in enumerate(arrays.metric_of.tolist())
    )
    signs = generator.choice(len(SIGNS), size.edges, p=SIGN_SHARES).tolist()
    pairs = dict.fromkeys(zip(arrays.sources.tolist(), arrays.targets.tolist(), strict=True))
    edges = tuple(
        CausalEdge(source, target, "made for measuring", round(0.3 + 0.7 * generator.random(), 2), SIGNS[sign],  # type: ignore[arg-type]
                   (EdgeEvidence(1, 0, 34, MITES[:34], "quote"),) if row % 2 else ())
        for row, ((source, target), sign) in enumerate(zip(pairs, signs, strict=False))
    )  # fmt: skip
    return CausalGraph(metrics, variables, (), edges)


def measure(page: Page, address: str) -> dict[str, Any]:
    """First paint, and the longest frames of a pan and of a zoom."""
    thread = page.context.new_cdp_session(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.wait_for_selector("body[data-drawn]")
    drawn = int(page.get_attribute("body", "data-drawn") or 0)
    metrics = {each["name"]: each["value"] for each in thread.send("Performance.getMetrics")["metrics"]}
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    box = page.locator("#drawing").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 15
    page.mouse.move(x, y)
    page.evaluate(FRAMES)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + 3 * step, y - 4 * step)
    page.mouse.up()
    pan = page.evaluate("window.frames_ms.splice(0)")
    for step in range(30):
        page.mouse.wheel(0, -80 if step < 15 else 80)
        page.wait_for_timeout(16)
    zoom = page.evaluate("window.frames_on = false, window.frames_ms")
    return {
        "first_contentful_paint": round(paint),
        "drawn": drawn,
        "page_cpu": round(1000 * metrics["TaskDuration"]),
        "pan": _frames(pan),
        "zoom": _frames(zoom),
    }


def _frames(times: list[float]) -> dict[str, float]:
    return {
        "frames": len(times),
        "median": round(float(np.median(times)), 1),
        "longest": round(max(times), 1),
    }


def main() -> None:
    """Serve, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("variables", 1583), ("edges", 20_000), ("metrics", 173), ("runs", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        size = Size(asked.variables, asked.edges, asked.metrics, 2)
        folder = write_large_index(Path(place) / "large", size)
        settings = ServerSettings(port=8799, limits=Limits(calls=(0, 0)), access_log=False)
        server = uvicorn.Server(
            uvicorn.Config(create_app({"large": folder}, settings), port=8799, log_level="error")
        )
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.05)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            runs = []
            for _ in range(asked.runs):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                runs.append(measure(page, "http://127.0.0.1:8799/index/large/graph"))
                page.close()
            browser.close()
        server.should_exit = True
    print(
        json.dumps(
            {"variables": asked.variables, "edges": asked.edges, "metrics": asked.metrics, "runs": runs},
            indent=2,
        )
    )


if __name__ == "__main__":
    main()

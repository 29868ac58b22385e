"""The workbench in a browser: every page, asking, auditing by keyboard, editing, applying, building again."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from urllib.parse import quote

import pytest
import uvicorn

from aitia.corpus.document import Corpus, Skipped
from aitia.spec.decisions import Decision
from aitia.spec.model import Dimension, Variable
from aitia.storage.contents import IndexContents
from aitia.testing.tiny_index import write_tiny_index
from aitia.web.app import create_app
from aitia.web.settings import Limits, ServerSettings
from aitia.workflows import curate
from aitia.workflows import folder as files_of_index
from aitia.workflows.build import build_index
from aitia.workflows.index import open_index

HOSTILE = "<script>alert(1)</script> \"' \u202eRTL\u05d0 \N{GRINNING FACE} <img src=x onerror=alert(1)>"
HOSTILE_FILE = "<script>alert(2)<!-- \"' \u202e\u05d0 \N{GRINNING FACE}.md"
LONG = "very long " * 1000
QUESTION = "Why does oxalic acid fail when there is brood?"
MENU = ("overview", "vocabulary", "graph", "audit", "ask", "compare", "history")
NAMELESS = """[...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a')]
  .filter((each) => !(each.labels?.length || each.textContent.trim() || each.ariaLabel))
  .map((each) => each.outerHTML)"""
LONGEST = """Math.max(0, ...[...document.querySelectorAll('main bdi')]
  .filter((each) => !each.closest('details')).map((each) => each.textContent.length))"""
VENDOR = Path(str(files("aitia.web"))) / "static" / "vendor" / "cytoscape.js"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """The bundled corpus, and a document whose name and text are hostile."""
    place = tmp_path_factory.mktemp("workbench") / "corpus"
    with as_file(files("aitia.testing") / "corpora" / "honeybees") as bundled:
        shutil.copytree(bundled, place)
    (place / HOSTILE_FILE).write_text(f"# {HOSTILE}\n\n{HOSTILE} raises the level of mites. {LONG}", "utf-8")
    return place


@pytest.fixture(scope="module")
def built(corpus) -> Path:
    """An index of it; not to be changed."""
    build_index(corpus, corpus.parent / "bees")
    return corpus.parent / "bees"


@pytest.fixture
def own(built, tmp_path) -> Path:
    """A copy that may be changed."""
    return shutil.copytree(built, tmp_path / "bees")


@contextmanager
def serving(*folders: Path) -> Iterator[str]:
    """A server over indexes, and its address."""
    settings = ServerSettings(access_log=False, limits=Limits(calls=(0, 1), asks=(0, 1)))
    app = create_app({folder.name: folder for folder in folders}, settings)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


class Visitor:
    """A page, and what it said and asked for; leaving checks that both are in order."""

    def __init__(self, browser, address: str, width: int = 1280, scheme: str = "light", **context) -> None:
        self.address, self.said, self.asked = address, [], []
        self.context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, **context
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append("dialog"))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def go(self, place: str):
        response = self.page.goto(f"{self.address}{place}")
        assert response.status == 200, (place, self.page.inner_text("main"))
        return self.page

    def leave(self) -> None:
        self.context.close()
        assert self.said == []
        assert [url for url in self.asked if not url.startswith((self.address, "data:"))] == []


@contextmanager
def visiting(browser, address: str, **how) -> Iterator[Visitor]:
    visitor = Visitor(browser, address, **how)
    yield visitor
    visitor.leave()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (600, "light")])
def test_every_page_opens_without_a_word(browser, built, width, scheme):
    with serving(built) as address, visiting(browser, address, width=width, scheme=scheme) as visitor:
        for slug in MENU:
            page = visitor.go(f"/index/bees/{slug}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, slug
            assert page.locator("h1").count() == 1, slug
            assert page.locator("main").count() == 1, slug
        for place in ("/docs", f"/index/bees/ask?q={quote(QUESTION)}", f"/index/bees/compare?q={quote(QUESTION)}",
                      f"/index/bees/why?q={quote(QUESTION)}&find=brood+break"):  # fmt: skip
            page = visitor.go(place)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, place


def test_every_field_has_a_name(browser, built):
    with serving(built) as address, visiting(browser, address) as visitor:
        for slug in MENU:
            page = visitor.go(f"/index/bees/{slug}")
            nameless = page.evaluate(NAMELESS)
            assert nameless == [], slug


def test_text_of_others_is_text(browser, own):
    metric = open_index(own).graph.metrics[0].name
    dimension = open_index(own).store.dimensions()[0].name
    of_metric = {"kind": "metric", "target": metric, "author": HOSTILE, "reason": HOSTILE}
    curate.decide_all(
        own,
        [
            Decision(action="edit", value={"field": "description", "to": LONG}, **of_metric),
            Decision(action="edit", value={"field": "category", "to": HOSTILE}, **of_metric),
            Decision(action="rename", value={"to": HOSTILE}, **of_metric),
            Decision(action="add", kind="entity", target=f"{dimension}/{HOSTILE}"),
            Decision(action="add", kind="entity", target=f"{dimension}/{'x' * 190}"),
        ],
    )
    curate.apply(own)
    edge = next(each for each in open_index(own).graph.edges)
    keys = [open_index(own).graph.variables[row].key for row in (edge.source, edge.target)]
    with serving(own) as address, visiting(browser, address) as visitor:
        for place in (*MENU, f"metric?name={quote(HOSTILE, safe='')}", f"ask?q={quote(HOSTILE, safe='')}",
                      f"compare?q={quote(HOSTILE, safe='')}", f"why?q={quote(HOSTILE, safe='')}&find=alert",
                      f"edges?source={quote(keys[0], safe='')}&target={quote(keys[1], safe='')}"):  # fmt: skip
            page = visitor.go(f"/index/bees/{place}")
            page.wait_for_load_state("networkidle")
            assert page.locator("main img").count() == 0, place
            assert page.locator("main script:not([type='application/json'])").count() == 0, place
            assert page.evaluate("document.documentElement.scrollWidth") <= 1280, place
        page = visitor.go("/index/bees/vocabulary")
        assert page.locator("#vocabulary th bdi", has_text="<script>alert(1)</script>").count() == 1
        assert page.locator(".entities bdi", has_text="<script>alert(1)</script>").count() == 1
        page = visitor.go("/index/bees/overview")
        assert page.locator("th bdi", has_text="<script>alert(2)<!--").count() == 1


def write_odd_index(folder: Path) -> Path:
    """An index whose names are hostile, or have 10,000 characters, as a file or a model may bring them in."""
    write_tiny_index(folder)
    store = open_index(folder).store
    graph = store.graph()
    names = {metric.name: name for metric, name in zip(graph.metrics, (HOSTILE, LONG), strict=True)}
    odd = replace(
        graph,
        metrics=tuple(
            each.model_copy(update={"name": names[each.name], "category": HOSTILE, "description": LONG})
            for each in graph.metrics
        ),
        variables=tuple(
            Variable(metric=names[each.metric], entities=(name,))
            for each, name in zip(graph.variables, (HOSTILE, LONG, "x" * 10_000), strict=True)
        ),
        templates=(),
        edges=tuple(replace(edge, mechanism=HOSTILE + LONG, confidence=0.2) for edge in graph.edges),
    )
    dimension = Dimension(name="subject", description=LONG, entities=(HOSTILE, LONG, "x" * 10_000))
    corpus = Corpus(tuple(store.documents()), (Skipped(HOSTILE, LONG),))
    arrays = {name: store.array(name) for name in store.arrays()}
    contents = IndexContents(store.facts(), corpus, store.chunks(), arrays, [dimension], odd)
    files_of_index.commit(folder, contents, {})
    return folder


@pytest.mark.parametrize("width", [1280, 600])
def test_names_of_any_length_are_shown_short_and_as_text(browser, tmp_path, width):
    folder = write_odd_index(tmp_path / "odd")
    with serving(folder) as address, visiting(browser, address, width=width) as visitor:
        for slug in ("overview", "vocabulary", "graph", "audit", "history"):
            page = visitor.go(f"/index/odd/{slug}")
            assert page.locator("main img, main script:not([type='application/json'])").count() == 0, slug
            assert page.evaluate("document.documentElement.scrollWidth") <= width, slug
            longest = page.evaluate(LONGEST)
            assert longest <= 1000, slug
        page = visitor.go("/index/odd/vocabulary")
        assert page.locator("th bdi", has_text="<script>alert(1)</script>").count() == 1
        page.locator("[data-edit=metric]").first.click()
        page.wait_for_selector("dialog[open] form")
        page.keyboard.press("Escape")
        page = visitor.go("/index/odd/audit")
        page.keyboard.press("e")
        page.wait_for_selector("dialog[open] form")
        assert page.locator("dialog img, dialog script").count() == 0


def test_a_question_is_answered_and_a_citation_opens_its_passage(browser, built):
    with serving(built) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/ask")
        page.fill("#q", QUESTION)
        page.press("#q", "Enter")
        page.wait_for_selector("body[data-answered]")
        assert "oxalic acid" in page.inner_text("#answer")
        sentence = page.evaluate("document.querySelector('#answer .cite').previousSibling.textContent.trim()")
        page.locator("#answer .cite").first.click()
        page.wait_for_selector("dialog[open] mark")
        assert page.inner_text("dialog mark") == sentence.split(". ")[-1]
        page.keyboard.press("Escape")
        assert page.locator("dialog[open]").count() == 0
        assert page.locator("#trace h3", has_text="Matches").count() == 1
        page.locator("#evidence li a", has_text="why?").first.click()
        page.wait_for_selector("dialog[open] >> text=Chosen:")
        page.keyboard.press("Escape")
        page.fill("#find", "drones sperm viability")
        page.click("#why button")
        page.wait_for_selector("dialog[open] >> text=By meaning")


def test_the_evidence_stands_before_its_trace_and_what_nothing_matched_is_folded(browser, built):
    with serving(built) as address, visiting(browser, address, width=600) as visitor:
        page = visitor.go(f"/index/bees/ask?q={quote(QUESTION)}&budget=600")
        page.wait_for_selector("body[data-answered]")
        page.wait_for_selector("#trace .sketch")
        order = page.evaluate("[...document.querySelectorAll('#result h2')].map((each) => each.textContent)")
        assert order == ["Answer", "Evidence", "How it was found"]
        assert "\n#" not in f"\n{page.inner_text('#evidence')}"
        page = visitor.go("/index/bees/ask?q=zzqx+qqqw")
        page.wait_for_selector("body[data-answered]")
        assert page.locator("#evidence .notice").is_visible()
        assert [page.locator(part).is_visible() for part in ("#trace-part", "#evidence li >> nth=0")] == [
            False,
            False,
        ]


def test_it_can_be_read_without_javascript(browser, built):
    with serving(built) as address, visiting(browser, address, java_script_enabled=False) as visitor:
        page = visitor.go(f"/index/bees/ask?q={quote(QUESTION)}")
        assert page.locator("#evidence li").count() > 3
        page.locator("#evidence li a").first.click()
        assert page.locator("mark").count() >= 1
        page = visitor.go("/index/bees/graph")
        page.locator("summary", has_text="The same in words").click()
        page.locator("td.number a").first.click()
        assert page.locator("section.edge blockquote").count() >= 1


@pytest.mark.skipif(not VENDOR.exists(), reason="make assets was not run")
def test_the_graph_opens_a_metric_and_shows_quotes(browser, built):
    with serving(built) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/graph")
        page.wait_for_selector("body[data-drawn]")
        assert page.locator("#panel li button").count() == 8
        assert "terminal, without effects" in page.inner_text("#legend")
        before = page.evaluate("aitiaDrawing.nodes().length")
        assert before == page.evaluate("aitiaDrawing.nodes('[kind = \"group\"]').length") > 5
        page.fill("#search", "Mortality")
        page.wait_for_selector("#panel h1")
        page.get_by_role("button", name="Open its").click()
        assert page.evaluate("aitiaDrawing.nodes('[kind = \"node\"]').length") > 0
        page.wait_for_selector("#panel h1 >> text=Mortality")
        page.wait_for_function("document.activeElement.textContent.startsWith('Fold its')")
        page.locator("#panel a[data-detail]").first.click()
        page.wait_for_selector("#panel blockquote")
        page.locator("#panel blockquote a").first.click()
        page.wait_for_selector("dialog[open] mark")
        page.keyboard.press("Escape")
        page.click("#whole")
        page.select_option("#evidence", "-1")
        assert page.evaluate("aitiaDrawing.edges().length") < 5


def test_without_its_scripts_the_graph_says_how_to_get_them(browser, built, monkeypatch):
    monkeypatch.setattr(
        "aitia.web.assets.Assets.has", lambda self, name: "vendor" not in name and name in self._hashed
    )
    with serving(built) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/graph")
        assert "make assets" in page.inner_text(".notice")
        assert page.locator("td.number a").count() > 5


def test_one_thing_is_said_at_a_time(browser, built):
    with serving(built) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/overview")
        page.evaluate("aitia.say('first'); aitia.say('second')")
        assert page.inner_text("#said") == "second"


def press_through(page, keys: str, done: int) -> None:
    """Press keys of the queue one after the other, and wait until all that was decided is kept."""
    page.keyboard.type(keys)
    page.wait_for_selector("#audit:not([data-pending])", timeout=60_000)
    assert page.locator("#todo .done").count() == done, page.locator(".problem").all_inner_texts()


def test_an_audit_by_keyboard_is_applied_and_survives_a_build(browser, own, corpus):
    with serving(own) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/audit?topic=edge")
        page.fill("#author", "Ada")
        page.press("#author", "Tab")
        first = page.locator(".item.current").get_attribute("data-target")
        page.locator("#todo a").first.click()
        page.keyboard.press("c")
        page.keyboard.type("as I saw it")
        page.keyboard.press("Enter")
        press_through(page, "ar", 2)
        press_through(page, "u", 1)
        press_through(page, "f", 2)
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open] >> text=flip the direction")
        page.keyboard.press("Escape")
        page.goto(f"{address}/index/bees/history")
        page.click("#apply")
        page.wait_for_selector("#report .notice")
        assert "Applied." in page.inner_text("#report")
        assert "No call of a model." in page.inner_text("#report")
    decided = {each.decision.action: each for each in curate.history(open_index(own))}
    assert {each.status for each in decided.values()} == {"applied", "undone"}
    assert (decided["accept"].decision.target, decided["accept"].decision.author) == (first, "Ada")
    assert decided["accept"].decision.reason == "as I saw it"
    assert decided["reject"].status == "undone"
    flipped = decided["flip"].decision.target.split(" -> ")[::-1]
    build_index(corpus, own)
    graph = open_index(own).graph
    edges = {(graph.variables[edge.source].key, graph.variables[edge.target].key) for edge in graph.edges}
    assert tuple(flipped) in edges
    assert tuple(flipped[::-1]) not in edges


def test_the_vocabulary_is_edited_in_place(browser, own):
    with serving(own) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/vocabulary")
        row = page.locator("tr[data-metric=Mortality]")
        row.locator("[data-edit]").click()
        page.fill("#edit-name", "Treatment")
        page.click("dialog .main")
        page.wait_for_selector("dialog .problem >> text=Treatment")
        page.fill("#edit-name", "Deaths")
        page.fill("#edit-category", "losses")
        page.click("dialog .main")
        page.wait_for_selector("#pending")
        assert row.locator(".waits").is_visible()
        row.locator("[data-edit]").click()
        page.click("dialog .away")
        assert "Really delete" in page.inner_text("dialog .away")
        page.keyboard.press("Escape")
        page.locator("[data-entity=mite] button").click()
        page.fill("#edit-into", "brood")
        page.fill("#edit-reason", "a test")
        page.click("dialog .main")
        page.wait_for_selector("dialog[open]", state="detached")
        page.click("#pending a")
        page.click("#apply")
        page.wait_for_selector("#report .notice")
        page = visitor.go("/index/bees/vocabulary")
        assert page.locator("tr[data-metric=Deaths]").get_attribute("data-category") == "losses"
        assert page.locator("tr[data-metric=Mortality], [data-entity=mite]").count() == 0
        # The refused rename is the one thing that the console speaks of.
        assert len(visitor.said) == 1
        visitor.said.clear()


def test_the_counts_of_the_audit_move_and_a_terminal_metric_gets_its_role(browser, own):
    """Rejected, added with the role that it needs first, and undone: the numbers follow, and so do a new visit's."""
    with serving(own) as address, visiting(browser, address) as visitor:
        page = visitor.go("/index/bees/audit?topic=rejected")
        assert page.evaluate("document.activeElement.classList.contains('item')")
        waiting = [each for each in curate.queue(open_index(own)) if each.topic == "rejected"]
        first = next(row for row, each in enumerate(waiting) if each.needs)
        left = int(page.inner_text("#left"))
        page.locator("#todo a").nth(first).click()
        page.keyboard.press("e")
        page.wait_for_selector("#said p >> text=Only an edge of the graph can be edited")
        press_through(page, "a", 1)
        counted = "document.querySelector('#decided').textContent + ' ' + document.querySelector('#left').textContent"
        assert page.evaluate(counted) == f"1 {left - 1}"
        assert page.inner_text("#waiting-count") == "2"
        assert "0 of 1 (0%)" in page.inner_text("#agreement")
        assert page.inner_text("a[data-topic=rejected] span") == str(len(waiting) - 1)
        press_through(page, "u", 0)
        assert page.evaluate(counted) == f"0 {left}"
        press_through(page, "a", 1)
        page = visitor.go("/index/bees/audit")
        assert page.inner_text("#decided") == "1"
        page = visitor.go("/index/bees/history")
        page.click("#apply")
        page.wait_for_selector("#report .notice")
    kept = open_index(own).graph
    assert (
        next(each for each in kept.metrics if each.name == waiting[first].needs).graph_role == "intermediate"
    )
    assert tuple(waiting[first].key.split(" -> ")) in named_edges(own)


@pytest.mark.parametrize("slug", ["history", "vocabulary", "audit"])
def test_nothing_is_off_the_edge_of_a_narrow_screen(browser, own, slug):
    metric = open_index(own).graph.metrics[0].name
    told = {"field": "description", "to": "in words"}
    curate.decide_all(own, [Decision(action="edit", kind="metric", target=metric, value=told, author="Ada")])
    with serving(own) as address, visiting(browser, address, width=600) as visitor:
        page = visitor.go(f"/index/bees/{slug}")
        off = """[...document.querySelectorAll('main table *, main button')].filter((each) => each.offsetWidth
          && !each.closest('thead') && each.getBoundingClientRect().right > 600).length"""
        assert page.evaluate(off) == 0
        if slug == "audit":
            assert page.evaluate("""document.querySelector('.item.current').getBoundingClientRect().top
              < document.querySelector('#todo').getBoundingClientRect().top""")


MEDICAL = Path(os.environ.get("AITIA_DATA", "")) / "medical" / "corpus.txt"


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.skipif("AITIA_DATA" not in os.environ, reason="$AITIA_DATA is not set")
@pytest.mark.skipif(not VENDOR.exists(), reason="make assets was not run")
def test_an_expert_corrects_medical_and_a_new_build_keeps_it(browser, tmp_path):
    folder = tmp_path / "medical"
    build_index(MEDICAL, folder)
    with serving(folder) as address, visiting(browser, address) as visitor:
        for slug in MENU:
            visitor.go(f"/index/medical/{slug}").wait_for_load_state("networkidle")
        page = visitor.go("/index/medical/audit?topic=edge")
        page.fill("#author", "Ada")
        page.locator("#todo a").first.click()
        press_through(page, "aaaararaaffaaaraaaaf", 20)
        press_through(page, "u", 19)
        page = visitor.go("/index/medical/vocabulary")
        page.locator("tr[data-metric=SideEffect] [data-edit]").click()
        page.fill("#edit-name", "AdverseEffect")
        page.click("dialog .main")
        page.wait_for_selector("#pending")
        page.locator("[data-dimension=treatment] [data-entity='chemotherapy treatment'] button").click()
        page.fill("#edit-into", "chemotherapy")
        page.click("dialog .main")
        page.wait_for_selector("dialog[open]", state="detached")
        page = visitor.go("/index/medical/graph")
        page.click("#add-edge")
        page.fill("#new-source", "TreatmentUse(surgery)")
        page.fill("#new-target", "QualityOfLife(any)")
        page.fill("#new-mechanism", "an expert knows")
        page.click("dialog .main")
        page.wait_for_selector("#said p >> text=Kept as")
        page = visitor.go("/index/medical/history")
        page.click("#apply")
        page.wait_for_selector("#report .notice", timeout=120_000)
        page = visitor.go(f"/index/medical/ask?q={quote('What are the side effects of chemotherapy?')}")
        page.wait_for_selector("body[data-answered]", timeout=60_000)
        page.locator("#answer .cite").first.click()
        page.wait_for_selector("dialog[open] mark")
    before = [(each.decision.id, each.status) for each in curate.history(open_index(folder))]
    assert len(before) == 20 + 1 + 3
    assert {status for _, status in before} == {"applied", "undone"}
    edges = named_edges(folder)
    assert ("TreatmentUse(surgery)", "QualityOfLife(any)") in edges
    build_index(MEDICAL, folder)
    assert [(each.decision.id, each.status) for each in curate.history(open_index(folder))] == before
    assert named_edges(folder) == edges
    assert {metric.name for metric in open_index(folder).graph.metrics} >= {"AdverseEffect"}


def named_edges(folder: Path) -> set[tuple[str, str]]:
    """The ends of all edges, by key."""
    graph = open_index(folder).graph
    return {(graph.variables[edge.source].key, graph.variables[edge.target].key) for edge in graph.edges}

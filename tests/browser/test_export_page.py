"""The page of ``aitia export --format html`` in a browser, from the disk and without a network."""

from __future__ import annotations

import sqlite3

import pytest

from aitia.testing.tiny_index import MITES, write_tiny_index
from aitia.workflows.export_page import export_html
from aitia.workflows.index import open_index

HOSTILE = '<img src="https://example.org/x" onerror="alert(1)"><script>alert(1)</script>\u202e"\''


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    folder = write_tiny_index(tmp_path_factory.mktemp("page") / "index")
    with sqlite3.connect(folder / "index.db") as connection:
        named = "json_set(value, '$.category', ?, '$.description', ?)"
        connection.execute(f"UPDATE metrics SET value = {named} WHERE position = 0", (HOSTILE, "x" * 10_000))
        connection.execute("UPDATE edges SET mechanism = ? WHERE source = 1", (HOSTILE,))
    connection.close()
    path = folder.parent / "graph.html"
    path.write_text(export_html(open_index(folder)), "utf-8")
    return path.as_uri()


@pytest.fixture
def opened(browser, address):
    """Opens the page in a way; it must have said nothing, and asked for nothing but itself."""
    pages, said, asked = [], [], []

    def open_page(**options):
        page = browser.new_page(**options)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append("dialog"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        pages.append(page)
        return page

    yield open_page
    assert (said, set(asked)) == ([], {address})
    for page in pages:
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_opens_offline_without_a_word(opened, width, scheme):
    page = opened(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.click("#open")
    for edge in page.locator(".edge > summary").all():
        edge.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("blockquote").filter(visible=True).count() == 4


def test_search_and_filters_leave_what_fits(opened):
    from playwright.sync_api import expect

    page = opened()
    count = page.locator("#count")
    assert count.inner_text() == "3 of 3 effects"
    page.fill("#search", "winter BEES")
    expect(count).to_have_text("1 of 3 effects")
    assert page.locator(".edge").filter(visible=True).count() == 1  # its group was opened
    page.fill("#search", "")
    expect(count).to_have_text("3 of 3 effects")
    for choose, left in (
        (lambda: page.select_option("#polarity", "none"), 1),
        (lambda: page.select_option("#polarity", ""), 3),
        (lambda: page.check("#verbatim"), 2),
        (lambda: page.uncheck("#verbatim"), 3),
        (lambda: page.select_option("#role", "outcome"), 2),
        (lambda: page.select_option("#category", HOSTILE), 2),
        (lambda: page.select_option("#role", ""), 3),
        (lambda: page.select_option("#category", "outcome"), 2),
    ):
        choose()
        assert count.inner_text() == f"{left} of 3 effects"
    page.fill("#confidence", "0.7")
    expect(count).to_have_text("1 of 3 effects")


def test_names_are_text(opened):
    page = opened()
    page.click("#open")
    page.locator(".edge > summary").first.click()
    assert page.locator(".edge p bdi").first.text_content() == HOSTILE
    assert page.locator("body script").count() == 1
    assert page.locator("img").count() == 0


def test_it_reads_without_javascript(opened):
    page = opened(java_script_enabled=False)
    assert not page.locator("#filters").is_visible()
    page.locator(".group > summary").first.press("Enter")
    page.locator(".edge > summary").first.press("Enter")
    assert page.locator("blockquote").first.inner_text() == MITES[:34]
    assert page.locator("blockquote").first.is_visible()

"""The page of a report in a browser, from the disk and without a network."""

from __future__ import annotations

import pytest

from aitia.evaluation.report.render import render_report
from aitia.testing.tiny_bench import write_tiny_bench

HOSTILE = '<img src="https://example.org/x" onerror="alert(1)"><script>alert(1)</script>\u202e'


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    folder = write_tiny_bench(tmp_path_factory.mktemp("page") / "bench", names={"hcg:L": HOSTILE})
    path = folder / "report.html"
    path.write_text(render_report(folder, baseline="plain:hybrid")["report.html"], "utf-8")
    return path.as_uri()


class Opened:
    """A page, and what it said and asked for."""

    def __init__(self, browser, address, width=1280, scheme="light"):
        self.said, self.asked = [], []
        self.page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append("dialog"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 600, 360])
def test_opens_offline_without_a_word(browser, address, width, scheme):
    opened = Opened(browser, address, width, scheme)
    assert opened.said == []
    assert [url for url in opened.asked if not url.startswith("data:")] == [address]
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    assert opened.page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    opened.page.close()


def test_the_policy_holds(browser, address):
    opened = Opened(browser, address)
    opened.page.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'https://example.org/x.png'}))"
    )
    opened.page.wait_for_timeout(100)
    assert any("Content Security Policy" in text for text in opened.said)
    opened.page.close()


def test_names_are_text(browser, address):
    opened = Opened(browser, address)
    shown = HOSTILE.replace("\u202e", "\\u202e")
    assert opened.page.locator("tbody th", has_text="onerror").first.inner_text() == shown
    assert opened.page.locator("body script").count() == 1
    opened.page.close()


def test_a_click_sorts_and_another_turns_it(browser, address):
    opened = Opened(browser, address)
    table = opened.page.locator("table", has_text="Answer correctness").first
    head = table.locator("thead th", has_text="Answer correctness")

    def values():
        return table.locator("tbody tr td:nth-child(2)").evaluate_all(
            "cells => cells.map((c) => c.dataset.value)"
        )

    def numbers():
        return [round(float(value), 3) for value in values() if value]

    assert numbers() == [0.65, 0.7, 0.5]
    head.locator("button").click()
    assert (numbers(), values()[-1], head.get_attribute("aria-sort")) == ([0.7, 0.65, 0.5], "", "descending")
    head.locator("button").press("Enter")
    assert (numbers(), values()[-1], head.get_attribute("aria-sort")) == ([0.5, 0.65, 0.7], "", "ascending")
    opened.page.close()

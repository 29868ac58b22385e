"""Takes the pictures of the documentation from the running workbench, over the bundled example.

    python docs/pictures.py

Needs chromium, playwright and the scripts of ``make assets``. Writes docs/pictures/*.png, at most 150 kB each.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from importlib.resources import as_file, files
from pathlib import Path

import uvicorn
from playwright.sync_api import Page, sync_playwright

from aitia.web.app import create_app
from aitia.web.settings import ServerSettings
from aitia.workflows.build import build_index

PLACE = Path(__file__).parent / "pictures"
MOST_BYTES = 150_000
QUESTION = "What shortens the lifespan of winter bees?"


def main() -> None:
    """Build, serve, take them all."""
    PLACE.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as temporary,
        as_file(files("aitia.testing") / "corpora" / "honeybees") as corpus,
    ):
        folder = Path(temporary) / "honeybees"
        build_index(corpus, folder)
        app = create_app({"honeybees": folder}, ServerSettings(access_log=False))
        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1100, "height": 680}, reduced_motion="reduce")
            take_all(page, f"http://127.0.0.1:{port}/index/honeybees")
            browser.close()
        server.should_exit = True


def take_all(page: Page, address: str) -> None:
    """Every picture of the pages of docs/."""
    page.goto(f"{address}/overview")
    take(page, "overview")
    page.goto(f"{address}/vocabulary")
    take(page, "vocabulary")
    page.goto(f"{address}/graph")
    page.wait_for_selector("body[data-drawn]")
    page.evaluate("aitiaDrawing.nodes().filter((node) => node.data('label').includes('Level')).emit('tap')")
    page.wait_for_selector("#panel h1")
    take(page, "graph")
    page.goto(f"{address}/audit")
    page.keyboard.press("j")
    take(page, "audit")
    page.goto(f"{address}/ask")
    page.fill("#q", QUESTION)
    page.press("#q", "Enter")
    page.wait_for_selector("body[data-answered]")
    take(page, "ask")
    page.locator("#answer .cite").first.click()
    page.wait_for_selector("dialog[open] mark")
    take(page, "passage", "dialog")
    page.goto(f"{address}/compare?q={QUESTION}&a_budget=300&b_budget=300")
    take(page, "compare")


def take(page: Page, name: str, part: str = "") -> None:
    """One picture, of what is in view or of a part of the page."""
    page.wait_for_timeout(400)  # for the drawing to be on the screen
    path = PLACE / f"{name}.png"
    if part:
        page.locator(part).screenshot(path=path)
    else:
        page.screenshot(path=path)
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{path} has {size:,} bytes; expected at most {MOST_BYTES:,}")
    print(f"{path.name}: {size:,} bytes")


if __name__ == "__main__":
    main()

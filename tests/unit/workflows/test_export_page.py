from __future__ import annotations

import base64
import hashlib
import re

import pytest
from bs4 import BeautifulSoup

from aitia.errors import UsageError
from aitia.testing.tiny_index import COLD, MITES
from aitia.workflows.export_page import export_html
from aitia.workflows.index import open_index

HOSTILE = [
    "<script>alert(1)</script>",
    "\"'&amp;",
    "\u202eabc",
    "\u200fשלום",
    "👩‍🔬",
    "x" * 10_000,
    "{{ 7*7 }}",
]


@pytest.fixture
def renamed(own, sql):
    """The page of an index whose mechanism, category and description are a text."""

    def page(text: str) -> str:
        sql("UPDATE edges SET mechanism = ? WHERE source = 1", text)
        described = "json_set(value, '$.category', ?, '$.description', ?)"
        sql(f"UPDATE metrics SET value = {described} WHERE position = 0", text, text)
        return export_html(open_index(own))

    return page


def test_everything_stands_on_the_page(tiny):
    page = BeautifulSoup(export_html(open_index(tiny)), "lxml")
    figures = {each.dt.text: each.dd.text for each in page.select(".figures div")}
    assert figures == {
        "documents": "2",
        "metrics": "2",
        "variables": "3",
        "effects": "3",
        "with a verbatim quote": "67%",
    }
    assert [" ".join(each.text.split()) for each in page.select(".pair")] == [
        "Level → Mortality",
        "Level → Level",
    ]
    edge = page.select(".edge")[0]
    assert " ".join(edge.summary.text.split()) == "Level(mite) + increases → Mortality(bee) 0.85"
    assert [each.text for each in edge.select("blockquote")] == [MITES[:34], MITES[35:]]
    assert [each.text for each in edge.select("figcaption")] == [
        "mites.md, quoted for it",
        "mites.md, names both",
    ]
    near = page.select(".edge")[1]
    assert (near.blockquote.text, near.figcaption.text) == (
        COLD,
        "cold\\x1b]0;title\\x07.md, the nearest passage",
    )
    assert [each.text for each in page.select("#dimensions ~ details li")] == ["bee", "cold", "mite"]
    assert [row.th.text for row in page.select("tbody tr")] == ["Level(subject)", "Mortality(subject)"]


def test_only_its_own_style_and_script_run(tiny):
    text = export_html(open_index(tiny))
    page = BeautifulSoup(text, "lxml")
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    for tag, kind in (("style", "style-src"), ("script", "script-src")):
        (element,) = page.find_all(tag)
        digest = base64.b64encode(hashlib.sha256(element.string.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert not re.findall(
        r"(?:https?:)?//[a-z]|\son\w+=|\sstyle=|\ssrc=", text.replace(page.script.string, "")
    )


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:12].encode("unicode_escape").decode())
def test_hostile_text_is_text(renamed, text):
    page = BeautifulSoup(renamed(text), "html.parser")
    assert page.select(".edge p bdi")[0].text == text
    cells = page.select("tbody tr")[0].select("td bdi")
    assert [cell.text for cell in cells] == [text, text]
    assert page.select("#category option")[-1]["value"] == max(text, "outcome")
    assert len(page.find_all("script")) == 1


def test_equal_content_gives_equal_bytes(tiny):
    assert export_html(open_index(tiny)) == export_html(open_index(tiny))


@pytest.mark.parametrize(("method", "formats"), [("hug", "json, graphml or csv"), ("plain:bm25", "json")])
def test_what_has_no_page_says_what_it_has(tiny, monkeypatch, method, formats):
    index = open_index(tiny)
    monkeypatch.setitem(index.settings, "method", method)
    with pytest.raises(UsageError) as error:
        export_html(index)
    assert str(error.value).endswith(f"no causal graph to put on a page; expected --format {formats}")

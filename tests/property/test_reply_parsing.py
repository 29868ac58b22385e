"""Any text is a reply that can be read, or one that cannot with a reason; a valid reply is found in its wrapping."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from aitia.analyst.llm.parse import Parsed, Unusable, parse_reply
from aitia.analyst.llm.validate import check_items, reply_of


class Item(BaseModel):
    name: str
    labels: list[str]
    confidence: float


class Reply(BaseModel):
    items: list[Item]


MARKS = ["{", "}", "[", "]", '"', "'", ",", ":", "\\", "```json\n", "```", "//", "/*", "\n", " "]
WORDS = ["<think>", "</think>", '"items"', "name", "null", "1e9", "NaN", "\ud800", '{"items": [', "$defs"]
PIECES = st.sampled_from(MARKS + WORDS)
TEXT = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)
STRINGS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
ITEMS = st.builds(
    Item, name=STRINGS, labels=st.lists(STRINGS, max_size=3), confidence=st.floats(0, 1, allow_nan=False)
)
REPLIES = st.builds(Reply, items=st.lists(ITEMS, max_size=4))
PROSE = st.lists(st.sampled_from(["a", " ", "it's", "[1]", "{x}", "(b", "{", "\n", ":"]), max_size=8).map(
    "".join
)
WRAPPINGS = st.sampled_from(
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```\n",
        '<think>{{ "a [ </think>{}',
        "a draft: [1] </think>\n{}",
        "<reasoning>well</reasoning> ```json\n{}\n```",
    ]
)


@settings(max_examples=60, deadline=None)
@given(TEXT, st.booleans())
def test_any_text_is_read_or_refused(text, cut_off):
    read = parse_reply(text, Reply, cut_off)
    if isinstance(read, Unusable):
        assert read.reason
    else:
        items = check_items(read.value, Reply)
        assert all(item.fault or item.valid for item in items)
        [item.json.encode() for item in items]  # storable: no lone surrogate is left
        assert len(reply_of(Reply, items).items) <= len(items)


@settings(max_examples=60, deadline=None)
@given(
    REPLIES, WRAPPINGS, PROSE, PROSE.map(lambda text: text.replace("{", "").replace("}", "")), st.booleans()
)
def test_a_valid_reply_is_found_in_its_wrapping(reply, wrapping, before, after, ascii_only):
    text = json.dumps(reply.model_dump(), ensure_ascii=ascii_only)
    read = parse_reply(before + wrapping.replace("{{", "{").replace("{}", text) + after, Reply)
    assert isinstance(read, Parsed)
    assert reply_of(Reply, check_items(read.value, Reply)) == reply


@settings(max_examples=60, deadline=None)
@given(st.builds(Reply, items=st.lists(ITEMS, min_size=1, max_size=3)), st.data())
def test_half_a_reply_is_never_read(reply, data):
    text = reply.model_dump_json()
    end = data.draw(st.integers(1, len(text) - 1))
    read = parse_reply(text[:end], Reply)
    assert read == Unusable("was cut off")

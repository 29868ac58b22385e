import json

import pytest
from pydantic import BaseModel

from aitia.analyst.llm.mend import Faulty
from aitia.analyst.llm.parse import (
    CUT_OFF,
    ECHO,
    EMPTY,
    NO_JSON,
    OTHER_SHAPE,
    TOO_DEEP,
    UNMENDED,
    Parsed,
    Unusable,
    parse_reply,
)
from aitia.analyst.llm.schema import reply_schema


class Axis(BaseModel):
    """For us, not for the model."""

    name: str
    quote: str = ""
    default: list[str]


class Axes(BaseModel):
    axes: list[Axis]


class Variable(BaseModel):
    metric: str
    entities: tuple[str, ...]


class Relation(BaseModel):
    source: str
    target: str


class Claims(BaseModel):
    variables: tuple[Variable, ...]
    relations: tuple[Relation, ...]


AXIS = {"name": "disease", "quote": "see {a] and [b", "default": ["melanoma"]}
OTHER = {"name": "draft", "quote": "", "default": []}
GOOD = json.dumps({"axes": [AXIS]})
DRAFT = json.dumps({"axes": [OTHER]})
READ = Parsed({"axes": [AXIS]})


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\ufeff \n{GOOD}\n\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f'Here is [1] the "reply" you\'d want:\n```json\n{GOOD}\n```\nI hope {{this}} helps!',
        f"First try:\n```json\n{DRAFT}\n```\nBetter:\n```json\n{GOOD}\n```\nNotes:\n```python\nx = {{}}\n```",
        f"{DRAFT}\n{GOOD}\n{{}}\n[]",
        f"The set {{a, b and a [ bracket. {GOOD}",
        f"<think>\nMaybe {DRAFT}?\n</think>\n{GOOD}",
        f'<THINKING>{{ [ " {DRAFT}</thinking>{GOOD}',
        f"Maybe {DRAFT}\n</think>\n{GOOD}",
        f"<think>a </reasoning> b </think> ```json\n{GOOD}```",
        f"<reasoning>I begin to write. {GOOD}",
        f"[ {GOOD} ]",
        f"[Here it is: {GOOD} ]",
        f'See [1]. {GOOD} {{like this}} [2] {{"like": 1}}',
        f'{GOOD} I used {{"name": x, and [["more',
        f'[{json.dumps(AXIS)}] for {{"like": this, or [] and {{}}',
    ],
)
def test_the_last_object_of_the_wanted_shape_is_found(text):
    assert parse_reply(text, Axes) == READ


@pytest.mark.parametrize(
    "value",
    [
        [AXIS],
        AXIS,
        {"axes": AXIS},
        {"axes": {"axes": [AXIS]}},
        {"result": {"axes": [AXIS]}},
        {"result": [AXIS]},
        {"status": "ok", "data": {"reply": {"axes": [AXIS]}}},
        {"type": "object", "properties": {"axes": [AXIS]}},
        [AXIS] * 1,
    ],
)
def test_bare_lists_and_wrapping_keys(value):
    assert parse_reply(json.dumps(value), Axes) == READ


def test_a_bare_list_is_told_apart_by_its_fields():
    variable, relation = {"metric": "A", "entities": []}, {"source": "A(x)", "target": "B(x)"}
    both = Parsed({"variables": [variable], "relations": [relation]})
    assert parse_reply(json.dumps([relation, variable]), Claims) == both
    assert parse_reply(json.dumps({"relations": [relation]}), Claims) == Parsed(
        {"variables": [], "relations": [relation]}
    )
    assert parse_reply('{"variables": null, "relations": "none"}', Claims) == Parsed(
        {"variables": [], "relations": ["none"]}
    )
    assert parse_reply("[[1, 2], 3]", Claims) == Unusable(NO_JSON)


@pytest.mark.parametrize("text", ["[]", '{"axes": []}', '{"axes": null}', "None found: []"])
def test_nothing_found_is_a_reply(text):
    assert parse_reply(text, Axes) == Parsed({"axes": []})


@pytest.mark.parametrize(
    "text",
    [
        '{"axes": [{"name": "x", "quote": "y", "default": ["z",],},],}',
        "{'axes': [{'name': 'x', 'quote': 'y', 'default': ['z']}]}",
        '{"axes": [{"name": "x", /* mine */ "quote": "y", "default": ["z"]}]} // it\'s "done',
        '{axes: [{name: "x", quote: "y", default: ["z"]}]}',
        '{"axes": [{"name": "x", "quote": "y" "default": ["z"]]}',
    ],
)
def test_small_faults_are_mended(text):
    assert parse_reply(text, Axes) == Parsed({"axes": [{"name": "x", "quote": "y", "default": ["z"]}]})


def test_line_breaks_and_quotation_marks_in_strings():
    text = '{"axes": [{"name": "x\n\ty", "quote": "he said "stop" twice", "default": []}]}'
    assert parse_reply(text, Axes) == Parsed(
        {"axes": [{"name": "x\n\ty", "quote": 'he said "stop" twice', "default": []}]}
    )
    text = '{"axes": [{"name": "5" tall", "quote": "", "default": []}]}\n```'
    assert parse_reply(text, Axes) == Parsed({"axes": [{"name": '5" tall', "quote": "", "default": []}]})


def test_a_large_faulty_reply_is_mended_item_by_item():
    marks = 'a "stray" one, 5" tall, and "two", which'
    good = {"name": "x", "quote": "y" * 80, "default": ["z"]}
    faulty = json.dumps(good).replace("y" * 80, marks)
    text = f'{{"axes": [{", ".join([faulty, json.dumps(good)] * 200)}]}}'
    axes = parse_reply(text, Axes).value["axes"]
    assert axes[1::2] == [good] * 200
    assert axes[::2] == [good | {"quote": marks}] * 200


def test_what_cannot_be_mended_goes_alone():
    long = '{"name": "a"' + ' "b", ' * 1_000 + "}"
    text = f'{{"axes": [{json.dumps(AXIS)}, {long}, {{"name": "x",}} {long} {json.dumps(OTHER)},]}}'
    axes = parse_reply(text, Axes).value["axes"]
    assert axes == [AXIS, long, {"name": "x"}, long, OTHER]
    assert [isinstance(axis, Faulty) for axis in axes] == [False, True, False, True, False]
    assert parse_reply(f'{{"axes": [{long}]}}', Axes) == Unusable(UNMENDED)


def test_no_reply_can_multiply_itself():
    text = f'[{json.dumps(AXIS)}, "\\u00000", "\\u00000", "\\u00009" "x"]'
    assert parse_reply(text, Axes) == Parsed({"axes": [AXIS, "9", "x"]})


def test_strings_and_numbers_that_nothing_can_store():
    text = '[{"name": "a\\u0000b\\u000cc\\ud800\ud801", "quote": NaN, "default": [1e999, -Infinity, %s, 1.5, 2]}]'
    expected = {
        "name": "ab c\ufffd\ufffd",
        "quote": "NaN",
        "default": ["inf", "-Infinity", "9" * 5000, 1.5, 2],
    }
    assert parse_reply(text % ("9" * 5000), Axes) == Parsed({"axes": [expected]})


def test_lists_under_one_key_twice_are_one_list():
    text = f'{{"axes": [{json.dumps(OTHER)}], "x": 1, "x": 2, "axes": [{json.dumps(AXIS)}]}}'
    assert parse_reply(text, Axes) == Parsed({"axes": [OTHER, AXIS]})


def test_tags_in_a_string_of_the_reply_are_its_own():
    value = {"axes": [{"name": "</think>", "quote": "<think> a </think> b", "default": []}]}
    assert parse_reply(f"<think>so</think>```json\n{json.dumps(value)}\n```", Axes) == Parsed(value)


@pytest.mark.parametrize("end", range(1, len(GOOD)))
def test_half_a_reply_is_never_read(end):
    for before in ("", "Here: ", "```json\n", "<think>so</think>", f"{DRAFT} No, better: "):
        assert parse_reply(before + GOOD[:end], Axes) == Unusable(CUT_OFF)


def test_the_items_of_a_cut_off_list_are_no_reply():
    text = json.dumps({"axes": [AXIS, OTHER]})[:-12]
    assert parse_reply(text, Axes) == Unusable(CUT_OFF)
    assert parse_reply(json.dumps([AXIS, [AXIS]])[:-1], Axes) == Unusable(CUT_OFF)


def test_cut_off_by_the_server():
    assert parse_reply(GOOD, Axes, cut_off=True) == READ
    assert parse_reply(f"{GOOD} I chose these beca", Axes, cut_off=True) == READ
    for text in (
        "",
        "I shall beg",
        f"<think>Maybe {DRAFT}, but",
        "<think>so</think>",
        '{"x": 1}',
        '{"axes":',
    ):
        assert parse_reply(text, Axes, cut_off=True) == Unusable(CUT_OFF)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", EMPTY),
        (" \n", EMPTY),
        ("<think>nothing</think> ", EMPTY),
        ("I cannot help with that.", NO_JSON),
        ("As [1] and {this} say.", NO_JSON),
        (f"<think>{DRAFT}</think> Sorry, no.", NO_JSON),
        ('"axes"', NO_JSON),
        ('{"answer": 42}', OTHER_SHAPE),
        ('{"a": {"axes": []}, "b": {"axes": []}}', OTHER_SHAPE),
        (reply_schema(Axes), ECHO),
        (f"```json\n{json.dumps(Axes.model_json_schema())}\n```", ECHO),
        ('{"type": "object", "properties": {"axes": {"type": "array", "items": {}}}}', ECHO),
        ("[" * 10_000 + "]" * 10_000, TOO_DEEP),
        ('{"axes":' * 10_000, TOO_DEEP),
        ('{"axes": [' + '"a" "b", [],' * 20_000 + "]}", UNMENDED),
    ],
)
def test_what_cannot_be_read_is_named(text, reason):
    assert parse_reply(text, Axes) == Unusable(reason)


@pytest.mark.parametrize(
    "unit",
    [
        "{}",
        "]",
        "[{",
        '"',
        "\\",
        "</think>",
        "```json\n",
        "{ ",
        '{"a":"\\',
        "{'a' ",
        '{"a" "b"},',
        "{a},",
        '[{a("},',
        '{"a": "b "c" d"},',
    ],
)
def test_any_text_takes_time_in_proportion(unit):
    """A second each; in quadratic time this test would not end."""
    for before, after in (("", ""), ('{"axes": [', "]}")):
        assert parse_reply(f"{before}{unit * (1_000_000 // len(unit))}{after}", Axes) is not None


def test_a_reply_of_five_million_characters():
    item = AXIS | {"quote": "word and [ " * 200}
    count = 5_000_000 // len(json.dumps(item))
    assert parse_reply(json.dumps({"axes": [item] * count}), Axes) == Parsed({"axes": [item] * count})


def test_the_schema_is_strict_small_and_in_the_model_s_order():
    assert reply_schema(Axes) == (
        '{"$defs":{"Axis":{"properties":{"name":{"type":"string"},"quote":{"type":"string"},'
        '"default":{"type":"array","items":{"type":"string"}}},"required":["name","quote","default"],'
        '"type":"object","additionalProperties":false}},"properties":{"axes":{"items":{"$ref":"#/$defs/Axis"},'
        '"type":"array"}},"required":["axes"],"type":"object","additionalProperties":false}'
    )

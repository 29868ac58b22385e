from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, BaseModel

from aitia.analyst.llm.mend import Faulty
from aitia.analyst.llm.replies import Confidence
from aitia.analyst.llm.validate import Item, check_items, reply_of


class Entity(BaseModel):
    name: str
    aliases: tuple[str, ...]


class Edge(BaseModel):
    pair: int
    mechanism: str
    polarity: Literal["positive", "negative"]
    confidence: Confidence
    entities: tuple[Entity, ...]
    labels: tuple[Annotated[str, AfterValidator(str.strip)], ...]


class Edges(BaseModel):
    edges: tuple[Edge, ...]


GOOD = {
    "pair": 12,
    "mechanism": "heat",
    "polarity": "positive",
    "confidence": 0.5,
    "entities": [{"name": "x", "aliases": ["y"]}],
    "labels": ["P1"],
}


def valid(**changes):
    (item,) = check_items({"edges": [GOOD | changes]}, Edges)
    assert item.fault == ""
    return item.valid


@pytest.mark.parametrize(
    ("changes", "field", "read"),
    [
        ({"pair": "12"}, "pair", 12),
        ({"mechanism": 3}, "mechanism", "3"),
        ({"mechanism": None}, "mechanism", ""),
        ({"polarity": " Negative "}, "polarity", "negative"),
        ({"confidence": "0.75"}, "confidence", 0.75),
        ({"confidence": 1}, "confidence", 1.0),
        ({"labels": "P1"}, "labels", ("P1",)),
        ({"labels": None}, "labels", ()),
        ({"labels": ["P1", 2]}, "labels", ("P1", "2")),
        ({"entities": "melanoma"}, "entities", (Entity(name="melanoma", aliases=()),)),
        ({"entities": {"name": "x", "aliases": "y"}}, "entities", (Entity(name="x", aliases=("y",)),)),
        ({"entities": [{"name": "x"}]}, "entities", (Entity(name="x", aliases=()),)),
        ({"note": "not asked for"}, "pair", 12),
    ],
)
def test_harmless_differences_are_mended(changes, field, read):
    assert getattr(valid(**changes), field) == read


def test_keys_in_other_capitals():
    item = {key.title() + " ": value for key, value in GOOD.items()}
    (checked,) = check_items({"edges": [item]}, Edges)
    assert checked.valid == valid()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"confidence": "high"},
            "confidence: Input should be a valid number, unable to parse string as a number",
        ),
        (
            {"confidence": "85%"},
            "confidence: Input should be a valid number, unable to parse string as a number",
        ),
        ({"confidence": 85}, "confidence: 85 is not between 0 and 1"),
        ({"confidence": -0.1}, "confidence: -0.1 is not between 0 and 1"),
        ({"confidence": "NaN"}, "confidence: nan is not between 0 and 1"),
        ({"confidence": "inf"}, "confidence: inf is not between 0 and 1"),
        (
            {"confidence": True},
            "confidence: Input should be a valid number, unable to parse string as a number",
        ),
        ({"confidence": None}, "confidence: Input should be a valid number"),
        ({"pair": 1.5}, "pair: Input should be a valid integer, got a number with a fractional part"),
        ({"polarity": "up"}, "polarity: Input should be 'positive' or 'negative'"),
        ({"mechanism": ["a"]}, "mechanism: Input should be a valid string"),
        ({"labels": ["P1", {}]}, "labels.1: Input should be a valid string"),
    ],
)
def test_the_first_fault_of_an_item_in_one_line(changes, fault):
    (item,) = check_items({"edges": [GOOD | changes]}, Edges)
    assert (item.valid, item.fault) == (None, fault)


def test_a_bad_item_takes_no_other_with_it():
    items = check_items({"edges": [GOOD, 7, None, GOOD | {"pair": 13}]}, Edges)
    assert [item.position for item in items if item.fault] == [1, 2]
    assert [edge.pair for edge in reply_of(Edges, items).edges] == [12, 13]
    assert [item.json for item in items[1:3]] == ["7", "null"]


def test_a_bad_item_in_an_item_goes_alone():
    entities = [{"name": "x"}, {"aliases": []}, 3, Faulty('{"name: '), "y"]
    *lost, edge = check_items({"edges": [7, GOOD | {"entities": entities}]}, Edges)[1:]
    assert [(item.field, item.position, item.json, item.fault) for item in lost] == [
        ("edges.1.entities", 1, '{"aliases":[]}', "name: Field required"),
        ("edges.1.entities", 2, "3", "Input should be a valid dictionary or instance of Entity"),
        ("edges.1.entities", 3, '"{\\"name: "', "it is faulty JSON that cannot be mended"),
    ]
    assert edge.valid == valid(entities=["x", "y"])


def test_the_example_s_items_go_alone_wherever_they_stand():
    leak, entities = GOOD | {"mechanism": "vorpel"}, [{"name": "vorpel"}, "vorpel", "x"]
    items = check_items(
        {"edges": [leak, GOOD | {"entities": entities}]}, Edges, lambda value: "vorpel" in value.values()
    )
    assert [(item.field, item.position, item.reason) for item in items[:3]] == [
        ("edges", 0, "from_example"),
        ("edges.1.entities", 0, "from_example"),
        ("edges.1.entities", 1, "from_example"),
    ]
    assert reply_of(Edges, items).edges == (valid(entities=["x"]),)


def test_a_word_for_an_item_is_no_edge():
    (item,) = check_items({"edges": ["none"]}, Edges)
    assert item.fault.startswith("pair: Input should be a valid integer")


def test_an_item_shows_itself_as_compact_json():
    assert Item("edges", 0, {"a": ["é", None]}).json == '{"a":["é",null]}'

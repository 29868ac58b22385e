"""Every broken file gives one line: where, what was found, what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from aitia.errors import SpecError
from aitia.spec.yaml_file import parse_spec, read_outcomes, read_spec, write_spec
from aitia.spec.yaml_nodes import MAX_BYTES

HEAD = """\
dimensions:
- name: d
  entities: [x, y]
metrics:
- name: M(d)
- name: N(d)
variables:
- M(x)
- N(y)
"""
ATTRIBUTE = "metrics:\n- name: M\n  attributes:\n    "
RELATION = HEAD + "relations:\n- source: M(x)\n  target: N(y)\n  "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: found nothing, expected the specification with the keys dimensions, metrics, variables, "
             "relations"),
        ("- a\n", "1: found a sequence, expected the specification with the keys dimensions, metrics, "
                  "variables, relations"),
        ("just words\n", "1: found 'just words', expected the specification with the keys dimensions, "
                         "metrics, variables, relations"),
        ("metrics: [a\n", "2: not valid YAML: expected ',' or ']', but got '<stream end>'"),
        ("metrics:\n\t- a\n", "2: not valid YAML: found character '\\t' that cannot start any token"),
        ("a: b: c\n", "1: not valid YAML: mapping values are not allowed here"),
        ("metrics: []\n--- \nmetrics: []\n", "2: found a second document, expected one"),
        ("metrics: []\nmetric: []\n", "2: found the key 'metric' in the specification, expected one of "
                                      "dimensions, metrics, variables, relations"),
        ("metrics: []\nvariables: []\nmetrics: []\n", "3: found 'metrics' again, first on line 1"),
        ("? [a]\n: b\n", "1: found a sequence as a key, expected a word"),
        ("a: &x 1\nb: *x\n", "1: found an anchor or alias (& or *), expected the value itself"),
        ("b: *x\n", "1: found an anchor or alias (& or *), expected the value itself"),
        ("metrics: !!python/object/apply:os.system ['true']\n",
         "1: found the tag tag:yaml.org,2002:python/object/apply:os.system, expected a value without a tag"),
        ("metrics: " + "[" * 5_000 + "]" * 5_000, "1: found more than 8 levels of nesting"),
        ("metrics: {a: b}\n", "1: found a mapping, expected a list of metrics"),
        ("metrics: M\n", "1: found 'M', expected a list of metrics"),
        ("metrics:\n- M\n", "2: found 'M', expected a metric with the keys name, description, attributes"),
        ("metrics:\n- description: words\n", "2: found no name in a metric, expected one"),
        ("metrics:\n- name:\n", "2: found no name in a metric, expected one"),
        ("metrics:\n- name: ' '\n", "2: found nothing, expected a metric with its dimensions"),
        ("metrics:\n- name: [M]\n", "2: found a sequence, expected a metric with its dimensions"),
        ("metrics:\n- name: M(d\n", '2: "a parenthesis is not closed in \'M(d\'", expected a metric with its '
                                    "dimensions such as Name(part, part)"),
        ("metrics:\n- name: M\n- name: M()\n", "3: found 'M' again, first on line 2; expected distinct metrics"),
        ("metrics:\n- name: M(d)\n", "2: found the dimension 'd', expected one of those defined above (there "
                                     "are none)"),
        (ATTRIBUTE + "graph_role: main\n", "4: found the graph_role 'main', expected one of terminal, outcome, "
                                           "intermediate"),
        (ATTRIBUTE + "kind: loose\n", "4: found the kind 'loose', expected one of fixed, extensible"),
        (ATTRIBUTE + "role: outcome\n", "4: found the key 'role' in attributes, expected one of category, "
                                        "graph_role, kind"),
        ("dimensions:\n- name: d\n- name: d\n", "3: found 'd' again, first on line 2; expected distinct "
                                                "dimensions"),
        ("dimensions:\n- name: d\n  entities:\n  - x\n  - x\n",
         "5: found 'x' again, first on line 4; expected distinct entities"),
        ("dimensions:\n- name: d\n  entities: [Any]\n", "3: found 'Any', which stands for an open place; "
                                                        "expected another entity"),
        ("dimensions:\n- name: d\n  aliases: {a: x}\n", "3: found the entity 'x', expected one listed under "
                                                        "entities"),
        ("dimensions:\n- name: d\n  aliases: [a]\n", "3: found a sequence, expected aliases as 'other form: "
                                                     "entity'"),
        (HEAD + "- O(x)\n", "10: found the metric 'O', expected one of 'M', 'N'"),
        (HEAD + "- M(x, y)\n", "10: found 2 entities for 'M', expected 1, as in M(d)"),
        (HEAD + "- M(z)\n", "10: found 'z', expected an entity of the dimension 'd' or any; if that "
                                "was deleted, delete this too"),
        (HEAD + "- M( x )\n", "10: found 'M(x)' again, first on line 8; expected distinct variables"),
        (HEAD + "relations:\n- source: M(x)\n", "11: found no target in a relation, expected one"),
        (HEAD + "relations:\n- source: M(x)\n  target: M(y)\n", "12: found 'M(y)', expected a variable listed "
                                                                "under variables; if that was deleted, "
                                                                "delete this too"),
        (RELATION + "confidence: 1.5\n", "13: found the confidence '1.5', expected a number from 0 to 1"),
        (RELATION + "confidence: nan\n", "13: found the confidence 'nan', expected a number from 0 to 1"),
        (RELATION + "confidence: high\n", "13: found the confidence 'high', expected a number from 0 to 1"),
        (RELATION + "polarity: +1\n", "13: found the polarity '+1', expected one of positive, negative, "
                                      "unclear, none"),
        (RELATION + "quotes: [{text: words}]\n", "13: found no chunk in a quote, expected one"),
        (RELATION + "mechanism: {a: b}\n", "13: found a mapping, expected a mechanism"),
        (RELATION + "confidence: 1\n- {source: M(x), target: N(y)}\n",
         "14: found 'M(x) -> N(y)' again, first on line 11; expected distinct relations"),
        ("metrics: \x00\n", "1: found the control character '\\x00', expected printable text"),
    ],
)  # fmt: skip
def test_a_broken_file_gives_one_line(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(text, "graph_spec.yaml")
    assert str(caught.value) == f"graph_spec.yaml:{message}"


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor() -> None:
    layers = "".join(
        f"{chr(98 + depth)}: &{chr(98 + depth)} [{', '.join(['*' + chr(97 + depth)] * 9)}]\n"
        for depth in range(9)
    )
    with pytest.raises(SpecError, match=r"^f:1: found an anchor or alias"):
        parse_spec("a: &a [lol]\n" + layers, "f")


def test_what_yaml_would_turn_into_other_values_stays_words() -> None:
    text = "dimensions:\n- name: on\n  entities: [yes, 1.0, 2001-01-01, 0x1F]\n"
    (dimension,) = parse_spec(text).dimensions
    assert (dimension.name, dimension.entities) == ("on", ("0x1F", "1.0", "2001-01-01", "yes"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"metrics: []\nvariables: [\xff]\n", "s.yaml:2: found byte 0xff, expected UTF-8; save it as UTF-8"),
        (
            b"#" * (MAX_BYTES + 1),
            "s.yaml:1: found 32,000,001 bytes, expected at most 32,000,000; is it the right file?",
        ),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "s.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        read_spec(path)
    assert str(caught.value) == message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"s\.yaml: cannot be read \(No such file or directory\)$"):
        read_spec(tmp_path / "s.yaml")


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_bytes(b"\xef\xbb\xbfmetrics: [{name: M}]\n")
    assert read_spec(path).metrics[0].name == "M"


def test_a_broken_file_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("metrics: [\n")
    with pytest.raises(SpecError):
        write_spec(path, parse_spec("metrics: []\n"))
    assert path.read_text() == "metrics: [\n"


def test_outcome_errors(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.yaml"
    path.write_text("terminal: Survival\n")
    with pytest.raises(SpecError) as caught:
        read_outcomes(path)
    assert str(caught.value) == "outcomes.yaml:1: found 'Survival', expected a list of metric names"

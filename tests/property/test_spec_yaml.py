"""What is written is read back, whatever the names; what a person wrote stays."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aitia.spec.model import ANY, Dimension, DomainSpec, Metric, Quote, Relation, Variable
from aitia.spec.roles import canonical
from aitia.spec.yaml_file import format_spec, parse_spec

ODD = [
    "yes", "No", "null", "~", "1.0", "1e5", "0x1F", "2001-01-01", "12:30:00", "- dash", "-", "# hash", "a #b",
    "a: b", "a:", ":a", "'single'", '"double"', "it's", "back\\slash", "line\nbreak", "tab\there", "\r",
    "a, b", "f(x)", "(", ")", "a)b(", "{a}", "[a]", "&a", "*a", "!a", "!!python/object:os.system", "%a", "@a",
    "`a`", "?", "? a", "|", ">", "> a", "---", "...", "=", "<<", "\U0001f600", "\u05e9\u05dc\u05d5\u05dd",
    "\u202eabc", "\u2028", "\x85", "\x07", "\x7f", "\ufeff", "\xa0", "e\u0301",
    "stage\u00a0I", " lead", "trail ", "a  b", "#", "a\n\nb", "any other", "\u00e9t\u00e9",
]  # fmt: skip
text = st.one_of(st.sampled_from(ODD), st.text(max_size=30))
names = text.filter(lambda name: name.strip() and name.casefold() != ANY)


@st.composite
def specs(draw: st.DrawFn) -> DomainSpec:
    dimensions = []
    for name in draw(st.lists(names, unique=True, min_size=1, max_size=3)):
        entities = draw(st.lists(names, unique=True, max_size=4))
        targets = st.sampled_from(entities) if entities else st.nothing()
        aliases = draw(st.dictionaries(names, targets, max_size=2)) if entities else {}
        dimensions.append(
            Dimension(name=name, description=draw(text), entities=tuple(entities), aliases=aliases)
        )
    by_name = {dimension.name: dimension for dimension in dimensions}
    metrics = [
        Metric(
            name=name.strip(),
            signature=tuple(draw(st.lists(st.sampled_from(sorted(by_name)), max_size=2))),
            description=draw(text),
            category=draw(text),
            graph_role=draw(st.sampled_from(["terminal", "outcome", "intermediate"])),
            kind=draw(st.sampled_from(["fixed", "extensible"])),
        )
        for name in draw(st.lists(names, unique_by=str.strip, max_size=3))
    ]
    variables: dict[str, Variable] = {}
    for metric in draw(st.lists(st.sampled_from(metrics), max_size=6)) if metrics else []:
        entities = tuple(
            draw(st.sampled_from([ANY, *by_name[dimension].entities])) for dimension in metric.signature
        )
        variable = Variable(metric=metric.name, entities=entities)
        variables[variable.key] = variable
    relations: dict[tuple[str, str], Relation] = {}
    for source in draw(st.lists(st.sampled_from(sorted(variables)), max_size=4)) if variables else []:
        quotes = draw(st.lists(st.builds(Quote, text=text, chunk_id=text), unique=True, max_size=2))
        relation = Relation(
            source=source,
            target=draw(st.sampled_from(sorted(variables))),
            mechanism=draw(text),
            confidence=draw(st.floats(0, 1)),
            polarity=draw(st.sampled_from(["positive", "negative", "unclear", "none"])),
            quotes=tuple(quotes),
        )
        relations[relation.pair] = relation
    return DomainSpec(
        dimensions=tuple(dimensions),
        metrics=tuple(metrics),
        variables=tuple(variables.values()),
        relations=tuple(relations.values()),
    )


slow = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


@slow
@given(specs())
def test_what_is_written_is_read_back(spec: DomainSpec) -> None:
    text = format_spec(spec)
    assert parse_spec(text) == canonical(spec)
    assert format_spec(parse_spec(text)) == text
    assert format_spec(spec, text) == text


def annotated(text: str, random: Random) -> str:
    """The file as a person leaves it: comments above and behind lines, blank lines, another order."""
    lines = []
    inside = -1
    for line in text.splitlines():
        column = len(line) - len(line.lstrip(" -"))
        if inside < 0 or column <= inside:
            inside = column if line.endswith(">-") else -1
            if line and not line.startswith("#"):
                lines += random.choice([[], [], [" " * (len(line) - len(line.lstrip())) + "# above"], [""]])
                line += random.choice(["", "", "  # behind"])
        lines.append(line)
    return "\n".join(["# mine", *lines]) + random.choice(["", "\n", "\n\n# the end"])


@slow
@given(specs(), specs(), st.randoms(use_true_random=False), st.booleans())
def test_an_edited_file_takes_any_other_specification(old, new, random, windows) -> None:
    existing = annotated(format_spec(old), random)
    if windows:
        existing = existing.replace("\n", "\r\n")
    assert parse_spec(existing) == canonical(old)
    assert format_spec(old, existing) == existing
    text = format_spec(new, existing)
    assert parse_spec(text) == canonical(new)
    assert text.startswith("# mine")  # it was edited, not written anew
    assert format_spec(new, text) == text
    assert parse_spec(format_spec(old, text)) == canonical(old)


@slow
@given(specs(), st.randoms(use_true_random=False))
def test_adding_leaves_every_line_that_was_there(old, random) -> None:
    existing = annotated(format_spec(old), random)
    extra = Metric(name="an addition", signature=(), description="", category="")
    if any(metric.name == extra.name for metric in old.metrics):
        return
    new = old.model_copy(update={"metrics": (*old.metrics, extra)})
    left = iter(format_spec(new, existing).splitlines())
    kept = existing.splitlines()
    if not old.metrics:
        kept = [line for line in kept if not line.startswith("metrics: []")]
    assert all(line in left for line in kept)

"""Replay against a naive replay that was written for itself, and what holds of any replay."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.graph.curation import replay
from aitia.graph.domain import DomainGraph
from aitia.graph.hand_edits import after, find_edits
from aitia.spec.curation_file import append_text, parse_decisions
from aitia.spec.decisions import Decision, edge_key, quote_hashes, undone_by
from aitia.spec.keys import parse_key
from aitia.spec.model import Dimension, Metric, Quote, Relation, Variable
from aitia.spec.yaml_file import format_spec, parse_spec

_SPEC = importlib.util.spec_from_file_location("naive_replay", Path(__file__).with_name("naive_replay.py"))
naive_replay = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(naive_replay)

A, S = ("a", "b", "c"), ("x", "y")
DIMENSIONS = (Dimension(name="D", entities=A, aliases={"aa": "a"}), Dimension(name="E", entities=S))
SIGNATURES = {"K": ("D",), "L": ("D",), "M": ("D", "E"), "N": ()}
ALL = [
    Variable(metric=name, entities=bound)
    for name, bounds in {
        "K": [(e,) for e in (*A, "any")],
        "L": [(e,) for e in A],
        "M": [(e, s) for e in A for s in S],
        "N": [()],
    }.items()
    for bound in bounds
]
CONFIDENCE = st.sampled_from([0.2, 0.5, 0.9])
POLARITY = st.sampled_from(["positive", "negative", "unclear", "none"])
WORDS = st.sampled_from(["", "m", "n"])
QUOTES = [Quote(text=f"quote {n}", chunk_id=f"c{n}") for n in range(4)]


@st.composite
def domains(draw):
    variables = sorted(draw(st.lists(st.sampled_from(ALL), min_size=4, unique=True)), key=lambda v: v.key)
    roles = {name: draw(st.sampled_from(["intermediate", "outcome", "terminal"])) for name in SIGNATURES}
    metrics = tuple(
        Metric(name=name, signature=of, description=f"what {name} is", category="c", graph_role=roles[name])
        for name, of in SIGNATURES.items()
    )
    rows = range(len(variables))
    pairs = [(s, t) for s in rows for t in rows if s != t and roles[variables[s].metric] != "terminal"]
    chosen = sorted(draw(st.sets(st.sampled_from(pairs), max_size=8))) if pairs else []
    edges = tuple(
        CausalEdge(s, t, draw(WORDS), draw(CONFIDENCE), draw(POLARITY), evidence(draw)) for s, t in chosen
    )
    seeds = sorted(draw(st.sets(st.sampled_from(pairs), max_size=4))) if pairs else []
    relations = tuple(
        Relation(source=variables[s].key, target=variables[t].key, mechanism=draw(WORDS), confidence=draw(CONFIDENCE),
                 polarity=draw(POLARITY), quotes=tuple(QUOTES[: draw(st.integers(0, 2))]))
        for s, t in seeds
    )  # fmt: skip
    names = [(s, t) for s in SIGNATURES for t in SIGNATURES if s != t and roles[s] != "terminal"]
    templates = draw(st.sets(st.sampled_from(names), max_size=3)) if names else set()
    quotes = {each.key: tuple(QUOTES[: draw(st.integers(1, 3))]) for each in variables if draw(st.booleans())}
    judged = tuple(Template(s, t, draw(WORDS), draw(CONFIDENCE)) for s, t in sorted(templates))
    graph = CausalGraph(metrics, tuple(variables), judged, edges)
    return DomainGraph(DIMENSIONS, graph, tuple(sorted(relations, key=lambda r: r.pair)), quotes)


def evidence(draw):
    return tuple(
        EdgeEvidence(row, 0, 9, f"quote {row}" if row % 2 else "", "quote" if row % 2 else "chunk")
        for row in sorted(draw(st.sets(st.integers(0, 3), max_size=3)))
    )


NAMES = st.sampled_from(["K", "L", "M", "N", "P"])
ENTITIES = st.sampled_from(["D/a", "D/b", "D/c", "D/aa", "E/x", "E/y", "D/p"])


@st.composite
def cases(draw):
    """A domain and decisions on it; the targets of most are there, by the names that the machine gave."""
    domain = draw(domains())
    return domain, draw(decisions(domain))


@st.composite
def decisions(draw, domain=None):
    return [draw(one_decision(step, domain)) for step in range(draw(st.integers(0, 8)))]


def edge_targets(domain, keys):
    """Edges either way, pairs of variables, anything."""
    if domain is None:
        return st.builds(edge_key, keys, keys)
    there = [variable.key for variable in domain.graph.variables]
    pairs = [(there[edge.source], there[edge.target]) for edge in domain.graph.edges]
    pairs += [relation.pair for relation in domain.relations]
    known = st.sampled_from(there)
    targets = [st.builds(edge_key, known, known), st.builds(edge_key, keys, known)]
    if pairs:
        way = st.sampled_from([edge_key(*pair) for pair in pairs])
        targets += [way, way, way, st.sampled_from([edge_key(t, s) for s, t in pairs])]
    return st.one_of(*targets)


def one_decision(step, domain):
    def make(action, kind, target, **value):
        return Decision(
            action=action, kind=kind, target=target, value=value, time=f"2026-01-01T00:00:{step:02}Z"
        )

    keys = st.builds(
        lambda name, e, s: f"{name}({', '.join((e, s)[: len(SIGNATURES.get(name, ('D',)))])})",
        NAMES, st.sampled_from([*A, "any", "p"]), st.sampled_from(S),
    )  # fmt: skip
    arrows = edge_targets(domain, keys)
    fields = st.one_of(
        st.builds(lambda to: {"field": "mechanism", "to": to}, WORDS),
        st.builds(lambda to: {"field": "confidence", "to": to}, CONFIDENCE),
        st.builds(lambda to: {"field": "polarity", "to": to}, POLARITY),
    )
    seen = st.sets(st.integers(0, 3)).map(lambda rows: quote_hashes(f"quote {row}" for row in rows))
    roles = st.sampled_from(["intermediate", "outcome", "terminal"])
    return st.one_of(
        st.builds(lambda t, to: make("rename", "metric", t, to=to), NAMES, NAMES),
        st.builds(
            lambda t, to: make("merge", "metric", t, into=to), NAMES, st.sampled_from(["K", "L", "L", "P"])
        ),
        st.builds(lambda t, to: make("edit", "metric", t, field="description", to=to), NAMES, WORDS),
        st.builds(lambda t, to: make("role", "metric", t, to=to), NAMES, roles),
        st.builds(lambda t: make("delete", "metric", t), NAMES),
        st.builds(
            lambda t, to: make("rename", "entity", t, to=to), ENTITIES, st.sampled_from([*A, "p", "x"])
        ),
        st.builds(lambda t, to: make("merge", "entity", t, into=to), ENTITIES, ENTITIES),
        st.builds(lambda t: make("delete", "entity", t), ENTITIES),
        st.builds(lambda t: make("add", "variable", t), keys),
        st.builds(lambda t: make("delete", "variable", t), keys),
        st.builds(lambda t: make("flip", "edge", t), arrows),
        st.builds(lambda t, value: make("edit", "edge", t, **value), arrows, fields),
        st.builds(
            lambda t, w, c: make("add", "edge", t, mechanism=w, confidence=c), arrows, WORDS, CONFIDENCE
        ),
        st.builds(lambda t: make("delete", "edge", t), arrows),
        st.builds(lambda t: make("accept", "edge", t), arrows),
        st.builds(lambda t, old: make("reject", "edge", t, evidence=old), arrows, seen),
    )


def plain(replayed):
    """The outcome as the naive one gives it."""
    domain, graph = replayed.domain, replayed.domain.graph
    place = {variable.key: (variable.metric, variable.entities) for variable in graph.variables}
    rows = list(place.values())
    return (
        {each.name: (each.description, each.entities, dict(each.aliases)) for each in domain.dimensions},
        {each.name: each.model_dump() for each in graph.metrics},
        {place[key]: domain.quotes.get(key, ()) for key in place},
        {
            (rows[e.source], rows[e.target]): (e.mechanism, e.confidence, e.polarity, e.evidence)
            for e in graph.edges
        },
        {
            (place[r.source], place[r.target]): (r.mechanism, r.confidence, r.polarity, r.quotes)
            for r in domain.relations
        },
        {(each.source, each.target): (each.mechanism, each.confidence) for each in graph.templates},
        {
            tuple(parse_key(end) for end in key.split(" -> ")): quotes
            for key, quotes in replayed.renewed.items()
        },
    )


@given(cases(), st.sets(st.integers(0, 7), max_size=2))
def test_a_replay_is_the_naive_one(case, taken_back):
    domain, made = case
    undos = [
        Decision(action="undo", kind=made[at].kind, target=made[at].id, time="2026-01-02")
        for at in sorted(taken_back)
        if at < len(made)
    ]
    made = [*made, *undos]
    naive = naive_replay.Naive(domain)
    undone = undone_by(made)
    expected = []
    for step, decision in enumerate(made):
        if decision.id in undone:
            expected.append("undone")
            naive.undone(decision)
        elif decision.action == "undo":
            expected.append("applied")
        else:
            try:
                naive.play(decision, step)
                expected.append("applied")
            except naive_replay.No as no:
                expected.append(str(no))
    replayed = replay(domain, made)
    found = ["applied" if each.status == "superseded" else each.status for each in replayed.decided]
    assert found == expected
    for one, other in zip(plain(replayed), naive.result(), strict=True):
        assert one == other


@given(domains())
def test_without_decisions_it_is_what_the_machine_made(domain):
    replayed = replay(domain, [])
    assert replayed.domain == domain
    assert (replayed.edited, replayed.renewed, replayed.unlinked, replayed.settled) == (
        {},
        {},
        (),
        frozenset(),
    )


@given(cases())
def test_what_is_undone_was_never_there(case):
    domain, made = case
    undos = [Decision(action="undo", kind=each.kind, target=each.id, time="2026-01-02") for each in made]
    assert replay(domain, [*made, *undos]).domain == domain


@given(cases())
def test_what_could_not_be_applied_changes_nothing(case):
    domain, made = case
    replayed = replay(domain, made)
    kept = [each.decision for each in replayed.decided if each.status not in ("lost", "conflict")]
    assert replay(domain, kept).domain == replayed.domain


@given(cases())
def test_edits_of_a_file_lead_to_what_the_file_says(case):
    domain, made = case
    old, new = domain.spec, replay(domain, made).domain.spec
    signature = {each.name: each.signature for each in old.metrics}
    assume(all(signature.get(each.name, each.signature) == each.signature for each in new.metrics))
    edits = find_edits(old, new)
    again = after(old, edits)
    assert again.metrics == new.metrics
    assert again.variables == new.variables
    assert again.relations == new.relations
    for one, other in zip(again.dimensions, new.dimensions, strict=True):
        assert (one.name, one.entities, one.description) == (other.name, other.entities, other.description)
        assert set(other.aliases.items()) <= set(one.aliases.items())
    assert parse_spec(format_spec(again)) == again


@given(decisions(), st.integers(0, 8))
def test_decisions_are_read_as_they_were_written(made, at):
    text = append_text(append_text("", made[:at]), made[at:]) if made else append_text("", [])
    assert parse_decisions(f"{text}# read it anew\n") == tuple(made)

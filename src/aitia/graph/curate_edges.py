"""Decisions on edges, each as what it does to the state."""

from __future__ import annotations

from typing import Any, get_args

from aitia.graph.curate_vocabulary import Handler
from aitia.graph.curation_state import Link, Measure, Pair, Refused, State
from aitia.spec.decisions import Decision, edge_key, split_key
from aitia.spec.keys import parse_key
from aitia.spec.model import Polarity, Quote

EDGE_FIELDS = ("mechanism", "polarity", "confidence", "quotes")


def flip(state: State, said: Decision) -> None:
    """The other direction; an edge that is there that way already becomes one with it."""
    pair = state.pair(said.target)
    link = state.links.get(pair)
    back = pair[1], pair[0]
    if link is None or link.standing in ("rejected", "deleted"):
        if state.flipped.get(pair) in state.links:
            raise Refused("conflict", "it was flipped already")
        state.link(said.target)
        raise Refused("conflict", "it is no edge any more; accept it first")
    _may_emit(state, back)
    del state.links[pair]
    link.walked = True
    known = state.links.pop(back, None)
    if known is not None:
        kept = link.mechanism, link.confidence, link.polarity, link.standing, link.remembered
        link = state.unite(link, known)
        link.mechanism, link.confidence, link.polarity, link.standing, link.remembered = kept
    state.links[back] = link
    state.flipped[pair] = back
    state.flipped.pop(back, None)
    state.claim(link, "direction")


def edit(state: State, said: Decision) -> None:
    """Another mechanism, polarity, confidence, or other quotes."""
    _, link = state.link(said.target)
    if link.standing in ("rejected", "deleted"):
        raise Refused("conflict", "it is no edge any more; accept it first")
    name = said.value["field"]
    if name not in EDGE_FIELDS:
        raise Refused("conflict", f"found the field {name!r}; expected one of {', '.join(EDGE_FIELDS)}")
    _set(link, name, said.value.get("to", []) if name == "quotes" else said.value["to"])
    state.claim(link, name)


def add(state: State, said: Decision) -> None:
    """A new edge; one that is there already is given what is said."""
    pair = state.pair(said.target)
    if pair[0] == pair[1]:
        raise Refused("conflict", "it would lead to itself")
    _may_emit(state, pair)
    link = state.links.setdefault(pair, Link("", 1.0, "unclear"))
    for name in EDGE_FIELDS:
        if name in said.value:
            _set(link, name, said.value[name])
            state.claim(link, name)
    link.walked, link.standing, link.remembered = True, "added", None
    state.claim(link, "standing")


def delete(state: State, said: Decision) -> None:
    """No edge, and no relation of the specification."""
    _, link = state.link(said.target)
    link.standing, link.remembered = "deleted", None
    state.claim(link, "standing")


def accept(state: State, said: Decision) -> None:
    """An edge that stays, also if the corpus no longer supports it: then it says what it said then."""
    if "confidence" not in said.value:
        state.link(said.target)  # which says if it is not there
    pair = state.flipped_pair(_ensured(state, said.target))
    link = state.links.setdefault(pair, Link("", 1.0, "unclear", walked=False))
    if not link.walked and link.seed is None:
        for name in EDGE_FIELDS:
            if name in said.value:
                _set(link, name, said.value[name])
        state.notes[state.step] = "its support is gone; it stays because it was accepted"
    link.walked, link.standing, link.remembered = True, "accepted", None
    state.claim(link, "standing")


def reject(state: State, said: Decision) -> None:
    """No edge, unless it is accepted again; quotes that were not there then are said to renew its support.

    What is no edge today may be rejected beforehand.
    """
    pair = state.flipped_pair(state.pair(said.target))
    link = state.links.setdefault(pair, Link("", 1.0, "unclear", (), walked=False))
    seen = said.value.get("evidence")
    link.standing, link.remembered = "rejected", None if seen is None else frozenset(seen)
    state.claim(link, "standing")


def _ensured(state: State, target: str) -> Pair:
    """The variables of an accepted edge, made again where the corpus no longer names them."""
    try:
        source, end = split_key(target)
    except ValueError as error:
        raise Refused("lost", str(error)) from None
    measure = state.measures[state.measure(parse_key(source)[0])]
    _check_emits(measure, target)
    state.measure(parse_key(end)[0])  # both are known before anything is made
    places = [state.place(key, admit=True) for key in (source, end)]
    one, other = (
        state.node_of[place] if place in state.node_of else state.add_node(*place) for place in places
    )
    return one, other


def _may_emit(state: State, pair: Pair) -> None:
    key = edge_key(state.key(pair[0]), state.key(pair[1]))
    _check_emits(state.measures[state.nodes[pair[0]].measure], key)


def _check_emits(measure: Measure, key: str) -> None:
    if measure.metric.graph_role == "terminal":
        raise Refused(
            "conflict", f"{key}: {measure.name} is terminal and has no effects; give it another role"
        )


def _set(link: Link, name: str, to: Any) -> None:
    if name == "quotes":
        link.quotes = tuple(Quote(text=each["text"], chunk_id=each["chunk"]) for each in to)
        link.evidence = None  # to be looked for by these
    elif name == "confidence" and not (isinstance(to, float | int) and 0 <= to <= 1):
        raise Refused("conflict", f"found the confidence {to!r}; expected a number from 0 to 1")
    elif name == "polarity" and to not in get_args(Polarity):
        raise Refused(
            "conflict", f"found the polarity {to!r}; expected one of {', '.join(get_args(Polarity))}"
        )
    else:
        setattr(link, name, float(to) if name == "confidence" else to)


EDGES: dict[tuple[str, str], Handler] = {
    ("edge", "flip"): flip,
    ("edge", "edit"): edit,
    ("edge", "add"): add,
    ("edge", "delete"): delete,
    ("edge", "accept"): accept,
    ("edge", "reject"): reject,
}

"""Decisions replayed in the plainest way, on names alone: every change rewrites every key. For comparison only."""

from __future__ import annotations

from aitia.graph.link import merge_evidence
from aitia.spec.decisions import quote_hashes
from aitia.spec.merge import merge_polarities, ordered_quotes


class No(Exception):
    """It cannot be applied; the argument is the status."""


class Naive:
    """``dims``: description, entities, aliases, earlier names. ``metrics``: fields. ``variables``: quotes by
    (metric, entities). ``edges``: fields by the two variables. ``was``: earlier names of metrics."""

    def __init__(self, domain):
        self.dims = {
            each.name: {"description": each.description, "entities": set(each.entities), "aliases": dict(each.aliases),
                        "was": {}, "dead": set()}
            for each in domain.dimensions
        }  # fmt: skip
        self.was_dim, self.was = {}, {}
        self.metrics = {each.name: each.model_dump() for each in domain.graph.metrics}
        self.variables = {
            (v.metric, v.entities): list(domain.quotes.get(v.key, ())) for v in domain.graph.variables
        }
        place = [(v.metric, v.entities) for v in domain.graph.variables]
        self.key_of = {v.key: (v.metric, v.entities) for v in domain.graph.variables}
        self.edges = {}
        for e in domain.graph.edges:
            self.edges[place[e.source], place[e.target]] = self.edge(
                e.mechanism, e.confidence, e.polarity, e.evidence
            )
        for r in domain.relations:
            pair = self.key_of[r.source], self.key_of[r.target]
            new = self.edge(r.mechanism, r.confidence, r.polarity, None, walked=False)
            link = self.edges.setdefault(pair, new)
            link["seed"], link["quotes"] = (r.mechanism, r.confidence, r.polarity), r.quotes
        self.flipped = {}
        self.templates = {(t.source, t.target): (t.mechanism, t.confidence) for t in domain.graph.templates}

    @staticmethod
    def edge(mechanism, confidence, polarity, evidence=None, walked=True):
        told = {"mechanism": mechanism, "confidence": confidence, "polarity": polarity, "evidence": evidence}
        return {
            **told,
            "walked": walked,
            "seed": None,
            "quotes": (),
            "standing": "machine",
            "seen": None,
            "at": {},
        }

    # names

    def dim(self, name):
        name = name if name in self.dims else self.was_dim.get(name)
        if name not in self.dims:
            raise No("lost")
        return name

    def metric(self, name):
        name = name if name in self.metrics else self.was.get(name)
        if name not in self.metrics:
            raise No("lost")
        return name

    def entity(self, dim, name):
        one = self.dims[dim]
        if name in one["entities"]:
            return name
        if name in one["dead"]:
            raise No("lost")
        found = one["was"].get(name, one["aliases"].get(name))
        if found not in one["entities"]:
            raise No("lost")
        return found

    def target(self, text):
        dim, _, name = text.partition("/")
        dim = self.dim(dim)
        return dim, self.entity(dim, name)

    def variable(self, text, must=True):
        name, _, rest = text.partition("(")
        metric = self.metric(name)
        bound = tuple(part.strip() for part in rest.rstrip(")").split(",")) if rest != ")" else ()
        signature = self.metrics[metric]["signature"]
        if len(bound) != len(signature):
            raise No("lost")
        found = (
            metric,
            tuple("any" if e == "any" else self.entity(d, e) for d, e in zip(signature, bound, strict=True)),
        )
        if must and found not in self.variables:
            raise No("lost")
        return found

    def pair(self, text):
        source, _, target = text.partition(" -> ")
        return self.variable(source), self.variable(target)

    def found(self, text):
        pair = self.pair(text)
        pair = pair if pair in self.edges else self.flipped.get(pair)
        if pair not in self.edges:
            raise No("lost")
        return pair

    # rewriting

    def moved(self, way):
        """Give every variable the place that ``way`` says; those that meet become one."""
        variables, edges = {}, {}
        for old, quotes in self.variables.items():
            variables.setdefault(way(old), []).extend(quotes)
        for (s, t), link in self.edges.items():
            pair = way(s), way(t)
            if pair[0] == pair[1]:
                continue
            edges[pair] = self.united(edges[pair], link) if pair in edges else link
        self.flipped = {(way(a), way(b)): (way(c), way(d)) for (a, b), (c, d) in self.flipped.items()}
        self.variables, self.edges = variables, edges

    @staticmethod
    def united(one, other):
        rank = lambda e: (not e["walked"], -e["confidence"], e["mechanism"] == "", e["mechanism"])  # noqa: E731
        best, less = sorted((one, other), key=rank)
        new = dict(best)
        for name in ("mechanism", "confidence", "polarity", "standing"):
            later = less if less["at"].get(name, -1) > best["at"].get(name, -1) else best
            new[name] = later[name]
            if name == "standing":
                new["seen"] = later["seen"]
        if "polarity" not in best["at"] and "polarity" not in less["at"]:
            walked = [e["polarity"] for e in (best, less) if e["walked"]]
            new["polarity"] = merge_polarities(walked or [best["polarity"], less["polarity"]])
        known = [e["evidence"] for e in (best, less) if e["evidence"] is not None]
        new["evidence"] = merge_evidence([i for items in known for i in items]) if known else None
        new["walked"] = best["walked"] or less["walked"]
        seeds = sorted(
            (e["seed"] for e in (best, less) if e["seed"]), key=lambda s: (-s[1], s[0] == "", s[0])
        )
        new["seed"] = seeds[0] if seeds else None
        new["quotes"] = ordered_quotes((*best["quotes"], *less["quotes"]))
        new["at"] = {
            n: max(e["at"][n] for e in (best, less) if n in e["at"]) for n in {**best["at"], **less["at"]}
        }
        return new

    @staticmethod
    def history(was, old, new):
        """Every name that led to the old one leads to the new one; the new one is a name of today."""
        for name in [name for name, to in was.items() if to == old]:
            was[name] = new
        was[old] = new
        was.pop(new, None)

    def drop(self, gone):
        self.variables = {place: q for place, q in self.variables.items() if not gone(place)}
        self.edges = {pair: e for pair, e in self.edges.items() if not (gone(pair[0]) or gone(pair[1]))}

    # decisions

    def play(self, d, step):
        getattr(self, f"{d.action}_{d.kind}")(d, step)

    def undone(self, d):
        """A name that was given and taken back means the thing still, unless it means another."""
        if d.action != "rename":
            return
        try:
            if d.kind == "metric":
                old = self.metric(d.target)
                try:
                    self.metric(d.value["to"])
                except No:
                    self.was[d.value["to"]] = old
            else:
                dim, old = self.target(d.target)
                try:
                    self.entity(dim, d.value["to"])
                except No:
                    self.dims[dim]["dead"].discard(d.value["to"])
                    self.dims[dim]["was"][d.value["to"]] = old
        except No:
            pass

    def rename_metric(self, d, step):
        old, new = self.metric(d.target), d.value["to"]
        if new != old and new in self.metrics:
            raise No("conflict")
        if new == old:
            return
        self.metrics[new] = {**self.metrics.pop(old), "name": new}
        self.history(self.was, old, new)
        self.moved(lambda place: (new, place[1]) if place[0] == old else place)
        self.templates = {
            tuple(new if m == old else m for m in pair): t for pair, t in self.templates.items()
        }

    def merge_metric(self, d, step):
        old, new = self.metric(d.target), self.metric(d.value["into"])
        if old == new or self.metrics[old]["signature"] != self.metrics[new]["signature"]:
            raise No("conflict")
        del self.metrics[old]
        self.history(self.was, old, new)
        self.moved(lambda place: (new, place[1]) if place[0] == old else place)
        templates = {}
        for pair, t in self.templates.items():
            pair = tuple(new if m == old else m for m in pair)
            if pair[0] != pair[1]:
                templates[pair] = max(t, templates.get(pair, t), key=lambda x: (x[1], x[0]))
        self.templates = templates

    def edit_metric(self, d, step):
        self.metrics[self.metric(d.target)][d.value["field"]] = d.value["to"]

    def role_metric(self, d, step):
        self.metrics[self.metric(d.target)]["graph_role"] = d.value["to"]

    def delete_metric(self, d, step):
        old = self.metric(d.target)
        del self.metrics[old]
        for name in [name for name, to in self.was.items() if to == old]:
            del self.was[name]
        self.drop(lambda place: place[0] == old)
        self.templates = {pair: t for pair, t in self.templates.items() if old not in pair}

    def rename_entity(self, d, step):
        dim, old = self.target(d.target)
        new, one = d.value["to"], self.dims[dim]
        if new != old and new in one["entities"]:
            raise No("conflict")
        if new == old:
            one["aliases"][old] = old
            return
        self.become(dim, old, new)
        one["entities"].add(new)

    def merge_entity(self, d, step):
        dim, old = self.target(d.target)
        other, new = self.target(d.value["into"])
        if (dim, old) == (other, new) or dim != other:
            raise No("conflict")
        self.become(dim, old, new)

    def become(self, dim, old, new):
        one = self.dims[dim]
        one["entities"].discard(old)
        one["aliases"] = {a: new if e == old else e for a, e in one["aliases"].items()}
        one["aliases"][old] = new
        self.history(one["was"], old, new)
        one["dead"].discard(new)
        signature = {name: metric["signature"] for name, metric in self.metrics.items()}
        self.moved(lambda place: (
            place[0],
            tuple(new if e == old and at == dim else e for e, at in zip(place[1], signature[place[0]], strict=True)),
        ))  # fmt: skip

    def delete_entity(self, d, step):
        dim, old = self.target(d.target)
        one = self.dims[dim]
        one["entities"].discard(old)
        one["dead"] |= {old, *(name for name, to in one["was"].items() if to == old)}
        signature = {name: metric["signature"] for name, metric in self.metrics.items()}
        self.drop(
            lambda place: any(
                e == old and at == dim for e, at in zip(place[1], signature[place[0]], strict=True)
            )
        )

    def add_variable(self, d, step):
        self.variables.setdefault(self.variable(d.target, must=False), [])

    def delete_variable(self, d, step):
        gone = self.variable(d.target)
        self.drop(lambda place: place == gone)

    def emits(self, place):
        if self.metrics[place[0]]["graph_role"] == "terminal":
            raise No("conflict")

    def flip_edge(self, d, step):
        pair = self.pair(d.target)
        link = self.edges.get(pair)
        back = pair[::-1]
        if link is None or link["standing"] in ("rejected", "deleted"):
            if self.flipped.get(pair) in self.edges:
                raise No("conflict")
            self.found(d.target)
            raise No("conflict")
        self.emits(back[0])
        del self.edges[pair]
        new = link
        if back in self.edges:
            new = self.united({**link, "walked": True}, self.edges.pop(back))
            for name in ("mechanism", "confidence", "polarity", "standing", "seen"):
                new[name] = link[name]
        new["walked"] = True
        new["at"]["direction"] = step
        self.edges[back] = new
        self.flipped[pair] = back
        self.flipped.pop(back, None)

    def edit_edge(self, d, step):
        link = self.edges[self.found(d.target)]
        if link["standing"] in ("rejected", "deleted"):
            raise No("conflict")
        link[d.value["field"]] = d.value["to"]
        link["at"][d.value["field"]] = step

    def add_edge(self, d, step):
        pair = self.pair(d.target)
        if pair[0] == pair[1]:
            raise No("conflict")
        self.emits(pair[0])
        link = self.edges.setdefault(pair, self.edge("", 1.0, "unclear"))
        for name, value in d.value.items():
            link[name], link["at"][name] = value, step
        self.stand(link, "added", step)
        link["walked"] = True

    def delete_edge(self, d, step):
        self.stand(self.edges[self.found(d.target)], "deleted", step)

    def accept_edge(self, d, step):
        link = self.edges[self.found(d.target)]
        self.emits(self.found(d.target)[0])
        self.stand(link, "accepted", step)
        link["walked"] = True

    def reject_edge(self, d, step):
        pair = self.pair(d.target)
        pair = pair if pair in self.edges else self.flipped.get(pair, pair)
        link = self.edges.setdefault(pair, self.edge("", 1.0, "unclear", (), walked=False))
        self.stand(link, "rejected", step)
        link["seen"] = set(d.value.get("evidence", ())) if "evidence" in d.value else None

    @staticmethod
    def stand(link, standing, step):
        link["standing"], link["seen"], link["at"]["standing"] = standing, None, step

    # the outcome

    def result(self):
        for pair in list(self.edges):
            if self.metrics[pair[0][0]]["graph_role"] == "terminal":
                del self.edges[pair]
        in_force = {
            p: e
            for p, e in self.edges.items()
            if e["walked"] and e["standing"] not in ("rejected", "deleted")
        }
        edges = {
            p: (e["mechanism"], e["confidence"], e["polarity"], e["evidence"] or ())
            for p, e in in_force.items()
        }
        relations = {}
        for pair, e in self.edges.items():
            written = e["standing"] == "added" or {"mechanism", "confidence", "polarity", "direction"} & set(
                e["at"]
            )
            if e["standing"] in ("rejected", "deleted") or not (e["seed"] or written):
                continue
            fields = ("mechanism", "confidence", "polarity")
            seed = e["seed"] or tuple(e[name] for name in fields)
            said = tuple(e[name] if name in e["at"] else old for name, old in zip(fields, seed, strict=True))
            relations[pair] = (*said, e["quotes"])
        renewed = {}
        for pair, e in self.edges.items():
            if e["standing"] == "rejected" and e["seen"] is not None:
                quotes = dict.fromkeys(i.quote for i in e["evidence"] or () if i.quote)
                new = tuple(q for q in quotes if quote_hashes([q])[0] not in e["seen"])
                if new:
                    renewed[pair] = new
        dims = {
            name: (one["description"], tuple(sorted(one["entities"])),
                   {a: e for a, e in one["aliases"].items() if a not in one["entities"] and e in one["entities"]})
            for name, one in self.dims.items()
        }  # fmt: skip
        templates = {
            p: t for p, t in self.templates.items() if self.metrics[p[0]]["graph_role"] != "terminal"
        }
        variables = {place: ordered_quotes(quotes) for place, quotes in self.variables.items()}
        return dims, self.metrics, variables, edges, relations, templates, renewed

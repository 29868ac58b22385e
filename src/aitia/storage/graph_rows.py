"""The rows of a causal graph: of the one in force, and of the machine's, in tables of the same form."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from itertools import groupby

from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.graph.domain import DomainGraph
from aitia.spec.model import Dimension, Metric, Quote, Relation, Variable
from aitia.storage.contents import IndexContents

MACHINE = "machine_"
"""Before the names of the machine's tables."""


def write_graph(
    connection: sqlite3.Connection, dimensions: Sequence[Dimension], graph: CausalGraph, prefix: str = ""
) -> None:
    """Write a graph and its dimensions into the tables of a prefix."""

    def insert(table: str, rows: list[tuple[object, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {prefix}{table} VALUES ({marks})", rows)

    insert("dimensions", [(row, each.model_dump_json()) for row, each in enumerate(dimensions)])
    insert("metrics", [(row, each.model_dump_json()) for row, each in enumerate(graph.metrics)])
    insert(
        "variables",
        [
            (row, each.key, each.metric, json.dumps(each.entities, ensure_ascii=False))
            for row, each in enumerate(graph.variables)
        ],
    )
    insert(
        "templates",
        [
            (row, each.source, each.target, each.mechanism, each.confidence)
            for row, each in enumerate(graph.templates)
        ],
    )
    insert(
        "edges",
        [
            (row, each.source, each.target, each.mechanism, each.confidence, each.polarity)
            for row, each in enumerate(graph.edges)
        ],
    )
    insert(
        "evidence",
        [
            (row, item.chunk, item.start, item.end, item.quote, item.found_by)
            for row, edge in enumerate(graph.edges)
            for item in edge.evidence
        ],
    )


def read_dimensions(connection: sqlite3.Connection, prefix: str = "") -> tuple[Dimension, ...]:
    """The dimensions of the tables of a prefix."""
    rows = connection.execute(f"SELECT value FROM {prefix}dimensions ORDER BY position")
    return tuple(Dimension.model_validate_json(value) for (value,) in rows)


def read_graph(connection: sqlite3.Connection, prefix: str = "") -> CausalGraph:
    """The graph of the tables of a prefix."""
    evidence: dict[int, list[EdgeEvidence]] = {}
    for edge, *item in connection.execute(
        f'SELECT edge, chunk, start, "end", quote, found_by FROM {prefix}evidence ORDER BY rowid'
    ):
        evidence.setdefault(edge, []).append(EdgeEvidence(*item))
    metrics = connection.execute(f"SELECT value FROM {prefix}metrics ORDER BY position")
    variables = connection.execute(f"SELECT metric, entities FROM {prefix}variables ORDER BY position")
    templates = connection.execute(
        f"SELECT source, target, mechanism, confidence FROM {prefix}templates ORDER BY position"
    )
    edges = connection.execute(
        f"SELECT position, source, target, mechanism, confidence, polarity FROM {prefix}edges ORDER BY position"
    )
    return CausalGraph(
        tuple(Metric.model_validate_json(value) for (value,) in metrics),
        tuple(Variable(metric=metric, entities=tuple(json.loads(names))) for metric, names in variables),
        tuple(Template(*row) for row in templates),
        tuple(CausalEdge(s, t, m, c, p, tuple(evidence.get(row, ()))) for row, s, t, m, c, p in edges),
    )


def write_machine(connection: sqlite3.Connection, contents: IndexContents) -> None:
    """Write what the machine made; its graph only where it is not the one in force."""
    assert contents.graph is not None
    machine = contents.machine or DomainGraph(tuple(contents.dimensions), contents.graph)
    differs = (machine.dimensions, machine.graph) != (tuple(contents.dimensions), contents.graph)
    connection.execute("INSERT INTO machine VALUES (?)", (int(differs),))
    if differs:
        write_graph(connection, machine.dimensions, machine.graph, MACHINE)
    connection.executemany(
        "INSERT INTO machine_relations VALUES (?, ?)",
        ((row, each.model_dump_json()) for row, each in enumerate(machine.relations)),
    )
    quotes = [machine.quotes.get(variable.key, ()) for variable in machine.graph.variables]
    row_of = {quote: row for row, quote in enumerate(dict.fromkeys(one for each in quotes for one in each))}
    connection.executemany(
        "INSERT INTO sentences VALUES (?, ?, ?)",
        ((row, quote.chunk_id, quote.text) for quote, row in row_of.items()),
    )
    connection.executemany(
        "INSERT INTO mentions VALUES (?, ?)",
        ((row, row_of[quote]) for row, each in enumerate(quotes) for quote in each),
    )


def read_machine(connection: sqlite3.Connection) -> DomainGraph | None:
    """What the machine made, as it was written."""
    found = connection.execute("SELECT differs FROM machine").fetchone()
    if found is None:
        return None
    prefix = MACHINE if found[0] else ""
    graph = read_graph(connection, prefix)
    relations = connection.execute("SELECT value FROM machine_relations ORDER BY position")
    sentences = [
        Quote(text=text, chunk_id=chunk)
        for chunk, text in connection.execute("SELECT chunk, text FROM sentences ORDER BY position")
    ]
    mentions = connection.execute("SELECT variable, sentence FROM mentions ORDER BY rowid")
    return DomainGraph(
        read_dimensions(connection, prefix),
        graph,
        tuple(Relation.model_validate_json(value) for (value,) in relations),
        {
            graph.variables[row].key: tuple(sentences[number] for _, number in group)
            for row, group in groupby(mentions, key=lambda mention: mention[0])
        },
    )

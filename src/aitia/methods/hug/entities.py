"""From what extraction found to entities and links between them, names merged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from aitia.analyst.graph_protocols import ExtractedEntities, LinkClaim
from aitia.graph.order import Indices
from aitia.methods.hug.canonical import Canonical
from aitia.spec.model import Quote
from aitia.spec.names import fold


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity with all its names, the canonical one first, and the rows of the chunks that name it."""

    name: str
    kind: str
    names: tuple[str, ...]
    chunks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """All that is said of one entity and another in one sense: rows of both, the commonest words, the quotes.

    A link that the text denies is ``negated`` and never followed.
    """

    source: int
    target: int
    relation: str
    causal: bool
    negated: bool
    confidence: float
    quotes: tuple[Quote, ...]


@dataclass(frozen=True)
class EntityGraph:
    """Entities by name, links by (source, target, sense). ``given``: someone else's, and not read from text."""

    entities: tuple[Entity, ...]
    links: tuple[Link, ...]
    given: bool = False

    def places(self, chunks: int) -> csr_array:
        """1 where a chunk names an entity, shape (entities, chunks)."""
        rows = [row for row, entity in enumerate(self.entities) for _ in entity.chunks]
        columns = [chunk for entity in self.entities for chunk in entity.chunks]
        return csr_array(
            (np.ones(len(rows), np.float32), (rows, columns)), shape=(len(self.entities), chunks)
        )

    def walked(self) -> list[int]:
        """Rows of the links that may be followed."""
        return [row for row, link in enumerate(self.links) if not link.negated]

    def ends(self) -> tuple[Indices, Indices]:
        """Sources and targets of the links that may be followed."""
        table = np.array(
            [(self.links[row].source, self.links[row].target) for row in self.walked()], np.int64
        )
        sources, targets = table.reshape(-1, 2).T
        return sources, targets


def worth_keeping(found: ExtractedEntities, min_chunks: int) -> Counter[str]:
    """Mentions by name, of the names that at least ``min_chunks`` chunks have or that end a stated cause.

    Spellings of one name are counted together.
    """
    spelling = {mention.name: fold(mention.name).singular for mention in found.mentions}
    chunks: dict[str, set[str]] = defaultdict(set)
    for mention in found.mentions:
        chunks[spelling[mention.name]].add(mention.chunk_id)
    kept = {key for key, ids in chunks.items() if len(ids) >= min_chunks}
    for link in found.links:
        if link.causal or link.negated:
            kept.update(spelling.get(name, "") for name in (link.source, link.target))
    return Counter(mention.name for mention in found.mentions if spelling[mention.name] in kept)


def collect_entities(
    found: ExtractedEntities, canonical: Canonical, rows: Mapping[str, int], *, given: bool = False
) -> EntityGraph:
    """The entities that were given a name, and the links between them; ``rows`` gives each chunk id's row.

    A link read from text that states no cause says only that its ends stand side by side; a ``given`` one has
    a direction, and is one with another only if their words are the same.
    """
    chunks: dict[str, set[int]] = defaultdict(set)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    names: dict[str, set[str]] = defaultdict(set)
    for mention in found.mentions:
        entity = canonical.name_of.get(mention.name)
        if entity is not None:
            chunks[entity].add(rows[mention.chunk_id])
            kinds[entity][mention.kind] += 1
            names[entity].add(mention.name)
    kept = sorted(chunks)
    entities = tuple(
        Entity(
            name, _commonest(kinds[name]), (name, *sorted(names[name] - {name})), tuple(sorted(chunks[name]))
        )
        for name in kept
    )
    row_of = {name: row for row, name in enumerate(kept)}
    return EntityGraph(entities, _links(found.links, canonical, row_of, given), given)


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda value: (-counts[value], value))


def _links(
    claims: Sequence[LinkClaim], canonical: Canonical, row_of: Mapping[str, int], given: bool
) -> tuple[Link, ...]:
    groups: dict[tuple[int, int, bool, bool, str], list[LinkClaim]] = defaultdict(list)
    for claim in claims:
        source, target = (
            row_of.get(canonical.name_of.get(name, "")) for name in (claim.source, claim.target)
        )
        if source is None or target is None or source == target:
            continue
        if source > target and not (given or claim.causal or claim.negated):
            source, target = target, source  # side by side has no direction
        apart = claim.relation if given else ""
        groups[source, target, claim.causal, claim.negated, apart].append(claim)
    return tuple(
        Link(
            source,
            target,
            _commonest(Counter(claim.relation for claim in same)),
            causal,
            negated,
            max(claim.confidence for claim in same),
            tuple(dict.fromkeys(claim.quote for claim in same)),
        )
        for (source, target, causal, negated, _), same in sorted(groups.items(), key=lambda item: item[0])
    )

"""The entities of one dimension: spellings united, aliases given to one entity each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from aitia.spec.claims import DimensionClaim, EntityClaim, ReasonCode, Rejection
from aitia.spec.model import ANY, Dimension
from aitia.spec.names import clean_name, fold
from aitia.spec.support import best_description, most_frequent


def build_dimension(name: str, claims: Sequence[DimensionClaim]) -> tuple[Dimension, list[Rejection]]:
    """The dimension that claims of one name make, and the entities and aliases that it cannot take.

    Entities that fold to one are one, in their most frequent spelling. An alias that is itself an entity,
    or that more mentions give to another entity, is rejected as ``duplicate``.
    """
    rejected: list[Rejection] = []
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    owners: dict[str, Counter[str]] = defaultdict(Counter)
    for entity in (entity for claim in claims for entity in claim.entities):
        fault = name_fault(clean_name(entity.name))
        if fault:
            rejected.append(_rejection(name, entity, fault))
            continue
        key = fold(clean_name(entity.name)).singular
        spellings[key][clean_name(entity.name)] += entity.mentions
        for alias in entity.aliases:
            unfit = name_fault(clean_name(alias))
            if unfit:
                rejected.append(_rejection(name, entity.model_copy(update={"aliases": (alias,)}), unfit))
            else:
                owners[clean_name(alias)][key] += entity.mentions
    entities = {key: most_frequent(counts) for key, counts in spellings.items()}
    aliases, lost = _share_out(owners, entities)
    rejected += [_rejection(name, claim, "duplicate") for claim in lost]
    dimension = Dimension(
        name=name,
        description=best_description(claims),
        entities=tuple(sorted(entities.values())),
        aliases=aliases,
    )
    return dimension, rejected


def name_fault(name: str) -> ReasonCode | None:
    """Why a clean name can be neither a dimension nor an entity."""
    if not name:
        return "empty"
    return "reserved_name" if name.casefold() == ANY else None


def _share_out(
    owners: Mapping[str, Counter[str]], entities: Mapping[str, str]
) -> tuple[dict[str, str], list[EntityClaim]]:
    """Aliases by form, and what the entities that did not get one had claimed."""
    aliases: dict[str, str] = {}
    lost: list[EntityClaim] = []
    for form in sorted(owners):
        own = fold(form).singular  # an entity needs no alias for a form that folds to it
        keys = sorted(owners[form].keys() - {own})
        if own not in entities:
            winner = most_frequent(owners[form])
            aliases[form] = entities[winner]
            keys.remove(winner)
        lost += [EntityClaim(name=entities[key], aliases=(form,)) for key in keys]
    return aliases, lost


def _rejection(dimension: str, entity: EntityClaim, reason: ReasonCode) -> Rejection:
    claim = DimensionClaim(name=dimension, entities=(entity,), support=entity.mentions)
    return Rejection(claim=claim, reason=reason, detail=f"entity {entity.name!r}")

"""Dimensions: one call a window lists them with their entities, one more merges what is the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from aitia.analyst.llm.consolidate import Consolidation, ask_groups, safe_name
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.passages import count_mentions
from aitia.analyst.llm.replies import (
    DimensionGroup,
    DimensionGroupsReply,
    DimensionItem,
    DimensionsReply,
    EntityItem,
)
from aitia.analyst.llm.vocabulary import one_line, outcome_lines
from aitia.analyst.llm.windows import passages_of, text_of, window_tasks
from aitia.corpus.chunk import Chunk
from aitia.corpus.fold import fold_text
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import DimensionClaim, EntityClaim
from aitia.spec.model import OutcomeConfig
from aitia.spec.names import clean_name, fold
from aitia.spec.support import best_description, most_frequent, total_support, usual_name

LISTED_ENTITIES = 10
"""Entities by which a consolidation knows a dimension."""


def find_dimensions(
    inquiry: Inquiry, windows: Sequence[ReadingWindow], outcomes: OutcomeConfig
) -> list[DimensionClaim]:
    """A claim for each dimension of each window; ``support`` counts the mentions of its entities there.

    Without a verbatim quote it counts for nothing.
    """
    named = outcome_lines(outcomes)

    def render(chunks: Sequence[Chunk]) -> str:
        return inquiry.render("dimensions", outcomes=named, passages=passages_of(chunks).render())

    found = inquiry.asker.ask("dimensions", "dimensions", DimensionsReply, window_tasks(windows, render))
    return [claim for part in found for claim in _claims(part.units, part.reply)]


def consolidate_dimensions(
    inquiry: Inquiry, claims: Sequence[DimensionClaim], limit: int
) -> list[DimensionClaim]:
    """One claim a name, then one a group that the model names; best supported first, none lost."""
    alike: dict[str, list[DimensionClaim]] = defaultdict(list)
    for claim in claims:
        alike[fold(clean_name(claim.name)).singular].append(claim)
    united = _ranked([_united(usual_name(group), best_description(group), group) for group in alike.values()])
    grouping = ask_groups(inquiry, _CONSOLIDATION, united, limit)
    merged = [
        _united(
            safe_name(group.name, [member.name for member in members]),
            group.description or best_description(members),
            members,
        )
        for group, members in grouping.groups
    ]
    return _ranked([*merged, *grouping.rest])


def _claims(chunks: Sequence[Chunk], reply: DimensionsReply) -> list[DimensionClaim]:
    """One claim a name: what a reply lists twice is counted once."""
    passages, text = passages_of(chunks), text_of(chunks)
    alike: dict[str, list[DimensionItem]] = defaultdict(list)
    for item in reply.dimensions:
        alike[fold(clean_name(item.name)).singular].append(item)
    claims = []
    for items in alike.values():
        quotes = (passages.locate(item.passage, item.quote) for item in items)
        quote = next((quote for quote in quotes if quote), None)
        listed = unite_entities(_unread_entity(entity) for item in items for entity in item.entities)
        entities = _counted(listed, text) if quote else listed
        claims.append(
            DimensionClaim(
                name=clean_name(items[0].name),
                description=one_line(next((item.description for item in items if item.description), "")),
                entities=tuple(entities),
                support=sum(entity.mentions for entity in entities),
                quote=quote,
            )
        )
    return claims


def _unread_entity(item: EntityItem) -> EntityClaim:
    aliases = (clean_name(alias) for alias in item.aliases)
    return EntityClaim(name=clean_name(item.name), aliases=tuple(filter(None, aliases)), mentions=0)


def _counted(entities: Sequence[EntityClaim], text: str) -> list[EntityClaim]:
    """The entities with how often the text has one of their forms."""
    forms = [
        list({fold_text(form).text: form for form in (*entity.aliases, entity.name)}.values())
        for entity in entities
    ]
    counts = count_mentions(sorted({form for own in forms for form in own}), text)
    return [
        entity.model_copy(update={"mentions": sum(counts[form] for form in own)})
        for entity, own in zip(entities, forms, strict=True)
    ]


def unite_entities(entities: Iterable[EntityClaim]) -> list[EntityClaim]:
    """One entity a name, in its most frequent spelling, with all aliases and mentions."""
    alike: dict[str, list[EntityClaim]] = defaultdict(list)
    for entity in entities:
        alike[fold(entity.name).singular].append(entity)
    united = []
    for key, same in alike.items():
        spellings: Counter[str] = Counter()
        for entity in same:
            spellings[entity.name] += entity.mentions
        aliases = dict.fromkeys(alias for entity in same for alias in entity.aliases)
        united.append(
            EntityClaim(
                name=most_frequent(spellings),
                aliases=tuple(alias for alias in aliases if fold(alias).singular != key),
                mentions=spellings.total(),
            )
        )
    return united


def _united(name: str, description: str, group: Sequence[DimensionClaim]) -> DimensionClaim:
    """The claims as one: entities united, support summed, the quote of the best supported."""
    ranked = _ranked(group)
    entities = unite_entities(entity for claim in ranked for entity in claim.entities)
    return DimensionClaim(
        name=clean_name(name),
        description=one_line(description),
        entities=tuple(sorted(entities, key=lambda entity: (-entity.mentions, entity.name))),
        support=total_support(group),
        quote=next((claim.quote for claim in ranked if claim.quote), None),
    )


def _ranked(claims: Sequence[DimensionClaim]) -> list[DimensionClaim]:
    return sorted(claims, key=lambda claim: (-claim.support, claim.name))


def _line(claim: DimensionClaim) -> str:
    entities = "; ".join(entity.name for entity in claim.entities[:LISTED_ENTITIES])
    listed = f" Entities: {entities}" if entities else ""
    return f"{claim.name}: {claim.description.rstrip('.')}.{listed}"


_CONSOLIDATION: Consolidation[DimensionClaim, DimensionGroupsReply, DimensionGroup] = Consolidation(
    "consolidate_dimensions", DimensionGroupsReply, lambda reply: reply.groups, _line
)

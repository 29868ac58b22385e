"""Deterministic assembly: claims become a specification, or rejections (HCG-RAG, section 3).

Every claim is counted once: as support of a variable or a relation, or among the rejections. The order
of the claims changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aitia.spec.claims import Admission, Rejection, RelationClaim, VariableClaim
from aitia.spec.close import close_vocabulary, ordered_rejections
from aitia.spec.merge import merge_relations
from aitia.spec.model import Dimension, DomainSpec, Metric, OutcomeConfig, Quote, Relation
from aitia.spec.relations import accept_relations
from aitia.spec.roles import canonical, tag_roles
from aitia.spec.variables import Given, accept_variables

__all__ = ["Assembly", "Given", "assemble", "close_vocabulary"]


@dataclass(frozen=True, slots=True)
class Assembly:
    """The specification in canonical order, what is not in it and why, and what it rests on.

    ``evidence`` has the quotes of each variable by key; a relation carries its own. The supports count
    claims: with the rejections of variable and relation claims they add up to all claims given.
    """

    spec: DomainSpec
    rejected: tuple[Rejection, ...] = ()
    evidence: Mapping[str, tuple[Quote, ...]] = field(default_factory=dict)
    admitted: tuple[Admission, ...] = ()
    variable_support: Mapping[str, int] = field(default_factory=dict)
    relation_support: Mapping[tuple[str, str], int] = field(default_factory=dict)


def assemble(
    dimensions: Sequence[Dimension],
    metrics: Sequence[Metric],
    variable_claims: Sequence[VariableClaim],
    relation_claims: Sequence[RelationClaim],
    outcomes: OutcomeConfig,
    given: Given | None = None,
) -> Assembly:
    """The specification of a closed vocabulary and the claims about it.

    ``given`` is what an existing specification lists: it stays, and merges with the claims. Roles that
    ``outcomes`` names are set; a name in it that fits no metric is rejected as an `OutcomeClaim`.
    """
    given = given or Given()
    tagged, unfit = tag_roles(metrics, outcomes)
    seeds = accept_variables(variable_claims, dimensions, tagged, given)
    links = accept_relations(
        relation_claims,
        seeds.dimensions,
        tagged,
        seeds.variables,
        may_admit=given.max_variables is None,
    )
    spec = DomainSpec(
        dimensions=seeds.dimensions,
        metrics=tagged,
        variables=(*seeds.variables.values(), *links.variables.values()),
        relations=tuple(merge_relations([*given.relations, *links.relations])),
    )
    return Assembly(
        canonical(spec),
        ordered_rejections([*unfit, *seeds.rejected, *links.rejected]),
        dict(sorted([*seeds.quotes.items(), *links.quotes.items()])),
        (*seeds.admitted, *links.admitted),
        {key: len(claims) for key, claims in seeds.claims.items()},
        _count_pairs(links.relations),
    )


def _count_pairs(relations: Sequence[Relation]) -> dict[tuple[str, str], int]:
    return dict(sorted(Counter(relation.pair for relation in relations).items()))

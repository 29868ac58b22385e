"""State metrics: that an entity is there, is used, or occurs; named by the verbs around its dimension."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from aitia.analyst.rules.candidates import Candidate, camel
from aitia.analyst.rules.language import Tag, Token
from aitia.analyst.rules.phrases import EntitySpan, entity_spans, entity_table
from aitia.analyst.rules.terms import Terminology, key_of
from aitia.analyst.rules.wordlists import word_lists
from aitia.spec.model import Dimension

STATE = "state"
"""The category of the metric that stands for the presence of a dimension's entities."""

_SUPPORT = 1_000_000
_REACH = 4
_MIN_VOTES = 5


def state_candidates(terms: Terminology, dimensions: Sequence[Dimension]) -> list[Candidate]:
    """One metric for each dimension, such as ``TreatmentUse(treatment)`` or ``DiseaseOccurrence(disease)``."""
    lists = word_lists()
    table = entity_table(dimensions)
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for read in terms.distinct:
        for span in entity_spans(table, read.sentence, read.words):
            for verb in _verbs(read.sentence.tokens, span):
                if verb in lists.states:
                    votes[span.dimension][lists.states[verb]] += 1
    usual: Counter[str] = Counter()
    for found in votes.values():
        usual.update(found)
    return [
        Candidate(
            camel(f"{dimension.name} {_state(dimension.name, votes[dimension.name], usual)}"),
            (dimension.name,),
            STATE,
            _SUPPORT,
            key_of(dimension.name),
        )
        for dimension in dimensions
    ]


def _state(dimension: str, votes: Counter[str], usual: Counter[str]) -> str:
    """By the dimension's noun if the lists say, else the state whose verbs are most over-represented.

    Few verbs say nothing.
    """
    lists = word_lists()
    category = lists.attributes.get(" ".join(key_of(dimension)), dimension)
    if category in lists.state_of:
        return lists.state_of[category]
    names = list(dict.fromkeys(lists.states.values()))
    total, all_votes = votes.total() + 1, usual.total() + 1
    best = max(names, key=lambda name: (votes[name] + 1) / total / ((usual[name] + 1) / all_votes) ** 0.5)
    return best if votes[best] >= _MIN_VOTES else lists.state


def _verbs(tokens: Sequence[Token], span: EntitySpan) -> Iterator[str]:
    """Lemmas of the verb that takes the entity as object, and of the one that it is the subject of."""
    for position in range(span.first - 1, max(span.first - 1 - _REACH, -1), -1):
        if tokens[position].tag is Tag.VERB:
            yield tokens[position].lemma
            break
        if tokens[position].tag in (Tag.NOUN, Tag.PROPER, Tag.PREPOSITION, Tag.OTHER):
            break
    for position in range(span.last + 1, min(span.last + 1 + _REACH, len(tokens))):
        if tokens[position].tag is Tag.VERB and tokens[position].lemma != "be":
            yield tokens[position].lemma
            break
        if tokens[position].tag in (Tag.NOUN, Tag.PROPER, Tag.PREPOSITION, Tag.OTHER):
            break

"""Relations between variables: the links of a sentence, put on the variables that it mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aitia.analyst.rules.causal import CausalLink, causal_links
from aitia.analyst.rules.conditions import conditional_links
from aitia.analyst.rules.dimensions import sentences_of
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue, lexicon
from aitia.analyst.rules.limits import crosses_heading, is_about_the_text, is_set_apart
from aitia.analyst.rules.mentions import Mention, MentionIndex
from aitia.analyst.rules.signs import signed, stands_for_complement
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import RelationClaim
from aitia.spec.model import ANY, Dimension, Metric, Polarity, Quote, Variable

MECHANISM_WORDS = 30
COMPLEMENT_WORDS = 4
MAX_CAPITALS = 0.35
MAX_LINKS = 1
BESIDE_HEAD = 0.85
"""What a link's confidence keeps for each end that is named beside the head noun and not by it."""


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A link between two variables as one sentence states it."""

    source: Variable
    target: Variable
    polarity: Polarity
    confidence: float
    mechanism: str


def find_relations(
    windows: Sequence[ReadingWindow],
    dimensions: Sequence[Dimension],
    metrics: Sequence[Metric],
    variables: Sequence[Variable],
) -> list[RelationClaim]:
    """A claim for each stated relation, in the order of the text, with its sentence as quote.

    Endpoints are the variables that the sentence mentions, whether or not they are among ``variables``:
    assembly decides what may be added.
    """
    index = MentionIndex(dimensions, metrics)
    return [
        RelationClaim(
            source=relation.source.key,
            target=relation.target.key,
            mechanism=relation.mechanism,
            confidence=relation.confidence,
            polarity=relation.polarity,
            quote=Quote(text=sentence.text, chunk_id=sentence.chunk_id),
        )
        for sentence in sentences_of(windows)
        for relation in stated_relations(sentence, index.find(sentence))
    ]


def stated_relations(sentence: Sentence, mentions: Sequence[Mention]) -> list[StatedRelation]:
    """The relations that a sentence states between its mentions; a question or a list of headings states none."""
    if len(mentions) < 2 or not is_prose(sentence):
        return []
    found: dict[tuple[str, str], StatedRelation] = {}
    for link in (*causal_links(sentence), *conditional_links(sentence)):
        for relation in _on_variables(sentence, link, mentions):
            pair = relation.source.key, relation.target.key
            if pair not in found or _outweighs(relation, found[pair]):
                found[pair] = relation
    return list(found.values())


def _outweighs(relation: StatedRelation, known: StatedRelation) -> bool:
    """Whether one reading of a sentence takes the place of another: a non-effect does, then the surer one."""
    denied = relation.polarity == "none", known.polarity == "none"
    return denied[0] if denied[0] != denied[1] else relation.confidence > known.confidence


def is_prose(sentence: Sentence) -> bool:
    """Whether a sentence is a statement in words, and no question, list of headings or links."""
    words = [token.text for token in sentence.tokens if token.text[0].isalpha()]
    capitals = sum(word[0].isupper() and word[1:].islower() for word in words)
    links = sum("." in word for word in words)
    if sentence.text.endswith("?") or is_about_the_text(sentence):
        return False
    return capitals <= MAX_CAPITALS * len(words) and links <= MAX_LINKS


def _on_variables(
    sentence: Sentence, link: CausalLink, mentions: Sequence[Mention]
) -> Iterator[StatedRelation]:
    heads = (sentence.tokens[head].tag for head in (link.cause_head, link.effect_head))
    if any(tag in (Tag.PRONOUN, Tag.DETERMINER) for tag in heads):
        return
    cause = _named(sentence, link.cause, link.cause_head, mentions)
    effect = _named(sentence, link.effect, link.effect_head, mentions)
    if cause is None or effect is None or not _may_act(sentence, link, cause, effect):
        return
    beside = sum(
        not mention.first <= head <= mention.last
        for mention, head in ((cause, link.cause_head), (effect, link.effect_head))
    )
    yield StatedRelation(
        cause.variable,
        effect.variable,
        signed(sentence, link.polarity, cause, effect),
        round(link.confidence * BESIDE_HEAD**beside, 3),
        _mechanism(sentence, link),
    )


def _may_act(sentence: Sentence, link: CausalLink, cause: Mention, effect: Mention) -> bool:
    """Whether the link can hold of two mentions: no end is the cue itself, set apart, or under another heading."""
    if cause is effect or cause.variable == effect.variable:
        return False
    ends = sorted((cause.first, cause.last, effect.first, effect.last))
    apart = any(is_set_apart(sentence, mention.first) for mention in (cause, effect))
    if apart or crosses_heading(sentence, ends[0], ends[-1]):
        return False
    if any(_is_cue(mention, link) for mention in (cause, effect)):
        return False
    return cause.variable.metric != effect.variable.metric or _acts_on_its_kind(link.cue)


def _is_cue(mention: Mention, link: CausalLink) -> bool:
    """Whether a mention holds the cue and leaves nothing open.

    In "surgery for a tumor includes X" the whole is no end; in "X is a treatment for a tumor" it is.
    """
    first, last = link.cue_span
    return mention.first <= last and first <= mention.last and ANY not in mention.variable.entities


def _acts_on_its_kind(cue: Cue) -> bool:
    """Whether a cue may relate two things of one kind: by change or as a condition, not as use, test or part."""
    return cue.kind != "relate" or cue.frame == "before" or lexicon().has("transforming", cue.words[0])


def _named(
    sentence: Sentence, span: tuple[int, int], head: int, mentions: Sequence[Mention]
) -> Mention | None:
    """The mention of an argument: the one that holds its head, else the head's complement.

    An acronym is meant by the class behind it ("PET scan"). A modifier is not meant ("mouth sores" is
    nothing of the mouth) unless its noun says next to nothing ("blood counts"), nor the complement of a
    noun that itself says cause or effect ("the impact of treatment"), or that does not stand for its
    complement ("a picture of the lake"), nor the place of a change ("a rise in all colonies").
    """
    for mention in mentions:
        if mention.first <= head <= mention.last:
            return mention
    lemma = sentence.tokens[head].lemma
    if lexicon().has("relational", lemma):
        return None
    if lexicon().has("vacuous", lemma):
        before = next((mention for mention in mentions if mention.last == head - 1), None)
        if before is not None:
            return before
    if lexicon().has("apposed", lemma) and sentence.tokens[head - 1].text.isupper():
        return next((mention for mention in mentions if mention.last == head - 1), None)
    after = next((mention for mention in mentions if head < mention.first <= span[1]), None)
    if after is None or after.first - head > COMPLEMENT_WORDS:
        return None
    between = sentence.tokens[head + 1 : after.first]
    prepositions = [token.text.lower() for token in between if token.tag is Tag.PREPOSITION]
    if len(prepositions) != 1 or between[0].text.lower() != prepositions[0]:
        return None
    stands = lexicon().has("standing", lemma) and lexicon().has("complements", prepositions[0])
    everywhere = any(lexicon().has("floating", token.text.lower()) for token in between)
    in_its_state = stands_for_complement(lemma, prepositions[0]) and not everywhere
    return after if stands or in_its_state else None


def _mechanism(sentence: Sentence, link: CausalLink) -> str:
    """The words from the first argument to the last, or the parts of a longer clause."""
    spans = sorted((link.cause, link.cue_span, link.effect))
    first, last = spans[0][0], max(span[1] for span in spans)
    if last - first < MECHANISM_WORDS:
        return words_between(sentence, (first, last))
    return " ... ".join(words_between(sentence, span) for span in spans)


def words_between(sentence: Sentence, span: tuple[int, int]) -> str:
    """The text of tokens ``first`` to ``last``, inclusive, verbatim."""
    first, last = sentence.tokens[span[0]], sentence.tokens[span[1]]
    return sentence.text[first.start - sentence.start : last.end - sentence.start]

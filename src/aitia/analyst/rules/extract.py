"""Entities and links for HugRAG: noun phrases, stated causes, and what stands together in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aitia.analyst.graph_protocols import EntityMention, ExtractedEntities, LinkClaim
from aitia.analyst.rules.causal import REVERSED, CausalLink, Span, causal_links
from aitia.analyst.rules.conditions import conditional_links
from aitia.analyst.rules.language import Tag, read_sentences
from aitia.analyst.rules.relations import is_prose
from aitia.analyst.rules.terms import Key, Term, Terminology, TermSentence, head_of, read_terms
from aitia.analyst.rules.wordlists import word_lists
from aitia.corpus.chunk import Chunk
from aitia.spec.model import Quote

BESIDE_HEAD = 0.85
"""What a causal link's confidence keeps for each end that stands beside the head noun and is not it."""
ENDS = 3
"""Most terms of one argument that a causal link joins."""
TOGETHER = 0.5
"""Confidence of a link that says no more than that two terms stand side by side in a sentence."""
REACH = 2
"""How many terms on a term is still linked to."""
CAUSES = "causes"
"""What a link is called whose words run from effect to cause."""


def extract_entities(chunks: Sequence[Chunk]) -> ExtractedEntities:
    """The noun phrases of the chunks, and links within sentences: causal ones, else neighbours.

    An entity's kind is the category of its head noun where the word lists have one, else the noun itself.
    """
    terms = read_terms(sentence for chunk in chunks for sentence in read_sentences(chunk))
    mentions: dict[tuple[str, Key], EntityMention] = {}
    links: dict[LinkClaim, None] = {}
    for read in terms.sentences:
        chunk_id = read.sentence.chunk_id
        entities = [term for term in read.terms if _is_entity(term.key)]
        for term in entities:
            mentions.setdefault(
                (chunk_id, term.key), EntityMention(chunk_id, terms.name(term.key), _kind(terms, term.key))
            )
        links.update(dict.fromkeys(_links(terms, read, entities)))
    return ExtractedEntities(tuple(mentions.values()), tuple(links))


def _is_entity(key: Key) -> bool:
    """Whether a term names something: neither an empty noun nor a number or letter with one."""
    lists = word_lists()
    return len(key) > 1 or not (key[0] in lists.vague or key[0] in lists.wide or len(key[0]) < 2)


def _kind(terms: Terminology, key: Key) -> str:
    head = head_of(key)
    return word_lists().attributes.get(head) or terms.name((head,))


def _links(terms: Terminology, read: TermSentence, entities: Sequence[Term]) -> Iterator[LinkClaim]:
    """The links of one sentence: a pair that is linked by a cause is not linked as neighbours too."""
    if len(entities) < 2:
        return
    quote = Quote(text=read.sentence.text, chunk_id=read.sentence.chunk_id)
    linked: set[frozenset[Key]] = set()
    stated = (
        (*causal_links(read.sentence), *conditional_links(read.sentence)) if is_prose(read.sentence) else ()
    )
    denied = [link.effect for link in stated if link.polarity == "none"]
    for link in stated:
        for cause, effect, confidence in _ends(link, entities, denied):
            linked.add(frozenset((cause.key, effect.key)))
            yield LinkClaim(
                terms.name(cause.key),
                terms.name(effect.key),
                _words(link),
                quote,
                causal=says_cause(link) and link.polarity != "none",
                confidence=confidence,
                negated=says_cause(link) and link.polarity == "none",
            )
    for at, left in enumerate(entities):
        for right in entities[at + 1 : at + 1 + REACH]:
            if left.key != right.key and frozenset((left.key, right.key)) not in linked:
                names = terms.name(left.key), terms.name(right.key)
                yield LinkClaim(*names, _relation(read, left, right), quote, confidence=TOGETHER)


def says_cause(link: CausalLink) -> bool:
    """Whether a link is of a cause, and not of use, test or part ("engineers measure latency")."""
    return link.cue.kind != "relate"


def _words(link: CausalLink) -> str:
    """The words of a link from cause to effect: ``causes ("result from")`` where its own run the other way."""
    backward = link.cue.frame in REVERSED and says_cause(link)
    return f'{CAUSES} ("{link.cue.text}")' if backward else link.cue.text


def _ends(
    link: CausalLink, entities: Sequence[Term], denied: Sequence[Span]
) -> Iterator[tuple[Term, Term, float]]:
    """Every term of the cause with every term of the effect: heads first, the others less surely.

    Of a whole clause what it denies an effect on is no end: "it has no effect on mites, so ..." says nothing of mites.
    """
    if link.cue.frame == "before":
        entities = [term for term in entities if not _is_denied(link, term, denied)]
    causes = _inside(link.cause, link.cause_head, entities)
    effects = _inside(link.effect, link.effect_head, entities)
    for cause, cause_share in causes:
        for effect, effect_share in effects:
            if cause.key != effect.key:
                yield cause, effect, round(link.confidence * cause_share * effect_share, 3)


def _is_denied(link: CausalLink, term: Term, denied: Sequence[Span]) -> bool:
    """Whether a term stands in what a clause of the link denies an effect on."""
    clauses = link.cause, link.effect
    inside = (span for span in denied if any(first <= span[0] and span[1] <= last for first, last in clauses))
    return any(first <= term.first and term.last <= last for first, last in inside)


def _inside(span: tuple[int, int], head: int, entities: Sequence[Term]) -> list[tuple[Term, float]]:
    found = [term for term in entities if term.first <= span[1] and span[0] <= term.last]
    shares = [(term, 1.0 if term.first <= head <= term.last else BESIDE_HEAD) for term in found]
    return sorted(shares, key=lambda each: -each[1])[:ENDS]


def _relation(read: TermSentence, left: Term, right: Term) -> str:
    """The verb between two terms with its preposition, else the preposition, else ``with``."""
    between = read.sentence.tokens[left.last + 1 : right.first]
    verbs = [at for at, token in enumerate(between) if token.tag is Tag.VERB]
    full = [at for at in verbs if between[at].fine[:2] == "VV"]
    if at := (full or verbs)[:1]:
        following = between[at[0] + 1 : at[0] + 2]
        words = [between[at[0]].lemma, *(token.lemma for token in following if token.tag is Tag.PREPOSITION)]
        return " ".join(words)
    return next((token.lemma for token in between if token.tag is Tag.PREPOSITION), "with")

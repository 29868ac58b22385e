"""Descriptions of metrics, in the corpus's own words: what it is, what it depends on, what it affects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aitia.analyst.rules.attributes import Survey
from aitia.analyst.rules.candidates import RELATION, Candidate
from aitia.analyst.rules.causal import causal_links
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.mentions import MentionIndex
from aitia.analyst.rules.states import STATE
from aitia.analyst.rules.terms import Key, Terminology, TermSentence
from aitia.analyst.rules.wordlists import article, word_lists
from aitia.spec.model import ANY, Dimension, Metric, Quote

_MAX_EXAMPLES = 5
_MAX_FRAGMENTS = 3
_MAX_FRAGMENT_WORDS = 7
_DEFINITION_WORDS = range(6, 36)


@dataclass(frozen=True, slots=True)
class Described:
    """A paragraph, and the sentence that it rests on most."""

    text: str
    quote: Quote | None


@dataclass
class _Notes:
    """What the corpus says about one metric."""

    definition: TermSentence | None = None
    causes: Counter[str] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter)
    quote: Quote | None = None


def describe(
    terms: Terminology, found: Survey, dimensions: Sequence[Dimension], candidates: Sequence[Candidate]
) -> list[Described]:
    """A description for each candidate, in their order."""
    notes = _read(terms, dimensions, candidates)
    entities = {dimension.name: dimension.entities for dimension in dimensions}
    return [
        _written(terms, candidate, notes[candidate.name], _examples(found, entities, candidate))
        for candidate in candidates
    ]


def _read(
    terms: Terminology, dimensions: Sequence[Dimension], candidates: Sequence[Candidate]
) -> dict[str, _Notes]:
    index = MentionIndex(dimensions, [_metric(candidate) for candidate in candidates])
    notes: dict[str, _Notes] = defaultdict(_Notes)
    defined = _definitions(terms)
    for candidate in candidates:
        notes[candidate.name].definition = defined.get(candidate.key)
    for read in terms.distinct:
        links = () if read.sentence.text.endswith("?") else causal_links(read.sentence)
        if not links:
            continue
        mentions = index.find(read.sentence)
        for link in links:
            if link.polarity == "none":
                continue
            cause, effect = _fragment(read.sentence, link.cause), _fragment(read.sentence, link.effect)
            for mention in mentions:
                note = notes[mention.variable.metric]
                if effect and mention.first <= link.cause_head <= mention.last:
                    note.effects[effect] += 1
                elif cause and mention.first <= link.effect_head <= mention.last:
                    note.causes[cause] += 1
                else:
                    continue
                note.quote = note.quote or Quote(text=read.sentence.text, chunk_id=read.sentence.chunk_id)
    return notes


def _metric(candidate: Candidate) -> Metric:
    return Metric(
        name=candidate.name, signature=candidate.signature, description="", category=candidate.category
    )


def _definitions(terms: Terminology) -> dict[Key, TermSentence]:
    """The shortest sentence of the form "A recurrence is ..." for each term."""
    lists = word_lists()
    defined: dict[Key, TermSentence] = {}
    for read in terms.distinct:
        if not read.terms or len(read.words) not in _DEFINITION_WORDS or read.words[-1] == "?":
            continue
        term = read.terms[0]
        opening = [token.text.lower() for token in read.sentence.tokens[: term.first]]
        says = read.words[term.last + 1 : term.last + 2]
        indefinite = read.words[term.last + 2 : term.last + 3] in (("a",), ("an",))
        means = bool(says) and says[0] in lists.means
        if opening not in ([], ["a"], ["an"], ["the"]) or (
            opening == ["the"] and term.key[-1] in lists.loose
        ):
            continue
        if not means and not (says and says[0] in lists.be and indefinite):
            continue
        best = defined.get(term.key)
        if best is None or len(read.words) < len(best.words):
            defined[term.key] = read
    return defined


def _fragment(sentence: Sentence, span: tuple[int, int]) -> str:
    """The words of a span, if they are few and name something."""
    tokens = sentence.tokens[span[0] : span[1] + 1]
    words = [token for token in tokens if token.tag is not Tag.OTHER]
    named = any(token.tag in (Tag.NOUN, Tag.PROPER) for token in words)
    opens = tokens[0].text[0].isalpha() and tokens[0].tag is not Tag.PRONOUN
    if not named or len(words) > _MAX_FRAGMENT_WORDS or not opens:
        return ""
    text = sentence.text[tokens[0].start - sentence.start : tokens[-1].end - sentence.start]
    text = " ".join(text.split())
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _examples(found: Survey, entities: dict[str, tuple[str, ...]], candidate: Candidate) -> Iterator[str]:
    if candidate.category == RELATION:
        pairs = found.pairs[candidate.signature[0], candidate.signature[1]]
        for (owner, owned), _ in sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0])):
            if ANY not in (owner, owned):
                yield f"{owned} ({owner})"
    elif candidate.category == STATE:
        yield from entities[candidate.signature[0]]
    else:
        said = found.stated.get(candidate.key, {}).get(candidate.signature[0], Counter())
        for entity, _ in sorted(said.items(), key=lambda pair: (-pair[1], pair[0])):
            if entity != ANY:
                yield entity


def _written(terms: Terminology, candidate: Candidate, notes: _Notes, examples: Iterator[str]) -> Described:
    owner = candidate.signature[0]
    noun = terms.name(candidate.key).lower() if candidate.category != STATE else owner
    parts = [_opening(candidate, noun, owner)]
    quote = notes.quote
    if notes.definition is not None:
        sentence = notes.definition.sentence
        parts.append(" ".join(sentence.text.split()))
        quote = Quote(text=sentence.text, chunk_id=sentence.chunk_id)
    if notes.causes:
        parts.append(f"It depends on {_listed(notes.causes)}.")
    if notes.effects:
        parts.append(f"It affects {_listed(notes.effects)}.")
    shown = [example for _, example in zip(range(_MAX_EXAMPLES), examples, strict=False)]
    if shown:
        parts.append(f"The text speaks of it for {', '.join(shown)}.")
    return Described(" ".join(parts), quote)


def _opening(candidate: Candidate, noun: str, owner: str) -> str:
    if candidate.category == STATE:
        state = candidate.name[len("".join(word.capitalize() for word in owner.split())) :].lower()
        return f"The {state or 'presence'} of {article(owner)} {owner}."
    value = (
        f", with its {candidate.signature[1]}"
        if candidate.category != RELATION and candidate.signature[1:]
        else ""
    )
    return f"The {noun} of {article(owner)} {owner}{value}."


def _listed(fragments: Counter[str]) -> str:
    ranked = sorted(fragments, key=lambda text: (-fragments[text], text))[:_MAX_FRAGMENTS]
    return ", ".join(ranked)

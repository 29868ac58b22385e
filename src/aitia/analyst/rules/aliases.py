"""Other names of the same thing: acronyms, "also called", and spellings that differ in hyphens.

Only what the text itself equates is merged; "stage I" and "stage II" never are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from aitia.analyst.rules.language import is_acronym
from aitia.analyst.rules.terms import Key, Term, Terminology, TermSentence
from aitia.analyst.rules.wordlists import word_lists

_MAX_NAMING = 5
_IS_CLASS = 10


def find_aliases(terms: Terminology) -> dict[Key, Key]:
    """Each alias with the term it stands for, which is no alias itself."""
    votes: dict[Key, Counter[Key]] = defaultdict(Counter)
    heads = Counter(key[-1] for key in terms.counts if len(key) > 1)
    for read in terms.distinct:
        for short, full in _acronyms(read):
            votes[short][full] += 1
        for one, other in _renamings(read):
            known, name = (one, other) if terms.counts[one] >= terms.counts[other] else (other, one)
            if all(len(key) > 1 or heads[key[0]] < _IS_CLASS for key in (known, name)):
                votes[name][known] += 1
    for other, known in _spellings(terms):
        votes[other][known] += 1
    chosen = {name: min(found, key=lambda key: (-found[key], key)) for name, found in votes.items()}
    return {
        name: end for name in sorted(chosen) if terms.counts[name] and (end := _end(chosen, name)) != name
    }


def _end(chosen: dict[Key, Key], name: Key) -> Key:
    seen = [name]
    while (following := chosen.get(seen[-1])) is not None and following not in seen:
        seen.append(following)
    return seen[-1]


def _acronyms(read: TermSentence) -> Iterator[tuple[Key, Key]]:
    """Acronym and full name, from "basal cell carcinoma (BCC)" (Schwartz & Hearst 2003) or the reverse."""
    tokens = read.sentence.tokens
    for term in read.terms:
        if read.words[term.last + 1 : term.last + 2] != ("(",):
            continue
        closed = read.words[term.last + 3 : term.last + 4] in ((")",), (",",), (";",))
        inside = term.last + 2
        if closed and is_acronym(tokens[inside].text):
            full = _named_by(tokens[inside].text.lower(), term.key)
            if full:
                yield (read.words[inside],), full
        if term.first == term.last and is_acronym(tokens[term.last].text):
            following = next((other for other in read.terms if other.first == inside), None)
            if following is not None and _named_by(tokens[term.last].text.lower(), following.key):
                yield term.key, following.key


def _named_by(acronym: str, key: Key) -> Key:
    """The end of a term whose initials the acronym spells, or nothing."""
    letters = "".join(character for character in acronym if character.isalpha())
    for start in range(len(key)):
        parts = [part for word in key[start:] for part in word.split("-") if part]
        initials = "".join(part[0] for part in parts)
        if len(letters) > 1 and letters.rstrip("s") in (initials, initials.rstrip("s")):
            return key[start:]
    return ()


def _renamings(read: TermSentence) -> Iterator[tuple[Key, Key]]:
    for left, right in zip(read.terms, read.terms[1:], strict=False):
        between = [
            word
            for word in read.between(left, right)
            if word not in (",", "(", "a", "an", "the", "is", "are")
        ]
        if len(between) <= _MAX_NAMING and tuple(between) in word_lists().renaming:
            suffix = min(len(left.key), len(right.key))
            if not _has_owner(read, left) and left.key[-suffix:] != right.key[-suffix:]:
                yield left.key, right.key


def _has_owner(read: TermSentence, term: Term) -> bool:
    """Whether the term ends a larger phrase, all of which is renamed ("cancer of the blood, also called")."""
    before = read.words[max(term.first - 3, 0) : term.first]
    return bool(set(before) & {"of", "in", "for", "from", "with", "on", "to", "by"})


def _spellings(terms: Terminology) -> Iterator[tuple[Key, Key]]:
    same: dict[str, list[Key]] = defaultdict(list)
    for key in terms.counts:
        same["".join(key).replace("-", "")].append(key)
    for keys in same.values():
        if len(keys) > 1:
            known, *others = sorted(keys, key=lambda key: (-terms.counts[key], key))
            for other in others:
                yield other, known

"""Which terms behave alike: they are listed together, or stand in the same contexts.

Coordination ("nausea, vomiting and fatigue") is the stronger sign (Widdows & Dorow 2002); contexts are the
verbs and prepositions around a term and the nouns it modifies, weighted by positive pointwise mutual
information with smoothed context counts (Levy, Goldberg & Dagan 2015).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from aitia.analyst.rules.hypernyms import is_list_between
from aitia.analyst.rules.language import Tag
from aitia.analyst.rules.terms import NOMINAL, Key, Term, Terminology, TermSentence, head_of

_SKIPPED = (Tag.DETERMINER, Tag.ADJECTIVE, Tag.ADVERB, Tag.NUMBER, Tag.MODAL)
_REACH = 5
_MIN_CONTEXTS = 4
_MIN_COSINE = 0.15
_MAX_SPREAD = 400


def neighbours(terms: Terminology, keys: Sequence[Key]) -> sp.csr_matrix:
    """Similarity of terms, shape (keys, keys), rows summing to less than 1, zero diagonal."""
    index = {key: position for position, key in enumerate(keys)}
    listed: Counter[tuple[int, int]] = Counter()
    contexts: Counter[tuple[int, str]] = Counter()
    for read in terms.distinct:
        for position, context in _contexts(read, index):
            contexts[position, context] += 1
        for left, right in pairwise(read.terms):
            known = left.key != right.key and left.key in index and right.key in index
            if known and is_list_between(read.between(left, right)):
                listed[index[left.key], index[right.key]] += 1
    pairs = {pair: 2 * (1 - 0.5**count) for pair, count in listed.items()}
    together = _matrix(pairs, len(keys))
    likeness = _cosines(contexts, len(keys)) + together + together.T + _heads(keys, index)
    return sp.csr_matrix(sp.diags(1 / (np.asarray(likeness.sum(axis=1)).ravel() + 1)) @ likeness)


def _matrix(pairs: dict[tuple[int, int], float], size: int) -> sp.csr_matrix:
    rows = [row for row, _ in pairs]
    columns = [column for _, column in pairs]
    return sp.csr_matrix((list(pairs.values()), (rows, columns)), shape=(size, size), dtype=float)


def _heads(keys: Sequence[Key], index: dict[Key, int]) -> sp.csr_matrix:
    """A compound leans on its head: "skin biopsy" on "biopsy"."""
    pairs = {
        (index[key], index[(head_of(key),)]): 1.0 for key in keys if len(key) > 1 and (head_of(key),) in index
    }
    return _matrix(pairs, len(index))


def _cosines(contexts: Counter[tuple[int, str]], size: int) -> sp.csr_matrix:
    uses = Counter(context for _, context in contexts)
    column = {
        context: position
        for position, context in enumerate(sorted(c for c in uses if 1 < uses[c] <= _MAX_SPREAD))
    }
    counts = _matrix({(row, column[c]): n for (row, c), n in contexts.items() if c in column}, size).tocoo()
    if counts.shape[1] == 0 or counts.nnz == 0:
        return sp.csr_matrix((size, size))
    total = counts.data.sum()
    rows = np.asarray(counts.sum(axis=1)).ravel()
    columns = np.asarray(counts.sum(axis=0)).ravel() ** 0.75
    columns *= total / columns.sum()
    information = np.log(counts.data * total / (rows[counts.row] * columns[counts.col]))
    damped = np.maximum(information, 0) * np.minimum(1, np.sqrt(counts.data) / 2)
    weights = sp.csr_matrix((damped, (counts.row, counts.col)), shape=counts.shape)
    norms = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel()) + 1e-9
    units = sp.diags((rows >= _MIN_CONTEXTS) / norms) @ weights
    cosines = (units @ units.T).tocoo()
    kept = (cosines.row != cosines.col) & (cosines.data > _MIN_COSINE)
    return sp.csr_matrix((cosines.data[kept], (cosines.row[kept], cosines.col[kept])), shape=(size, size))


def _contexts(read: TermSentence, index: dict[Key, int]) -> Iterator[tuple[int, str]]:
    for term in read.terms:
        for cut in range(1, len(term.key)):
            if term.key[:cut] in index:
                yield index[term.key[:cut]], f"before {term.key[-1]}"
        if term.key in index:
            for context in (_left_context(read, term), _right_context(read, term)):
                if context:
                    yield index[term.key], context


def _left_context(read: TermSentence, term: Term) -> str:
    """The verb or noun that governs a term, with its preposition."""
    preposition = ""
    for position in range(term.first - 1, max(term.first - 1 - _REACH, -1), -1):
        token = read.sentence.tokens[position]
        if token.tag in _SKIPPED or token.lemma == "be":
            continue
        if token.tag is Tag.PREPOSITION and not preposition:
            preposition = read.words[position]
        elif token.tag is Tag.VERB:
            return f"object {token.lemma} {preposition}"
        elif token.tag in NOMINAL and preposition:
            return f"of {read.words[position]} {preposition}"
        else:
            break
    return ""


def _right_context(read: TermSentence, term: Term) -> str:
    """The verb that a term is the subject of, and whether it is passive."""
    for position in range(term.last + 1, min(term.last + 1 + _REACH, len(read.words))):
        token = read.sentence.tokens[position]
        if token.tag is Tag.VERB and token.lemma not in ("be", "have"):
            return f"subject {token.lemma} {token.fine == 'VVN'}"
        if token.tag not in (*_SKIPPED, Tag.VERB):
            break
    return ""

"""What an edit of one document costs in reading."""

from __future__ import annotations

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aitia.corpus import reading
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document
from aitia.corpus.reading import reading_windows

LIMIT = 40


def whole(document):
    """A splitter that makes one chunk of a document."""
    return [Chunk(document.id, document.path, 0, 0, len(document.text), document.text)]


def note(path, number, tokens):
    """A document of so many one-letter words, different for each number."""
    letters = [chr(97 + number // 26**place % 26) for place in range(tokens)]
    return Document(path, path, " ".join(letters))


def windows_of(documents):
    windows = reading_windows(documents, whole, LIMIT)
    return [tuple(chunk.document_id for chunk in window.chunks) for window in windows]


def forced(documents):
    """Whether a cut falls before a document whose own content does not ask for it."""
    by_id = {document.id: document for document in documents}
    firsts = [by_id[window[0]] for window in windows_of(documents)][1:]
    return any(
        int(first.id, 16) / 16**16 * LIMIT / len(first.text.split()) >= reading._CUTS_PER_WINDOW
        for first in firsts
    )


notes = st.builds(
    lambda place, number, tokens: note(f"{place:03d}.txt", number, tokens),
    st.integers(0, 999),
    st.integers(0, 26**4),
    st.integers(4, LIMIT // 2),
)
corpora = st.lists(notes, min_size=1, max_size=30, unique_by=(lambda d: d.path, lambda d: d.id))


@given(corpus=corpora, data=st.data())
@settings(max_examples=60, deadline=None)
def test_windows_hold_every_chunk_once_within_the_limit_in_any_order(corpus, data):
    windows = windows_of(corpus)
    ordered = sorted(corpus, key=lambda document: document.path)
    assert [document_id for window in windows for document_id in window] == [
        document.id for document in ordered
    ]
    sizes = {document.id: len(document.text.split()) for document in corpus}
    assert all(sum(sizes[document_id] for document_id in window) <= LIMIT for window in windows)
    assert windows_of(data.draw(st.permutations(corpus))) == windows


@given(corpus=corpora, new=notes, edit=st.sampled_from(["insert", "change", "delete"]), data=st.data())
@settings(max_examples=150, deadline=None)
def test_an_edit_changes_its_own_window_and_one_neighbour(corpus, new, edit, data):
    assume(all(new.path != old.path and new.id != old.id for old in corpus))
    position = data.draw(st.integers(0, len(corpus) - 1))
    edited = list(corpus)
    if edit == "insert":
        edited.append(new)
    elif edit == "delete":
        del edited[position]
    else:
        edited[position] = Document(corpus[position].path, "changed", new.text)
    assume(edited and not forced(corpus) and not forced(edited))
    before, after = set(windows_of(corpus)), set(windows_of(edited))
    assert len(after - before) <= 2
    assert len(before - after) <= 2


def test_where_cuts_are_forced_a_third_window_is_rare(monkeypatch):
    monkeypatch.setattr(reading, "count_tokens", lambda text: len(text.split()))
    chance = random.Random(1)
    changed = []
    for _ in range(12):
        corpus = [
            note(f"{place:03d}.txt", chance.randrange(26**4), chance.randint(4, 10)) for place in range(200)
        ]
        before = set(windows_of(corpus))
        for _ in range(40):
            edited = list(corpus)
            place = chance.randrange(200)
            edited[place] = note(f"{place:03d}.txt", chance.randrange(26**4), chance.randint(4, 10))
            changed.append(len(set(windows_of(edited)) - before))
    assert sum(count > 2 for count in changed) <= 0.02 * len(changed)
    assert max(changed) <= 4

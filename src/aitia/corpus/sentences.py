"""Sentence spans, exact to the character.

syntok finds the boundaries of Latin-script prose. Only *where a sentence begins* is taken from it, and
a sentence reaches to the next beginning, so no character can be lost. Beside syntok's boundaries:

- a blank line, a list item, a Markdown heading and a speaker's label (``Anna: ``) begin a sentence;
- so does what follows a full stop of CJK, Arabic, Urdu, Indic, Armenian, Ethiopic, Khmer and Burmese
  text, behind any closing quotation marks;
- an emoji on the line of a sentence that has just ended belongs to that sentence.

Time is linear: syntok reads blocks of 10,000 characters, and a block begins where the sentence that the
last one left open began. A sentence that is longer than a block is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import regex
from syntok import segmenter
from syntok.tokenizer import Tokenizer

from aitia.corpus.clusters import LONGEST_CLUSTER, find_clusters

_BLOCK = 10_000
_NEW_LINE = regex.compile(
    r"\n\s*\n\s*"
    r"|^[ \t]*+#{1,6} [^\n]*+\n"
    r"|\n(?=[ \t]*+(?:[-*+•▪‣◦–—|] ?|\d{1,3}[.)] |#{1,6} |\p{Lu}[\w'’.-]*+(?: [\p{Lu}\d][\w'’.-]*+){0,2}: ))",
    regex.MULTILINE,
)
_FOREIGN_STOP = re.compile(r"(?:[。！？｡．]+|[؟۔।॥։።፧។။]+(?=\s|$))[」』”’\"')\]）】》〉]*")
_EMOJI = regex.compile(r"(?:\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}\u200d]*[^\S\n]*)++\s*")
_NOISE = re.compile(r"(?:[^\w\s]\s?){16,}|\S{200,}")
_SOLID = re.compile(r"\S")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans ``(start, end)`` of the sentences of a text, without outer white space, in order.

    Every character that is not white space is in exactly one of them.
    """
    spans: list[tuple[int, int]] = []
    starts = [*_starts(text), len(text)]
    for start, end in pairwise(starts):
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        if left < end:
            spans.append((left, start + len(piece.rstrip())))
    return spans


def _starts(text: str) -> Iterator[int]:
    """Where sentences begin, ascending; the first is 0."""
    begin = 0
    for match in _NEW_LINE.finditer(text):
        yield from _starts_in_paragraph(text, begin, match.end())
        begin = match.end()
    yield from _starts_in_paragraph(text, begin, len(text))


def _starts_in_paragraph(text: str, begin: int, end: int) -> Iterator[int]:
    while end - begin > _BLOCK:
        block = text[begin : begin + _BLOCK]
        *closed, last = _starts_in_block(block)
        if not closed:
            closed, last = [0], _forced_cut(text, begin)
        yield from (begin + start for start in closed)
        begin += last
    if begin < end:
        yield from (begin + start for start in _starts_in_block(text[begin:end]))


def _forced_cut(text: str, begin: int) -> int:
    """The length of the first piece of a sentence that is too long for a block."""
    block = text[begin : begin + _BLOCK]
    gap = max(block.rfind(" "), block.rfind("\n"))
    if gap >= _BLOCK // 2:
        return gap + 1
    clusters = find_clusters(text[begin : begin + _BLOCK + LONGEST_CLUSTER])
    return int(clusters.snap(np.array([_BLOCK]))[0])


def _starts_in_block(block: str) -> list[int]:
    starts = {match.end() for match in _FOREIGN_STOP.finditer(block)}
    prose = _NOISE.sub(lambda noise: re.sub(r"\S", "x", noise[0]), block)
    tokens = Tokenizer(replace_not_contraction=False).tokenize(prose)
    starts.update(sentence[0].offset for sentence in segmenter.segment(tokens))
    found = [0]
    for start in sorted(starts):
        solid = _SOLID.search(block, start)
        if solid is None:
            break
        moved = _behind_emoji(block, solid.start())
        if moved > found[-1] and block[: solid.start()].strip():
            found.append(moved)
    return found


def _behind_emoji(block: str, start: int) -> int:
    """The start of a sentence, moved behind emojis that stand on the line of the one before."""
    before = block[:start]
    if "\n" in before[len(before.rstrip()) :]:
        return start
    match = _EMOJI.match(block, start)
    return match.end() if match else start

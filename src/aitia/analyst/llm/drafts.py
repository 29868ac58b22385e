"""From the text of an answer to its sentences, each with the evidence numbers that it cites.

Marks are read as models write them (``[1]``, ``[1, 3]``, ``[1][3]``, ``[1-3]``, ``【1】``), before or behind the
full stop; bullets, bold type and code fences are taken off, and a line that ends in a colon leads into the
next. A heading goes, unless it cites evidence or there is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from aitia.analyst.protocols import AnswerDraft, AnswerSentence
from aitia.corpus.sentences import sentence_spans

INSUFFICIENT = "INSUFFICIENT"
"""What a reply begins with if the evidence does not hold an answer."""

_WIDEST_RANGE = 20
_THOUGHT = re.compile(
    r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)|\A.*?</(?:think|thinking|reasoning)>", re.S | re.I
)
_THOUGHT_AMID = re.compile(r"<(think|thinking|reasoning)>.*|</(?:think|thinking|reasoning)>", re.S | re.I)
_REFUSAL = re.compile(r"\W*INSUFFICIENT\b(?: EVIDENCE\b)?[^\w\[【]*")
_MARK = re.compile(
    r"\s*[\[【]\s*(?:evidence\s*)?(\d{1,4}(?:\s*[-–,;]\s*\d{1,4})*)\s*(?:†[^\]】]*)?[\]】]", re.I
)
_RANGE = re.compile(r"(\d+)\s*[-–]\s*(\d+)|(\d+)")
_BULLET = re.compile(r"\s*(?:[-*+•–]|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"\s*#{1,6}\s+")
_FENCE = re.compile(r"\s*```\s*[\w+-]*\s*$|```")
_TAGS = ("<think>", "<thinking>", "<reasoning>")
_WHOLE_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.S | re.I)
_OPEN_THOUGHT = re.compile(r"<(?:think|thinking|reasoning)>.*|</?[a-z]{0,9}\Z", re.S | re.I)
"""A thought that has not ended, or the beginning of what may be a tag."""
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


def read_draft(text: str) -> AnswerDraft:
    """The sentences of a reply; not ``sufficient`` if it begins with the word for that, or is empty."""
    spoken, refuses = _spoken(text)
    for headings in (False, True):
        paragraphs = _paragraphs(spoken, headings)
        sentences = tuple(sentence for paragraph in paragraphs for sentence in _sentences(paragraph))
        if sentences:
            break
    return AnswerDraft(sentences, sufficient=bool(sentences) and not refuses)


class Opening:
    """Passes a stream on without thoughts, holding back what may yet turn out to be none of the reader's."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._held = ""
        self._open = False

    def take(self, piece: str) -> None:
        """The next piece of the reply."""
        self._held += piece
        if not self._open and _is_unclear(self._held):
            return
        held = _WHOLE_THOUGHT.sub("", self._held)
        unclear = _OPEN_THOUGHT.search(held)
        end = unclear.start() if unclear else len(held)
        self._held = held[end:]
        self._pass_on(held[:end])

    def end(self) -> None:
        """Pass on what is held and for the reader."""
        held, self._held = self._held, ""
        self._pass_on(held)

    def _pass_on(self, text: str) -> None:
        words = _THOUGHT_AMID.sub("", text) if self._open else _spoken(text)[0]
        if words:
            self._open = True
            self._on_text(words)


def _spoken(text: str) -> tuple[str, bool]:
    """A reply without thoughts and without the word that says it is no answer, and whether that was there."""
    spoken = _THOUGHT.sub("", text).lstrip()
    refusal = _REFUSAL.match(spoken)
    return (spoken[refusal.end() :], True) if refusal else (spoken, False)


def _is_unclear(text: str) -> bool:
    """Whether a beginning may turn out to be a thought, or the word INSUFFICIENT."""
    start = text.lstrip().lower()
    if "</" not in start and any(start.startswith(tag) or tag.startswith(start) for tag in _TAGS):
        return True
    word = _THOUGHT.sub("", text).lstrip(" \n*_\"'`")
    return len(word) <= len(INSUFFICIENT) and INSUFFICIENT.startswith(word)


def _paragraphs(text: str, headings: bool) -> Iterator[str]:
    """Paragraphs and list items, each on one line; ``headings``: those that cite nothing too."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        line = _FENCE.sub("", line)
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        ends = not line.strip() or heading or bullet
        if ends and lines and not lines[-1].endswith((":", "：")):
            yield " ".join(lines)
            lines = []
        if line.strip() and (not heading or headings or _MARK.search(line)):
            mark = heading or bullet
            lines.append(_BOLD.sub(r"\2", line[mark.end() if mark else 0 :]).strip())
            if heading:
                yield " ".join(lines)
                lines = []
    if lines:
        yield " ".join(lines)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Numbers, where they stood in the text without marks, and whether they open their line."""

    position: int
    numbers: tuple[int, ...]
    opens: bool


def _sentences(paragraph: str) -> Iterator[AnswerSentence]:
    plain, marks = _without_marks(paragraph)
    spans = sentence_spans(plain)
    cited: list[list[int]] = [[] for _ in spans]
    for mark in marks:
        before = [place for place, (start, _) in enumerate(spans) if start < mark.position]
        if spans:
            cited[before[-1] if before and not mark.opens else 0].extend(mark.numbers)
    for (start, end), numbers in zip(spans, cited, strict=True):
        yield AnswerSentence(plain[start:end], tuple(dict.fromkeys(numbers)))


def _without_marks(text: str) -> tuple[str, list[_Mark]]:
    parts: list[str] = []
    marks: list[_Mark] = []
    length = last = 0
    for match in _MARK.finditer(text):
        parts.append(text[last : match.start()])
        length += match.start() - last
        marks.append(_Mark(length, tuple(_numbers(match.group(1))), opens=length == 0))
        last = match.end()
    return "".join([*parts, text[last:]]), marks


def _numbers(listed: str) -> Iterator[int]:
    for first, last, single in _RANGE.findall(listed):
        if single:
            yield int(single)
        elif 0 <= int(last) - int(first) < _WIDEST_RANGE:
            yield from range(int(first), int(last) + 1)
        else:
            yield from (int(first), int(last))

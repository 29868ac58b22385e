"""What a node says, and what its words do not: who speaks, when, and under which heading.

The published retrieval compares meanings only. Words are ranked beside it, and a sentence of a chat names
neither its speaker nor its day; a question asks by both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.corpus.chunk import Chunk
from aitia.methods.qcg.config import NodeForm
from aitia.retrieval.stems import stem
from aitia.retrieval.terms import content_terms

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)  # fmt: skip
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_LABEL = re.compile(r"^[ \t]*([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}): ", re.MULTILINE)
_HEADING = re.compile(r"\s*#{1,6} ")
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")
LEAST_WORDS = 2


def node_text(question: str, answer: str, form: NodeForm) -> str:
    """What of a pair is embedded: question and answer are joined by one line break."""
    parts = {"query": [question], "answer": [answer], "sentence": [answer]}.get(form, [question, answer])
    return "\n".join(part for part in parts if part)


def words_to_match(text: str) -> str:
    """The content words of a text as stems; names written as one word, as ``LiHua``, are taken apart."""
    return " ".join(stem(term) for term in content_terms(_JOINED.sub(" ", text)))


def says_something(sentence: str) -> bool:
    """Whether a sentence has two content words beside its label and numbers: no heading, no "Anna: Hey!"."""
    said = _LABEL.sub("", sentence)
    words = {stem(term) for term in content_terms(said) if not term.isdigit()}
    return len(words) >= LEAST_WORDS and not _HEADING.match(sentence)


def context_of(chunk: Chunk) -> str:
    """The date in the document's name, in words, and the headings that the chunk stands under."""
    dates = [f"{int(day)} {_MONTHS[int(month) - 1]} {year}" for year, month, day in _DATE.findall(chunk.path)]
    return " ".join([*dates, *chunk.heading_path])


def speakers_of(chunk: Chunk, answers: Sequence[str]) -> list[str]:
    """Who says each answer: the last label, as ``Anna: ``, before the place where it stands; "" for nobody."""
    labels = [(match.start(), match[1]) for match in _LABEL.finditer(chunk.text)]
    starts = [start for start, _ in labels]
    rows = [bisect_right(starts, max(0, chunk.text.find(answer))) for answer in answers]
    return [labels[row - 1][1] if row else "" for row in rows]


def matched_texts(chunk: Chunk, claims: Sequence[QuestionClaim]) -> list[str]:
    """What of each claim of a chunk is ranked by words: its context, its speaker, question and answer."""
    context = context_of(chunk)
    speakers = speakers_of(chunk, [claim.answer for claim in claims])
    return [
        words_to_match(f"{context} {speaker}: {claim.question} {claim.answer}")
        for claim, speaker in zip(claims, speakers, strict=True)
    ]

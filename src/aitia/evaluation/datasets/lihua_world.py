"""LiHua-World (Fan et al., 2025, MiniRAG): ours and the published layout.

Published: ``qa/query_set.json`` (records by their position, from "0") or ``qa/query_set.csv``, and
``LiHuaWorld.zip`` unpacked in ``data/``. Evidence is the times of the chats, ``20260105_11:00``, joined by
``<and>``; the file of a chat is named after it without the colon. An id is ``LiHua-`` and the position.
"""

from __future__ import annotations

import re
from pathlib import Path

from aitia.errors import CorpusError
from aitia.evaluation.datasets.dataset import Dataset, few
from aitia.evaluation.datasets.folder import CORPORA, find_layout
from aitia.evaluation.datasets.plain import read_answered
from aitia.evaluation.datasets.question import Question, has_answer, with_distinct_ids
from aitia.evaluation.datasets.rows import Row, read_rows

_CHAT = re.compile(r"(?:Time:\s*)?(\d{8}_\d{2}):?(\d{2})")
_NONE = ("", "N/A")
_CSV = {"question": "Question", "answer": "Gold Answer", "evidence": "Evidence", "type": "Type"}


def load_lihua_world(data: Path) -> Dataset:
    """The chats and their questions; evidence that names no chat is a note, and costs its question's."""
    name = "lihua-world"
    roots = ["lihua-world", "LiHua-World", "dataset/LiHua-World"]
    published = [(f"{root}/qa/{_published_file(data / root)}", f"{root}/data") for root in roots]
    path, corpus = find_layout(name, data, [(f"{name}/questions.json", CORPORA[name]), *published])
    chats = {file.stem for file in corpus.rglob("*.txt")}
    if not chats:
        raise CorpusError(f"{corpus}: holds no chat; expected .txt files: unpack LiHuaWorld.zip here")
    if path.name == "questions.json":
        return Dataset(name, corpus, read_answered(path))
    notes: list[str] = []
    questions = with_distinct_ids(path, [_question(row, chats, notes) for row in read_rows(path, keyed=True)])
    return Dataset(name, corpus, questions, notes=few(notes, len(questions)))


def _published_file(root: Path) -> str:
    """The JSON file, which is published with an equal CSV beside it."""
    csv_only = not (root / "qa/query_set.json").is_file() and (root / "qa/query_set.csv").is_file()
    return "query_set.csv" if csv_only else "query_set.json"


def _question(row: Row, chats: set[str], notes: list[str]) -> Question:
    names = _CSV if "Question" in row.fields else {name: name for name in _CSV}
    answer, kind = row.text(names["answer"]), row.text(names["type"])
    cited = () if row.optional(names["evidence"]).strip() in _NONE else row.texts(names["evidence"])
    return Question(
        id=f"LiHua-{row.key}",
        text=row.text(names["question"]),
        answer=answer,
        type=kind,
        evidence_documents=_documents(row, cited, chats, notes),
        answerable=has_answer(kind, answer, cited),
    )


def _documents(row: Row, cited: tuple[str, ...], chats: set[str], notes: list[str]) -> tuple[str, ...]:
    documents: set[str] = set()
    for part in cited:
        match = _CHAT.fullmatch(part)
        document = match[1] + match[2] if match else ""
        if document not in chats:
            notes.append(
                f"{row.place}: evidence {part!r} names no chat, expected YYYYMMDD_HH:MM; "
                "the question is left out of document recall"
            )
            return ()
        documents.add(document)
    return tuple(sorted(documents))

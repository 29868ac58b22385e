"""The whole text of a corpus, in which the measures look for evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aitia.corpus.read import read_corpus
from aitia.errors import CorpusError
from aitia.evaluation.datasets.rows import parse_json, read_text

_TEXT_FIELDS = ("text", "context")


def read_corpus_text(path: Path) -> str:
    """The whole text of a corpus, its documents one a line group.

    A folder of text files in the order of their paths, a ``.json`` or ``.jsonl`` file of records with
    ``text`` or ``context``, a text file; any other is read as ``aitia build`` reads it.
    """
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if file.is_file() and not _hidden(file, path)]
        if files and all(file.suffix == ".txt" for file in files):
            return "\n".join(read_text(file) for file in files)
    elif path.suffix == ".jsonl":
        records = [parse_json(path, line) for line in read_text(path).split("\n") if line.strip()]
        return _joined(path, records)
    elif path.suffix == ".json":
        records = parse_json(path, read_text(path))
        return _joined(path, records if isinstance(records, list) else [records])
    elif path.suffix == ".txt" or not path.exists():
        return read_text(path)
    return "\n".join(document.text for document in read_corpus([path]).documents)


def _hidden(file: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(root).parts)


def _joined(path: Path, records: list[Any]) -> str:
    texts = []
    for record in records:
        found = (
            [record[field] for field in _TEXT_FIELDS if field in record] if isinstance(record, dict) else []
        )
        if not found or not isinstance(found[0], str):
            raise CorpusError(f"{path}: expected records with their text in 'text' or 'context'")
        texts.append(found[0])
    return "\n".join(texts)

"""Reading sources into a corpus. First working form: text files only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aitia.corpus.document import Corpus, Document
from aitia.errors import CorpusError


def read_corpus(sources: Sequence[str | Path], stdin: str | None = None) -> Corpus:
    """Read every source."""
    documents = []
    for source in sources:
        if str(source) == "-":
            documents.append(Document("stdin", "stdin", stdin or ""))
            continue
        root = Path(source)
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.suffix in (".txt", ".md") and path.is_file():
                name = path.relative_to(root).as_posix() if root.is_dir() else path.name
                documents.append(Document(name, path.stem, path.read_text("utf-8").replace("\r\n", "\n")))
    if not documents:
        raise CorpusError(f"nothing to read in {', '.join(map(str, sources))}")
    return Corpus(tuple(documents))

"""Reading sources into a corpus: every document that can be read, and a reason for each that cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from aitia.corpus.document import Corpus, Document, Note, Skipped
from aitia.corpus.find import Found, find_files, name_apart
from aitia.corpus.readers.content import Content, Piece, Unreadable, clean_text
from aitia.corpus.readers.formats import FORMATS
from aitia.errors import CorpusError

STDIN = "-"


def read_corpus(sources: Sequence[str | Path], stdin: str | None = None) -> Corpus:
    """Read folders (with their subfolders), files, and standard input (the source ``-``).

    A path is relative to the root it was found under. Where two roots have the same relative path, both
    are written ``root:path``. Records of a JSON file add ``#id``, or ``#number`` without one, or
    ``#id@number`` if the id is taken. Documents are in path order, whatever the order of sources. Of
    equal texts the first is kept and the others are skipped as ``duplicate of PATH``.

    ``Corpus.notes`` says where an encoding was detected and which pages of a PDF are missing. Raises
    `CorpusError` if a source does not exist, or if there is nothing at all to read.
    """
    draft = _Draft([], [], [])
    files, skipped = find_files([Path(source) for source in sources if str(source) != STDIN])
    draft.skipped.extend(skipped)
    paths = name_apart(files)
    for found in files:
        draft.read_file(found, paths[found.file])
    if any(str(source) == STDIN for source in sources):
        draft.add("stdin", "stdin", Content((Piece(clean_text(stdin or "")),)))
    documents = draft.without_duplicates()
    if not documents:
        raise _nothing(sources, draft.skipped)
    return Corpus(
        tuple(documents),
        tuple(sorted(draft.skipped, key=lambda item: (item.path, item.reason))),
        tuple(sorted(draft.notes, key=lambda item: (item.path, item.text))),
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """A corpus while it is read."""

    documents: list[Document]
    skipped: list[Skipped]
    notes: list[Note]

    def read_file(self, found: Found, path: str) -> None:
        name = PurePosixPath(found.path)
        suffix = name.suffix.lower()
        reader = FORMATS.get(suffix)
        if reader is None:
            self.skipped.append(Skipped(path, f"unsupported suffix {suffix}" if suffix else "no suffix"))
            return
        try:
            data = found.file.read_bytes()
            if not data:
                raise Unreadable("empty")
            self.add(path, name.stem, reader(data))
        except OSError as error:
            self.skipped.append(Skipped(path, f"unreadable ({error.strerror or type(error).__name__})"))
        except Unreadable as error:
            self.skipped.append(Skipped(path, str(error)))

    def add(self, path: str, stem: str, content: Content) -> None:
        self.skipped.extend(Skipped(path, fault) for fault in content.faults)
        self.notes.extend(Note(path, note) for note in content.notes)
        for piece in content.pieces:
            place = path if piece.record is None else f"{path}#{piece.record}"
            if not piece.text.strip():
                self.skipped.append(Skipped(place, "only white space" if piece.text else "empty"))
                continue
            alone = piece.record is None or len(content.pieces) == 1
            name = piece.name or (stem if alone else f"{stem}#{piece.record}")
            self.documents.append(Document(place, name, piece.text, piece.sections))

    def without_duplicates(self) -> list[Document]:
        kept: dict[str, Document] = {}
        for document in sorted(self.documents, key=lambda document: document.path):
            first = kept.setdefault(document.id, document)
            if first is not document:
                self.skipped.append(Skipped(document.path, f"duplicate of {first.path}"))
        return list(kept.values())


def _nothing(sources: Sequence[str | Path], skipped: Sequence[Skipped]) -> CorpusError:
    reasons = "; ".join(f"{item.path}: {item.reason}" for item in skipped[:3])
    found = (
        f"{len(skipped)} found and skipped ({reasons}{'; ...' if len(skipped) > 3 else ''})"
        if skipped
        else "no file"
    )
    where = ", ".join(str(source) for source in sources) or "no source"
    return CorpusError(
        f"nothing to read in {where}: {found}; expected text in {' '.join(FORMATS)}; "
        "name a folder or a file that has some"
    )

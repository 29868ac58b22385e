"""Finding the files of a corpus: folders are walked, links out of them are not followed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aitia.corpus.document import Skipped
from aitia.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Found:
    """A file: ``path`` is relative to ``root`` with ``/``, ``file`` is where it really is."""

    path: str
    root: Path
    file: Path
    linked: bool = False


def find_files(sources: Sequence[Path]) -> tuple[list[Found], list[Skipped]]:
    """Every regular file of the sources once, by path, and what was passed over with the reason.

    Hidden files and folders are passed over in silence unless they are named as a source. A file that
    several sources reach belongs to the outermost. Raises `CorpusError` for a source that does not exist.
    """
    items = [item for source in sources for item in _in_source(source)]
    found = [item for item in items if isinstance(item, Found)]
    skipped = [item for item in items if isinstance(item, Skipped)]
    chosen: dict[Path, Found] = {}
    for item in sorted(
        found, key=lambda item: (item.linked, len(item.root.parts), item.path, str(item.root))
    ):
        first = chosen.setdefault(item.file, item)
        if item.linked and item is not first:
            skipped.append(Skipped(item.path, f"duplicate of {first.path}"))
    files = sorted(chosen.values(), key=lambda item: (item.path, str(item.root)))
    return files, sorted(set(skipped), key=lambda item: (item.path, item.reason))


def name_apart(files: Iterable[Found]) -> dict[Path, str]:
    """The path of each file as users see it: where roots share one, ``root:path`` tells them apart.

    The root is named by as many of its last folders as are needed.
    """
    files = list(files)
    paths: dict[str, list[Found]] = {}
    for item in files:
        paths.setdefault(item.path, []).append(item)
    shared = {item.root for group in paths.values() if len(group) > 1 for item in group}
    labels = _labels(sorted(shared))
    return {
        item.file: f"{labels[item.root]}:{item.path}" if len(paths[item.path]) > 1 else item.path
        for item in files
    }


def _labels(roots: list[Path]) -> dict[Path, str]:
    depth = 1
    while len({root.parts[-depth:] for root in roots}) < len(roots):
        depth += 1
    return {root: _printable("/".join(root.parts[-depth:]).lstrip("/")) for root in roots}


def _in_source(source: Path) -> Iterator[Found | Skipped]:
    try:
        root = source.resolve(strict=True)
        if root.is_dir():
            yield from _walk(root)
        elif root.is_file():
            yield Found(_printable(source.name), source.parent.resolve(), root)
        else:
            yield Skipped(_printable(source.name), "not a regular file")
    except (OSError, ValueError, RuntimeError) as error:
        reason = (
            "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read ({_reason(error)})"
        )
        raise CorpusError(
            f"source {str(source)!r} {reason}; expected a folder, a file, or - for standard input; "
            "check the path"
        ) from error


def _walk(root: Path) -> Iterator[Found | Skipped]:
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            if folder == root:
                raise
            yield Skipped(_relative(folder, root), f"unreadable ({_reason(error)})")
            continue
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                yield _follow(path, root)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield Found(_relative(path, root), root, path)
            else:
                yield Skipped(_relative(path, root), "not a regular file")


def _follow(link: Path, root: Path) -> Found | Skipped:
    path = _relative(link, root)
    try:
        target = link.resolve(strict=True)
    except FileNotFoundError:
        return Skipped(path, "broken link")
    except (OSError, RuntimeError):
        return Skipped(path, "link loop")
    if not target.is_relative_to(root):
        return Skipped(path, "link out of the folder")
    if link.is_relative_to(target):
        return Skipped(path, "link loop")
    if not target.is_file():
        return Skipped(path, "link to a folder that is read in its own place")
    return Found(path, root, target, linked=True)


def _relative(path: Path, root: Path) -> str:
    return _printable(path.relative_to(root).as_posix())


def _printable(name: str) -> str:
    """A file name that is not valid UTF-8, made storable."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__

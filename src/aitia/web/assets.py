"""Static files, read once into memory: a request names a key, and no path is ever made from it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

KINDS: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "woff2": "font/woff2",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
}
"""Suffixes that are served; others stay on the disk."""

FOREVER = "public, max-age=31536000, immutable"
"""For names with a hash: another content has another name."""
CHECKED = "no-cache"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file to send."""

    content: bytes
    kind: str
    cache: str


class Assets:
    """The files of a folder by name, each also under a name with the hash of its content."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._by_name: dict[str, Asset] = {}
        self._hashed: dict[str, str] = {}
        for name, content in _read(folder or files("aitia.web").joinpath("static")):
            stem, _, suffix = name.rpartition(".")
            hashed = f"{stem}.{hashlib.sha256(content).hexdigest()[:10]}.{suffix}"
            self._hashed[name] = hashed
            self._by_name[name] = Asset(content, KINDS[suffix], CHECKED)
            self._by_name[hashed] = Asset(content, KINDS[suffix], FOREVER)

    def find(self, name: str) -> Asset | None:
        """The file of a name with or without a hash."""
        return self._by_name.get(name)

    def has(self, name: str) -> bool:
        """Whether there is such a file; what a build with node makes may be missing."""
        return name in self._hashed

    def url(self, name: str) -> str:
        """The address of a file, which changes with its content.

        Raises:
            LookupError: there is none.

        """
        if name not in self._hashed:
            raise LookupError(f"no static file {name!r}; there are {', '.join(self._hashed)}")
        return f"/static/{self._hashed[name]}"


def _read(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _read(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in KINDS:
            yield f"{prefix}{entry.name}", entry.read_bytes()

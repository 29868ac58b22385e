"""Which peers there are: a folder each, with an adapter, its pins, and an environment of its own.

A peer is a published system that is measured beside Aitia. Nothing of it is imported: its adapter runs in
the peer's environment, and `aitia.evaluation.peers.process` talks to it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from aitia.errors import UsageError
from aitia.spec.model import Frozen

PREFIX = "peer:"
ENVIRONMENTS = "environments"


@dataclass(frozen=True, slots=True)
class Adapter:
    """How one mode of a peer is run.

    ``recipe`` is how the index is built that the mode is asked of; ``build`` names that index among those of all
    systems, and modes with the same one share it. ``python`` is the peer's own interpreter, ``script`` its adapter.
    """

    name: str
    mode: str
    recipe: str
    build: str
    package: str
    licence: str
    python: Path
    script: Path


class _Settings(Frozen):
    package: str
    licence: str
    default: str
    modes: dict[str, str]


def find_adapter(name: str, adapters: Path) -> Adapter:
    """The adapter of ``peer:NAME`` or ``NAME``, in a folder of peers; NAME is ``PEER`` or ``PEER-MODE``.

    Raises:
        UsageError: no such peer or mode, a ``peer.toml`` that is none, or an environment not yet made.

    """
    wanted = name.removeprefix(PREFIX)
    peers = sorted(file.parent.name for file in adapters.glob("*/peer.toml"))
    fitting = [peer for peer in peers if wanted == peer or wanted.startswith(f"{peer}-")]
    if not fitting:
        raise UsageError(
            f"peer {wanted!r} is unknown; expected one of {', '.join(peers) or 'none'} in {adapters}, with -MODE"
        )
    peer = max(fitting, key=len)
    settings = _read(adapters / peer / "peer.toml")
    modes = settings.modes
    mode = wanted[len(peer) + 1 :] or settings.default
    if mode not in modes:
        raise UsageError(f"peer {peer} has no mode {mode!r}; expected one of {', '.join(modes)}")
    python = adapters / ENVIRONMENTS / peer / "bin" / "python"
    if not python.exists():
        raise UsageError(
            f"peer {peer} has no environment; expected {python}. Make it: {adapters / 'setup'} {peer}"
        )
    return Adapter(
        name=wanted,
        mode=mode,
        recipe=modes[mode],
        build=f"peer-{peer}-{modes[mode]}",
        package=settings.package,
        licence=settings.licence,
        python=python.absolute(),
        script=(adapters / peer / "adapter.py").absolute(),
    )


def _read(path: Path) -> _Settings:
    try:
        return _Settings.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (ValueError, OSError) as error:
        words = " ".join(str(error).split())[:200]
        raise UsageError(
            f"{path}: not a peer's settings ({words}); expected package, licence, default and [modes]"
        ) from error

r"""Combined characters: the places where a text must not be cut.

A user's character may be several code points (a letter with its accents, an emoji family joined by
zero-width joiners, a flag, Hangul letters). Unicode calls it an extended grapheme cluster (UAX #29);
``regex`` finds them with ``\X``. Nearly all texts have few, so only those of two or more code points
are looked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

LONGEST_CLUSTER = 1000
"""Code points. A longer "character" is no character but an attack, and may be cut."""

Positions = NDArray[np.int64]
"""Character offsets, ascending."""

_JOINED = "".join(
    rf"\p{{GCB={kind}}}"
    for kind in ("Extend", "ZWJ", "SpacingMark", "L", "V", "T", "LV", "LVT", "Regional_Indicator")
)
_CLUSTER = regex.compile(rf"(?s)(?=\p{{GCB=Prepend}}|.[{_JOINED}])\X")


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of two or more code points of a text: spans ``[starts[i], ends[i])``, in order."""

    starts: Positions
    ends: Positions

    def snap(self, cuts: Positions) -> Positions:
        """The cuts, those inside a cluster moved to its start; ascending, each once."""
        if not self.starts.size:
            return np.unique(cuts)
        at = np.searchsorted(self.starts, cuts, side="right") - 1
        inside = (at >= 0) & (cuts < self.ends[at])
        return np.unique(np.where(inside, self.starts[at], cuts))

    def hide_spaces(self, text: str) -> str:
        """The text with white space inside clusters replaced, so that splitting there is harmless.

        The result has the same length. A space that carries an accent is not a gap between words.
        """
        parts, done = [], 0
        for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True):
            cluster = text[start:end]
            if not cluster.isspace() and any(character.isspace() for character in cluster):
                parts += [text[done:start], "".join("_" if c.isspace() else c for c in cluster)]
                done = end
        return "".join([*parts, text[done:]]) if parts else text


def find_clusters(text: str) -> Clusters:
    """The combined characters of a text in linear time; not CR LF, nor any over `LONGEST_CLUSTER`."""
    spans = [] if text.isascii() else [match.span() for match in _CLUSTER.finditer(text)]
    kept = [(start, end) for start, end in spans if 1 < end - start <= LONGEST_CLUSTER]
    array = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return Clusters(array[:, 0], array[:, 1])

"""A small corpus of our own words, about what breaks in a workshop and how it is mended."""

from __future__ import annotations

import pytest

from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow

WORKSHOP = (
    "Machines such as lathes, presses, drills, saws and mills stand in the hall. The lathe is a machine. "
    "A press is a machine that shapes metal. They clean the saw, the mill and the drill each week.",
    "Defects include rust, cracks, dents, leaks and wear. Rust is a defect that water causes. "
    "Cracks, dents and other defects shorten the life of a machine. A leak is a defect of the press.",
    "Repairs such as welding, polishing, painting, soldering and greasing are done by hand. "
    "Welding is a repair for cracks. Painting is a repair for rust. Polishing helps against dents.",
    "The speed of the lathe depends on the load. The speed of the saw is low. The speed of the drill is high. "
    "The mill speed was measured. The press speed was not. The cost of the press fell.",
    "The cost of the lathe rose. The cost of the drill is known. Failure of the mill stopped the work. "
    "The failure of the saw was noticed. The failure of the lathe was caused by rust. Overload causes failure.",
    "The risk of rust grows in winter. The risk of leaks is small. The risk of cracks is high. "
    "Wear reduces the speed of the mill. Greasing prevents wear. Soldering stops a leak.",
    "Rust ruins the lathe. Cracks ruin the press. The computer numerical control (CNC) lathe is new. "
    "The computer numerical control (CNC) lathe is fast. Greasing is a cheap repair. Soldering is a repair.",
)


def window_of(*texts: str) -> ReadingWindow:
    """A reading window of one document a text."""
    return ReadingWindow(
        tuple(Chunk(f"d{n}", f"d{n}.txt", 0, 0, len(text), text) for n, text in enumerate(texts))
    )


@pytest.fixture(scope="session")
def workshop() -> list[ReadingWindow]:
    """The corpus as one window a text."""
    return [
        ReadingWindow((Chunk(f"w{n}", f"w{n}.txt", 0, 0, len(text), text),))
        for n, text in enumerate(WORKSHOP)
    ]


@pytest.fixture
def window() -> object:
    """Makes a reading window of texts."""
    return window_of

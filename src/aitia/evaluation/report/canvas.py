"""What all figures share: their size, type and lines, and how they become files. Needs matplotlib."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from aitia.evaluation.report.figure import Figure
from aitia.evaluation.report.palette import LINE, SOFT, TEXT
from aitia.evaluation.report.wording import compact

WIDTH = 8.5 / 2.54
"""Inches: a column of a two-column page."""
SMALL = 6.5
_TYPE = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.labelsize": 7,
    "axes.titlesize": 7,
    "axes.titleweight": "bold",
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "text.color": TEXT,
    "axes.labelcolor": TEXT,
    "axes.titlecolor": TEXT,
    "xtick.labelcolor": TEXT,
    "ytick.labelcolor": TEXT,
    "text.parse_math": False,  # names are foreign text: a $ is a $
}
_LINES = {
    "axes.edgecolor": SOFT,
    "axes.facecolor": "none",
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": LINE,
    "grid.linewidth": 0.4,
    "lines.linewidth": 1.0,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
}
_FILES = {"svg.hashsalt": "aitia", "svg.fonttype": "path", "pdf.fonttype": 42, "savefig.dpi": 300}
_COMMENT = re.compile(rb"<!--.*?-->\n?", re.DOTALL)


@contextmanager
def house_style() -> Iterator[None]:
    """Matplotlib's own defaults and ours, whatever the user's settings are."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(cast(Any, _TYPE | _LINES | _FILES))
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # it is drawn as a box
        yield


def new_figure(height: float) -> Any:
    """An empty figure, as wide as a column and ``height`` inches high."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawing
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02, wspace=0.03, hspace=0.03)
    drawing = Drawing(figsize=(WIDTH, height), layout=layout)
    FigureCanvasAgg(drawing)
    return drawing


def scale_by_magnitude(axis: Any, low: float, high: float) -> None:
    """Label the axis of a log scale as ``1k``, and between powers of ten too where few are shown."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 40 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: compact(value)))
    axis.set_minor_formatter(NullFormatter())


def finish(drawing: Any, slug: str, title: str, caption: str) -> Figure:
    """The drawing as SVG, PDF and PNG, without a date and without a background; the PNG's is white."""
    images = {}
    drawing.canvas.draw()
    drawing.set_layout_engine("none")  # laid out once, for all formats
    for ending, metadata in (
        ("svg", {"Date": None, "Creator": None, "Format": None, "Type": None}),
        ("pdf", {"CreationDate": None, "Creator": None, "Producer": None}),
        ("png", {"Software": None}),
    ):
        buffer = io.BytesIO()
        face = "white" if ending == "png" else "none"
        drawing.savefig(buffer, format=ending, metadata=metadata, facecolor=face)
        images[ending] = buffer.getvalue()
    images["svg"] = _COMMENT.sub(b"", images["svg"])
    return Figure(slug, title, caption, images)

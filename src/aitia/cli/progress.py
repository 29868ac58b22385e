"""Progress on standard error: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Protocol

LINE_EVERY_S = 10.0
SHORT_S = 1.0


class Progress(Protocol):
    """A context manager; called with (step, done, total), total 0 where nobody knows it."""

    def __enter__(self) -> Progress: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None: ...

    def __call__(self, step: str, done: int, total: int) -> None:
        """Take note of a step's progress. A step ends where another begins, and may come back."""
        ...


def show_progress(quiet: bool) -> Progress:
    """The progress to show where standard error leads."""
    if quiet:
        return _Silence()
    return _Bars() if sys.stderr.isatty() else _Lines()


class _Count:
    """How much of a step is done, over all its parts: each counts from 1 again."""

    def __init__(self) -> None:
        self.done = self.total = self._before = self._last = 0

    def add(self, done: int, total: int) -> None:
        if done <= self._last:
            self._before = self.total
        self._last = done
        self.done, self.total = self._before + done, self._before + total

    def __str__(self) -> str:
        return f"{self.done:,}/{self.total:,}" if self.total else ""


class _Silence:
    """Shows nothing."""

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __call__(self, step: str, done: int, total: int) -> None:
        pass


class _Lines:
    """A line for each step that has ended, and one every ten seconds of a long one."""

    def __init__(self) -> None:
        self._step = ""
        self._counts: dict[str, _Count] = {}
        self._told: set[str] = set()
        self._began = self._last = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self._end()

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.perf_counter()
        if step != self._step:
            self._end()
            self._step, self._began, self._last = step, now, now
        count = self._counts.setdefault(step, _Count())
        if total:
            count.add(done, total)
        if now - self._last > LINE_EVERY_S:
            self._last = now
            sys.stderr.write(f"{step} {count} ...\n")

    def _end(self) -> None:
        seconds = time.perf_counter() - self._began
        # A step that comes back for a moment, as embedding does, has had its line.
        if self._step and (self._step not in self._told or seconds > SHORT_S):
            sys.stderr.write(f"{f'{self._step} {self._counts[self._step]}'.rstrip()} ({seconds:.1f} s)\n")
            self._told.add(self._step)
        self._step = ""


class _Bars:
    """A bar for each step."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._progress = RichProgress(
            SpinnerColumn(finished_text="[green]✓"),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("{task.fields[count]}", style="dim"),
            console=Console(stderr=True),
        )
        self._tasks: dict[str, Any] = {}
        self._counts: dict[str, _Count] = {}
        self._current = ""

    def __enter__(self) -> Progress:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self._end()
        self._progress.stop()

    def __call__(self, step: str, done: int, total: int) -> None:
        if step not in self._tasks:
            self._tasks[step] = self._progress.add_task(step, total=None, count="")
            self._counts[step] = _Count()
        if step != self._current:
            self._end()
            self._current = step
        if total:
            count = self._counts[step]
            count.add(done, total)
            self._progress.update(
                self._tasks[step], completed=count.done, total=count.total, count=str(count)
            )

    def _end(self) -> None:
        if self._current:
            whole = self._counts[self._current].total or 1
            self._progress.update(self._tasks[self._current], completed=whole, total=whole)

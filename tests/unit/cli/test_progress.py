from __future__ import annotations

import re

from aitia.cli import progress
from aitia.cli.progress import show_progress


def told(capsys):
    return [re.sub(r"\([\d.]+ s\)", "(s)", line) for line in capsys.readouterr().err.splitlines()]


def test_a_line_a_step_with_its_parts_summed(capsys):
    with show_progress(quiet=False) as report:
        report("reading", 0, 0)
        report("reading", 9, 9)
        report("embedding", 128, 200)
        report("embedding", 200, 200)
        report("embedding", 41, 41)
        report("edges", 0, 0)
    assert told(capsys) == ["reading 9/9 (s)", "embedding 241/241 (s)", "edges (s)"]


def test_a_step_that_comes_back_for_a_moment_is_not_told_again(capsys):
    with show_progress(quiet=False) as report:
        for step in ("embedding", "edges", "embedding", "evidence"):
            report(step, 1, 1)
    assert told(capsys) == ["embedding 1/1 (s)", "edges 1/1 (s)", "evidence 1/1 (s)"]


def test_a_long_step_says_that_it_goes_on(capsys, monkeypatch):
    clock = iter([0.0, 0.0, 11.0, 12.0, 23.0, 24.0])
    monkeypatch.setattr(progress.time, "perf_counter", lambda: next(clock))
    with show_progress(quiet=False) as report:
        for done in (1, 2, 3, 4):
            report("embedding", done, 4)
    assert capsys.readouterr().err.splitlines() == [
        "embedding 2/4 ...",
        "embedding 4/4 ...",
        "embedding 4/4 (24.0 s)",
    ]


def test_quiet_says_nothing_and_a_failure_ends_no_step(capsys):
    with show_progress(quiet=True) as report:
        report("reading", 0, 0)
    try:
        with show_progress(quiet=False) as report:
            report("reading", 0, 0)
            raise ValueError
    except ValueError:
        pass
    assert capsys.readouterr().err == ""


def test_bars_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with show_progress(quiet=False) as report:
        report("reading", 0, 0)
        report("embedding", 128, 200)
        report("embedding", 200, 200)
        report("embedding", 41, 41)
    err = capsys.readouterr().err
    assert "reading" in err
    assert "241/241" in err

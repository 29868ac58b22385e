from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from aitia import __version__
from aitia.cli import check as check_module
from aitia.cli.group import COMMANDS
from aitia.cli.main import main

LAUNCH = "import sys; from aitia.cli.main import main; sys.exit(main())"


def launch(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", LAUNCH, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


def test_version_imports_next_to_nothing(run):
    assert run("--version").out == f"aitia {__version__}\n"
    code = "import sys; from aitia.cli.main import main; main(['--version']); print(len(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout.splitlines()[1]) < 90  # click alone is about 100


def test_version_imports_nothing_heavy():
    code = f"import sys; sys.argv[1:] = ['--version']; {LAUNCH.replace('sys.exit', '')}; print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert not {"click", "numpy", "pydantic", "rich"} & set(eval(done.stdout.splitlines()[-1]))


def test_help_lists_the_commands_and_imports_no_engine(run):
    ran = run()
    assert ran.status == 0
    listed = [line.split()[0] for line in ran.out.partition("Commands:")[2].splitlines() if line.strip()]
    assert listed == [*COMMANDS, "Start"]
    assert run("--help") == run("-h") == ran
    code = f"import sys; sys.argv[1:] = ['--help']; {LAUNCH.replace('sys.exit', '')}; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize(
    "command", ["build", "plan", "update", "ask", "retrieve", "show", "check", "export", "import", "demo"]
)
def test_every_command_has_help(run, command):
    ran = run(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: aitia {command} ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["--nonsense"], "No such option"),
        (["check"], "Missing option '--index'"),
        (["check", "--index"], "Option '--index' requires an argument"),
        (["show", "nonsense", "--index", "x"], "is not one of"),
        (["ask", "--index", "x"], "Missing argument 'QUESTION'"),
        (["ask", "a", "b", "--index", "x"], "unexpected extra argument"),
        (["build", "--index", "x"], "Missing argument 'CORPUS...'"),
        (["build", "x", "--index", "y", "--seed", "one"], "is not a valid integer"),
        (["export", "--index", "x", "--format", "xml"], "is not one of"),
    ],
)
def test_usage_errors_are_one_line(run, arguments, message):
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("aitia: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert "--help" in ran.err


def test_messages_are_short_and_safe(run):
    for length in (9, 5000):  # the second is no possible name
        ran = run("show", "stats", "--index", "no\x1b[31m\nsuch" + "x" * length)
        assert ran.status == 1
        assert ran.err.startswith("aitia: no\\x1b[31m suchxxxxxxxxx")
        assert len(ran.err) < 700
        assert ran.err.count("\n") == 1


def test_the_index_may_come_from_the_environment(run, tiny, monkeypatch):
    monkeypatch.setenv("AITIA_INDEX", str(tiny))
    assert run("check").out == "nothing found\n"


def broken(error):
    def opened(index):
        raise error

    return opened


def test_what_nobody_expected_is_one_line_too(run, monkeypatch):
    monkeypatch.setattr(check_module, "opened", broken(ZeroDivisionError("a\x1b\nb")))
    ran = run("check", "--index", "x")
    assert ran.status == 1
    assert ran.err == (
        "aitia: unexpected ZeroDivisionError: a\\x1b b; this is a fault of Aitia, AITIA_DEBUG=1 shows where\n"
    )


def test_the_traceback_is_there_for_the_asking(run, monkeypatch):
    monkeypatch.setattr(check_module, "opened", broken(ZeroDivisionError("x")))
    monkeypatch.setenv("AITIA_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["check", "--index", "x"])


def test_an_interrupt_is_one_line(run, monkeypatch):
    monkeypatch.setattr(check_module, "opened", broken(KeyboardInterrupt()))
    assert run("check", "--index", "x") == type(run("--version"))(130, "", "aitia: interrupted\n")


def test_a_closed_pipe_is_no_error(tiny):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", LAUNCH, "show", "stats", "--index", str(tiny)]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["show", "stats", "--index"], ["export", "--index"]]
)
def test_a_full_device_is_one_line(tiny, arguments):
    place = [str(tiny)] if arguments[-1] == "--index" else []
    command = [sys.executable, "-c", LAUNCH, *arguments, *place]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.stderr == b"aitia: cannot write the output: No space left on device\n"
    assert done.returncode == 1


def test_output_that_has_no_utf_8_is_still_output(tiny):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = launch("show", "edges", "--json", "--index", str(tiny), env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()

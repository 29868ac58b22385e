"""The entry point of ``aitia``: runs a subcommand, and turns every failure into one line and an exit status."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from aitia import __version__
from aitia.cli.text import LONGEST_MESSAGE, safe_line
from aitia.errors import AitiaError

INTERRUPTED = 130
PIPE_CLOSED = 141
DEVICE_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        status = _run(list(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _report("interrupted", INTERRUPTED)
    except Exception as error:
        return _handle(error)
    return status if isinstance(status, int) else 0


def _run(arguments: list[str]) -> object:
    if arguments == ["--version"]:  # before click is imported, which takes most of the time
        sys.stdout.write(f"aitia {__version__}\n")
        return 0
    from aitia.cli.group import aitia

    return aitia.main(arguments, prog_name="aitia", standalone_mode=False)


def _handle(error: Exception) -> int:
    """Say in one line what went wrong; the exit status."""
    import click

    from aitia.cli.group import Interrupted, PipeClosed

    if isinstance(error, AitiaError):
        return _report(str(error), error.exit_status)
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "aitia"
        return _report(f"{error.format_message().rstrip('.')}; see: {command} --help", error.exit_code)
    if isinstance(error, Interrupted | click.Abort):
        return _report("interrupted", INTERRUPTED)
    if isinstance(error, PipeClosed | BrokenPipeError):
        _drop_output()
        return PIPE_CLOSED
    if isinstance(error, OSError) and (error.filename is not None or error.errno in DEVICE_FAULTS):
        return _report_system(error)
    if os.environ.get("AITIA_DEBUG"):
        raise error
    reason = safe_line(f"{type(error).__name__}: {error}", LONGEST_MESSAGE // 2)
    return _report(f"unexpected {reason}; this is a fault of Aitia, AITIA_DEBUG=1 shows where", 1)


def _report_system(error: OSError) -> int:
    if error.filename is not None:
        return _report(f"{error.filename} cannot be used ({error.strerror}); check the path", 1)
    _drop_output()  # files are written under their names: without one it is standard output
    return _report(f"cannot write the output: {error.strerror}", 1)


def _drop_output() -> None:
    """Let what is left in the buffer go: flushing it at exit would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(message: str, status: int) -> int:
    sys.stderr.write(f"aitia: {safe_line(message, LONGEST_MESSAGE)}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())

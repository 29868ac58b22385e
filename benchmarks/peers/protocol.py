"""The adapter's end of the protocol: one JSON line in, one JSON line out (docs/evaluation/peers.md).

Runs in a peer's environment, so it imports the standard library alone.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

Message = dict[str, Any]


def serve(
    build: Callable[[Message], Message], open: Callable[[Message], Callable[[Message], Message]]
) -> None:
    """Say that the imports are done, then answer until standard input ends, and end with it at once.

    ``build`` answers with ``nodes`` and ``edges``; ``open`` returns what answers a question with ``reply`` and
    ``contexts``. An exception of theirs is the answer ``error``, and its traceback goes to standard error, as
    does whatever the peer prints.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # the end, when it comes, waits for no buffer
    answers.write('{"ready": true}\n')
    answers.flush()
    messages: Queue[Message] = Queue()
    Thread(target=_read, args=(messages,), daemon=True).start()
    ask: Callable[[Message], Message] | None = None
    while True:
        message = messages.get()
        try:
            if message["do"] == "build":
                answer = build(message)
            elif message["do"] == "open":
                ask, answer = open(message), {}
            elif ask is None:
                answer = {"error": "asked before it was opened"}
            else:
                answer = ask(message)
        except BaseException as error:
            traceback.print_exc()
            words = " ".join(str(error).split())[:400]
            answer = {"error": f"{type(error).__name__}: {words}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _read(messages: Queue[Message]) -> None:
    for line in sys.stdin:
        messages.put(json.loads(line))
    os._exit(0)  # whoever asked is gone: nobody would pay for what is still running


def texts(corpus: str) -> dict[str, str]:
    """The documents of a build, by the name that ``documents`` of an answer gives them."""
    return {file.stem: file.read_text("utf-8") for file in sorted(Path(corpus).glob("*.txt"))}


def _use_packaged_vocabularies() -> None:
    """Let tiktoken find its vocabularies in the package litellm, as it cannot fetch them offline."""
    found = find_spec("litellm")
    if found and found.origin:
        folder = Path(found.origin).parent / "litellm_core_utils" / "tokenizers"
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)


_use_packaged_vocabularies()

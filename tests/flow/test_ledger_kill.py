"""A reply that was paid for survives SIGKILL at any moment, and is never asked for again."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

from aitia.clients.protocols import LLMRequest
from aitia.storage.ledger import SqliteLedger

COMMITS = """
import sys
from pathlib import Path
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.storage.ledger import SqliteLedger
ledger = SqliteLedger(Path(sys.argv[1]))
for i in range(100_000):
    key = f"{sys.argv[2]} {i}"
    ledger.add_reply("m", key, LLMRequest("s", "p", "system", key), LLMReply("of " + key))
    print(key, flush=True)
"""

BUILD = """
import os, sys, time
from pathlib import Path
from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLMRequest
from aitia.storage.ledger import SqliteLedger
from aitia.testing.scripted_llm import ScriptedLLM
log = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def answer(request):
    os.write(log, f"{request.user}\\n".encode())
    time.sleep(0.01)
    return f"of {request.user}"
inner = ScriptedLLM(answer, jobs=4, seed=int(sys.argv[3]))
llm = LedgerLLM(inner, SqliteLedger(Path(sys.argv[1])), settings=LLMSettings(model="scripted"))
print("ready", flush=True)
replies = llm.map([LLMRequest("s", "p", "system", f"{i}") for i in range(240)])
assert [reply.text for reply in replies] == [f"of {i}" for i in range(240)]
"""


def test_every_commit_that_returned_is_there_after_a_kill(tmp_path):
    path = tmp_path / "ledger.db"
    returned = []
    for round_, commits in enumerate((1, 3, 8, 20)):
        command = [sys.executable, "-c", COMMITS, str(path), f"{round_}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            returned += [process.stdout.readline().strip() for _ in range(commits)]
            process.kill()
            returned += process.stdout.read().split("\n")[:-1]
        assert process.returncode == -signal.SIGKILL
        kept = SqliteLedger(path).replies(returned)
        assert {key: reply.text for key, reply in kept.items()} == {key: f"of {key}" for key in returned}


def test_a_killed_step_repeats_only_what_was_in_flight(tmp_path):
    path, log = tmp_path / "ledger.db", tmp_path / "asked"
    keys = {LLMRequest("s", "p", "system", f"{i}").key("scripted"): f"{i}" for i in range(240)}
    moments = random.Random(0)
    asked: list[str] = []
    for kill in (True,) * 3 + (False,):
        kept = {keys[key] for key in SqliteLedger(path).replies(list(keys))}
        command = [sys.executable, "-c", BUILD, str(path), str(log), f"{len(asked)}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            if kill:
                time.sleep(moments.uniform(0.02, 0.15))
                process.kill()
        assert process.returncode == (-signal.SIGKILL if kill else 0)
        now = log.read_text().split()[len(asked) :]
        assert kept.isdisjoint(now)
        asked += now
    assert sorted(set(asked)) == sorted(keys.values())
    assert len(asked) <= 240 + 4 * 3
    assert [total.calls for total in SqliteLedger(path).totals()] == [240]

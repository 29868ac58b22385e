from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from aitia.errors import PeerError
from aitia.evaluation.peers import process as peer_process
from aitia.evaluation.peers.process import PeerProcess, one_line

LOOP = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    message = json.loads(line)
    {body}
"""


@pytest.fixture
def start(tmp_path):
    started = []

    def start(body: str) -> PeerProcess:
        script = tmp_path / "adapter.py"
        script.write_text(LOOP.format(body=body))
        process = PeerProcess(
            "fake", (sys.executable, script), tmp_path / "log" / "fake.log", tmp_path / "home"
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.close()


def told(process: PeerProcess, timeout_s: float = 10.0) -> str:
    with pytest.raises(PeerError) as caught:
        process.ask({"do": "ask"}, timeout_s)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_line_for_a_line(start):
    process = start("print(json.dumps({'got': message}), flush=True)")
    assert process.ask({"do": "ask", "question": "ä\n"}, 10) == {"got": {"do": "ask", "question": "ä\n"}}
    assert process.ask({"do": "open"}, 10) == {"got": {"do": "open"}}


def test_its_own_error_leaves_it_running(start):
    process = start("print(json.dumps({'error': 'no\\nindex'}), flush=True)")
    assert told(process).startswith("peer fake failed at 'ask': no index. Its log: ")
    assert process.alive


def test_silence_ends_it(start):
    process = start("time.sleep(60)")
    began = time.perf_counter()
    assert "gave no answer to 'ask' in 0.3 s" in told(process, 0.3)
    assert not process.alive
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(("printed", "shown"), [("Loading model...", "Loading model..."), ("[1]", "[1]")])
def test_what_is_no_object_ends_it(start, printed, shown):
    process = start(f"print({printed!r}, flush=True)")
    assert f"answered 'ask' with {shown!r}; expected a JSON object" in told(process)
    assert not process.alive


def test_an_end_is_told_with_its_last_words(start):
    process = start("print('out of\\tmemory', file=sys.stderr); sys.exit(3)")
    assert "ended amid 'ask' with exit status 3 (out of memory)" in told(process)


def test_an_answer_without_end_is_not_kept(start, monkeypatch):
    monkeypatch.setattr(peer_process, "MOST_CHARACTERS", 100)
    process = start("print('{' + 'x' * 1000, flush=True)")
    assert "answered 'ask' with more than 100 characters" in told(process)
    assert not process.alive


def test_who_speaks_twice_is_ended_before_answers_shift(start):
    process = start("print('{}\\n{}', flush=True)")
    assert process.ask({"do": "ask"}, 10) == {}
    deadline = time.monotonic() + 5
    while process._answers.empty() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "spoke without being asked" in told(process)
    assert not process.alive


def test_it_inherits_no_variable(start, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    process = start("print(json.dumps(dict(os.environ)), flush=True)")
    found = process.ask({"do": "ask"}, 10)
    assert "OPENAI_API_KEY" not in found
    assert found["HOME"] == str(tmp_path / "home")


def test_its_children_end_with_it(start):
    child = "subprocess.Popen(['sleep', '60'], stdout=subprocess.DEVNULL).pid"
    process = start(f"print(json.dumps({{'pid': {child}}}), flush=True)")
    pid = process.ask({"do": "ask"}, 10)["pid"]
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        pytest.skip("no /proc here")
    process.close()
    deadline = time.monotonic() + 5
    while status.exists() and status.read_text().split()[2] != "Z" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not status.exists() or status.read_text().split()[2] == "Z"


def test_closing_twice_is_closing_once(start):
    process = start("pass")
    process.close()
    process.close()
    assert not process.alive


def test_no_such_program(tmp_path):
    with pytest.raises(PeerError, match="peer fake cannot be started"):
        PeerProcess("fake", (tmp_path / "none",), tmp_path / "log", tmp_path)


def test_words_of_a_stranger_are_one_short_line():
    assert one_line("a\x1b]0;title\x07\n b", 20) == "a ]0;title b"
    assert one_line("x" * 30, 10) == "x" * 10 + "..."

"""What lies in benchmarks/peers holds together, without any peer installed."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks" / "peers"
PEERS = sorted(file.parent for file in FOLDER.glob("*/peer.toml"))
PROMPT = """Format each entity as ("entity"<|><name><|><type><|><description>)
Entity_types: PERSON,GEO
Text: nothing
######################
Entity_types: DISEASE,DRUG
Text: Basal cell cancer follows strong sunlight. Thin clouds help.
######################
Output:"""


@pytest.fixture(scope="module")
def respond():
    spec = importlib.util.spec_from_file_location("responder", FOLDER / "responder.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda user, system="": module.respond(
        [{"role": "system", "content": system}, {"role": "user", "content": user}]
    )


def test_the_four_are_there():
    assert [peer.name for peer in PEERS] == ["fast-graphrag", "graphrag", "lightrag", "minirag"]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_is_whole(peer):
    settings = tomllib.loads((peer / "peer.toml").read_text("utf-8"))
    assert settings["default"] in settings["modes"]
    readme = (peer / "README.md").read_text("utf-8")
    assert f"Licence: {settings['licence']}" in readme
    assert re.search(r"^Pinned: ", readme, re.MULTILINE)
    adapter = (peer / "adapter.py").read_text("utf-8")
    assert "serve(build, open_index)" in adapter
    assert not re.search(r"^\s*(from|import) aitia", adapter, re.MULTILINE)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_every_package_is_pinned_by_hash(peer):
    lock = (peer / "requirements.lock").read_text("utf-8")
    entries = lock.replace("\\\n", " ").splitlines()
    assert len(entries) > 20
    assert [each[:60] for each in entries if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:", each)] == []
    for source in peer.glob("source.txt"):
        assert re.fullmatch(r"git\+https://\S+@[0-9a-f]{40}\n", source.read_text("utf-8"))


def test_nothing_of_a_peer_is_imported_by_aitia():
    names = re.compile(
        r"^\s*(?:from|import) (lightrag|graphrag|fast_graphrag|minirag|protocol)\b", re.MULTILINE
    )
    package = FOLDER.parents[1] / "src" / "aitia"
    assert [file.name for file in package.rglob("*.py") if names.search(file.read_text("utf-8"))] == []


def test_setup_names_the_peers():
    done = subprocess.run([FOLDER / "setup", "nobody"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.rstrip().endswith(" ".join(peer.name for peer in PEERS))
    assert os.access(FOLDER / "setup", os.X_OK)


def test_the_stand_in_extracts_from_the_last_text(respond):
    sentence = "Basal cell cancer follows strong sunlight."
    assert respond(PROMPT).split("\n##\n") == [
        f'("entity"<|>Basal Cell Cancer<|>DISEASE<|>{sentence})',
        f'("entity"<|>Strong Sunlight<|>DISEASE<|>{sentence})',
        '("entity"<|>Thin Clouds Help<|>DISEASE<|>Thin clouds help.)',
        f'("relationship"<|>Basal Cell Cancer<|>Strong Sunlight<|>{sentence}<|>5)\n<|COMPLETE|>',
    ]


def test_the_stand_in_has_nothing_to_add(respond):
    assert respond("MANY entities were missed in the last extraction. Add them below") == "<|COMPLETE|>"
    assert respond("some may have still been missed. Answer Y if so") == "N"


def test_the_stand_in_fills_the_fields_a_prompt_names(respond):
    asked = 'Give "high_level_keywords" and "low_level_keywords".\nUser Query: What is basal cell cancer?\n'
    assert json.loads(respond(asked)) == {
        "high_level_keywords": ["Basal Cell Cancer"],
        "low_level_keywords": ["Basal Cell Cancer"],
    }
    schema = 'the json_schema: {"properties": {"answer": {"type": "string"}}}'
    assert json.loads(respond("# INPUT DATA\none two", schema)) == {"answer": "one two"}
    assert respond("Context follows\n---Context---\none two") == "one two"


def test_the_stand_in_answers_alike_and_knows_aitias_own_prompts(respond):
    assert respond(PROMPT) == respond(PROMPT)
    own = respond("<evidence>\n</evidence>", "Task: split a text into its facts.\n")
    assert json.loads(own) == {"facts": []}

from pathlib import Path

import pytest

from aitia.analyst.llm import prompt as module
from aitia.analyst.llm.prompt import Prompt, load_prompts
from aitia.errors import UsageError

SYSTEM = """Task: find metrics

## Example reply
```json
{"metrics": [{"name": "GlowSpan", "signature": ["vorpel"], "quote": "A vorpel glows “long”."}],
 "relations": [{"source": "GlowSpan(vorpel)", "target": "Smoof(vorpel)", "passage": "P1", "quote": "Q1"}],
 "outcomes": [{"metric": "Smoof", "role": "outcome"}],
 "edges": [{"source": "S1", "target": "Level", "pair": 12}]}
```"""
PROMPT = Prompt("metrics", SYSTEM, "## Passages\n$passages")


@pytest.fixture
def packaged(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "packaged"
    folder.mkdir()
    (folder / "metrics.md").write_text(f"{SYSTEM}\n\n=== user ===\n\n## Passages\n$passages\n", "utf-8")
    (folder / "answer.md").write_text("Task: answer\n=== user ===\n$question ${evidence} {} $$5\n", "utf-8")
    (folder / "notes.txt").write_text("no prompt", "utf-8")
    monkeypatch.setattr(module, "_folder", lambda: folder)
    return folder


@pytest.fixture
def own(tmp_path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def test_a_file_is_a_system_part_and_a_template(packaged):
    assert load_prompts() == {
        "answer": Prompt("answer", "Task: answer", "$question ${evidence} {} $$5"),
        "metrics": PROMPT,
    }


def test_the_user_part_is_rendered_and_the_fields_are_not(packaged):
    answer = load_prompts()["answer"]
    assert answer.placeholders == {"question", "evidence"}
    assert answer.render(question="Why $evidence?", evidence="${x} $$") == "Why $evidence? ${x} $$ {} $5"


def test_other_fields_than_placeholders_are_a_mistake_of_ours():
    with pytest.raises(
        ValueError, match="prompt metrics: fields and placeholders differ in pasages, passages"
    ):
        PROMPT.render(pasages="x")


def test_a_file_of_the_user_replaces_its_prompt_alone(packaged, own):
    (own / "metrics.md").write_bytes(
        "\ufeffMine, $5 each\r\n=== user === \r\nRead:\r\n$passages\r\n".encode()
    )
    prompts = load_prompts(own)
    assert prompts["metrics"] == Prompt("metrics", "Mine, $5 each", "Read:\n$passages")
    assert prompts["answer"].system == "Task: answer"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"Task\n$passages", "no system part before a line '=== user ==='"),
        (b"\n=== user ===\n$passages", "no system part before a line '=== user ==='"),
        (b"Task === user ===\n$passages", "no system part before a line '=== user ==='"),
        (b"Task\n=== user ===\n$passages $pasage", "placeholder pasage is unknown; expected passages"),
        (b"Task\n=== user ===\nRead this", "placeholder passages is missing in the user part"),
        (b"Task $passages\n=== user ===\nx", "placeholder passages is missing in the user part"),
        (
            b"Task\n=== user ===\n$passages for $5",
            "a \\$ in the user part begins no placeholder; write \\$\\$",
        ),
        (
            b"Task\n## Example reply\n```json\n{,}\n```\n=== user ===\n$passages",
            "example reply is no JSON object",
        ),
        (
            b"Task\n## Example reply\n```json\n[]\n```\n=== user ===\n$passages",
            "no JSON object .not an object",
        ),
        (b"Task \xff\n=== user ===\n$passages", "cannot be read .not UTF-8."),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(packaged, own, text, message):
    (own / "metrics.md").write_bytes(text)
    with pytest.raises(UsageError, match=message) as error:
        load_prompts(own)
    assert str(error.value).startswith(f"prompt file {own / 'metrics.md'}")
    assert "\n" not in str(error.value)


def test_a_file_of_no_prompt_and_a_folder_that_is_none(packaged, own):
    (own / "metric.md").write_text("x", "utf-8")
    with pytest.raises(UsageError, match=r"metric\.md: no prompt is called so; expected answer, metrics"):
        load_prompts(own)
    with pytest.raises(UsageError, match="is no folder"):
        load_prompts(own / "metric.md")


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"name": "glowspan", "quote": "its own"}, ("glowspan",)),
        ({"name": "Level", "quote": 'a  VORPEL glows "long".'}, ('a vorpel glows "long".',)),
        ({"source": "GlowSpan(vorpel)", "target": "Smoof(vorpel)"}, ("glowspan(vorpel)", "smoof(vorpel)")),
        ({"metric": "Smoof", "role": "terminal"}, ("smoof",)),
        ({"source": "GlowSpan(vorpel)", "target": "Level(bee)", "passage": "P1", "quote": "Q1"}, ()),
        ({"metric": "Smoof", "entities": ["bee"], "quote": ""}, ()),
        ({"source": "S1", "target": "Level", "pair": 12}, ()),
        ({"name": "", "quote": None}, ()),
        ({"name": ["GlowSpan"]}, ()),
        ("GlowSpan", ()),
        ({}, ()),
    ],
)
def test_what_repeats_the_example(item, words):
    assert PROMPT.repeated(item) == words


def test_without_an_example_nothing_repeats_it():
    assert not Prompt("answer", "Task: answer", "$question").repeated({"name": "x"})


def test_every_packaged_prompt_loads_and_begins_with_its_task():
    prompts = load_prompts()
    tasks = [prompt.system.splitlines()[0] for prompt in prompts.values()]
    assert all(task.startswith("Task: ") for task in tasks)
    assert len(set(tasks)) == len(prompts) > 0

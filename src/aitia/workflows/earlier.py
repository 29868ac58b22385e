"""What a person wrote into the files of an earlier build, so that a new build neither loses nor ignores it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aitia.errors import IndexFolderError
from aitia.spec.model import OutcomeConfig
from aitia.spec.yaml_file import parse_spec, read_outcomes, read_spec
from aitia.spec.yaml_nodes import read_text
from aitia.workflows import folder as files


def earlier_outcomes(target: Path) -> OutcomeConfig | None:
    """The roles of the index's own outcome file, unless they are the ones that a build proposed."""
    path = target / files.OUTCOMES
    if not path.exists() or not (target / files.DATABASE).exists():
        return None
    facts = _last_facts(target)
    if facts is not None and read_text(path) == facts.get("outcomes_proposed"):
        return None
    return read_outcomes(path)


def is_complete(target: Path) -> bool:
    """Whether the folder holds an index that lacks no part of its corpus."""
    facts = _last_facts(target) if (target / files.DATABASE).exists() else None
    return facts is not None and facts.get("status") == "complete"


def untouched_spec(target: Path) -> str | None:
    """The specification's text of an earlier build, if a person has changed nothing in it but comments.

    Where ``index.db`` is damaged nobody can tell; then a copy of the file is kept beside it.

    Raises:
        IndexFolderError: it was edited since, and building would lose the edits.

    """
    path = target / files.SPEC
    if not path.exists() or not (target / files.DATABASE).exists():
        return None
    text = read_text(path)
    facts = _last_facts(target)
    if facts is None:
        path.with_name(f"{files.SPEC}.old").write_text(text, "utf-8", newline="")
        return None
    generated = facts.get("spec_text", "")
    if text == generated:
        return text
    if not generated or read_spec(path) != parse_spec(generated):
        raise IndexFolderError(
            f"{path} was edited since the last build, which a rebuild would overwrite; "
            "copy it elsewhere and delete it to build afresh"
        )
    return text


def _last_facts(target: Path) -> dict[str, Any] | None:
    """The facts of the last build; None where its index is damaged, which a new build mends."""
    try:
        return files.open_store(target).facts()
    except IndexFolderError:
        return None

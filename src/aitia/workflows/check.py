"""Is an index whole? Every check says in one line what it found; an index as built has no finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from aitia.errors import AitiaError, SpecError
from aitia.spec.curation_file import read_decisions
from aitia.spec.yaml_file import parse_spec, read_outcomes
from aitia.spec.yaml_nodes import read_text
from aitia.storage.integrity import find_contradictions, find_damage
from aitia.workflows import folder as files
from aitia.workflows.check_entities import ENTITY_CHECKS
from aitia.workflows.check_graph import GRAPH_CHECKS
from aitia.workflows.check_questions import QUESTION_CHECKS
from aitia.workflows.check_text import TEXT_CHECKS
from aitia.workflows.decided import decided_of
from aitia.workflows.earlier import find_repeated
from aitia.workflows.index import Index

Check = Callable[[Index], Iterator[str]]

METHOD_CHECKS: Mapping[str, tuple[Check, ...]] = {
    "hcg": GRAPH_CHECKS,
    "qcg": QUESTION_CHECKS,
    "hug": ENTITY_CHECKS,
}
"""What is checked of a method's own, beside the text index that all have."""


def check_index(index: Index) -> list[str]:
    """All findings, a line each. Where the database itself is damaged, that alone is reported."""
    damage = find_damage(index.folder / files.DATABASE)
    if damage:
        return damage
    findings: list[str] = []
    checks: tuple[Check, ...] = (
        _rows,
        _settings,
        _embedder,
        _spec,
        _curation,
        _outcomes,
        _ledger,
        *TEXT_CHECKS,
    )
    for check in (*checks, *METHOD_CHECKS.get(index.method, ())):
        try:
            findings.extend(check(index))
        except AitiaError as error:
            findings.append(str(error))
        except (ValueError, LookupError, TypeError) as error:
            # What cannot even be compared, as an array of another kind.
            name = check.__name__.strip("_")
            findings.append(f"{name}: cannot be checked ({type(error).__name__}: {error})")
    return list(dict.fromkeys(findings))  # a row that cannot be read fails every check that needs it


def check_notes(index: Index) -> list[str]:
    """What is no damage and yet to be known, a line each: decisions that could not be applied or stand twice."""
    if find_damage(index.folder / files.DATABASE):
        return []
    try:
        decisions = read_decisions(index.folder / files.CURATION)
        found = decided_of(index.store, decisions)
    except (AitiaError, ValueError, LookupError, TypeError):
        return []  # which is a finding
    lost = [
        f"{files.CURATION}: {each.line}"
        for each in found
        if each.status in ("lost", "conflict") and not each.pending
    ]
    return [*lost, *find_repeated(decisions)]


def _rows(index: Index) -> Iterator[str]:
    yield from find_contradictions(index.folder / files.DATABASE)


def _settings(index: Index) -> Iterator[str]:
    if index.settings != index.store.facts().get("settings"):
        yield f"{files.SETTINGS}: edited; it is not what the index was built with"


def _embedder(index: Index) -> Iterator[str]:
    """The vectors' embedder is recorded, and a local one is still the same."""
    recorded = index.settings["embedder"]
    if not recorded["hash"]:
        yield f"{files.SETTINGS}: no hash of the embedder is recorded"
    if recorded["id"] == "minilm" or recorded["id"].startswith("dir:"):
        found = index.embedder.dimensions  # opening compares the hashes
        if found != recorded.get("dimensions"):
            yield f"{files.SETTINGS}: {recorded.get('dimensions')} dimensions, but {recorded['id']} has {found}"


def _spec(index: Index) -> Iterator[str]:
    path = index.folder / files.SPEC
    built = index.store.facts().get("spec_text", "")
    if not path.exists():
        if built:
            yield f"{files.SPEC}: missing; aitia show spec prints it as built"
        return
    text = read_text(path)
    try:
        spec = parse_spec(text)
    except SpecError as error:
        yield str(error)
        return
    if text != built:
        changed = not built or spec != index.spec
        what = "; run aitia apply" if changed else " (comments or order only)"
        yield f"{files.SPEC}: edited since the build{what}"


def _outcomes(index: Index) -> Iterator[str]:
    path = index.folder / files.OUTCOMES
    if path.exists():
        try:
            read_outcomes(path)
        except SpecError as error:
            yield str(error)


def _curation(index: Index) -> Iterator[str]:
    """Every decision is in the index."""
    decisions = read_decisions(index.folder / files.CURATION)
    waiting = sum(each.pending for each in decided_of(index.store, decisions))
    if waiting or len(decisions) < len(index.store.facts().get("decisions", ())):
        yield f"{files.CURATION}: {waiting} decisions are not in the index; run aitia apply"


def _ledger(index: Index) -> Iterator[str]:
    path = index.folder / files.LEDGER
    if path.exists():
        yield from find_damage(path)

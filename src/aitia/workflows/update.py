"""Updating an index: what is new is read by the vocabulary of then, and what is gone takes its evidence along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack, cast

from aitia.corpus.document import Corpus
from aitia.errors import CorpusError, IndexFolderError, UsageError
from aitia.spec.model import OutcomeConfig
from aitia.spec.yaml_file import read_outcomes
from aitia.storage.contents import Store
from aitia.workflows import folder as files
from aitia.workflows.apply import apply_decisions
from aitia.workflows.build import BuildOptions, read_chunks
from aitia.workflows.changes import Changes, compare_documents
from aitia.workflows.earlier import take_edits
from aitia.workflows.index import Index, check_options, open_index
from aitia.workflows.remake import RemakeOptions, check_recorded, own_options, remake


class UpdateOptions(RemakeOptions, total=False):
    """Options of an update; everything else is the index's own."""

    stdin: str
    allow_removal: bool


def update_index(
    sources: str | Path | Sequence[str | Path], index: str | Path, **options: Unpack[UpdateOptions]
) -> tuple[Index, Changes]:
    """Bring an index up to date with ``sources``, the whole corpus as it is now, and say what changed.

    Vocabulary, templates, thresholds and settings stay those of the build. Variables and relations of changed
    reading windows are found anew, and new pairs judged; what stood in documents that are gone goes, with
    the edges that nothing else supports. Where nothing changed the index is left as it is.

    Raises:
        AitiaError: with one line that says what to do; the index is as it was.
        LimitReached: ``max_calls``, ``max_cost`` or the provider's quota; the same call goes on from there.
        PartialBuild: parts of the corpus got no usable reply; the same call asks for them again.

    """
    check_options(options, UpdateOptions)
    target = Path(index)
    files.open_store(target)
    with files.locked(target):
        before = open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key"))
        facts = before.store.facts()
        _check_whole(before, facts)
        chosen = own_options(before, options)
        reading = cast("BuildOptions", options)
        corpus, chunks = read_chunks(sources, str(before.settings["splitter"]), reading)
        changes = compare_documents(before.store.documents(), corpus.documents)
        _check_some_left(target, changes, options.get("allow_removal", False))
        if _is_same(before.store, facts, corpus):
            applied = apply_decisions(before, chosen)
            calls, edits = applied.calls, applied.taken
        else:
            taken = take_edits(target)
            calls, edits = remake(before, taken, corpus, chunks, chosen), taken.edits
        changes = replace(changes, calls=calls, taken=edits)
    return open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key")), changes


def _check_whole(index: Index, facts: Mapping[str, Any]) -> None:
    """Refuse an index that cannot be updated: partial, edited beside the build, or of an older version."""
    folder = index.folder
    if index.settings.get("imported"):
        raise UsageError(f"{folder} was made from a graph, not from documents; run aitia import again")
    if facts.get("status") != "complete":
        raise IndexFolderError(
            f"{folder} is partial, so there is no whole index to update; run aitia build again, which asks for "
            "the missing parts only"
        )
    check_recorded(index, facts)
    if index.method != "hcg":
        return
    if "closed_dimensions" not in facts:
        raise IndexFolderError(
            f"{folder} was built by a version that did not keep what an update needs; build it again"
        )
    path = folder / files.OUTCOMES
    if path.exists() and read_outcomes(path) != OutcomeConfig.model_validate(facts["outcomes"]):
        raise IndexFolderError(
            f"{path} was edited since the build, and other roles are other edges; build the index again"
        )


def _check_some_left(folder: Path, changes: Changes, allow_removal: bool) -> None:
    """Refuse a corpus that lacks most documents: the new ones alone, or a wrong path, would empty the index."""
    gone, left = len(changes.removed), len(changes.unchanged) + len(changes.renamed) + len(changes.changed)
    if gone and not left:
        raise CorpusError(
            f"none of the {gone:,} documents of {folder} is in the corpus any more; expected the "
            "whole corpus as it is now, check the path or build a new index"
        )
    if gone > left and not allow_removal:
        raise CorpusError(
            f"{gone:,} of the {gone + left:,} documents of {folder} are not in the corpus any more; expected the whole "
            "corpus as it is now, with --allow-removal if they are gone for good"
        )


def _is_same(store: Store, facts: Mapping[str, Any], corpus: Corpus) -> bool:
    """Whether the corpus is the one that the index holds, to the names and the skipped files."""
    return (
        store.documents() == list(corpus.documents)
        and store.skipped() == list(corpus.skipped)
        and facts.get("notes") == [[note.path, note.text] for note in corpus.notes]
    )

"""One door to every dataset, by its name or by a path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets.dataset import Dataset
from aitia.evaluation.datasets.epilepsyqa import load_epilepsyqa
from aitia.evaluation.datasets.graphrag_bench import load_graphrag_bench
from aitia.evaluation.datasets.holisqa import DEFAULT_DOMAIN, load_holisqa
from aitia.evaluation.datasets.lihua_world import load_lihua_world
from aitia.evaluation.datasets.multihop_rag import load_multihop_rag
from aitia.evaluation.datasets.plain import load_own

_WHOLE: dict[str, Callable[[Path], Dataset]] = {
    "medical": lambda data: load_graphrag_bench("medical", data),
    "lihua-world": load_lihua_world,
    "multihop-rag": load_multihop_rag,
    "epilepsyqa": load_epilepsyqa,
}
_IN_PARTS: dict[str, Callable[[Path, str], Dataset]] = {
    "novel": lambda data, source: load_graphrag_bench("novel", data, source),
    "holisqa": lambda data, domain: load_holisqa(data, domain or DEFAULT_DOMAIN),
}
DATASETS = ("medical", "novel", "lihua-world", "holisqa", "multihop-rag", "epilepsyqa")


def load_dataset(spec: str, data: Path | None = None, corpus: Path | None = None) -> Dataset:
    """A dataset by name, from a data folder, or from the path of a user's questions.

    A name is one of `DATASETS`, ``novel:SOURCE`` or ``holisqa:DOMAIN``; write ``./medical`` for a folder of
    that name. ``corpus`` goes with a path. The layout, ours or the published one, is found by what is there.
    Raises UsageError for a name, a part or a folder that is not there, CorpusError for data that are missing
    from it or damaged.
    """
    try:
        return _load(spec, data, corpus)
    except OSError as error:
        raise CorpusError(
            f"{error.filename or spec}: cannot be read ({error.strerror or error}); expected a folder to read"
        ) from error


def _load(spec: str, data: Path | None, corpus: Path | None) -> Dataset:
    name, _, part = spec.partition(":")
    if name not in DATASETS:
        if not (Path(spec).exists() or "/" in spec or "." in spec):
            raise UsageError(
                f"dataset {spec!r} is unknown; expected {', '.join(DATASETS)}, novel:SOURCE, holisqa:DOMAIN, "
                "or the path of a folder or file of questions"
            )
        return load_own(Path(spec), corpus)
    if corpus is not None:
        raise UsageError(f"dataset {name!r} has a corpus of its own; expected --corpus with a path only")
    if ":" in spec and (name not in _IN_PARTS or not part):
        raise UsageError(
            f"dataset {spec!r} has no such part; expected {name}, novel:SOURCE or holisqa:DOMAIN"
        )
    if data is None:
        raise UsageError(f"dataset {name!r} needs the folder it lies in; give it with --data")
    if not data.is_dir():
        raise UsageError(f"{data}: is no folder; expected the one that holds {name}, give it with --data")
    return _IN_PARTS[name](data, part) if name in _IN_PARTS else _WHOLE[name](data)

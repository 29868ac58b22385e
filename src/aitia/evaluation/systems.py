"""The systems of a benchmark by their names: ``METHOD[:PART][+VARIANT...][@WORDS]``.

hcg:S                       a method, of hcg with its tier: retrieval ``graph``, as published
hcg:S+fused, hug+fused      another retrieval of the same index
hcg:S+nodes_only            another context: nodes_only, in_context
hug+gates=false             a setting of the retrieval
plain:naive                 a ranking of the text; all of them share one index
plain:hybrid@3000           at most so many words of evidence
peer:lightrag               a system of others, which a command of its own answers
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from aitia.errors import UsageError
from aitia.methods import METHODS
from aitia.methods.settings import check_names, read_settings
from aitia.retrieval.rankings import RANKINGS
from aitia.spec.tiers import TIERS

GRAPHS = tuple(name for name in METHODS if not name.startswith("plain:"))
PLAIN_BUILD = "plain:hybrid"
"""The index of every plain ranking: all are computed from the same arrays."""
CONTEXTS = ("nodes_only", "in_context")
PUBLISHED = "graph"
"""The retrieval of a method that has a graph, unless a variant says otherwise."""

_NAME = re.compile(
    r"(?P<method>[a-z]+)(?::(?P<part>[\w.-]+))?(?P<variants>(?:\+[\w.=-]+)*)(?:@(?P<words>\d+))?", re.ASCII
)
_PEER = re.compile(r"[a-z0-9][a-z0-9_-]*")
_VALUES = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class System:
    """A system as parsed. ``name`` is its one spelling, ``build`` the name of its index or, of a peer, its own.

    ``method`` is a value of ``--method``, or ``peer``. ``retrieval`` is empty for a peer; ``budget_words`` is
    None where the benchmark's holds.
    """

    name: str
    build: str
    method: str
    tier: str | None = None
    retrieval: str = ""
    context: str = "evidence"
    settings: Mapping[str, Any] = field(default_factory=dict)
    budget_words: int | None = None

    @property
    def slug(self) -> str:
        """The name as that of a file."""
        return slug_of(self.name)

    @property
    def folder(self) -> str:
        """The name of the folder of its index."""
        return slug_of(self.build)

    @property
    def is_peer(self) -> bool:
        """Whether a command of its own answers."""
        return self.method == "peer"


def slug_of(name: str) -> str:
    """A system's or a build's name as that of a file: its separators become ``-``."""
    return re.sub(r"[:+@=]", "-", name)


def parse_systems(names: str | Sequence[str]) -> tuple[System, ...]:
    """The systems of several names, or of one text with commas.

    Raises:
        UsageError: as `parse_system`, none at all, one named twice, or two with the name of one file.

    """
    parts = names.split(",") if isinstance(names, str) else names
    systems = tuple(parse_system(name.strip()) for name in parts if name.strip())
    if not systems:
        raise UsageError("no system is named; expected for example --methods hcg:S,plain:hybrid")
    slugs: dict[str, str] = {}
    for system in systems:
        other = slugs.setdefault(system.slug.casefold(), system.name)
        if other != system.name or sum(each.name == system.name for each in systems) > 1:
            twice = "is named twice" if other == system.name else f"would share a file with {other!r}"
            raise UsageError(f"system {system.name!r} {twice}; name each once")
    return systems


def parse_system(name: str) -> System:
    """The system of a name.

    Raises:
        UsageError: another form, or a method, part, variant or setting that is not known.

    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise UsageError(f"system {name!r}; expected METHOD[:PART][+VARIANT...][@WORDS], as hcg:S+fused@3000")
    method, part = match["method"], match["part"]
    words = None if match["words"] is None else int(match["words"])
    if words == 0:
        raise UsageError(f"system {name!r}: a budget of 0 words; expected at least 1")
    variants = match["variants"].split("+")[1:]
    if method == "peer":
        return _peer(name, part, variants, words)
    if method == "plain":
        return _plain(name, part or "hybrid", variants, words)
    if method not in GRAPHS:
        known = ", ".join((*GRAPHS, "plain:RANKING", "peer:NAME"))
        raise UsageError(f"system {name!r}: unknown method {method!r}; expected one of {known}")
    tier = _tier(name, method, part)
    build = f"{method}:{tier}" if tier else method
    retrieval, context, settings = _variants(name, method, variants)
    return System(
        _spell(build, retrieval, context, settings, words),
        *(build, method, tier, retrieval, context, settings, words),
    )


def _peer(name: str, part: str | None, variants: Sequence[str], words: int | None) -> System:
    if part is None or not _PEER.fullmatch(part) or variants or words is not None:
        raise UsageError(f"system {name!r}: expected peer:NAME, without variants and words")
    return System(f"peer:{part}", f"peer:{part}", "peer")


def _plain(name: str, ranking: str, variants: Sequence[str], words: int | None) -> System:
    method = f"plain:{ranking}"
    if method not in METHODS:
        known = ", ".join(each.removeprefix("plain:") for each in METHODS if each.startswith("plain:"))
        raise UsageError(f"system {name!r}: unknown ranking {ranking!r}; expected one of {known}")
    if any(variant != "in_context" for variant in variants):
        raise UsageError(f"system {name!r}: a plain ranking has no variant but in_context")
    context = "in_context" if variants else "evidence"
    build = PLAIN_BUILD if ranking in RANKINGS else method
    return System(
        _spell(method, PUBLISHED, context, {}, words), build, build, None, method, context, {}, words
    )


def _tier(name: str, method: str, part: str | None) -> str | None:
    if method != "hcg":
        if part is not None:
            raise UsageError(f"system {name!r}: {method} has no tier; leave :{part} out")
        return None
    tier = (part or "S").upper()
    if tier not in TIERS:
        raise UsageError(f"system {name!r}: unknown tier {part!r}; expected one of {', '.join(TIERS)}")
    return tier


def _variants(name: str, method: str, variants: Sequence[str]) -> tuple[str, str, dict[str, Any]]:
    """Retrieval, context and settings."""
    retrieval, context, settings = "", "", {}
    for variant in variants:
        key, equals, text = variant.partition("=")
        if equals and key not in settings:
            settings[key] = _value(text)
        elif variant in METHODS[method].retrievals and not retrieval:
            retrieval = variant
        elif variant in CONTEXTS and not context:
            context = variant
        else:
            known = ", ".join((*METHODS[method].retrievals, *CONTEXTS, "SETTING=VALUE"))
            raise UsageError(f"system {name!r}: variant {variant!r}; expected each once of {known}")
    if context == "nodes_only" and method != "hcg":
        raise UsageError(f"system {name!r}: nodes_only is a context of hcg only")
    try:
        _check_settings(method, settings)
    except UsageError as error:
        raise UsageError(f"system {name!r}: {error}") from None
    return retrieval or PUBLISHED, context or "evidence", settings


def _check_settings(method: str, settings: Mapping[str, Any]) -> None:
    config = import_module(f"aitia.methods.{method}.config")
    models = [config.QuerySettings, *([config.Ablation] if hasattr(config, "Ablation") else [])]
    check_names(settings, f"setting {{}} of {method}", *models)
    for model in models:
        read_settings(settings, model)


def _value(text: str) -> Any:
    if text in _VALUES:
        return _VALUES[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _spell(start: str, retrieval: str, context: str, settings: Mapping[str, Any], words: int | None) -> str:
    """The name of a system in its one spelling."""
    parts = [retrieval] if retrieval != PUBLISHED else []
    parts += [context] if context != "evidence" else []
    parts += [f"{key}={_told(value)}" for key, value in sorted(settings.items())]
    return "+".join((start, *parts)) + (f"@{words}" if words is not None else "")


def _told(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

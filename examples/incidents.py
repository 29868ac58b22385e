"""Two hundred invented post-mortems with planted causal chains, for retrieval that must take two hops.

    python examples/incidents.py FOLDER [--seed N]

writes ``FOLDER/docs/*.txt`` and ``FOLDER/questions.json``. A chain is an incident of a platform module
and one of a product module that depends on it; their two documents share no content word, and the question
names what the second ends in only. That the one module brings about trouble in the other is said by joint
reviews, which speak of other components of both. One component goes by two names, auth-service and
authentication service.
"""

from __future__ import annotations

import argparse
import json
import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DOCUMENTS = 200
FACING = 3
"""Components of a module that joint reviews speak of; the others are inner."""
REVIEWS = 3
CHAINS = 2
"""Joint reviews and chains of each pair of modules."""

DEPENDS = {
    "checkout": ("identity", "storage"),
    "discovery": ("storage", "settings"),
    "delivery": ("events", "network"),
    "membership": ("identity", "events"),
    "media": ("network", "compute"),
    "support": ("settings", "compute"),
}

PLATFORM = (
    "Overnight {fault} in the {component} caused {symptom}. The {other} reported {second} until the {component} "
    "was restarted. Engineers patched the {other} and added an alarm on the {component}.",
    "{Symptom} in the {component} were caused by {fault}. Operators restarted the {other}, which had {second} too. "
    "An alarm now guards the {component}.",
    "A routine change left {fault} in the {component}, and {fault} triggered {symptom}. The {other} was patched. "
    "Engineers measured {second} on the {other} for an hour.",
)
PRODUCT = (
    "{Trouble} on the {component} led to {effect}. People also met {second} when they opened the {other}. "
    "The owners of the {component} wrote to everybody and redesigned the {other}.",
    "Yesterday customers of the {component} saw {trouble}. {Trouble} on the {component} resulted in {effect}. "
    "The {other} stayed usable apart from {second}.",
    "{Effect} came after {second} on the {other}. {Effect} resulted from {trouble} on the {component}. "
    "Customers were told, and the {component} was redesigned.",
)
REVIEW = (
    "Joint review. {Symptom} in the {platform} caused {trouble} on the {product}. The {platform} and the {product} "
    "now have one rota.",
    "Joint review. {Trouble} on the {product} were caused by {symptom} in the {platform}. Both teams rehearsed "
    "the next outage of the {platform}.",
    "Joint review. Because of {symptom} in the {platform}, the {product} had {trouble}. The {platform} led to "
    "{trouble} twice this year.",
)


@dataclass(frozen=True)
class Chain:
    """A question and the texts of the two incidents that explain what it asks about."""

    question: str
    answer: str
    texts: tuple[str, str]


def main() -> None:
    """Write the corpus and its questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    write_incidents(given.folder, given.seed)


def write_incidents(folder: Path, seed: int = 1) -> None:
    """Write ``docs`` and ``questions.json`` into a folder."""
    chains, others = make_incidents(seed)
    texts = [text for chain in chains for text in chain.texts] + others
    order = list(texts)
    random.Random(seed).shuffle(order)
    name_of = {text: f"incident-{number:03}.txt" for number, text in enumerate(order, 1)}
    docs = folder / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    for text, name in name_of.items():
        (docs / name).write_text(f"{text}\n", "utf-8")
    questions = [
        {
            "id": f"chain-{number:02}",
            "question": chain.question,
            "answer": chain.answer,
            "question_type": "two hops",
            "evidence_documents": [Path(name_of[text]).stem for text in chain.texts],
        }
        for number, chain in enumerate(chains, 1)
    ]
    (folder / "questions.json").write_text(json.dumps(questions, indent=1) + "\n", "utf-8")


def make_incidents(seed: int = 1) -> tuple[list[Chain], list[str]]:
    """The chains, and the texts of all other documents."""
    words = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    chooser = random.Random(seed)
    pairs = [(first, second) for second, firsts in DEPENDS.items() for first in firsts]
    faults = {name: _shuffled(module["faults"], chooser) for name, module in words["platform"].items()}
    effects = {name: _shuffled(module["effects"], chooser) for name, module in words["product"].items()}
    chains = [
        _chain(
            words["platform"][first],
            words["product"][second],
            (faults[first].pop(), effects[second].pop()),
            chooser,
        )
        for first, second in pairs
        for _ in range(CHAINS)
    ]
    texts = dict.fromkeys(text for chain in chains for text in chain.texts)
    others = dict.fromkeys(
        _review(words["platform"][first], words["product"][second], template, chooser)
        for first, second in pairs
        for template in REVIEW[:REVIEWS]
    )
    background = _background(words, faults, effects, chooser)
    while len(texts) + len(others) < DOCUMENTS:
        text = next(background)
        if text not in texts:
            others.setdefault(text)
    return chains, list(others)


def _chain(
    platform: dict[str, list[str]],
    product: dict[str, list[str]],
    ends: tuple[str, str],
    chooser: random.Random,
) -> Chain:
    fault, effect = ends
    return Chain(
        f"Why did we see {effect}?",
        fault,
        (
            _platform_text(platform, fault, platform["components"][FACING:], chooser),
            _product_text(product, effect, product["components"][FACING:], chooser),
        ),
    )


def _background(
    words: dict[str, dict[str, dict[str, list[str]]]],
    faults: dict[str, list[str]],
    effects: dict[str, list[str]],
    chooser: random.Random,
) -> Iterator[str]:
    """Further incidents of every module in turn, with faults and effects that no chain has."""
    while True:
        for name, module in words["platform"].items():
            yield _platform_text(module, chooser.choice(faults[name]), module["components"], chooser)
        for name, module in words["product"].items():
            yield _product_text(module, chooser.choice(effects[name]), module["components"], chooser)


def _platform_text(
    module: dict[str, list[str]], fault: str, components: Sequence[str], chooser: random.Random
) -> str:
    component, other = (_named(name, chooser) for name in chooser.sample(components, 2))
    symptom, second = chooser.sample(module["symptoms"], 2)
    return chooser.choice(PLATFORM).format(
        fault=fault,
        component=component,
        other=other,
        symptom=symptom,
        second=second,
        Symptom=_capital(symptom),
    )


def _product_text(
    module: dict[str, list[str]], effect: str, components: Sequence[str], chooser: random.Random
) -> str:
    component, other = chooser.sample(components, 2)
    trouble, second = chooser.sample(module["troubles"], 2)
    return chooser.choice(PRODUCT).format(
        effect=effect, component=component, other=other, trouble=trouble, second=second,
        Trouble=_capital(trouble), Effect=_capital(effect),
    )  # fmt: skip


def _review(
    platform: dict[str, list[str]], product: dict[str, list[str]], template: str, chooser: random.Random
) -> str:
    symptom, trouble = chooser.choice(platform["symptoms"]), chooser.choice(product["troubles"])
    return template.format(
        platform=_named(chooser.choice(platform["components"][:FACING]), chooser),
        product=chooser.choice(product["components"][:FACING]),
        symptom=symptom, trouble=trouble, Symptom=_capital(symptom), Trouble=_capital(trouble),
    )  # fmt: skip


def _named(component: str, chooser: random.Random) -> str:
    """A component by one of its names."""
    names = {"auth-service": ("auth-service", "authentication service")}.get(component, (component,))
    return chooser.choice(names)


def _shuffled(items: Sequence[str], chooser: random.Random) -> list[str]:
    return chooser.sample(items, len(items))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


if __name__ == "__main__":
    main()

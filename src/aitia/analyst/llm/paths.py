"""Paths: one call for the paths of a question tells those that explain it from those that only look so."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aitia.analyst.graph_protocols import PathRequest, PathVerdict
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.packing import pack
from aitia.analyst.llm.passages import FENCE_TOKENS, Passages
from aitia.analyst.llm.replies import PathsReply
from aitia.analyst.llm.vocabulary import one_line
from aitia.corpus.tokens import count_tokens

CALL_TOKENS = 16_000
"""Room for ten paths with three passages each, so that a question costs one call."""
MOST = 20
"""Paths a call; fewer where the reply has no room for them."""
VERDICT_TOKENS = 80
AGAINST = ", against"
"""How the type of an edge ends that points from the later node to the earlier."""
UNJUDGED = "The model did not judge it."


def refine_paths(inquiry: Inquiry, question: str, requests: Sequence[PathRequest]) -> list[PathVerdict]:
    """A verdict for each path, in their order; one that the model passed over is spurious, with confidence 0."""

    def render(units: Sequence[PathRequest]) -> str:
        passages, labels = _passages(units)
        lines = [f"{path.number}. {_told(path)} {labels(path)}" for path in units]
        return inquiry.render("paths", question=one_line(question), passages=passages, paths="\n".join(lines))

    def text(units: Sequence[PathRequest]) -> str:
        return "\n".join([question, *(part for path in units for part in (*path.nodes, *path.passages))])

    tokens = min(CALL_TOKENS, inquiry.prompt_tokens) - count_tokens(
        f"{inquiry.prompts['paths'].system}\n{question}"
    )
    most = max(1, min(MOST, inquiry.reply_tokens // VERDICT_TOKENS))
    tasks = [Task(call, render, _place, text) for call in pack(requests, _tokens, tokens, most)]
    verdicts: dict[int, PathVerdict] = {}
    for part in inquiry.asker.ask("paths", "paths", PathsReply, tasks):
        asked = {path.number: path for path in part.units}
        for item in part.reply.paths:
            if inquiry.asked("paths", "path", item.path, asked, item) is not None:
                verdict = PathVerdict(item.path, item.verdict, one_line(item.reason), item.confidence)
                verdicts.setdefault(item.path, verdict)
    return [
        verdicts.get(path.number) or PathVerdict(path.number, "spurious", UNJUDGED, 0.0) for path in requests
    ]


def _passages(units: Sequence[PathRequest]) -> tuple[str, Callable[[PathRequest], str]]:
    """The distinct passages in their fences, and the labels of those of a path."""
    texts = dict.fromkeys(text for path in units for text in path.passages)
    position = {text: number for number, text in enumerate(texts, start=1)}
    fenced = Passages([("", text) for text in texts], letter="Q").render() if texts else "(none)"
    return fenced, lambda path: f"[{' '.join(f'Q{position[text]}' for text in dict.fromkeys(path.passages))}]"


def _told(path: PathRequest) -> str:
    """``a -[raises: causal]-> b <-[lowers: causal, against]- c``."""
    parts = [one_line(path.nodes[0])]
    for kind, relation, node in zip(path.edge_types, path.relations, path.nodes[1:], strict=True):
        said = f"[{one_line(relation)}: {kind}]"
        parts.append(f"<-{said}-" if kind.endswith(AGAINST) else f"-{said}->")
        parts.append(one_line(node))
    return " ".join(parts)


def _tokens(path: PathRequest) -> int:
    return count_tokens(_told(path)) + sum(count_tokens(text) + FENCE_TOKENS for text in path.passages)


def _place(units: Sequence[PathRequest]) -> str:
    return f"{len(units)} paths from {units[0].nodes[0]} to {units[0].nodes[-1]}"

"""fast-graphrag behind the protocol, with the settings of its README's first example but no domain of its own."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from fast_graphrag import GraphRAG
from fast_graphrag._llm import OpenAIEmbeddingService, OpenAILLMService
from protocol import Message, serve, texts

# It wants these three from its user. They name no corpus, so that no corpus is favoured.
DOMAIN = "Find the things that the documents speak of, and how they are related."
EXAMPLES = "What is it?\nWhat causes it?\nWhat does it lead to?\nHow are the two related?"
TYPES = ["Person", "Organization", "Location", "Event", "Object", "Process", "Condition", "Concept"]


def opened(message: Message) -> GraphRAG:
    chat, embeddings = message["chat"], message["embeddings"]
    llm = OpenAILLMService(
        model=chat["model"], base_url=chat["base_url"], api_key=chat["api_key"], max_requests_concurrent=8
    )
    embedder = OpenAIEmbeddingService(
        model=embeddings["model"],
        base_url=embeddings["base_url"],
        api_key=embeddings["api_key"],
        embedding_dim=embeddings["dimensions"],
    )
    return GraphRAG(
        working_dir=message["folder"],
        domain=DOMAIN,
        example_queries=EXAMPLES,
        entity_types=TYPES,
        config=GraphRAG.Config(llm_service=llm, embedding_service=embedder),
    )


class Lost(logging.Handler):
    """Documents of which nothing was kept: it says so in its log alone."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.words: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what is said of a document."""
        if "extraction from document" in record.getMessage():
            self.words.append(record.getMessage())


def build(message: Message) -> Message:
    documents = texts(message["corpus"])
    lost = Lost()
    logging.getLogger("graphrag").addHandler(lost)
    nodes, edges, _ = opened(message).insert(
        list(documents.values()), metadata=[{"name": name} for name in documents], show_progress=False
    )
    if lost.words:
        raise RuntimeError(f"{len(lost.words)} of {len(documents)} documents failed: {lost.words[0]}")
    return {"nodes": nodes, "edges": edges}


def open_index(message: Message) -> Callable[[Message], Message]:
    rag = opened(message)

    def ask(asked: Message) -> Message:
        answer = rag.query(asked["question"])
        chunks = [chunk for chunk, _ in answer.context.chunks]
        described = [f"{entity.name}: {entity.description}" for entity, _ in answer.context.entities]
        described += [
            f"{each.source}, {each.target}: {each.description}" for each, _ in answer.context.relations
        ]
        return {
            "reply": answer.response,
            "abstained": answer.response.startswith("Sorry, I'm not able to provide an answer"),
            "contexts": [chunk.content for chunk in chunks] + described,
            "documents": [chunk.metadata.get("name", "") for chunk in chunks],
        }

    return ask


serve(build, open_index)

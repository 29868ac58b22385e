"""MiniRAG behind the protocol; modes are its own: mini (its default), light, naive."""

from __future__ import annotations

import asyncio
import csv
import re
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import numpy as np
from minirag import MiniRAG, QueryParam
from minirag.utils import EmbeddingFunc
from openai import AsyncOpenAI
from protocol import Message, serve, texts

LOOP = asyncio.new_event_loop()
asyncio.set_event_loop(LOOP)
MOST_EMBEDDED_TOKENS = 8192
# Its answers come without what they rest on, so the tables are read out of the prompt of the answer.
TABLES = re.compile(r"-----(?:Entities|Relationships|Sources)-----\s*```csv\n(.*?)\n```", re.DOTALL)


def opened(message: Message) -> tuple[MiniRAG, list[str]]:
    """The open system, and a list that gets every system prompt it sends."""
    chat, embeddings, shown = message["chat"], message["embeddings"], []
    client = AsyncOpenAI(base_url=chat["base_url"], api_key=chat["api_key"], timeout=600)

    async def complete(
        prompt: str, system_prompt: str | None = None, history_messages: list | None = None, **unused: object
    ) -> str:
        shown.append(system_prompt or "")
        messages = [{"role": "system", "content": system_prompt}] if system_prompt else []
        messages += [*(history_messages or []), {"role": "user", "content": prompt}]
        reply = await client.chat.completions.create(model=chat["model"], messages=messages, temperature=0)
        return reply.choices[0].message.content or ""

    async def embed(given: list[str]) -> np.ndarray:
        reply = await client.embeddings.create(model=embeddings["model"], input=list(given))
        return np.array([item.embedding for item in reply.data], dtype=np.float32)

    rag = MiniRAG(
        working_dir=message["folder"],
        llm_model_func=complete,
        llm_model_name=chat["model"],
        embedding_func=EmbeddingFunc(embeddings["dimensions"], MOST_EMBEDDED_TOKENS, embed),
        enable_llm_cache=False,  # a second run would not be asked
    )
    return rag, shown


def build(message: Message) -> Message:
    rag, _ = opened(message)
    documents = texts(message["corpus"])
    LOOP.run_until_complete(rag.ainsert(list(documents.values()), ids=list(documents)))
    graph = rag.chunk_entity_relation_graph._graph
    return {"nodes": graph.number_of_nodes(), "edges": graph.number_of_edges()}


def open_index(message: Message) -> Callable[[Message], Message]:
    rag, shown = opened(message)

    def ask(asked: Message) -> Message:
        shown.clear()
        reply = LOOP.run_until_complete(rag.aquery(asked["question"], QueryParam(mode=asked["mode"])))
        tables = [rows(table) for table in TABLES.findall(shown[-1])] if shown else []
        *described, sources = tables or [[]]
        return {
            "reply": reply,
            "abstained": reply.startswith("Sorry, I'm not able to provide an answer"),
            "contexts": [row[-1] for row in sources]
            + [" | ".join(row) for table in described for row in table],
        }

    return ask


def rows(table: str) -> list[list[str]]:
    """Of a table, without its head."""
    return [row for row in csv.reader(table.splitlines(keepends=True)) if row][1:]


serve(build, open_index)

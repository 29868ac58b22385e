"""LightRAG behind the protocol; modes are its own: mix (its default), hybrid, local, global, naive."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import numpy as np
from lightrag import LightRAG, QueryParam
from lightrag.base import DocStatus
from lightrag.kg.shared_storage import initialize_pipeline_status
from lightrag.utils import EmbeddingFunc
from openai import AsyncOpenAI
from protocol import Message, serve, texts

LOOP = asyncio.new_event_loop()
MOST_EMBEDDED_TOKENS = 8192  # what is longer it cuts, its own chunks too: MiniLM's 256 would cut every one


async def opened(message: Message) -> LightRAG:
    chat, embeddings = message["chat"], message["embeddings"]
    client = AsyncOpenAI(base_url=chat["base_url"], api_key=chat["api_key"], timeout=600)

    async def complete(
        prompt: str, system_prompt: str | None = None, history_messages: list | None = None, **options: object
    ) -> str:
        messages = [{"role": "system", "content": system_prompt}] if system_prompt else []
        messages += [*(history_messages or []), {"role": "user", "content": prompt}]
        response_format = options.get("response_format")
        named = {"response_format": response_format} if response_format else {}
        reply = await client.chat.completions.create(
            model=chat["model"], messages=messages, temperature=0, **named
        )
        return reply.choices[0].message.content or ""

    async def embed(given: list[str]) -> np.ndarray:
        reply = await client.embeddings.create(model=embeddings["model"], input=list(given))
        return np.array([item.embedding for item in reply.data], dtype=np.float32)

    rag = LightRAG(
        working_dir=message["folder"],
        llm_model_func=complete,
        llm_model_name=chat["model"],
        embedding_func=EmbeddingFunc(embeddings["dimensions"], embed, MOST_EMBEDDED_TOKENS),
        enable_llm_cache=False,  # a second run would not be asked
    )
    await rag.initialize_storages()
    await initialize_pipeline_status()
    return rag


def build(message: Message) -> Message:
    async def run() -> Message:
        rag = await opened(message)
        documents = texts(message["corpus"])
        await rag.ainsert(list(documents.values()), file_paths=[f"{name}.txt" for name in documents])
        failed = await rag.doc_status.get_docs_by_statuses([DocStatus.FAILED])
        if failed:  # it says so in its log alone
            first = next(iter(failed.values()))
            raise RuntimeError(f"{len(failed)} of {len(documents)} documents failed: {first.error_msg}")
        await rag.finalize_storages()
        graph = rag.chunk_entity_relation_graph
        nodes, edges = await graph.get_all_nodes(), await graph.get_all_edges()
        return {"nodes": len(nodes), "edges": len(edges)}

    return LOOP.run_until_complete(run())


def open_index(message: Message) -> Callable[[Message], Message]:
    rag = LOOP.run_until_complete(opened(message))

    async def run(asked: Message) -> Message:
        found = await rag.aquery_llm(asked["question"], QueryParam(mode=asked["mode"], stream=False))
        reply, data = found["llm_response"]["content"], found.get("data") or {}
        if reply is None:  # what went wrong it caught
            raise RuntimeError(found.get("message"))
        chunks = data.get("chunks") or []
        named = [(f"{each['entity_name']}: {each['description']}") for each in data.get("entities") or []]
        named += [
            f"{each['src_id']}, {each['tgt_id']}: {each['description']}"
            for each in data.get("relationships") or []
        ]
        return {
            "reply": reply,
            "abstained": "[no-context]" in reply,
            "contexts": [chunk["content"] for chunk in chunks] + named,
            "documents": [Path(chunk["file_path"]).stem for chunk in chunks],
        }

    return lambda asked: LOOP.run_until_complete(run(asked))


serve(build, open_index)

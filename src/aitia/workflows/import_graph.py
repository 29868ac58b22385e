"""A hug index from an entity graph that someone already has; its descriptions are the documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Unpack

from aitia.analyst.graph_protocols import EntityMention, ExtractedEntities, LinkClaim
from aitia.analyst.rules.causal import causal_links
from aitia.analyst.rules.extract import says_cause
from aitia.analyst.rules.language import read_sentences
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus, Document, Note
from aitia.corpus.split import open_splitter
from aitia.errors import CorpusError, UsageError
from aitia.methods.build import GivenGraph, GivenModule
from aitia.spec.model import Quote
from aitia.workflows.analysts import check_analyst, llm_settings
from aitia.workflows.build import DEFAULT_SPLITTER, BuildOptions, build_settings, make_index, silent
from aitia.workflows.contents import Recipe
from aitia.workflows.graph_file import EntityRow, GraphFile, RelationRow, read_graph
from aitia.workflows.index import Index, check_options

METHOD = "hug"
NOT_TAKEN = ("method", "preset", "tier", "outcomes", "stdin")
"""Options of a build that an import has no use for."""


def import_graph(file: str | Path, index: str | Path, **options: Unpack[BuildOptions]) -> Index:
    """Make a hug index of the graph in ``file``: its entities and relations as they are, gates on top.

    Each entity with a description, and each relation, is a document that evidence points to. The file's
    communities are the modules; where it has none, Leiden finds them. ``options`` are those of a build.

    Raises:
        CorpusError: a file that is no such graph, or holds no words.
        AitiaError: as `aitia.workflows.build.build_index`.

    """
    check_options(options, BuildOptions)
    unfit = [name for name in NOT_TAKEN if name in options]
    if unfit:
        raise UsageError(f"{unfit[0]} is no option of an import, which is always {METHOD}; leave it out")
    if check_analyst(options.get("analyst", "rules")) == "llm":
        llm_settings(options)
    settings = build_settings(METHOD, options)
    splitter = options.get("splitter", DEFAULT_SPLITTER)
    report = options.get("report", silent)
    report("reading", 0, 0)
    graph, said = read_graph(Path(file))
    texts = [_entity_text(entity) for entity in graph.entities]
    statements = [_statement(relation) for relation in graph.relations]
    documents = _documents(graph, texts, statements)
    report("reading", len(documents), len(documents))
    split = open_splitter(splitter)
    chunks_of = {document.text: split(document) for document in documents}
    chunks = [chunk for document in documents for chunk in chunks_of[document.text]]
    if not chunks:
        raise CorpusError(f"{file} has no words; expected names or descriptions")
    found = ExtractedEntities(
        tuple(_mentions(graph, texts, statements, chunks_of)),
        tuple(_links(graph, statements, chunks_of)),
    )
    modules = tuple(GivenModule(each.members, each.title, each.summary) for each in graph.communities)
    recipe = Recipe(METHOD, settings, splitter, report=report, given=GivenGraph(found, modules))
    notes = tuple(Note(Path(file).name, each) for each in said)
    return make_index(Path(index), Corpus(tuple(documents), (), notes), chunks, recipe, options)


def _entity_text(entity: EntityRow) -> str:
    """What is said of an entity, its name before it unless it is in it."""
    said = "\n\n".join(part.strip() for part in (entity.description, entity.text) if part.strip())
    if not said or entity.name.casefold() in said.casefold():
        return said or entity.name
    return f"{entity.name}: {said}"


def _words(relation: str) -> str:
    """``LEADS_TO`` as ``leads to``."""
    words = relation.replace("_", " ")
    return words.lower() if words.isupper() else words


def _statement(relation: RelationRow) -> str:
    """What is said of a relation, and the relation in words before it unless both ends are named in it."""
    said = relation.description.strip()
    if said and all(end.casefold() in said.casefold() for end in (relation.source, relation.target)):
        return said
    return f"{relation.source} {_words(relation.relation)} {relation.target}. {said}".strip()


def _documents(graph: GraphFile, texts: Sequence[str], statements: Sequence[str]) -> list[Document]:
    """One for each distinct text, in path order. An entity that has a relation and no words of its own has none."""
    joined = {name for relation in graph.relations for name in (relation.source, relation.target)}
    documents: dict[str, Document] = {}
    for entity, text in zip(graph.entities, texts, strict=True):
        if text != entity.name or entity.name not in joined:
            documents.setdefault(text, Document(f"entities/{entity.name}", entity.name, text))
    places: dict[str, int] = {}
    for relation, text in zip(graph.relations, statements, strict=True):
        if text in documents:
            continue
        name = f"{relation.source} \u2192 {relation.target}"
        places[name] = places.get(name, 0) + 1
        number = f" ({places[name]})" if places[name] > 1 else ""
        documents[text] = Document(f"relations/{name}{number}", name, text)
    return sorted(documents.values(), key=lambda document: document.path)


def _mentions(
    graph: GraphFile,
    texts: Sequence[str],
    statements: Sequence[str],
    chunks_of: dict[str, list[Chunk]],
) -> Iterable[EntityMention]:
    """An entity is named in the text about it, and in those of its relations."""
    kinds = {entity.name: entity.kind for entity in graph.entities}
    named: dict[tuple[str, str], None] = {}
    for entity, text in zip(graph.entities, texts, strict=True):
        named.update(dict.fromkeys((chunk.id, entity.name) for chunk in chunks_of.get(text, ())))
    for relation, text in zip(graph.relations, statements, strict=True):
        for name in (relation.source, relation.target):
            named.update(dict.fromkeys((chunk.id, name) for chunk in chunks_of[text]))
    return (EntityMention(chunk_id, name, kinds[name]) for chunk_id, name in named)


def _links(
    graph: GraphFile, statements: Sequence[str], chunks_of: dict[str, list[Chunk]]
) -> Iterable[LinkClaim]:
    unsaid = {_words(relation.relation) for relation in graph.relations if relation.causal is None}
    read = {words: _read_cause(words) for words in sorted(unsaid)}
    for relation, text in zip(graph.relations, statements, strict=True):
        words = _words(relation.relation)
        causal, negated = read[words] if relation.causal is None else (relation.causal, False)
        negated |= relation.negated
        for chunk in chunks_of[text][:1]:
            quote = Quote(text=chunk.text, chunk_id=chunk.id)
            ends, sure = (relation.source, relation.target), relation.confidence
            yield LinkClaim(*ends, words, quote, causal and not negated, sure, negated=negated)


def _read_cause(words: str) -> tuple[bool, bool]:
    """Whether the words of a relation say that its source brings its target about, and whether they deny it."""
    text = f"The smoke {words} the fire."
    sentences = read_sentences(Chunk("", "", 0, 0, len(text), text))
    links = [link for sentence in sentences for link in causal_links(sentence) if says_cause(link)]
    forward = [link for link in links if link.cause[0] < link.effect[0]]
    denied = any(link.polarity == "none" for link in forward)
    return bool(forward) and not denied, denied

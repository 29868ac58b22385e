"""GraphRAG-Bench, medical and novel (Xiang et al., 2025): ours and the published layout.

Published: a list of questions, and a list of texts ``{corpus_name, context}``; a question's ``source`` is
the ``corpus_name`` of the text it was made from.
"""

from __future__ import annotations

from pathlib import Path

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets.dataset import CorpusDocument, Dataset
from aitia.evaluation.datasets.folder import CORPORA, find_layout
from aitia.evaluation.datasets.plain import read_answered
from aitia.evaluation.datasets.rows import Row, named, parse_json, read_text


def load_graphrag_bench(name: str, data: Path, source: str = "") -> Dataset:
    """The medical or novel dataset; with ``source`` the one text of that name, and its questions."""
    questions_path, corpus = find_layout(name, data, _layouts(name))
    questions = read_answered(questions_path)
    texts = _texts(corpus)
    names = [text.name for text in texts] if texts else _names(corpus)
    known = names or [questions[0].source]
    unknown = next((question for question in questions if question.source not in known), None)
    if source and source not in names:
        raise UsageError(f"{corpus}: has no text {source!r}; found {named(names)}")
    if unknown and not source:
        raise CorpusError(
            f"{questions_path}: question {unknown.id!r} is about {unknown.source!r}, expected a text of "
            f"{corpus}, found {named(names)}; take one text with {name}:SOURCE"
        )
    if not source:
        return Dataset(name, corpus, questions)
    asked = tuple(question for question in questions if question.source == source)
    if not asked:
        raise UsageError(f"{questions_path}: has no question about {source!r}")
    if corpus.is_dir():
        return Dataset(f"{name}:{source}", corpus / f"{source}.txt", asked)
    chosen = tuple(text for text in texts if text.name == source)
    return Dataset(f"{name}:{source}", corpus, asked, documents=chosen)


def _layouts(name: str) -> list[tuple[str, str]]:
    ours = CORPORA[name]
    return [
        (f"{name}/questions.json", ours),
        (f"{name}/{name}_questions.json", f"{name}/{name}.json"),
        *(
            (f"{root}Datasets/Questions/{name}_questions.json", f"{root}Datasets/Corpus/{name}.json")
            for root in ("", "GraphRAG-Bench/", "GraphRAG-Benchmark/")
        ),
    ]


def _texts(corpus: Path) -> list[CorpusDocument]:
    """The texts of the published file; none where the corpus is a text file or a folder of them."""
    if corpus.suffix != ".json":
        return []
    records = parse_json(corpus, read_text(corpus))
    texts = []
    for number, record in enumerate(records if isinstance(records, list) else [records], start=1):
        if not isinstance(record, dict):
            raise CorpusError(f'{corpus}: text {number}: expected "corpus_name" and "context"')
        row = Row(f"{corpus}: text {number}", str(number), record)
        texts.append(CorpusDocument(row.text("corpus_name"), row.text("context")))
    if not texts:
        raise CorpusError(f"{corpus}: holds no text; expected at least one")
    return texts


def _names(corpus: Path) -> list[str]:
    """The names in a folder; none for a single file, which bears none."""
    return sorted(file.stem for file in corpus.glob("*.txt")) if corpus.is_dir() else []

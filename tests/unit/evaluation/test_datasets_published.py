"""Small hand-written files in the layout of each published dataset, and the real data where it is."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from aitia.corpus.read import read_corpus
from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets import Question, load_dataset, prepare_corpus, read_corpus_text

NEEDS_DATA = pytest.mark.skipif("AITIA_DATA" not in os.environ, reason="AITIA_DATA is not set")


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def write_lines(path, records):
    return write(path, "".join(json.dumps(record) + "\n" for record in records))


def fails(message, *arguments, error=(CorpusError, UsageError)):
    with pytest.raises(error, match=message) as caught:
        load_dataset(*arguments)
    assert "\n" not in str(caught.value)


# GraphRAG-Bench


def bench_question(number, source, **more):
    return {"id": f"q{number}", "source": source, "question": "Who?", "answer": "He.", **more}


def test_graphrag_bench_as_published(tmp_path):
    later = {
        "question_type": "Fact Retrieval",
        "evidence": "One. Two.; Three.",
        "evidence_triple": "(a, b, c)",
    }
    questions = [
        bench_question(1, "Novel-1", **later),
        bench_question(2, "Novel-2", question_type="Creative"),
    ]
    write(tmp_path / "Datasets/Questions/novel_questions.json", questions)
    texts = [{"corpus_name": f"Novel-{number}", "context": f"Text {number}."} for number in (1, 2)]
    corpus = write(tmp_path / "Datasets/Corpus/novel.json", texts)
    first = Question("q1", "Who?", "He.", "Fact Retrieval", ("One. Two.", "Three."), source="Novel-1")
    dataset = load_dataset("novel", tmp_path)
    assert dataset.name == "novel"
    assert dataset.questions == (first, Question("q2", "Who?", "He.", "Creative", source="Novel-2"))
    assert prepare_corpus(dataset, tmp_path / "out") == corpus
    assert [document.name for document in read_corpus([corpus]).documents] == ["Novel-1", "Novel-2"]
    assert read_corpus_text(corpus) == "Text 1.\nText 2."
    one = load_dataset("novel:Novel-1", tmp_path)
    assert (one.name, one.questions) == ("novel:Novel-1", (first,))
    prepared = prepare_corpus(one, tmp_path / "out")
    assert prepared.read_text("utf-8") == '{"id": "Novel-1", "text": "Text 1."}\n'
    assert [document.name for document in read_corpus([prepared]).documents] == ["Novel-1"]


def test_one_novel_of_our_layout_is_its_file(tmp_path):
    write(tmp_path / "novel/questions.json", [bench_question(1, "Novel-1"), bench_question(2, "Novel-2")])
    for number in (1, 2, 3):
        write(tmp_path / f"novel/docs/Novel-{number}.txt", f"Text {number}.")
    one = load_dataset("novel:Novel-2", tmp_path)
    assert one.corpus == tmp_path / "novel/docs/Novel-2.txt"
    assert [question.id for question in one.questions] == ["q2"]
    fails(
        "has no text 'Novel-9'; found Novel-1, Novel-2, Novel-3", "novel:Novel-9", tmp_path, error=UsageError
    )
    fails("has no question about 'Novel-3'", "novel:Novel-3", tmp_path, error=UsageError)


def test_medical_as_published_is_one_text(tmp_path):
    write(tmp_path / "medical/medical_questions.json", [bench_question(1, "Medical")])
    write(tmp_path / "medical/medical.json", {"corpus_name": "Medical", "context": "Text."})
    dataset = load_dataset("medical", tmp_path)
    assert dataset.questions[0].source == "Medical"
    assert read_corpus_text(dataset.corpus) == "Text."


def test_a_question_about_a_text_that_is_not_there_is_refused(tmp_path):
    write(
        tmp_path / "novel/novel_questions.json", [bench_question(1, "Novel-1"), bench_question(2, "Novel-7")]
    )
    corpus = write(tmp_path / "novel/novel.json", [{"corpus_name": "Novel-1", "context": "Text."}])
    fails(
        "question 'q2' is about 'Novel-7', expected a text of .*novel.json, found Novel-1", "novel", tmp_path
    )
    write(corpus, [{"corpus_name": "Novel-1", "body": "Text."}])
    fails('text 1: expected "context" as text, found the fields corpus_name, body', "novel", tmp_path)
    write(corpus, ["Text."])
    fails('text 1: expected "corpus_name" and "context"', "novel", tmp_path)
    write(corpus, [])
    fails("holds no text", "novel", tmp_path)
    write(tmp_path / "medical/questions.json", [bench_question(1, "Medical"), bench_question(2, "Novel-1")])
    write(tmp_path / "medical/corpus.txt", "Text.")
    fails("question 'q2' is about 'Novel-1', .* found none", "medical", tmp_path)


# LiHua-World

CHATS = ("20260105_1100", "20260106_0900", "20260502")
EVIDENCE = ["20260106_09:00<and>Time: 20260105_1100 ", "N/A", "20260106_09:00<and>20260106_09:00"]
TYPES = ["Multi", "Null", "Single"]
ANSWERS = ["Yes", "Insufficient information", "No"]


@pytest.fixture
def lihua(tmp_path):
    for chat in CHATS:
        write(tmp_path / f"LiHua-World/data/LiHua-World/week1/{chat}.txt", f"Time: {chat}")
    records = zip(ANSWERS, EVIDENCE, TYPES, strict=True)
    return {
        str(number): {"question": f"Did {number}?", "answer": answer, "evidence": evidence, "type": kind}
        for number, (answer, evidence, kind) in enumerate(records)
    }


LIHUA = (
    Question("LiHua-0", "Did 0?", "Yes", "Multi", (), ("20260105_1100", "20260106_0900")),
    Question("LiHua-1", "Did 1?", "Insufficient information", "Null", answerable=False),
    Question("LiHua-2", "Did 2?", "No", "Single", (), ("20260106_0900",)),
)


def test_lihua_world_as_published(tmp_path, lihua):
    path = write(tmp_path / "LiHua-World/qa/query_set.json", lihua)
    write(tmp_path / "LiHua-World/qa/query_set.csv", "not read, for the other has the same")
    dataset = load_dataset("lihua-world", tmp_path)
    assert (dataset.name, dataset.notes, dataset.documents) == ("lihua-world", (), ())
    assert dataset.questions == LIHUA
    assert sorted(document.name for document in read_corpus([dataset.corpus]).documents) == sorted(CHATS)
    write(path, list(lihua.values()))
    assert load_dataset("lihua-world", tmp_path).questions == LIHUA


def test_lihua_world_as_csv(tmp_path, lihua):
    rows = "".join('"{question}","{answer}","{evidence}",{type}\n'.format(**row) for row in lihua.values())
    write(tmp_path / "LiHua-World/qa/query_set.csv", "Question,Gold Answer,Evidence,Type\n" + rows)
    assert load_dataset("lihua-world", tmp_path).questions == LIHUA


def test_a_damaged_chat_time_is_a_note_and_many_are_refused(tmp_path, lihua):
    many = {str(number): lihua["2"] for number in range(20)} | {
        "20": lihua["0"] | {"evidence": "20260106_09:00<and>What"}
    }
    path = write(tmp_path / "LiHua-World/qa/query_set.json", many)
    dataset = load_dataset("lihua-world", tmp_path)
    assert dataset.notes == (
        f"{path}: question '20': evidence 'What' names no chat, expected YYYYMMDD_HH:MM; "
        "the question is left out of document recall",
    )
    assert dataset.questions[20] == Question("LiHua-20", "Did 0?", "Yes", "Multi")
    write(path, lihua | {"3": lihua["2"] | {"evidence": "20270101_00:00"}})
    fails("'20270101_00:00' names no chat, .* so are 1 of 4 questions", "lihua-world", tmp_path)


def test_lihua_world_says_what_is_missing(tmp_path, lihua):
    write(tmp_path / "lihua-world/qa/query_set.json", lihua)
    (tmp_path / "lihua-world/data").mkdir()
    fails("holds no chat; expected .txt files: unpack LiHuaWorld.zip here", "lihua-world", tmp_path)
    write(tmp_path / "lihua-world/questions.json", [])
    fails("questions.json and .*query_set.json, expected one of them; move", "lihua-world", tmp_path)
    del lihua["1"]["type"]
    write(tmp_path / "other/LiHua-World/qa/query_set.json", lihua)
    write(tmp_path / "other/LiHua-World/data/20260105_1100.txt", "Hi.")
    fails(
        "question '1': expected \"type\" as text, found the fields question",
        "lihua-world",
        tmp_path / "other",
    )


# MultiHop-RAG

ARTICLES = [
    {
        "title": " One  ",
        "source": "Verge",
        "published_at": "2023-09-28",
        "url": "u1",
        "body": "B1.\nF1 here.",
    },
    {"title": "Two", "source": "Wired", "published_at": "2023-10-01", "url": "u2", "body": "B2. F2 here."},
    {"title": "Two", "source": "Times", "published_at": "2023-10-02", "url": "u3", "body": "B3. F3 here."},
    {"title": "Zoo", "source": "Wired", "published_at": "2023-10-01", "url": "u4", "body": "B4. F4 here."},
]


def hops(*facts, kind="inference_query", answer="Yes"):
    return {"query": "Who?", "answer": answer, "question_type": kind, "evidence_list": list(facts)}


def fact(text, **more):
    return {"fact": text, **more}


def test_multihop_rag_as_published(tmp_path):
    queries = [
        hops(fact("F3 here.", title="Two", url="u3"), fact("F1 here.", title="One")),
        hops(kind="null_query", answer="Insufficient information."),
    ]
    write(tmp_path / "MultiHop-RAG/dataset/MultiHopRAG.json", queries)
    write(tmp_path / "MultiHop-RAG/dataset/corpus.json", ARTICLES)
    dataset = load_dataset("multihop-rag", tmp_path)
    assert dataset.questions == (
        Question(
            "MultiHopRAG-1", "Who?", "Yes", "inference_query", ("F3 here.", "F1 here."), ("One", "Two <u3>")
        ),
        Question("MultiHopRAG-2", "Who?", "Insufficient information.", "null_query", answerable=False),
    )
    with pytest.raises(CorpusError, match="no field text or context"):
        read_corpus([dataset.corpus])
    prepared = prepare_corpus(dataset, tmp_path / "out")
    first = prepared.read_bytes()
    assert json.loads(first.split(b"\n")[0]) == {
        "id": "One",
        "title": "One",
        "text": "One\nVerge, 2023-09-28\n\nB1.\nF1 here.",
    }
    documents = read_corpus([prepared]).documents
    assert {document.name for document in documents} == {"One", "Two <u2>", "Two <u3>", "Zoo"}
    stamp = prepared.stat().st_mtime_ns
    assert prepare_corpus(dataset, tmp_path / "out").stat().st_mtime_ns == stamp
    prepared.write_text("cut off", "utf-8")
    assert prepare_corpus(dataset, tmp_path / "out").read_bytes() == first


def test_an_article_that_is_there_twice_has_the_name_that_an_index_keeps(tmp_path):
    twin = ARTICLES[1] | {"url": "u0"}
    write(tmp_path / "multihop-rag/corpus.json", [*ARTICLES, twin])
    queries = [hops(fact("F2 here.", title="Two", url=url)) for url in ("u0", "u2")]
    write(tmp_path / "multihop-rag/MultiHopRAG.json", queries)
    dataset = load_dataset("multihop-rag", tmp_path)
    assert [question.evidence_documents for question in dataset.questions] == [("Two <u0>",)] * 2
    names = {document.name for document in read_corpus([prepare_corpus(dataset, tmp_path)]).documents}
    assert {"Two <u0>", "Two <u3>"} <= names
    assert "Two <u2>" not in names


def test_faults_of_multihop_rag_are_one_line(tmp_path):
    path = write(tmp_path / "multihop-rag/MultiHopRAG.json", [hops(fact("F.", title="None such"))])
    fails("corpus.json: does not exist; expected the corpus of .*MultiHopRAG.json", "multihop-rag", tmp_path)
    corpus = write(tmp_path / "multihop-rag/corpus.json", ARTICLES)
    fails(
        "question 1: evidence 1: names no article of the corpus; .* 1 of 1 questions",
        "multihop-rag",
        tmp_path,
    )
    write(path, [hops(fact("F.", title="None such")), *([hops(fact("F.", url="u1"))] * 19)])
    dataset = load_dataset("multihop-rag", tmp_path)
    assert len(dataset.notes) == 1
    assert [question.evidence_documents for question in dataset.questions[:2]] == [(), ("One",)]
    write(path, [{"query": "Who?", "answer": "a", "question_type": "t", "evidence_list": "F"}])
    fails('question 1: expected "evidence_list" as a list of records', "multihop-rag", tmp_path)
    write(path, [{"id": "1", "question": "Who?", "answer": "a", "evidence_list": []}])
    fails('question 1: expected "question_type" as text', "multihop-rag", tmp_path)
    write(corpus, [{"title": "One", "body": "a"}, {"title": "One", "body": "b"}])
    fails('question 1: expected "url" to tell two articles apart', "multihop-rag", tmp_path)


# HolisQA


def test_holisqa_as_published(tmp_path):
    folder = tmp_path / "holisqa/medicine"
    sentences = [("S1", "A1", "One a."), ("S2", "A1", "One b."), ("S3", "A3", "Two."), ("S4", "A2", "Two.")]
    write_lines(
        folder / "sentences.jsonl",
        [{"sentence_id": id, "article_id": article, "text": text} for id, article, text in sentences],
    )
    articles = [{"article_id": "A1", "title": "First"}, {"article_id": "A2", "title": None}]
    write_lines(folder / "articles.jsonl", articles)
    row = {"qa_id": "QA1", "category": "medicine", "question": "Why?", "answer": "So."}
    write_lines(folder / "qa.jsonl", [row | {"context_sentence_ids": ["S2", "S3", "S1"]}])
    dataset = load_dataset("holisqa:medicine", tmp_path)
    assert dataset.name == "holisqa:medicine"
    assert dataset.questions == (
        # A3 has the text of A2, which an index keeps.
        Question("medicine-QA1", "Why?", "So.", "medicine", ("One b.", "Two.", "One a."), ("A1", "A2")),
    )
    prepared = prepare_corpus(dataset, tmp_path / "out")
    assert (
        prepared.read_text("utf-8").split("\n")[0]
        == '{"id": "A1", "title": "First", "text": "One a. One b."}'
    )
    assert [document.name for document in read_corpus([prepared]).documents] == ["A1", "A2"]
    fails(
        "HolisQA has no domain 'computer_science' here; found medicine", "holisqa", tmp_path, error=UsageError
    )
    write_lines(folder / "qa.jsonl", [row | {"context_sentence_ids": ["S9"]}])
    fails("line 1: expected sentences of sentences.jsonl, found 'S9'", "holisqa:medicine", tmp_path)


def test_our_layout_of_holisqa_names_the_abstract_that_an_index_keeps(tmp_path):
    folder = tmp_path / "holisqa/computer_science"
    docs = [{"id": "A1", "text": "One."}, {"id": "A2", "text": "Two."}, {"id": "A3", "text": "One."}]
    corpus = write_lines(folder / "docs.jsonl", docs)
    documents = ["A3", "A2", "A1"]
    question = {"id": "1", "question": "Why?", "answer": "So.", "evidence_documents": documents}
    write(folder / "questions.json", [question])
    dataset = load_dataset("holisqa", tmp_path)
    assert dataset.questions[0].evidence_documents == ("A1", "A2")
    assert prepare_corpus(dataset, tmp_path / "out") == corpus
    assert not (tmp_path / "out").exists()


# EpilepsyQA and a user's own


def test_epilepsyqa_has_a_folder_format(tmp_path):
    fails(
        "EpilepsyQA is not here, and it is not ours to ship; expected questions.json", "epilepsyqa", tmp_path
    )
    (tmp_path / "epilepsyqa").mkdir()
    fails("the documents of EpilepsyQA are not here; expected the files", "epilepsyqa", tmp_path)
    write(tmp_path / "epilepsyqa/corpus/paper.txt", "Text.")
    header = "id,question,answer,question_type\n"
    path = write(tmp_path / "epilepsyqa/questions.csv", header + "1,Why?,So.,Mechanistic\n")
    dataset = load_dataset("epilepsyqa", tmp_path)
    assert (dataset.name, dataset.corpus.name) == ("epilepsyqa", "corpus")
    assert dataset.questions == (Question("1", "Why?", "So.", "Mechanistic"),)
    write(path, header + "1,Why?,So.,mechanism\n")
    fails(
        "question '1': found question_type 'mechanism', expected one of Mechanistic", "epilepsyqa", tmp_path
    )


def test_a_users_folder_or_file(tmp_path):
    fails("own: does not exist; expected a folder or file of questions", str(tmp_path / "own"))
    folder = tmp_path / "own"
    folder.mkdir()
    fails("expected one of questions.json, questions.jsonl, questions.csv, found none", str(folder))
    path = write(folder / "questions.jsonl", '{"id": "1", "question": "Why?", "answer": "So."}')
    fails(
        "expected one corpus beside questions.jsonl, .* found none; name it with --corpus",
        str(folder),
        error=UsageError,
    )
    write(folder / "docs-2026/a.md", "Text.")
    dataset = load_dataset(str(folder))
    assert (dataset.name, dataset.corpus) == ("own", folder / "docs-2026")
    assert dataset.questions == (Question("1", "Why?", "So."),)
    assert load_dataset(str(path)).name == "questions"
    elsewhere = write(tmp_path / "elsewhere.txt", "Text.")
    assert load_dataset(str(folder), corpus=elsewhere).corpus == elsewhere
    fails(
        "none: does not exist; expected the corpus of", str(folder), None, tmp_path / "none", error=UsageError
    )
    fails("docs: expected questions as .json, .jsonl, .csv", str(write(folder / "x.docs", "")))
    write(folder / "corpus.txt", "Text.")
    fails("expected one corpus .* found corpus.txt, docs-2026", str(folder), error=UsageError)
    write(folder / "questions.csv", "id,question,answer\n")
    fails("found questions.jsonl and questions.csv", str(folder))
    write(path, '{"id": "1", "question": "Why?"}')
    fails('line 1: expected "answer" as text, found the fields id, question', str(path), None, elsewhere)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("medcal", "'medcal' is unknown; expected medical, novel, .* or the path of a folder or file"),
        ("medical:x", "'medical:x' has no such part; expected medical, novel:SOURCE or holisqa:DOMAIN"),
        ("novel:", "'novel:' has no such part"),
        ("medical", "medical is not here; expected one of medical/questions.json, .*nothing is downloaded"),
    ],
)
def test_what_cannot_be_found_says_what_can(tmp_path, spec, message):
    fails(message, spec, tmp_path)


def test_a_folder_that_cannot_be_read_is_one_line(tmp_path, monkeypatch):
    write(tmp_path / "own/questions.json", [{"id": "1", "question": "Why?", "answer": "So."}])

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    fails("own: cannot be read .Permission denied.; expected a folder to read", str(tmp_path / "own"))


def test_a_name_needs_its_data_folder_and_has_its_corpus(tmp_path):
    fails("'novel' needs the folder it lies in; give it with --data", "novel")
    fails("is no folder; expected the one that holds novel", "novel", tmp_path / "none", error=UsageError)
    fails("'novel' has a corpus of its own; expected --corpus with a path only", "novel", tmp_path, tmp_path)


@pytest.mark.data
@NEEDS_DATA
@pytest.mark.parametrize(
    ("spec", "types"),
    [
        (
            "medical",
            {
                "Fact Retrieval": 558,
                "Complex Reasoning": 267,
                "Contextual Summarize": 156,
                "Creative Generation": 87,
            },
        ),
        (
            "novel",
            {
                "Fact Retrieval": 169,
                "Complex Reasoning": 100,
                "Contextual Summarize": 53,
                "Creative Generation": 5,
            },
        ),
        ("novel:Novel-10321", {"Fact Retrieval": 40, "Complex Reasoning": 16, "Contextual Summarize": 15}),
        ("lihua-world", {"Single": 230, "Multi": 33, "Null": 37}),
        ("holisqa", {"computer_science": 420}),
    ],
)
def test_the_benchmark_data_has_its_types(spec, types):
    dataset = load_dataset(spec, Path(os.environ["AITIA_DATA"]))
    assert Counter(question.type for question in dataset.questions) == types
    assert [q.id for q in dataset.questions if q.answerable == (q.type == "Null")] == []
    assert dataset.notes == ()
    assert dataset.documents == ()


@pytest.mark.data
@NEEDS_DATA
@pytest.mark.parametrize("spec", ["lihua-world", "holisqa"])
def test_every_document_of_the_evidence_is_one_that_an_index_has(spec):
    dataset = load_dataset(spec, Path(os.environ["AITIA_DATA"]))
    names = {document.name for document in read_corpus([dataset.corpus]).documents}
    wanted = {name for question in dataset.questions for name in question.evidence_documents}
    assert wanted
    assert wanted - names == set()

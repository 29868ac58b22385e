from aitia.corpus.document import Document
from aitia.corpus.reading import reading_windows
from aitia.corpus.split import open_splitter


def words(count, letter):
    return " ".join([letter] * count)


def texts(documents, limit, spec="passage:4"):
    return [
        [chunk.text for chunk in window.chunks]
        for window in reading_windows(documents, open_splitter(spec), limit)
    ]


def test_a_long_document_is_read_in_windows_of_its_own():
    long = Document("b.txt", "b", words(11, "b"))
    short = [Document("a.txt", "a", "a"), Document("c.txt", "c", "c")]
    read = texts([*short, long], 8)
    own = [window for window in read if "b" in window[0]]
    assert own == [["b b b b", "b b b b"], ["b b b"]]
    assert sorted(text for window in read for text in window if "b" not in text) == ["a", "c"]


def test_short_documents_around_a_long_one_may_share_a_window():
    corpus = [
        Document("a.txt", "a", "a"),
        Document("b.txt", "b", words(30, "b")),
        Document("c.txt", "c", "q"),
    ]
    read = texts(corpus, 50, "passage")
    assert [words(30, "b")] in read
    assert read[0][0] == "a"


def test_a_chunk_over_the_limit_is_a_window_alone():
    assert texts([Document("a.txt", "a", words(9, "a"))], 3) == [["a a a a"], ["a a a a"], ["a"]]


def test_nothing_gives_no_window():
    assert texts([], 100) == texts([Document("a.txt", "a", " ")], 100) == []


def test_a_renamed_document_is_read_where_it_was_first_read():
    documents = [Document(f"{name}.txt", name, words(3, name)) for name in "abcdef"]
    renamed = [Document("z.txt", "z", documents[0].text), *documents[1:]]
    before = texts(documents, 20)
    assert texts(renamed, 20) != before
    first = {document.id: document.path for document in documents}
    windows = reading_windows(renamed, open_splitter("passage:4"), 20, first)
    assert [[chunk.text for chunk in window.chunks] for window in windows] == before

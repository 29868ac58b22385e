"""Which reader reads which suffix."""

from __future__ import annotations

from aitia.corpus.readers.content import Reader
from aitia.corpus.readers.docx import read_docx
from aitia.corpus.readers.html import read_html
from aitia.corpus.readers.markdown import read_markdown
from aitia.corpus.readers.pdf import read_pdf
from aitia.corpus.readers.plain import read_plain
from aitia.corpus.readers.records import read_json, read_jsonl

FORMATS: dict[str, Reader] = {
    ".txt": read_plain,
    ".md": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".json": read_json,
    ".jsonl": read_jsonl,
}

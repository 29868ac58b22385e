"""QCG-RAG: a graph of the questions that chunks answer."""

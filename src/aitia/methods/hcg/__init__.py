"""HCG-RAG: a typed causal graph from a domain specification."""

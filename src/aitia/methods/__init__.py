"""The retrieval methods; each has build, retrieve, config."""

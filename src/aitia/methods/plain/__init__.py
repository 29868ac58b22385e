"""Retrieval without a graph: the baselines."""

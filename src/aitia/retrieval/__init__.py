"""Ranking of text, given vectors: lexical, dense, fused, joined, cut to a budget."""

"""Measures and comparisons."""

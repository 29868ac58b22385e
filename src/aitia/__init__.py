"""Aitia: retrieval over small, typed, auditable causal graphs."""

__version__ = "0.1.0"

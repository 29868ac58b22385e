"""The causal graph as arrays, and pure algorithms on it."""

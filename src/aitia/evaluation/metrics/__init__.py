"""Metrics of answers and of what was retrieved, a file each, with their source. Imports nothing above retrieval."""

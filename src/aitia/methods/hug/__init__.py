"""HugRAG: entities in a hierarchy of modules, with causal gates between modules."""

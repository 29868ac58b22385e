"""Importable pieces for tests of Aitia and of its extensions."""

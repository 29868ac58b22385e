"""The rule-based analyst: no network, no key, deterministic."""

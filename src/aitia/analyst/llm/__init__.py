"""The analyst that asks a language model: prompts as files, claims checked by code."""

"""The seam: judgement about language, as protocols and their implementations."""

"""A reader for each format: a file's bytes in, its text with headings and pages out."""

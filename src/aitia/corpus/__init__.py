"""Text in, chunks with exact offsets out."""

"""The server: REST, an endpoint for embeddings, and the workbench's pages, over indexes that it opens once."""

"""A bench folder as a report: Markdown, CSV, LaTeX, one web page, and figures."""

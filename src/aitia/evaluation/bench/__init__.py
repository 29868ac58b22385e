"""``aitia bench``: systems built once, asked every question N times, scored, in a folder that resumes."""

"""Settings of the whole suite."""

from hypothesis import settings

# The same examples on every run, and no deadline: a busy machine is no failure.
settings.register_profile("aitia", deadline=None, derandomize=True)
settings.load_profile("aitia")

"""The error tree. A message says what happened, what was found, what was expected and the next step.

    AitiaError               exit status 1
    ├── UsageError           2   an argument, option or question that cannot be used
    ├── CorpusError          1   nothing to read, or a file that cannot be read
    ├── SpecError            1   a specification, outcome or curation file that breaks its rules (file:line)
    ├── IndexFolderError     1   not an index, damaged, locked, or made by another version
    ├── EmbedderError        1   the embedder is missing, changed, or answered with bad vectors
    ├── ModelError           1   a language model that cannot be reached, refuses, or keeps failing
    ├── PeerError            1   a system that is compared with fails, falls silent, or answers out of turn
    ├── PartialBuild         3   parts of the corpus got no usable reply, and a complete index was kept
    └── LimitReached         3   a limit the user set stopped the work; what was done is kept

The command line prints the message as one line and exits with ``exit_status``; the web layer maps
the class to a status. Nothing below those two layers catches these errors to hide them.
"""


class AitiaError(Exception):
    """Root of every error a user can cause or mend."""

    exit_status = 1


class UsageError(AitiaError):
    """The call itself is wrong: an unknown option value, an empty question."""

    exit_status = 2


class CorpusError(AitiaError):
    """The corpus gives nothing to work on."""


class SpecError(AitiaError):
    """A specification file breaks a rule; the message begins with ``file:line``."""


class IndexFolderError(AitiaError):
    """An index folder that is missing, damaged, locked, or of another version."""


class EmbedderError(AitiaError):
    """The embedder is missing, differs from the index's, or returned unusable vectors."""


class ModelError(AitiaError):
    """The endpoint of a language model cannot be used; every reply that was paid for is kept."""


class PeerError(AitiaError):
    """The process of a system that is compared with; what it wrote is in its log."""


class PartialBuild(AitiaError):
    """A build ended without some parts of the corpus, and did not replace the complete index."""

    exit_status = 3


class LimitReached(AitiaError):
    """A limit of the user's, or a provider's quota, stopped the work before its end; what was done is kept."""

    exit_status = 3

"""The error tree. A message says what happened, what was found, what was expected and the next step.

    AitiaError               exit status 1
    ├── UsageError           2   an argument, option or question that cannot be used
    ├── CorpusError          1   nothing to read, or a file that cannot be read
    ├── SpecError            1   a specification, outcome or curation file that breaks its rules (file:line)
    ├── IndexFolderError     1   not an index, damaged, locked, or made by another version
    ├── EmbedderError        1   the embedder is missing, changed, or answered with bad vectors
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


class LimitReached(AitiaError):
    """A user-set limit stopped the work before its end."""

    exit_status = 3

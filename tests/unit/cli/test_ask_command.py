from __future__ import annotations

import io
import sys

import pytest

from aitia.cli.main import main
from aitia.errors import ModelError


class Speaking:
    """An index whose model says some pieces and then breaks off."""

    def __init__(self, *pieces):
        self.settings = {"analyst": "llm"}
        self.pieces = pieces

    def ask(self, question, *, on_text, **options):
        for piece in self.pieces:
            on_text(piece)
        raise ModelError("m: the answer broke off")


@pytest.fixture
def shown(monkeypatch):
    """What a terminal shows, results and messages in one."""
    screen = io.StringIO()

    def ask(*pieces):
        monkeypatch.setattr("aitia.cli.ask.opened_to_ask", lambda *given: Speaking(*pieces))
        monkeypatch.setattr(sys, "stdout", screen)
        monkeypatch.setattr(sys, "stderr", screen)
        assert main(["ask", "Why?", "--index", "index", "--stream"]) == 1
        return screen.getvalue()

    return ask


@pytest.mark.parametrize("pieces", [("Bees ", "die"), ("Bees die\n",)])
def test_an_error_begins_a_line_of_its_own(shown, pieces):
    assert shown(*pieces) == "".join(pieces).rstrip() + "\naitia: m: the answer broke off\n"


def test_an_error_before_the_first_word_has_no_empty_line_before_it(shown):
    assert shown() == "aitia: m: the answer broke off\n"

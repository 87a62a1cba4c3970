"""Tests of the progress bar for long commands."""

from __future__ import annotations

import sys
from io import StringIO

import pytest

from readyroom.cli.progress import progress_bar


class Watched(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("counts", "text"), [(True, "2/4"), (False, " 50%")])
def test_progress_is_shown_in_terminal(monkeypatch: pytest.MonkeyPatch, counts: bool, text: str) -> None:
    shell = Watched()
    monkeypatch.setattr(sys, "stderr", shell)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(4, counts=counts) as moved:
        moved(2)
    assert text in shell.getvalue()


def test_how_much_there_is_may_become_known_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Watched()
    monkeypatch.setattr(sys, "stderr", shell)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as moved:
        moved(3, 8)
    assert "3/8" in shell.getvalue()


def test_where_nobody_watches_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(4) as moved:
        moved(2)
    assert capsys.readouterr() == ("", "")

"""Texts of log lines that stand for counters on a board."""

from __future__ import annotations

from readyroom.engine.rules.state import Piece


class Named(Piece):
    """A text of a log line that stands for a counter on the board, by its key."""

    text: str = ""

    def __str__(self) -> str:
        return self.text

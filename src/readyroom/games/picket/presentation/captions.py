"""Captions of playback: lines of the log, shortened."""

from __future__ import annotations

import re

DECISIVE = re.compile(r"(?<=\.) A decisive victory takes .*")


def caption(text: str) -> str:
    """[10.A] Return the caption of a line of the log: of the victory conditions only what it takes to win.

    >>> caption("To win, keep the ship afloat. A decisive victory takes a hull of at least 8.")
    'To win, keep the ship afloat.'
    """
    return DECISIVE.sub("", text)

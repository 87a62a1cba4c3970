"""The browser in which pages are looked at: Chromium, preferably without the windows that nobody sees."""

from __future__ import annotations

import shutil

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
MISSING = "The tests of the pages need Chromium; on Debian: apt install chromium-headless-shell"


def program() -> str | None:
    """Where the browser lies; None if there is none. The first of these takes half the time of the others."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)

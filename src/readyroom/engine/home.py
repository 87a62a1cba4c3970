"""The folder of a user's files."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

HOME = "READYROOM_HOME"
"""The environment variable that overrides the user's data folder."""


def data_folder() -> Path:
    """Return the folder of this user's files."""
    home = os.environ.get(HOME)
    return Path(home) if home else platformdirs.user_data_path("readyroom", appauthor=False)

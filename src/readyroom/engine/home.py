"""The folder in which everything of a user is kept."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

HOME = "READYROOM_HOME"
"""The environment variable that names another folder than the user's own data folder."""


def data_folder() -> Path:
    """The folder that everything of this user is kept in."""
    home = os.environ.get(HOME)
    return Path(home) if home else platformdirs.user_data_path("readyroom", appauthor=False)

"""Secrets of this machine, each in a file."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from readyroom.engine.errors import SaveError
from readyroom.engine.home import HOME

KEY_FILE = "web.key"
"""The file of the server's secret in its data folder."""


def kept_secret(place: Path, *, create: bool = True) -> str:
    """Return the secret of a file that only its owner can read; create it if needed, or raise `SaveError`."""
    try:
        with suppress(FileNotFoundError):
            if text := place.read_text().strip():
                return text
            place.unlink()
        if not create:
            lost = "If the secret is lost, `readyroom admin seal` accepts the matches under a new one"
            raise SaveError(f"There is no {place}. Set READYROOM_SECRET or {HOME} as for the server. {lost}.")
        return _make_secret(place)
    except PermissionError as error:
        why = f"{place} may not be read or written by this user"
        raise SaveError(f"{why}. Run this as the owner of the folder, change the owner, or set {HOME}.") from error
    except OSError as error:
        raise SaveError(f"{place} cannot be written: {error.strerror or error}; set {HOME}.") from error


def _make_secret(place: Path) -> str:
    """Write the file atomically unless it exists: of two programs that start at once both use the first secret."""
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_name(f"{place.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(32))
    try:
        with suppress(FileExistsError):
            os.link(fresh, place)
    finally:
        fresh.unlink()
    return place.read_text().strip()

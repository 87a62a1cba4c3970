"""`readyroom backup` and `readyroom restore`: all data of a server in one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from readyroom.cli.admin import open_store

ArchiveFile = Annotated[Path, typer.Argument(metavar="FILE", help="The archive, such as ready-room.zip.")]


def backup(file: ArchiveFile) -> None:
    """Write all matches and players to one file, also while the server is running. Keep the file private."""
    with open_store() as store:
        store.archive(file)
    typer.echo(f"Saved everything to {file}. It contains the dice keys: keep it private.")


def restore(file: ArchiveFile) -> None:
    """Restore an archive into an empty database."""
    from readyroom.store import Store
    from readyroom.web.settings import database_of

    Store.restore(file, database_of(os.environ)).close()
    typer.echo(f"Restored everything from {file}.")

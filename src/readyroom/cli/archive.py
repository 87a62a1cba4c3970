"""`readyroom backup` and `readyroom restore`: everything on a server as one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from readyroom.cli.admin import open_store

ArchiveFile = Annotated[Path, typer.Argument(metavar="FILE", help="The archive, such as ready-room.zip.")]


def backup(file: ArchiveFile) -> None:
    """Write all matches and players into one file, while the server is running. Keep it to yourself."""
    with open_store() as store:
        store.archive(file)
    typer.echo(f"Everything is in {file}. It holds the secrets of the dice: keep it to yourself.")


def restore(file: ArchiveFile) -> None:
    """Fill an empty database from an archive."""
    from readyroom.store import Store
    from readyroom.web.settings import database_of

    Store.restore(file, database_of(os.environ)).close()
    typer.echo(f"Everything from {file} is there again.")

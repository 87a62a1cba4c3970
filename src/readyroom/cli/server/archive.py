"""`readyroom backup` and `readyroom restore`: all data of a server in one file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from readyroom.cli.arguments import CommandError
from readyroom.cli.server.database import open_store
from readyroom.engine.text import count_noun

ArchiveFile = Annotated[Path, typer.Argument(metavar="FILE", help="The archive, such as ready-room.zip.")]


def backup(
    file: ArchiveFile,
    verify: Annotated[bool, typer.Option("--verify", help="Also restore it into a scratch database.")] = False,
) -> None:
    """Write all matches and players to one file, also while the server is running. Keep the file private."""
    from readyroom.store.admin.archive import verify as verify_archive
    from readyroom.web.settings import secret_of

    if verify:
        with suppress(AttributeError, OSError):
            os.nice(10)
        part = file.with_name(f"{file.name}.part")
        try:
            with open_store() as store:
                store.archive(part)
            damaged = verify_archive(part, secret_of(os.environ))
            if damaged:
                count = count_noun(len(damaged), "match in the backup is", "matches in the backup are")
                raise CommandError(f"{count} damaged: {', '.join(damaged[:5])}.")
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)
    else:
        with open_store() as store:
            store.archive(file)
    done = "Saved and verified everything:" if verify else "Saved everything to"
    typer.echo(f"{done} {file}. It contains the dice keys: keep it private.")


def restore(
    file: ArchiveFile,
    seal: Annotated[
        bool, typer.Option("--seal", help="Accept matches sealed with another key, which cannot be checked.")
    ] = False,
) -> None:
    """Restore an archive into an empty database."""
    from readyroom.store import Store
    from readyroom.store.admin.archive import check
    from readyroom.web.settings import database_of, secret_of

    check(file)  # before a secret is created
    Store.restore(file, database_of(os.environ), secret=secret_of(os.environ), accept=seal).close()
    typer.echo(f"Restored everything from {file}.")

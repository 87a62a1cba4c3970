"""The server's database, and what commands that change it share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from readyroom.cli.arguments import CommandError
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.store import Store

MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id or address.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
SOON = "A running server applies this within two seconds."


@contextmanager
def open_store(*, accept: bool = False) -> Iterator[Store]:
    """Open the store of the environment's database; with `accept` even if another key has sealed it."""
    from readyroom.web.settings import store_of

    with closing(store_of(os.environ, accept=accept)) as store:
        yield store


def match_id(text: str) -> str:
    """Return a match's id, given the id or its address."""
    return text.rstrip("/").rpartition("/")[2]


def count_matches(count: int) -> str:
    """Return a number of matches in words."""
    return count_noun(count, "match", "matches")


def confirm(question: str, yes: bool) -> None:
    """Ask for confirmation; raise `CommandError` unless it is given."""
    if yes:
        return
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort as error:
        raise CommandError("Nothing has changed. Add --yes to confirm without a terminal.") from error
    if not agreed:
        raise CommandError("Nothing has changed.")

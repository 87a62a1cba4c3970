"""`readyroom admin`: seats, players and the audit log of a server."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from readyroom.cli.arguments import AsJson
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.server.database import SOON, MatchId, Yes, confirm, count_matches, match_id, open_store
from readyroom.engine.text import count_noun, join_list

PlayerId = Annotated[
    str, typer.Argument(metavar="PLAYER", help="The player's id; `readyroom admin players` lists them.")
]
SeatKey = Annotated[str, typer.Argument(metavar="SEAT", help="The seat's key; `readyroom admin show` lists them.")]


# -- seats -----------------------------------------------------------------------------------------------------------


def ban(
    match: MatchId,
    seat: SeatKey,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, shown to the banned players.")],
) -> None:
    """Ban the players of a seat. The match waits; its host may assign a bot."""
    with open_store() as store:
        place = store.admin.ban(match_id(match), seat, why)
    who = join_list([name for _, name in place.players]) or "no player yet"
    typer.echo(f"{place.name} ({who}) is banned. {SOON}")
    typer.echo("`readyroom admin unban` lifts the ban; `readyroom admin invite` creates a link for someone else.")


def unban(match: MatchId, seat: SeatKey) -> None:
    """Lift the ban of a seat: its players return to it, and the old link works."""
    with open_store() as store:
        key = match_id(match)
        lifted = store.admin.unban(key, seat)
        name = next(one.name for one in store.listings.summary(key).seats if one.key == seat)
    typer.echo(f"The ban of {name} was lifted." if lifted else f"{name} was not banned; nothing changed.")


def invite(match: MatchId, seat: SeatKey) -> None:
    """Empty a seat, lift its ban, and print a new link to it for someone else."""
    with open_store() as store:
        secret = store.admin.invite(match_id(match), seat)
    typer.echo(_link(f"/s/{secret}"))
    typer.echo("Anyone who opens this link can join the seat: send it to one person only.", err=True)


def _link(path: str) -> str:
    """Return the address of a path on the server; only the path if READYROOM_URL is not set, and say so."""
    address = os.environ.get("READYROOM_URL", "").strip().rstrip("/")
    if not address:
        typer.echo("READYROOM_URL is not set: put the address of the server before this path.", err=True)
    return address + path


# -- players and the audit log ---------------------------------------------------------------------------------------


def players(as_json: AsJson = False) -> None:
    """List the players, latest visit first, without addresses and secrets."""
    with open_store() as store:
        persons = store.admin.players()
    if as_json:
        times = [
            {"since": one.since.isoformat(), "last": one.last.isoformat() if one.last else None} for one in persons
        ]
        print_json([person._asdict() | at for person, at in zip(persons, times, strict=True)])
        return
    rows = []
    for one in persons:
        last, notified = f"{one.last:%Y-%m-%d}" if one.last else "–", "yes" if one.notices else "no"
        rows.append((one.id, one.name, f"{one.since:%Y-%m-%d}", last, str(one.seats), str(one.hosts), notified))
    show(table(["player", "name", "since", "last visit", "seats", "hosts", "notified"], rows))
    typer.echo(f"{count_noun(len(persons), 'player')}.")


def sign_out(player: PlayerId) -> None:
    """Sign out all devices of a player, and print a recovery link for them, which replaces the old one."""
    with open_store() as store:
        secret = store.admin.sign_out(player)
    typer.echo(_link(f"/me/recover/{secret}"))
    typer.echo("Anyone who opens this link is signed in as the player: send it to the player only.", err=True)


def delete_player(
    player: PlayerId,
    yes: Yes = False,
) -> None:
    """Delete a player: name, addresses, devices, seats, notes, and messages. Their matches stay for the others."""
    with open_store() as store:
        name = next((person.name for person in store.admin.players() if person.id == player), player)
        confirm(f"Delete {name} permanently?", yes)
        changed = store.admin.delete_player(player)
    typer.echo(f"{name} was deleted from the server and from {count_matches(len(changed))}. {SOON}")


def audit_log(as_json: AsJson = False) -> None:
    """Show every deletion, ban and invitation, in order."""
    with open_store() as store:
        entries = store.admin.audit_log()
    if as_json:
        print_json([{**done._asdict(), "at": done.at.isoformat()} for done in entries])
        return
    rows = [
        (f"{done.at:%Y-%m-%d %H:%M}", done.act, done.match or "", done.seat or "", done.player or "", done.why)
        for done in entries
    ]
    if rows:
        show(table(["when (UTC)", "what", "match", "seat", "player", "why"], rows))
    else:
        typer.echo("The audit log is empty.")

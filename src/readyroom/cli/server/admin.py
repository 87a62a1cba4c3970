"""`readyroom admin`: for server admins, also while the server is running."""

from __future__ import annotations

import typer

from readyroom.cli.server import matches, players

app = typer.Typer(
    help="For server admins: manage matches, seats and players, also while the server is running.",
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for name, verb, line in (
    ("list", matches.list_matches, "List the matches: age, players, state and size."),
    ("show", matches.show_match, "Show a match: its seats, players and size."),
    ("export", matches.export, "Export a match's record, or all its data."),
    ("check", matches.check, "Check the database and every match in it."),
    ("seal", matches.seal, "Accept matches as they are stored."),
    ("delete", matches.delete, "Delete a match and its data."),
    ("prune", matches.prune, "Delete matches unchanged for a long time."),
    ("expire", matches.expire, "Announce and delete what no one returns to."),
    ("keep", matches.keep, "Cancel the expiry of a match or player."),
    ("ban", players.ban, "Ban a seat, with a reason."),
    ("unban", players.unban, "Lift the ban of a seat."),
    ("invite", players.invite, "Create a new link to a seat, for someone else."),
    ("players", players.players, "List the players."),
    ("sign-out", players.sign_out, "Sign out a player's devices and print a recovery link."),
    ("delete-player", players.delete_player, "Delete a player and their data."),
    ("audit-log", players.audit_log, "Show what admins did, when, and why."),
):
    app.command(name, short_help=line)(verb)
for old_name, verb in (
    ("sweep", matches.prune),
    ("people", players.players),
    ("forget", players.delete_player),
    ("journal", players.audit_log),
):
    app.command(old_name, hidden=True)(verb)

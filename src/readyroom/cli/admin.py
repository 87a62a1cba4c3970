"""`readyroom admin`: for server admins, also while the server is running."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.filesize import decimal

from readyroom.cli.arguments import AsJson, CommandError
from readyroom.cli.paper import print_json, show, table
from readyroom.engine.files import save
from readyroom.engine.text import count_noun, join_list

if TYPE_CHECKING:
    from readyroom.store import MatchSummary, SeatSummary, Store
    from readyroom.store.admin.administration import StoredMatch
    from readyroom.store.admin.integrity_checks import CheckedMatch

MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id or address.")]
SeatKey = Annotated[str, typer.Argument(metavar="SEAT", help="The seat's key; `readyroom admin show` lists them.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
States = Annotated[
    list[str] | None,
    typer.Option("--state", metavar="S", help="Only matches in this state: waiting, playing or over; repeatable."),
]
SOON = "A running server applies this within two seconds."

app = typer.Typer(
    help="For server admins: manage matches, seats and players, also while the server is running.",
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@contextmanager
def open_store(*, accept: bool = False) -> Iterator[Store]:
    """Open the store of the environment's database; with `accept` even if another key has sealed it."""
    from readyroom.web.settings import store_of

    with closing(store_of(os.environ, accept=accept)) as store:
        yield store


def _id(text: str) -> str:
    """Return a match's id, given the id or its address."""
    return text.rstrip("/").rpartition("/")[2]


# -- matches ---------------------------------------------------------------------------------------------------------


@app.command("list", short_help="List the matches: age, players, state and size.")
def list_matches(
    state: States = None,
    idle: Annotated[
        float, typer.Option("--idle", metavar="DAYS", min=0, help="Only matches unchanged for this many days.")
    ] = 0.0,
    as_json: AsJson = False,
) -> None:
    """List the matches, the last changed first."""
    with open_store() as store:
        listed, place = store.admin.stored_matches(_states(state), idle), store.database.url
    if as_json:
        print_json([_facts(each) for each in listed])
    else:
        _draw(listed)
        size = decimal(sum(each.size for each in listed))
        typer.echo(f"{_many(len(listed))}, {size}, in {place.render_as_string(hide_password=True)}.")


def _states(lines: Iterable[str] | None) -> list[Any]:
    from readyroom.store.admin.administration import STATES

    wanted = list(lines or STATES)
    if strange := [state for state in wanted if state not in STATES]:
        raise CommandError(f"--state is {join_list(STATES, 'or')}, not {strange[0]!r}.")
    return wanted


def _draw(listed: list[StoredMatch]) -> None:
    from readyroom.web.pages.cards import ago

    rows = [
        (summary.id, summary.game, state, str(summary.turn), ago(summary.changed), _players(summary), decimal(size))
        for summary, state, size in listed
    ]
    show(table(["match", "game", "state", "turn", "changed", "players", "size"], rows))


def _many(count: int) -> str:
    return count_noun(count, "match", "matches")


def _players(summary: MatchSummary) -> str:
    return ", ".join(dict.fromkeys(_who(seat) for seat in summary.seats))


def _who(seat: SeatSummary) -> str:
    """Describe who plays a seat; of a banned one, who played it."""
    from readyroom.web.pages.cards import occupant

    names = join_list([name for _, name in seat.banned_players])
    return f"{names or 'no one'} (banned)" if seat.banned and not seat.bot else occupant(seat)


def _facts(each: StoredMatch) -> dict[str, Any]:
    summary = each.summary
    places = [
        {
            "key": seat.key,
            "name": seat.name,
            "who": _who(seat),
            "players": dict(seat.players or seat.previous_players or seat.banned_players),
            "banned": seat.banned,
        }
        for seat in summary.seats
    ]
    return {
        "id": summary.id,
        "game": summary.game,
        "scenario": summary.scenario,
        "state": each.state,
        "turn": summary.turn,
        "decisions": summary.true_revision,
        "waiting": list(summary.waiting),
        "created": summary.created.isoformat(),
        "changed": summary.changed.isoformat(),
        "host": summary.host,
        "size": each.size,
        "seats": places,
    }


@app.command("show", short_help="Show a match: its seats, players and size.")
def show_match(match: MatchId, as_json: AsJson = False) -> None:
    """Show the state of a match and its seats. Hidden information stays hidden."""
    with open_store() as store:
        each = summary, state, size = store.admin.stored_match(_id(match))
    facts = _facts(each)
    if as_json:
        print_json(facts)
        return
    typer.echo(f"{summary.id}: {summary.title}, {summary.scenario}. {state.capitalize()}, turn {summary.turn}.")
    typer.echo(f"{summary.true_revision} decisions, {decimal(size)}. Created {summary.created:%Y-%m-%d %H:%M} UTC,")
    typer.echo(f"last changed {summary.changed:%Y-%m-%d %H:%M} UTC.")
    rows = [
        (seat["key"], seat["name"], seat["who"], ", ".join(seat["players"]), seat["banned"]) for seat in facts["seats"]
    ]
    show(table(["seat", "name", "who", "player IDs", "banned"], rows))


@app.command("export", short_help="Export a match's record, or all its data.")
def export(
    match: MatchId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    everything: Annotated[
        bool, typer.Option("--everything", help="Write an archive with players, chat and secrets, for `restore`.")
    ] = False,
) -> None:
    """Export a match to a file: its record, or an archive for `readyroom restore`."""
    with open_store() as store:
        if everything:
            store.archive(file, _id(match))
        else:
            save(file, _record(store, _id(match)))
    secret = " It contains the dice key: keep it private." if everything else ""
    typer.echo(f"Saved the match to {file}.{secret}")


def _record(store: Store, match: str) -> str:
    """Return the record of a match; of a damaged one the undamaged part, with a warning."""
    from readyroom.store.errors import MatchDamaged

    try:
        return store.records.text(match)
    except MatchDamaged as error:
        text = store.records.whole_text(match)
        typer.echo(f"{error} Its first {count_noun(text.count(chr(10)), 'line is', 'lines are')} undamaged.", err=True)
        return text


@app.command("check", short_help="Check the database and every match in it.")
def check(
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Close damaged matches, reopen those that are whole again, and delete stray rows."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the database and the seals of every match. The exit code is 1 if something is damaged."""
    with open_store() as store:
        checked = store.integrity.check(repair=repair)
    if as_json:
        found = [each._asdict() for each in checked.matches]
        print_json({"faults": checked.faults, "orphans": checked.orphans, "matches": found, "whole": checked.is_whole})
    else:
        rows = [(each.id, each.game, _condition(each), each.damage or "") for each in checked.matches]
        if rows:
            show(table(["match", "game", "state", "damage"], rows))
        for fault in checked.faults:
            typer.echo(f"The database file is damaged: {fault}.")
        for name, many in checked.orphans.items():
            typer.echo(f"{count_noun(many, 'row')} in {name} without a match.")
        damaged = sum(1 for each in checked.matches if each.damage)
        typer.echo(f"{_many(len(rows))}, {damaged} damaged.")
    if not checked.is_whole:
        raise typer.Exit(1)


def _condition(each: CheckedMatch) -> str:
    return "closed" if each.closed else "damaged" if each.damage else "whole"


@app.command("seal", short_help="Accept matches as they are stored.")
def seal(
    match: Annotated[
        str, typer.Argument(metavar="[MATCH]", help="A damaged match; default: all, under a new key.")
    ] = "",
    yes: Yes = False,
) -> None:
    """Accept a damaged match as it is stored, or all matches when the key they were sealed with is lost.

    Nothing proves then that the server wrote them. Of all matches, those with broken records stay closed.
    """
    if match:
        with open_store() as store:
            store.admin.stored_match(_id(match))
            _ask(f"Accept {_id(match)} as it is stored?", yes)
            store.integrity.seal(_id(match))
        typer.echo(f"Match {_id(match)} was sealed as it is. {SOON}")
        return
    _ask("Seal all matches with the present key, without a check of who wrote them?", yes)
    with open_store(accept=True) as store:
        failed = store.integrity.seal_all()
    for name, why in failed.items():
        typer.echo(f"Match {name} stays closed: {why}.")
    typer.echo("All other matches were sealed." if failed else "All matches were sealed.")


@app.command("delete", short_help="Delete a match and its data.")
def delete(
    match: MatchId,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="A reason, for the audit log.")] = "",
    yes: Yes = False,
) -> None:
    """Delete a match permanently. `readyroom admin export` keeps a copy before."""
    with open_store() as store:
        each = store.admin.stored_match(_id(match))
        _ask(f"Delete {each.summary.id} ({each.summary.title}; {_players(each.summary)}) permanently?", yes)
        store.admin.remove(each.summary.id, why)
    typer.echo(f"Match {each.summary.id} was deleted. {SOON}")


@app.command("prune", short_help="Delete matches unchanged for a long time.")
@app.command("sweep", hidden=True)
def prune(
    days: Annotated[float, typer.Option("--days", metavar="N", min=1, help="Days without a change.")],
    state: States = None,
    yes: Yes = False,
) -> None:
    """Delete all matches unchanged for this many days; list them before asking for confirmation."""
    with open_store() as store:
        idle = store.admin.stored_matches(_states(state), days)
        if not idle:
            typer.echo(f"Every match has changed within {days:g} days; none was deleted.")
            return
        _draw(idle)
        _ask(f"Delete {_many(len(idle))} permanently?", yes)
        for each in idle:
            store.admin.remove(each.summary.id, f"nothing had changed for {days:g} days")
    typer.echo(f"{_many(len(idle))} deleted. {SOON}")


@app.command("expire", short_help="Announce and delete what no one returns to.")
def expire(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be announced and deleted.")] = False,
    as_json: AsJson = False,
) -> None:
    """Announce and delete what no one returns to, by READYROOM_EXPIRE; a running server does so daily."""
    from readyroom.store.admin.expiry import NOTICE_DAYS
    from readyroom.web.settings import expiry_of

    days = expiry_of(os.environ)
    if days is None:
        typer.echo("READYROOM_EXPIRE is off: nothing expires.")
        return
    with open_store() as store:
        store.expiry.days = days
        steps = store.expiry.sweep(dry=dry_run)
    if as_json:
        print_json([{**step._asdict(), "at": step.at.isoformat()} for step in steps])
        return
    texts = {"announce": "announced", "expire": "deleted"}
    if steps:
        rows = [(texts[step.act], step.kind, step.id, f"{step.at:%Y-%m-%d}") for step in steps]
        show(table(["what", "kind", "id", "to be deleted"], rows))
    announced = sum(step.act == "announce" for step in steps)
    typer.echo(f"{announced} announced, {len(steps) - announced} deleted{' (dry run)' if dry_run else ''}.")
    if announced:
        typer.echo(f"Announced ones are deleted after {NOTICE_DAYS} days; `readyroom admin keep ID` prevents it.")


@app.command("keep", short_help="Cancel the expiry of a match or player.")
def keep(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of a match or player, or a match's address.")],
) -> None:
    """Cancel the expiry of a match or player, as if its player had come today."""
    with open_store() as store:
        kind = store.expiry.keep(_id(id))
    typer.echo(f"The {kind} {_id(id)} is kept.")


# -- seats -----------------------------------------------------------------------------------------------------------


@app.command("ban", short_help="Ban a seat, with a reason.")
def ban(
    match: MatchId,
    seat: SeatKey,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, shown to the banned players.")],
) -> None:
    """Ban the players of a seat. The match waits; its host may assign a bot."""
    with open_store() as store:
        place = store.admin.ban(_id(match), seat, why)
    who = join_list([name for _, name in place.players]) or "no player yet"
    typer.echo(f"{place.name} ({who}) is banned. {SOON}")
    typer.echo("`readyroom admin unban` lifts the ban; `readyroom admin invite` creates a link for someone else.")


@app.command("unban", short_help="Lift the ban of a seat.")
def unban(match: MatchId, seat: SeatKey) -> None:
    """Lift the ban of a seat: its players return to it, and the old link works."""
    with open_store() as store:
        lifted = store.admin.unban(_id(match), seat)
    typer.echo(f"The ban of {seat} was lifted." if lifted else f"{seat} was not banned; nothing changed.")


@app.command("invite", short_help="Create a new link to a seat, for someone else.")
def invite(match: MatchId, seat: SeatKey) -> None:
    """Empty a seat, lift its ban, and print a new link to it for someone else."""
    with open_store() as store:
        secret = store.admin.invite(_id(match), seat)
    typer.echo(f"{os.environ.get('READYROOM_URL', '').strip().rstrip('/')}/s/{secret}")
    typer.echo("Anyone who opens this link can join the seat: send it to one person only.", err=True)


# -- players and the audit log ---------------------------------------------------------------------------------------


@app.command("players", short_help="List the players.")
@app.command("people", hidden=True)
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


@app.command("delete-player", short_help="Delete a player and their data.")
@app.command("forget", hidden=True)
def delete_player(
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player's id; `readyroom admin players` lists them.")
    ],
    yes: Yes = False,
) -> None:
    """Delete a player: name, addresses, devices, seats, notes, and messages. Their matches stay for the others."""
    with open_store() as store:
        name = next((person.name for person in store.admin.players() if person.id == player), player)
        _ask(f"Delete {name} permanently?", yes)
        changed = store.admin.delete_player(player)
    typer.echo(f"{name} was deleted from the server and from {_many(len(changed))}. {SOON}")


@app.command("audit-log", short_help="Show what admins did, when, and why.")
@app.command("journal", hidden=True)
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


def _ask(question: str, yes: bool) -> None:
    """Ask for confirmation; raise `CommandError` unless it is given."""
    if yes:
        return
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort as error:
        raise CommandError("Nothing has changed. Add --yes to confirm without a terminal.") from error
    if not agreed:
        raise CommandError("Nothing has changed.")

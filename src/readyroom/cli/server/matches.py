"""`readyroom admin`: the matches of a server, and the check of its database."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.filesize import decimal

from readyroom.cli.arguments import AsJson, CommandError
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.server.database import SOON, MatchId, Yes, confirm, count_matches, match_id, open_store
from readyroom.engine.files import save
from readyroom.engine.text import count_noun, join_list

if TYPE_CHECKING:
    from readyroom.store import MatchSummary, SeatSummary, Store
    from readyroom.store.admin.administration import StoredMatch
    from readyroom.store.admin.integrity_checks import CheckedMatch

States = Annotated[
    list[str] | None,
    typer.Option("--state", metavar="S", help="Only matches in this state: waiting, playing or over; repeatable."),
]


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
        typer.echo(f"{count_matches(len(listed))}, {size}, in {place.render_as_string(hide_password=True)}.")


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


def show_match(match: MatchId, as_json: AsJson = False) -> None:
    """Show the state of a match and its seats. Hidden information stays hidden."""
    with open_store() as store:
        each = summary, state, size = store.admin.stored_match(match_id(match))
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
            store.archive(file, match_id(match))
        else:
            save(file, _record(store, match_id(match)))
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
        typer.echo(f"{count_matches(len(rows))}, {damaged} damaged.")
    if not checked.is_whole:
        raise typer.Exit(1)


def _condition(each: CheckedMatch) -> str:
    return "closed" if each.closed else "damaged" if each.damage else "whole"


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
            store.admin.stored_match(match_id(match))
            confirm(f"Accept {match_id(match)} as it is stored?", yes)
            store.integrity.seal(match_id(match))
        typer.echo(f"Match {match_id(match)} was sealed as it is. {SOON}")
        return
    confirm("Seal all matches with the present key, without a check of who wrote them?", yes)
    with open_store(accept=True) as store:
        failed = store.integrity.seal_all()
    for name, why in failed.items():
        typer.echo(f"Match {name} stays closed: {why}.")
    typer.echo("All other matches were sealed." if failed else "All matches were sealed.")


def delete(
    match: MatchId,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="A reason, for the audit log.")] = "",
    yes: Yes = False,
) -> None:
    """Delete a match, or a campaign with its matches, permanently. `readyroom admin export` keeps a copy before."""
    from readyroom.store.errors import UnknownCampaignId

    key = match_id(match)
    with open_store() as store:
        try:
            kind, about = "Campaign", f"the campaign {store.campaigns.summary(key).title!r} with its matches"
        except UnknownCampaignId:
            summary = store.admin.stored_match(key).summary
            kind, about = "Match", f"{summary.title}; {_players(summary)}"
        confirm(f"Delete {key} ({about}) permanently?", yes)
        store.admin.remove(key, why)
    typer.echo(f"{kind} {key} was deleted. {SOON}")


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
        confirm(f"Delete {count_matches(len(idle))} permanently?", yes)
        for each in idle:
            store.admin.remove(each.summary.id, f"nothing had changed for {days:g} days")
    typer.echo(f"{count_matches(len(idle))} deleted. {SOON}")


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


def keep(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of a match or player, or a match's address.")],
) -> None:
    """Cancel the expiry of a match or player, as if its player had come today."""
    with open_store() as store:
        kind = store.expiry.keep(match_id(id))
    typer.echo(f"The {kind} {match_id(id)} is kept.")

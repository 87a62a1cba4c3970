"""`readyroom play`: a game in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from readyroom.bots import assign_seats, can_play, default_bot
from readyroom.cli.arguments import CommandError, DataFolder, Options, Plain, ScenarioName, Seed, find_game, parse_pairs
from readyroom.cli.play.commands import play_session
from readyroom.cli.play.manual_dice import ManualDiceMatch
from readyroom.cli.play.saved_matches import HUMAN, SavedMatch, UnknownMatch, find_record, known_players
from readyroom.cli.play.session import Session
from readyroom.cli.screen import EndOfInput, Screen
from readyroom.engine import game as games
from readyroom.engine.errors import UnknownBot, UnknownGame
from readyroom.engine.game import Game, Seat
from readyroom.engine.match import Match
from readyroom.engine.text import join_list

DICE = ("keyed", "table")
FRIEND = "friend"
"""On a server: anyone with the seat's link."""
LINK, TABLE = "/s/", "/m/"
"""Paths of seat links and match pages; the address of a server has neither."""

Players = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="SEAT=WHO", help="Who plays a seat or side: human or a bot's name; repeatable."),
]
DiceKind = Annotated[
    str | None, typer.Option("--dice", metavar="table", help="`table`: roll real dice and type the results.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the last unfinished match, or the one named.")]
AtServer = Annotated[
    str | None, typer.Option("--at", metavar="URL", help="Play on a server: its address, or a seat's link.")
]
Words = Annotated[
    str | None,
    typer.Option("--words", metavar="TEXT", help="With --at: your text for the dice key; random by default."),
]
PlayerName = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="TEXT", help="With --at: the name that others see; the server draws one by default."
    ),
]
WhatToPlay = Annotated[
    str | None, typer.Argument(metavar="GAME", help="The game to play; with --resume, a match's name or file.")
]


def play(
    game: WhatToPlay = None,
    scenario: ScenarioName = None,
    seat: Players = None,
    option: Options = None,
    seed: Seed = None,
    dice: DiceKind = None,
    data: DataFolder = None,
    resume: Resume = False,
    at: AtServer = None,
    words: Words = None,
    name: PlayerName = None,
    plain: Plain = False,
) -> None:
    """Play in the terminal, against a bot or each other. Every decision is saved automatically."""
    screen = Screen(plain)
    players = parse_pairs(seat, "--seat", "usa=human")
    if at is not None:
        settings: dict[str, object] = {"--seed": seed, "--dice": dice, "--data": data, "--resume": resume}
        _refuse(settings, "A match on a server has its own dice and data")
        _play_at(at, game, scenario, parse_pairs(option, "--option", "enterprise_aa=12"), players, screen, words, name)
        return
    _refuse({"--words": words, "--name": name}, "Only a match on a server has names and texts for the dice key")
    if resume:
        settings = {"--scenario": scenario, "--option": option, "--seed": seed, "--dice": dice}
        _refuse(settings, "A resumed match keeps its settings")
        kept = _resumed(game, data)
        _reseat(kept, players, screen)
    else:
        chosen = find_game(_which_game(screen) if game is None else game, data, lambda each: each.scenario(scenario))
        if dice is not None and dice not in DICE:
            raise CommandError(f"--dice is {' or '.join(DICE)}, not {dice!r}.")
        kind = ManualDiceMatch if dice == "table" else Match
        match = kind(chosen, scenario, parse_pairs(option, "--option", "enterprise_aa=12"), seed)
        seats = _seated(chosen, match.seats, players, screen)
        kept = SavedMatch.start(match, seats, data)
    _greet(screen, kept)
    play_session(Session(kept, screen))


def _refuse(settings: Mapping[str, object], why: str) -> None:
    """Raise `CommandError` if any of these options was given."""
    if given := [name for name, value in settings.items() if value]:
        raise CommandError(f"{why}; leave out {join_list(given)}.")


def _play_at(
    url: str,
    game: str | None,
    scenario: str | None,
    options: Mapping[str, str],
    players: Mapping[str, str],
    screen: Screen,
    words: str | None,
    name: str | None,
) -> None:
    """Play the seat of a link, or create a match on a server."""
    from readyroom.cli.play.remote import come_by_link, open_there

    if LINK in url or TABLE in url:
        if game or scenario or options or players:
            raise CommandError("A seat link already determines the match and your seat; leave out everything else.")
        play_session(come_by_link(url, screen, words, name))
        return
    chosen = find_game(_which_game(screen) if game is None else game, fits=lambda each: each.scenario(scenario))
    known = chosen.scenario(scenario)
    places = chosen.rules.seats(known, chosen.resolve(options))
    seated = _seated(chosen, places, players, screen, FRIEND)
    sits = {HUMAN: "me", FRIEND: FRIEND}
    wanted = {
        "game": chosen.key,
        "options": dict(options),
        "seats": {seat: sits.get(name, f"bot:{name}") for seat, name in seated.items()},
        **({"name": name} if name else {}),
        **({"own": known.text} if known.text is not None else {"scenario": known.key}),
    }
    own = [seat for seat, name in seated.items() if name == HUMAN]
    if not own:
        raise CommandError("Name your own seat: --seat SEAT=human.")
    play_session(open_there(url, wanted, own, screen, words))


def _resumed(name: str | None, data: Path | None) -> SavedMatch:
    """Return the match of this name, or else the last unfinished one (of the game of this name)."""
    if name is None:
        return SavedMatch.resume_latest(data)
    try:
        path = find_record(name)
    except UnknownMatch as unknown:
        try:
            games.load_game(name)
        except UnknownGame:
            raise unknown from None
        return SavedMatch.resume_latest(data, name)
    return SavedMatch.resume(path, data)


# -- who plays -------------------------------------------------------------------------------------------------------


def _which_game(screen: Screen) -> str:
    known = sorted(map(games.load_game, games.game_names()), key=lambda game: game.sort_order)
    at = _pick(screen, "Choose a game", [game.title for game in known]) if len(known) > 1 else 0
    return known[at].key


def _seated(
    game: Game[Any, Any], seats: Sequence[Seat], wanted: Mapping[str, str], screen: Screen, *others: str
) -> dict[str, str]:
    """Return who plays each seat; if no one is named, ask for a side and let a bot play the rest."""
    players = dict(wanted)
    if not players:
        players = dict.fromkeys(_which_sides(seats, screen), HUMAN)
    otherwise = default_bot(game) if HUMAN in players.values() else HUMAN
    seated = assign_seats(seats, players, otherwise)
    for seat, name in seated.items():
        if name not in others:
            _check_player(game, seat, name)
    return seated


def _which_sides(seats: Sequence[Seat], screen: Screen) -> list[str]:
    """Return the side that is picked, or all of them."""
    sides = games.sides(seats)
    hot_seat = ["All sides (hot-seat)"] if len(sides) > 1 else []
    titles = [", ".join(seat.name for seat in seats if seat.side == side) for side in sides]
    at = _pick(screen, "Choose a side", titles + hot_seat)
    return sides[at : at + 1] or sides


def _check_player(game: Game[Any, Any], seat: str, name: str) -> None:
    known = known_players(game)
    if name not in known and not can_play(game, name):
        raise UnknownBot(name, known, where=f"{game.key} for seat {seat}")


def _reseat(kept: SavedMatch, wanted: Mapping[str, str], screen: Screen) -> None:
    """Assign the seats of a resumed match: the players named, otherwise those who played before."""
    match = kept.match
    if kept.seats and not wanted:
        return
    if kept.seats:
        named = assign_seats(match.seats, wanted)
        for seat, name in named.items():
            _check_player(match.game, seat, name)
        kept.seats = {**kept.seats, **named}
    else:
        kept.seats = _seated(match.game, match.seats, wanted, screen)
    kept.write_key()


def _pick(screen: Screen, question: str, choices: Sequence[str]) -> int:
    """Return the index of the choice; Enter and the end of the input take the first."""
    screen.print(question, "bold")
    screen.list(f"{number} {choice}" for number, choice in enumerate(choices, start=1))
    span = f"a number from 1 to {len(choices)}" if len(choices) > 1 else "1"
    while True:
        try:
            line = screen.ask("[1] > ")
        except EndOfInput:
            return 0
        except KeyboardInterrupt:
            raise typer.Exit from None
        result = [at for at, choice in enumerate(choices) if line.casefold() in (str(at + 1), choice.casefold())]
        if result or not line:
            return result[0] if result else 0
        screen.print(f"Type {span}, or press Enter for {choices[0]}.")


def _greet(screen: Screen, kept: SavedMatch) -> None:
    match = kept.match
    screen.print(f"{match.game.title}: {match.scenario.title}", "bold")
    screen.print(match.scenario.summary)
    names = {seat.key: seat.name for seat in match.seats}
    screen.print("; ".join(f"{names[seat]}: {player}" for seat, player in kept.seats.items()) + ".")
    if isinstance(match, ManualDiceMatch):
        screen.print(
            "You roll all dice, including the bots', and type the results. At a roll, type `roll` to let the computer "
            "roll, `wrong` to correct the previous roll, or `help`."
        )
    else:
        screen.print(f"Dice seed hash: {match.fingerprint}")
    if HUMAN in kept.seats.values():
        screen.print("Type `help` at any time.")
    for note in kept.notes:
        screen.print(note)

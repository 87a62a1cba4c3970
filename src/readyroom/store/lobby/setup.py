"""What a new match is made of: its scenario, its seats, and their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_urlsafe
from typing import Any

import msgspec

from readyroom import bots
from readyroom.engine.errors import UnknownBot, UnknownScenario
from readyroom.engine.game import Game, Scenario, Seat, find_seats
from readyroom.store.base import bounded, clean_text, hashed, now
from readyroom.store.cards import CreatedMatch, Player, SeatAssignment
from readyroom.store.errors import InvalidSeating, InvalidText
from readyroom.store.limits import OWN_LENGTH, STATE_BYTES, TITLE_LENGTH

AnyGame = Game[Any, Any]
_encode = msgspec.json.Encoder().encode


def new_match_row(
    id: str, host: Player | None, game: AnyGame, scenario: Scenario, options: Mapping[str, str], fingerprint: str
) -> dict[str, Any]:
    """Return the row of a match that has not started; its dice key is added later."""
    at = now()
    return {
        "id": id,
        "host": host.id if host else None,
        "game": game.key,
        "title": game.title,
        "version": game.version,
        "scenario": scenario.key,
        "scenario_title": scenario.title,
        "own": scenario.text,
        "options": _encode(options).decode(),
        "created": at,
        "changed": at,
        "announced": at,
        "fingerprint": fingerprint,
        "pace": "live",
        **dict.fromkeys(("listed", "guided", "begun"), False),
        **dict.fromkeys(("revision", "turn", "lines", "barrier"), 0),
        "phase": "",
        "waiting": "[]",
        "seal": "",
    }


def random_words() -> str:
    """Return a random text for the dice key, as a default for a player."""
    return token_urlsafe(12)


def check_size(game: AnyGame, scenario: Scenario, options: Mapping[str, str]) -> None:
    """Raise `InvalidText` if a custom scenario has more pieces than its pages can show quickly."""
    if scenario.text is not None and (size := len(game.encode(game.initial_state(scenario, options)))) > STATE_BYTES:
        raise InvalidText(f"The scenario has too many pieces: {size:,} bytes; the maximum is {STATE_BYTES:,}.")


def find_scenario(game: AnyGame, key: str | None, own: str | None) -> Scenario:
    """Return the scenario of this key, or a custom one. File names are not accepted, so no server file is read."""
    if own is not None:
        bounded(own, OWN_LENGTH, "The scenario")
        name = "".join(letter for letter in key or "own" if letter.isalnum() or letter in "-_ ")
        scenario = game.own_scenario(own.encode(), f"{name.strip() or 'own'}.toml")
        clean_text(scenario.title, TITLE_LENGTH, "The title of the scenario", lines=False)
        return scenario
    known = {scenario.key: scenario for scenario in game.rules.scenarios(game.data)}
    if key is None:
        return game.first_scenario
    if key not in known:
        raise UnknownScenario(key, known, where=game.key)
    return known[key]


def assign_seats(
    game: AnyGame, places: Sequence[Seat], wanted: Mapping[str, SeatAssignment], host: Player | None
) -> list[tuple[Seat, SeatAssignment]]:
    """Return who gets each seat; raise `InvalidSeating` or `UnknownBot`."""
    by_side = {seat.key: who for name, who in wanted.items() for seat in find_seats(places, name)}
    data = {**by_side, **{seat.key: wanted[seat.key] for seat in places if seat.key in wanted}}
    for seat in places:
        if seat.key not in data:
            raise InvalidSeating(f"No player is named for {seat.name}: use me, a bot, friend or anyone.")
        if data[seat.key].kind == "me" and host is None:
            raise InvalidSeating(f"This match has no host, so {seat.name} cannot be 'me'.")
        if data[seat.key].kind == "bot":
            check_bot(game, data[seat.key].bot)
    return [(seat, data[seat.key]) for seat in places]


def check_bot(game: AnyGame, name: str) -> None:
    """Raise `UnknownBot` unless a bot of this name is offered; visitors cannot set its time limit."""
    if not bots.is_offered(game, name):
        raise UnknownBot(name, bots.bot_names(game), where=game.key)


def seat_row(opened: CreatedMatch, place: int, seat: Seat, who: SeatAssignment, dice_nonce: str = "") -> dict[str, Any]:
    """Return the row of a seat of a new match."""
    taken = who.kind in ("me", "member") or who.joins
    return {
        "match": opened.id,
        "seat": seat.key,
        "place": place,
        "name": seat.name,
        "side": seat.side,
        "who": who.kind,
        "bot": who.bot if who.kind == "bot" else "",
        "link": hashed(opened.links[seat.key]) if seat.key in opened.links else None,
        "lent": not who.joins,
        "came": now() if taken else None,
        "words": (who.words or dice_nonce) if taken else "",
    }

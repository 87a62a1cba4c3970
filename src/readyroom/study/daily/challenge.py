"""What is played on which day: the same on every server, without contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import blake2b
from typing import Any, NamedTuple

from msgspec.structs import replace

from readyroom.bots import reference_bot
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, Scenario, Seat, game_names, load_game
from readyroom.engine.match import Match
from readyroom.engine.record.format import DAILY, Header, Origin
from readyroom.study.daily.keys import day_index

SEED = "Ready Room, order of the challenges"
"""The text that fixes the order of the slots."""


class Slot(NamedTuple):
    """What can be played: a game, a scenario, the side of the player, and options that are not at their default."""

    game: str
    scenario: str
    side: str
    options: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        """A name for it."""
        options = [f"{key}={value}" for key, value in sorted(self.options.items())]
        return " ".join([self.game, self.scenario, self.side, *options])


SLOTS: Sequence[Slot] = (
    Slot("midway", "midway", "japan"),
    Slot("midway", "midway", "usa"),
    Slot("midway", "daybreak", "usa"),
    Slot("midway", "no-yorktown", "japan", {"turn_limit": "12"}),
    Slot("picket", "bush-and-colhoun", "usa"),
    Slot("picket", "cassin-young", "usa", {"aces": "yes"}),
    Slot("picket", "pringle", "usa"),
    Slot("picket", "little", "usa"),
    Slot("picket", "evans", "usa"),
    Slot("pearl", "air-raid", "usa"),
    Slot("pearl", "air-raid-late", "japan"),
    Slot("doolittle", "capital", "usa"),
    Slot("doolittle", "nagoya", "usa"),
    Slot("doolittle", "bay", "usa", {"incidents": "yes"}),
    Slot("doolittle", "kobe", "usa"),
    Slot("doolittle", "night", "usa"),
)
"""All slots; each is played once before any is repeated."""


class NoChallenge(ReadyRoomError):
    """The game of the day is not installed."""

    def __init__(self, day: date, slot: Slot) -> None:
        super().__init__(f"The challenge of {day} cannot be played here: {slot.key} is not installed.")


class Challenge(NamedTuple):
    """The challenge of a day: what is played, and who plays."""

    day: date
    slot: Slot
    game: Game[Any, Any]
    scenario: Scenario
    options: dict[str, str]
    seats: Sequence[Seat]
    bot: str

    @property
    def number(self) -> int:
        """The number of the day, from 1."""
        return 1 + day_index(self.day)

    @property
    def side(self) -> str:
        """The player's side."""
        return self.slot.side

    @property
    def own_seats(self) -> list[str]:
        """The player's seats."""
        return [seat.key for seat in self.seats if seat.side == self.side]

    @property
    def other_seats(self) -> list[str]:
        """The seats of bots."""
        return [seat.key for seat in self.seats if seat.side != self.side]

    @property
    def name(self) -> str:
        """The title of the scenario, and the side if there are several."""
        return f"{self.scenario.title} as {self.side_name}" if self.other_seats else self.scenario.title

    @property
    def side_name(self) -> str:
        """The name of the player's side."""
        return self.game.side_name(self.side, [seat for seat in self.seats if seat.side == self.side])

    @property
    def aim(self) -> str:
        """What the player is to achieve; empty if the game does not say."""
        return self.game.presentation.aims.get(self.side, "")


def slot_of(day: date) -> Slot:
    """Return what is played on a day; raise `NoSuchDay`."""
    cycle, place = divmod(day_index(day), len(SLOTS))

    def rank(slot: Slot) -> bytes:
        return blake2b(f"{SEED}|{cycle}|{slot.key}".encode()).digest()

    return sorted(SLOTS, key=rank)[place]


def challenge_of(day: date) -> Challenge:
    """Return the challenge of a day, without its dice; raise `NoSuchDay` or `NoChallenge`."""
    slot = slot_of(day)
    if slot.game not in game_names():
        raise NoChallenge(day, slot)
    return slot_challenge(slot, day)


def slot_challenge(slot: Slot, day: date) -> Challenge:
    """Return the challenge of a slot for a day."""
    game = load_game(slot.game)
    scenario, options = game.scenario(slot.scenario), game.resolve(slot.options)
    return Challenge(day, slot, game, scenario, options, game.rules.seats(scenario, options), reference_bot(game))


def new_match(challenge: Challenge, secret: bytes, origin: Origin) -> Match[Any, Any]:
    """Return an attempt at a challenge before its first decision."""
    match: Match[Any, Any] = Match(
        challenge.game, challenge.scenario, challenge.options, secret=secret, known_dice=True
    )
    match.continue_record(daily_header(match.header, challenge.day, origin))
    return match


def daily_header(header: Header, day: date, origin: Origin) -> Header:
    """Return the header of an attempt."""
    assert origin in DAILY
    return replace(header, origin=origin, day=day.isoformat())

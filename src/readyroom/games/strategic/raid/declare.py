"""[PH.1, PH.2, 51.31] Before the raid: the last die of tension, Magic, where the carriers are, and the surprise."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from readyroom.engine.checks import RolledDice, Roller, signed
from readyroom.engine.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.raid.knowledge import (
    column,
    column_of,
    level,
    place_told,
    surprise_table,
    told_level,
)
from readyroom.games.strategic.raid.state import JAPAN, SEATS, USA, Aircraft, Force
from readyroom.games.strategic.state import T
from readyroom.games.strategic.tables import DICE, SIDES, SurpriseTable

DIE = "die"
"""The choice of the option by which the last die of tension is thrown."""


class Thrown(msgspec.Struct, frozen=True):
    """A die that was thrown, told as a number of the log's sentence and with its arithmetic."""

    name: str
    face: int
    sums: str

    def to_log(self) -> RolledDice:
        """The roll for the log."""
        return RolledDice(self.name, ((self.face,),), SIDES, self.sums)

    def __str__(self) -> str:
        return str(self.face)


def table_of(table: T) -> SurpriseTable:
    """[51.31] The Surprise Table of this match."""
    return surprise_table(table.state.raid, table.state.rulings, table.data)


def declare(table: T) -> None:
    """[PH.1] Japan declares war, and one last die moves the tension."""
    raid = table.state.raid
    if table.state.rulings.final_die != DIE:
        table.log_line("PH.1", "Japan declares war at a tension of {}.", raid.tension)
        return
    (face,) = table.roll_dice("PH.1", "tension")
    raid.final = (face, table.data.pearl.tension.final[str(face)])
    rolled = Thrown("the last die of tension", face, f"1d6 = {face}: {signed(raid.final[1])}")
    table.log_line("PH.1", "Japan declares war. The last die of tension is {}: tension is {}.", rolled, raid.tension)


# -- Magic -------------------------------------------------------------------------------------------------------------


def play_magic(table: T) -> Steps:
    """[PH.2] Both sides play cards of Magic, face down."""
    raid = table.state.raid
    raid.magic = yield from table.choose_in_secret({seat: _cards(table, seat) for seat in SEATS})
    for seat in SEATS:
        table.log_line("PH.2", "You have played {} of Magic.", cards_told(raid.magic[seat]), audience=(seat,))


def cards_told(count: int) -> str:
    """So many cards, in words."""
    return "one card" if count == 1 else f"{count or 'no'} cards"


def _cards(table: T, seat: str) -> Choice[int]:
    limits = table.state.raid.opening.magic
    most = limits.japan if seat == JAPAN else limits.usa
    options = [Option(f"magic-{count}", f"Play {cards_told(count)}", count) for count in range(most + 1)]
    chosen = yield from table.choose(
        seat,
        "PH.2",
        "How many cards of Magic do you play?",
        options,
        info=lambda option: _magic_hint(table, seat, option.value),
        unavailable=lambda: [
            Unavailable(
                f"magic-{most + 1}",
                f"Play {cards_told(most + 1)}",
                "PH.2",
                f"{capitalize_first(cards_told(most))} can be played in this scenario.",
            )
        ],
        piece_key=f"magic:{seat}",
    )
    return int(chosen.value)


def _magic_hint(table: T, seat: str, count: int) -> OptionInfo:
    """The columns that such a choice leaves, whatever the other side plays, and what it costs."""
    raid, charts = table.state.raid, table_of(table)
    limits = raid.opening.magic
    others = range((limits.usa if seat == JAPAN else limits.japan) + 1)
    hands = [(count, other) if seat == JAPAN else (other, count) for other in others]
    found = sorted({column_of(raid, charts, cards) for cards in hands})
    names = [charts.chart.columns[at] for at in found]
    kept = ((limits.japan if seat == JAPAN else limits.usa) - count) * limits.kept
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return OptionInfo(f"column {span} of the Surprise Table; cards that you keep are worth {kept}")


# -- where the carriers are --------------------------------------------------------------------------------------------


class Placed(msgspec.Struct, frozen=True):
    """A force that has been placed by two dice; those who may read the roll know the column by it."""

    dice: bytes
    name: str
    column: str
    place: str

    def to_log(self) -> RolledDice:
        """The roll for the log."""
        sums = f"{DICE}d{SIDES} = {sum(self.dice)}, column {self.column}: {self.place}"
        return RolledDice(self.name, (tuple(self.dice),), SIDES, sums)

    def __str__(self) -> str:
        return self.place


class Placing(msgspec.Struct, frozen=True, eq=False):
    """[51.31.2] Two dice for a carrier force, read in a column of the Surprise Table."""

    name: str
    table: SurpriseTable
    column: int
    rule: str = "51.31.2"

    def resolve(self, throw: Roller) -> Placed:
        """Throw the dice and read the table."""
        dice = throw(DICE, SIDES, 0)
        place = self.table.carrier(self.column, sum(dice))
        return Placed(dice, self.name, self.table.chart.columns[self.column], place)


def place_carriers(table: T) -> None:
    """[51.31.2, A16] Two dice for each American carrier force; one that lies in port has its aircraft ashore."""
    raid, charts = table.state.raid, table_of(table)
    at = column(raid, charts)
    for force in raid.forces:
        rolled = table.roll(Placing(force.name, charts, at), force.key)
        force.place = rolled.place
        table.log_line("51.31.2", "{}: {}. It is {}.", force.named, rolled, place_told(force.place), audience=(USA,))
    in_port = [force for force in raid.forces if force.in_port]
    for force in in_port:
        force.seen = True
        raid.naval.grounded += force.squadrons
    _tell_port(table, in_port)


def _tell_port(table: T, in_port: Sequence[Force]) -> None:
    """[PH.3] What Japan's observer in Honolulu reports."""
    if not in_port:
        table.reveal("PH.3", "No American carriers lie in Pearl Harbor.")
    for force in in_port:
        table.reveal("PH.3", "{} lies in Pearl Harbor; its aircraft are ashore.", force.named)


# -- surprise ----------------------------------------------------------------------------------------------------------


def surprise(table: T) -> None:
    """[51.31.4] Japan's die says how surprised the defence is; which aircraft are up follows (51.31.7)."""
    raid, charts = table.state.raid, table_of(table)
    (raid.die,) = table.roll_dice("51.31.4", "surprise")
    at = column(raid, charts)
    found = charts.level(at, raid.die)
    sums = f"1d6 + {charts.drms[at]} = {found}, column {charts.chart.columns[at]}"
    told = level_told(told_level(found, table.data), table)
    table.log_line(
        "51.31.4", "Japan's die of surprise is {}. {}.", Thrown("surprise", raid.die, f"1d6 = {raid.die}"), told
    )
    table.log_line(
        "51.31.4",
        "With the die of {} and the column that is level {}.",
        Thrown("surprise", raid.die, sums),
        found,
        audience=(USA,),
    )
    for aircraft in (raid.army, raid.naval):
        split(table, aircraft, found)


def level_told(found: int, table: T) -> str:
    """[51.31.7] A level, in words."""
    if found >= table.data.pearl.surprise.disarray:
        return f"Level {found} or more: the defence is in disarray"
    return f"Level {found}: {'all aircraft are' if not engages(table, found)[0] else 'some aircraft are'} on the ground"


def engages(table: T, found: int) -> tuple[int, int]:
    """[51.31.7] The part of the defending aircraft that is up, as a fraction (A20)."""
    figures = table.data.pearl.surprise
    if found < figures.disarray:
        return figures.engages[str(found)]
    grounded = table.state.rulings.disarray == "grounded"
    return figures.engages[str(figures.disarray - 1)] if grounded else (1, 1)


def split(table: T, aircraft: Aircraft, found: int) -> None:
    """[51.31.7, P4] The part that is up, rounded up for each kind by itself; the rest is surprised on the ground."""
    part, whole = engages(table, found)
    aircraft.up = -(-aircraft.ready * part // whole)
    aircraft.grounded += aircraft.ready - aircraft.up
    aircraft.ready = 0


def disarray(table: T) -> bool:
    """[51.31.7] Whether the defence is in disarray, in the first strike."""
    raid = table.state.raid
    return not raid.stays and level(raid, table_of(table)) >= table.data.pearl.surprise.disarray


def surprised(table: T) -> bool:
    """[PH.12] Only the first strike comes by surprise."""
    return not table.state.raid.stays

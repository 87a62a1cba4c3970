"""[PH.1, PH.2, 51.31] Before the raid: the final tension roll, Magic, carrier locations and surprise."""

from __future__ import annotations

import msgspec

from readyroom.engine.rules.checks import RolledDice, Roller, signed
from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import count_or_no
from readyroom.games.strategic.pearl.knowledge import (
    column,
    column_of,
    describe_place,
    level,
    public_level,
    surprise_table,
)
from readyroom.games.strategic.pearl.pieces import HARBOR, MAGIC, SKY, TENSION, berth, column_place
from readyroom.games.strategic.pearl.state import JAPAN, SEATS, USA, Aircraft, T
from readyroom.games.strategic.tables.grids import DICE, SIDES, SurpriseTable

DIE = "die"
"""The option value with which the final tension die is rolled."""


class DieRoll(msgspec.Struct, frozen=True):
    """A die roll that reads as a number in a log sentence and keeps its arithmetic."""

    name: str
    face: int
    sums: str

    def to_log(self) -> RolledDice:
        """The roll for the log."""
        return RolledDice(self.name, ((self.face,),), SIDES, self.sums)

    def __str__(self) -> str:
        return str(self.face)


def table_of(table: T) -> SurpriseTable:
    """[51.31] Return the Surprise Table of this match."""
    return surprise_table(table.state.raid, table.state.rulings, table.data)


def declare(table: T) -> None:
    """[PH.1] Declare war and roll the final tension die."""
    raid = table.state.raid
    if table.state.rulings.final_die != DIE:
        table.log_line("PH.1", "Japan declares war at tension {}.", raid.tension, target=TENSION)
        return
    (face,) = table.roll_dice("PH.1", "tension")
    raid.final = (face, table.data.pearl.tension.final[str(face)])
    roll = DieRoll("final tension roll", face, f"1d6 = {face}: {signed(raid.final[1])}")
    template = "Japan declares war. The final tension roll is {}: tension is {}."
    table.log_line("PH.1", template, roll, raid.tension, target=TENSION)


def play_magic(table: T) -> Steps:
    """[PH.2] Let both sides play Magic cards face down."""
    raid = table.state.raid
    raid.magic = yield from table.choose_in_secret({seat: _choose_magic(table, seat) for seat in SEATS})
    for seat in SEATS:
        cards = count_or_no(raid.magic[seat], "Magic card")
        table.log_line("PH.2", "You play {}.", cards, audience=(seat,), target=MAGIC)


def _choose_magic(table: T, seat: str) -> Choice[int]:
    limits = table.state.raid.opening.magic
    most = limits.japan if seat == JAPAN else limits.usa
    reason = f"You can play at most {count_or_no(most, 'card')} in this scenario."
    options = [Option(f"magic-{count}", count_or_no(count, "card"), count) for count in range(most + 1)]
    chosen = yield from table.choose(
        seat,
        "PH.2",
        "How many Magic cards do you play?",
        options,
        info=lambda option: _magic_hint(table, seat, option.value),
        unavailable=lambda: [Unavailable(f"magic-{most + 1}", count_or_no(most + 1, "card"), "PH.2", reason)],
        piece_key=f"magic:{seat}",
    )
    return int(chosen.value)


def _magic_hint(table: T, seat: str, count: int) -> OptionInfo:
    """Return the columns still possible, whatever the other side plays, and the score of the cards kept."""
    raid, charts = table.state.raid, table_of(table)
    limits = raid.opening.magic
    others = range((limits.usa if seat == JAPAN else limits.japan) + 1)
    hands = [(count, other) if seat == JAPAN else (other, count) for other in others]
    labels = [charts.label(at) for at in sorted({column_of(raid, charts, cards) for cards in hands})]
    kept = ((limits.japan if seat == JAPAN else limits.usa) - count) * limits.kept
    span = labels[0] if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"
    return OptionInfo(
        f"Surprise Table column {span}, the lower the greater the surprise; the cards you keep score {kept}"
    )


class CarrierPlace(msgspec.Struct, frozen=True):
    """A carrier force's place by two dice. The roll shows the column, so only those who know it may read it."""

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


class PlaceRoll(msgspec.Struct, frozen=True, eq=False):
    """[51.31.2] Two dice for a carrier force, read in a column of the Surprise Table."""

    name: str
    table: SurpriseTable
    column: int
    rule: str = "51.31.2"

    def resolve(self, roll: Roller) -> CarrierPlace:
        """Roll the dice and read the table."""
        dice = roll(DICE, SIDES, 0)
        place = self.table.carrier(self.column, sum(dice))
        return CarrierPlace(dice, self.name, self.table.label(self.column), place)


def place_carriers(table: T) -> None:
    """[51.31.2, A16] Roll for the place of each American carrier force; in port its aircraft are on the ground.

    Japan's observer in Honolulu sees what is in port [PH.3].
    """
    raid, charts = table.state.raid, table_of(table)
    at = column(raid, charts)
    rolls = [table.roll(PlaceRoll(force.name, charts, at), force.key) for force in raid.forces]
    for force, roll in zip(raid.forces, rolls, strict=True):
        force.place = roll.place
        force.seen = force.in_port
        raid.naval.grounded += force.squadrons if force.in_port else 0
    for force, roll in zip(raid.forces, rolls, strict=True):
        facts = (force.named, describe_place(force.place), roll)
        table.log_line("51.31.2", "{} is {}.", *facts, audience=(USA,), target=berth(force))
    for force in raid.forces:
        if force.in_port:
            template = "{} is in Pearl Harbor. Its aircraft are on the ground."
            table.reveal("PH.3", template, force.named, target=HARBOR)
    if not any(force.in_port for force in raid.forces):
        table.reveal("PH.3", "No American carriers are in Pearl Harbor.", target=HARBOR)


def surprise(table: T) -> None:
    """[51.31.4] Roll for the level of surprise, and split the defending aircraft by it (51.31.7)."""
    raid, charts = table.state.raid, table_of(table)
    (raid.die,) = table.roll_dice("51.31.4", "surprise")
    at = column(raid, charts)
    drm, surprise_level = charts.drms[at], charts.level(at, raid.die)
    announced = public_level(surprise_level, table.data)
    if announced >= table.data.pearl.surprise.disarray:
        meaning = f"level {announced} or more: the defense is in disarray"
    else:
        meaning = f"level {announced}: {'some' if engages(table, announced)[0] else 'all'} aircraft are on the ground"
    for aircraft in (raid.army, raid.naval):
        split(table, aircraft, surprise_level)
    roll = DieRoll("surprise", raid.die, f"1d6 = {raid.die}")
    moment = "Complete surprise" if announced >= table.data.pearl.surprise.disarray else ""
    template = "Japan's surprise roll is {}. With the column's modifier, that is {}."
    table.log_line("51.31.4", template, roll, meaning, target=SKY, moment=moment)
    roll = DieRoll("surprise", raid.die, f"1d6 + {drm} = {surprise_level}, column {charts.label(at)}")
    template, target = "Surprise roll {} + column {} = level {}.", column_place(charts.chart.columns[at])
    table.log_line("51.31.4", template, roll, drm, surprise_level, audience=(USA,), target=target)


def engages(table: T, level: int) -> tuple[int, int]:
    """[51.31.7] Return the share of the defending aircraft that is up, as a fraction (A20)."""
    figures = table.data.pearl.surprise
    if level < figures.disarray:
        return figures.engages[str(level)]
    grounded = table.state.rulings.disarray == "grounded"
    return figures.engages[str(figures.disarray - 1)] if grounded else (1, 1)


def split(table: T, aircraft: Aircraft, level: int) -> None:
    """[51.31.7, P4] Send a share of one kind up, rounded up; the rest is surprised on the ground."""
    numerator, denominator = engages(table, level)
    aircraft.up = -(-aircraft.ready * numerator // denominator)
    aircraft.grounded += aircraft.ready - aircraft.up
    aircraft.ready = 0


def disarray(table: T) -> bool:
    """[51.31.7] Return whether the defense is in disarray; only in the first strike."""
    raid = table.state.raid
    return not raid.stays and level(raid, table_of(table)) >= table.data.pearl.surprise.disarray


def surprised(table: T) -> bool:
    """[PH.12] Return whether the strike has surprise: the first one only."""
    return not table.state.raid.stays

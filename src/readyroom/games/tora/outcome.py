"""[14, 17] Who has won: capital ships by row, yard damage by column."""

from __future__ import annotations

from typing import NamedTuple

from readyroom.engine.state import Outcome
from readyroom.engine.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.tora.disclosure import reveal_plans
from readyroom.games.tora.figures import JAPAN, USA, Data, SideName, Verdict
from readyroom.games.tora.flying import more_waves, think_again
from readyroom.games.tora.losses import all_lost, american_losses, japanese_losses
from readyroom.games.tora.luck import last_turn, turn_a_card
from readyroom.games.tora.state import T, Tora

TITLES: dict[Verdict, str] = {
    "U": "American strategic victory",
    "T": "Japanese tactical victory, strategic defeat",
    "J": "Japanese strategic victory",
}
WINNERS: dict[Verdict, SideName | None] = {"U": USA, "T": None, "J": JAPAN}
"""[14.3, 14.4, 14.5] Who has won; a tactical victory that is a strategic defeat is a draw (T34)."""
RULES: dict[Verdict, str] = {"U": "14.3", "T": "14.4", "J": "14.5"}
LEFT, BLACK, DARK = (
    "The last Japanese aircraft have left",
    "The Japanese task force has withdrawn in haste",
    "Night falls",
)


class Tally(NamedTuple):
    """[14.2] What counts in the end: capital ships, hits on the yard, and aircraft lost."""

    ok: int
    damaged: int
    sunk: int
    yard: int
    japanese: int
    american: int


def tally(state: Tora, data: Data) -> Tally:
    """[14.2, 16.5] The capital ships as they are now, carriers at sea among them (T16), and the other counts."""
    capital = [ship for ship in state.usa.ships if ship.capital]
    sunk = sum(ship.sunk for ship in capital)
    damaged = sum(state.damaged(ship) for ship in capital)
    planes = japanese_losses(state, data), american_losses(state, data)
    return Tally(len(capital) - damaged - sunk, damaged, sunk, state.usa.yard_hits, *planes)


def band(data: Data, yard: int) -> int:
    """[17.2] The column of the chart for so many hits on the yard."""
    return next(column for column, most in enumerate(data.places.yard.bands) if yard <= most)


def verdict(data: Data, counted: Tally, row1_u: int, row23_j: int) -> Verdict:
    """[14.1, 14.5, 17.1] The cell of the chart; too many aircraft lost make a tactical victory of a strategic one."""
    column = band(data, counted.yard)
    found = _cell(data, counted, column, row1_u, row23_j)
    if found == "J" and counted.japanese > data.air.limits.sustainable_losses:
        return "T"
    return found


def _cell(data: Data, counted: Tally, column: int, row1_u: int, row23_j: int) -> Verdict:
    """[17.1] The row of so many undamaged ships; of two the lower one from so many sunk on, however many (T7).

    The two steps that the chart leaves open are options (T23).
    """
    if counted.ok >= data.ships.capital.available:
        return "U"
    rows = [row for row in data.outcome.row if row.ok == (counted.ok, counted.ok)]
    row = next((row for row in reversed(rows) if counted.sunk >= row.sunk[0]), rows[0])
    if row.step == "row1_u":
        return "U" if column < row1_u else "T"
    if row.step == "row23_j":
        return "J" if column >= len(row.cells) - row23_j else "T"
    return row.cells[column]


def end_of_turn(table: T) -> Steps:
    """[13.3, 14.2] The battle is over when nobody is left and nobody comes any more, when luck or light runs out."""
    state = table.state
    aloft = any(zone.japan for zone in state.zones.values())
    if not aloft and more_waves(state):
        yield from think_again(table)
    if not aloft and not more_waves(state):
        finish(table, LEFT)
    elif turn_a_card(table):
        finish(table, BLACK)
    elif state.at.turn >= last_turn(table.data, state.rulings.luck_from):
        all_lost(table, "T29")
        finish(table, DARK)


def finish(table: T, how: str) -> None:
    """[14, 17] The verdict; and both plans are laid open (T27)."""
    state, data = table.state, table.data
    counted = tally(state, data)
    found = verdict(data, counted, state.rulings.row1_u, state.rulings.row23_j)
    reveal_plans(table)
    text = (
        f"{how}. Capital ships: {counted.ok} undamaged, {counted.damaged} damaged, {counted.sunk} sunk. "
        f"Hits on the yard: {counted.yard}. Aircraft lost: {counted.japanese} Japanese, {counted.american} American."
    )
    table.log_line(RULES[found], "{} {}.", text, TITLES[found])
    table.end_match(Outcome(WINNERS[found], TITLES[found], text))


def epilogue(state: Tora, data: Data) -> list[str]:
    """[14.2] What became of the ships, the yard, the fields and the aircraft."""
    counted = tally(state, data)
    fates = ", ".join(f"{ship.name} {_fate(state, ship.key)}" for ship in state.usa.ships if ship.hits)
    return [
        f"Ships hit: {fates}." if fates else "No ship was hit.",
        f"Hits on the Navy Yard: {counted.yard} of {data.places.yard.bands[-1]}.",
        f"Aircraft lost: {counted.japanese} Japanese, {counted.american} American.",
    ]


def _fate(state: Tora, key: str) -> str:
    ship = state.usa.ship(key)
    if ship.sunk:
        return "sunk"
    return f"damaged, {ship.hits} hits" if state.damaged(ship) else count_noun(ship.hits, "hit")

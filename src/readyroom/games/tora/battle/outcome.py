"""[14, 17] Victory: capital ships by row, yard damage by column."""

from __future__ import annotations

from typing import NamedTuple

from readyroom.engine.rules.state import Outcome, ScaleBand, ScoreScale
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.tora.battle.flying import more_waves, reconsider_wave
from readyroom.games.tora.battle.losses import all_lost, american_losses, japanese_losses
from readyroom.games.tora.battle.luck import last_turn, turn_a_card
from readyroom.games.tora.figures import JAPAN, USA, Data, Result, SideName
from readyroom.games.tora.plans.disclosure import reveal_plans
from readyroom.games.tora.state import T, Tora

TITLES: dict[Result, str] = {
    "U": "American strategic victory",
    "T": "Japanese tactical victory, strategic defeat",
    "J": "Japanese strategic victory",
}
WINNERS: dict[Result, SideName | None] = {"U": USA, "T": None, "J": JAPAN}
"""[14.3, 14.4, 14.5] Winners; a tactical victory with strategic defeat is a draw (T34)."""
RULES: dict[Result, str] = {"U": "14.3", "T": "14.4", "J": "14.5"}
LEFT, BLACK = "The last Japanese aircraft have left", "The Japanese task force has withdrawn in haste"
DARK = "Night falls"


class FinalCounts(NamedTuple):
    """[14.2] Final counts: capital ships, hits on the yard, and aircraft lost."""

    ok: int
    damaged: int
    sunk: int
    yard: int
    japanese: int
    american: int


def final_counts(state: Tora, data: Data) -> FinalCounts:
    """[14.2, 16.5] Count capital ships, including carriers at sea (T16), yard hits and aircraft lost."""
    capital = [ship for ship in state.usa.ships if ship.capital]
    sunk = sum(ship.sunk for ship in capital)
    damaged = sum(state.damaged(ship) for ship in capital)
    return FinalCounts(
        ok=len(capital) - damaged - sunk,
        damaged=damaged,
        sunk=sunk,
        yard=state.usa.yard_hits,
        japanese=japanese_losses(state, data),
        american=american_losses(state, data),
    )


def band(data: Data, yard: int) -> int:
    """[17.2] Return the column of the chart for a number of hits on the yard."""
    return next(column for column, most in enumerate(data.places.yard.bands) if yard <= most)


def chart_result(data: Data, counts: FinalCounts, row1_u: int, row23_j: int) -> Result:
    """[14.1, 14.5, 17.1] Return the result of the chart; excessive aircraft losses reduce a strategic victory."""
    result = _cell(data, counts, row1_u, row23_j)
    return "T" if result == "J" and counts.japanese > data.air.limits.sustainable_losses else result


def _cell(data: Data, counts: FinalCounts, row1_u: int, row23_j: int) -> Result:
    """[17.1] Return the cell of the row with this many undamaged ships; of two rows the lower if enough are sunk (T7).

    The two steps that the chart leaves open are options (T23).
    """
    column = band(data, counts.yard)
    if counts.ok >= data.ships.capital.available:
        return "U"
    rows = [row for row in data.outcome.row if row.ok == (counts.ok, counts.ok)]
    row = next((row for row in reversed(rows) if counts.sunk >= row.sunk[0]), rows[0])
    if row.step == "row1_u":
        return "U" if column < row1_u else "T"
    if row.step == "row23_j":
        return "J" if column >= len(row.cells) - row23_j else "T"
    return row.cells[column]


def end_of_turn(table: T) -> Steps:
    """[13.3, 14.2] End the battle when no Japanese aircraft are left or to come, or when luck or light runs out."""
    state = table.state
    aloft = any(zone.japan for zone in state.zones.values())
    if not aloft and more_waves(state):
        yield from reconsider_wave(table)
    if not aloft and not more_waves(state):
        finish(table, LEFT)
    elif turn_a_card(table):
        finish(table, BLACK)
    elif state.at.turn >= last_turn(table.data, state.rulings.luck_from):
        all_lost(table, "T29")
        finish(table, DARK)


def finish(table: T, how: str) -> None:
    """[14, 17] Determine the result and reveal both plans (T27)."""
    state, data = table.state, table.data
    counts = final_counts(state, data)
    result = chart_result(data, counts, state.rulings.row1_u, state.rulings.row23_j)
    reveal_plans(table)
    text = (
        f"{how}. Capital ships: {counts.ok} undamaged, {counts.damaged} damaged, {counts.sunk} sunk. "
        f"Hits on the yard: {counts.yard}. Aircraft lost: {counts.japanese} Japanese, {counts.american} American."
    )
    table.log_line(RULES[result], "{} {}.", text, TITLES[result], moment=TITLES[result])
    table.end_match(Outcome(WINNERS[result], TITLES[result], text))


def standing(state: Tora, data: Data) -> dict[str, int]:
    """[14.2] Return the capital ships damaged and sunk, the sunk ones doubled, as the chart prefers them."""
    capital = [ship for ship in state.usa.ships if ship.capital]
    return {JAPAN: sum(2 if ship.sunk else int(state.damaged(ship)) for ship in capital)}


def scale(state: Tora, data: Data) -> ScoreScale:
    """[14, 17] Return the result of the chart among all, with the figures that it follows from."""
    counts, order = final_counts(state, data), tuple(TITLES)
    sides = {"U": USA, "T": JAPAN, "J": JAPAN}
    result = chart_result(data, counts, state.rulings.row1_u, state.rulings.row23_j)
    bands = [ScaleBand(TITLES[one], number or None, sides[one]) for number, one in enumerate(order)]
    ships = f"capital ships: {counts.damaged} damaged, {counts.sunk} sunk of {counts.ok + counts.damaged + counts.sunk}"
    name = f"{ships}; {count_noun(counts.yard, 'hit')} on the yard"
    return ScoreScale(name, order.index(result), bands, is_ordinal=True)


def epilogue(state: Tora, data: Data) -> list[str]:
    """[14.2] Describe the fate of ships, yard and aircraft."""
    counts = final_counts(state, data)
    fates = []
    for ship in (ship for ship in state.usa.ships if ship.hits):
        damage = f"damaged, {ship.hits} hits" if state.damaged(ship) else count_noun(ship.hits, "hit")
        fates.append(f"{ship.name} {'sunk' if ship.sunk else damage}")
    return [
        f"Ships hit: {', '.join(fates)}." if fates else "No ship was hit.",
        f"Hits on the Navy Yard: {counts.yard} of {data.places.yard.bands[-1]}.",
        f"Aircraft lost: {counts.japanese} Japanese, {counts.american} American.",
    ]

"""[6.1 to 6.3] Weather, and the typhoon."""

from __future__ import annotations

from functools import partial
from typing import Final

from readyroom.engine.rules.checks import ChartRoll
from readyroom.engine.text import count_noun
from readyroom.games.picket.ending.upkeep import must_leave
from readyroom.games.picket.figures.damage import HullLoss, Storm
from readyroom.games.picket.rolls import roll_die, roll_on_table
from readyroom.games.picket.ship.damage import Log, hit_gear, lose, sink, track_key
from readyroom.games.picket.state import WATCHES, Picket, T, last_turn

CLEAR: Final = "clear"
RAIN: Final = "rain"
STORM: Final = "storm"
SQUALLS, EDGE, TYPHOON = "squalls", "typhoon-edge", "typhoon"
WEATHERS = {CLEAR: "clear", RAIN: "rainy", STORM: "stormy"}
SHORT = 7
"""The turns of a cruise of which every dawn is a moment."""
STORMS = {SQUALLS: "a line of squalls", EDGE: "the edge of a typhoon", TYPHOON: "a typhoon"}


def weather(table: T) -> None:
    """[6.1.A, 6.2.A, 6.2.B, 6.2.C, 6.2.F] Roll for the weather of a phase; in the basic game it is clear (P42)."""
    state, figures = table.state, table.data.duty.weather
    if not state.sea.station:
        return
    before, forced = state.sea.weather, state.planned() not in ("roll", "kikusui", "none")
    first = state.at.turn == 1 and state.watch == "morning"
    state.sea.weather, state.sea.storm, state.sea.away = CLEAR, "", False
    if not state.plan.advanced or first or forced:
        return
    wet = [("bad weather before", figures.wet)] if before != CLEAR else []
    roll = roll_on_table(table, table.data.tables.weather, "weather", modifiers=wet)
    cell = roll.cell
    state.sea.weather = cell  # type: ignore[assignment]
    table.log_line("6.2", "The weather is {}.", WEATHERS[cell], roll, target="weather", moment=_dawn(state))
    if cell == STORM:
        _storm(table)
    elif cell == RAIN:  # 6.2.F: if they do not come, no air support is called
        rolled = roll_die(table, "6.2", "rain", goal=f"attack on {figures.rain_attack} or more")
        state.sea.away = rolled < figures.rain_attack
        effect = "do not attack" if state.sea.away else "may still attack"
        table.log_line("6.2", "In the rain the Japanese {}.", effect, rolled, target="weather")


def _dawn(state: Picket) -> str:
    """Return the moment of a dawn that matters: every one of a short cruise, of a long one the last."""
    if state.watch != "morning":
        return ""
    last = last_turn(state)
    if state.at.turn == last:
        return f"Dawn of the last day, {state.day.day} {state.day:%B}"
    return f"Dawn, {state.day.day} {state.day:%B}" if last <= SHORT else ""


def _storm(table: T) -> None:
    """[6.3.A, 6.3.B.1, 6.3.B.2] Roll for the kind of storm; a ship that turns back may founder on the way."""
    state, tables = table.state, table.data.tables
    roll = roll_on_table(table, tables.storm, "storm")
    state.sea.storm = roll.cell
    moment = "Typhoon" if roll.cell == TYPHOON else ""
    table.log_line("6.3", "The storm is {}.", STORMS[roll.cell], roll, target="weather", moment=moment)
    if roll.cell == EDGE:
        _battered(table, 1)
    elif roll.cell == TYPHOON:  # days are lost, and a damaged ship rolls for damage in each of their phases
        days_roll = roll_on_table(table, tables.typhoon_days, "typhoon-days")
        state.sea.days_lost = days = int(days_roll.cell)
        table.log_line("6.3", "The typhoon lasts {}.", count_noun(days, "day"), days_roll, target="weather")
        if _battered(table, 1):
            _battered(table, len(WATCHES) * days - 1)
    if not state.ship.lost and (state.ship.leaves or state.sea.days_lost):
        must_leave(table)


def _battered(table: T, times: int) -> bool:
    """[6.3.B] Roll for damage several times; return whether there was any."""
    state, hurt = table.state, False
    for _ in range(times):
        if state.ship.lost or state.ship.leaves:
            break
        roll = roll_on_table(table, table.data.tables.typhoon, "battered")
        result = table.data.storm_results[roll.cell]
        _storm_damage(table, result, partial(_say_battered, table, result, roll))
        hurt = hurt or result is not Storm.NONE
    return hurt


def _effect(result: HullLoss | Storm) -> str:
    """Return what a result of Table 6-4 does to the ship."""
    if isinstance(result, HullLoss):
        back = " and turn the ship back" if result.turns_back else ""
        return f"cost {count_noun(result.points, 'point')} of hull{back}"
    return {Storm.FOUNDER: "nearly swamp the ship", Storm.RADAR: "damage the SG radar"}.get(result, "do no damage")


def _say_battered(table: T, result: HullLoss | Storm, roll: ChartRoll[str]) -> None:
    table.log_line("6.3", "Heavy seas {}.", _effect(result), roll, target=_struck_by_sea(result))


def _struck_by_sea(result: HullLoss | Storm) -> str:
    """Return the key of what a result of Table 6-4 damages."""
    return "radar-sg" if result is Storm.RADAR else "ship" if result is Storm.NONE else track_key("hull")


def _storm_damage(table: T, result: HullLoss | Storm, log: Log) -> None:
    """[6.3] Apply a storm damage result; `log` logs it."""
    ship, founder = table.state.ship, table.data.damage.founder
    match result:
        case HullLoss(points, turns_back):
            ship.leaves = "storm" if turns_back else ""
            lose(table, "hull", points, log)
        case Storm.RADAR:
            hit_gear(table, "radar-sg", log)
        case Storm.FOUNDER:
            log()
            rolled = roll_die(table, "6.3", "founder", goal=f"founders on {founder.sinks_to} or less")
            founders = rolled <= founder.sinks_to

            def say_fate() -> None:
                text = "founders" if founders else "rights herself"
                table.log_line("6.3", "The ship {}.", text, rolled, target="ship")

            if founders:
                sink(table, "6.3", "foundered in the typhoon", say_fate)
            else:
                say_fate()
                lose(table, "hull", founder.hull)
                ship.leaves = "storm"
        case _:
            log()

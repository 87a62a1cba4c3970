"""[12.2] The weather phase: weather and wind where patrols are, and what a storm does."""

from __future__ import annotations

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.figures.common import WEATHERS
from readyroom.games.doolittle.figures.flight import WindBox
from readyroom.games.doolittle.flight.wind_boxes import box_name, wind_check
from readyroom.games.doolittle.planning.transit import hazards
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.hazard_effects import remove_signals
from readyroom.games.doolittle.voyage.ships import (
    PORT,
    area_key,
    area_name,
    box_of,
    following_area,
    patrols,
    weather_at,
)


def weather(table: T) -> Steps:
    """[12.2] Check the weather of each box with a patrol; then a storm strikes the force."""
    state, sea = table.state, table.state.sea
    sea.weather.clear()
    if not sea.area:
        yield from weather_check(table, PORT)
    for area in table.data.sea.areas.area:
        if patrols(state, area.key) and area.box not in sea.weather:
            yield from weather_check(table, area.box)
    yield from apply_storm(table)


def weather_check(table: T, box: str) -> Steps:
    """[12.2.1, DR52] Roll the weather of a box by the table of its areas, and perhaps the wind for the bombers."""
    figures = table.data.sea
    governed = [area for area in figures.areas.area if area.box == box]
    column = governed[0].table if governed else figures.areas.port_table
    roll = table.roll_on_chart(figures.weather, column, box)
    table.state.sea.weather[box] = next(one for one in WEATHERS if one == roll.cell)
    names = " and ".join(area.name for area in governed) or area_name(table.data, "")
    where = governed[0].key if governed else area_key("")
    table.log_line("12.2.1", "The weather at {}: {}.", names, roll, target=where)
    if box in figures.areas.winds and _nears_launch(table):
        for wind_box in table.data.flight.winds.box:
            if wind_box.sea_box == box:
                yield from _offer_wind(table, wind_box)


def _nears_launch(table: T) -> bool:
    """[12.2.3] Return whether the force may come to launch this turn where a wind matters; it moves twice at most."""
    data, area = table.data, table.state.sea.area
    for _ in range(2):
        area = following_area(data, area) or area
    return data.sea.west_of(area, data.flight.launch.west_of)


def _offer_wind(table: T, box: WindBox) -> Steps:
    """[12.2.3] Choose whether the wind over a box is checked in advance, and kept for a launch this turn."""
    state, sky = table.state, table.state.sky
    sky.weather[box.key] = state.sea.weather[box.sea_box]
    zones = box_name(table, box)
    options = [Option("look", "roll for the wind now"), Option("wait", "roll later")]
    question = f"Check the wind over {zones} in advance, in this weather ({sky.weather[box.key]})?"
    chosen = yield from table.choose(state.captain, "12.2.3", question, options, piece_key=box.key)
    if chosen.key == "wait":
        return
    yield from wind_check(table, box)
    title = table.data.flying.effects.wind[sky.winds[box.key]].title
    question = f"A {title} blows over {zones}. Keep it for a launch this turn?"
    options = [
        Option("keep", "keep it", info=OptionInfo("until the turn ends")),
        Option("remove", "discard it", info=OptionInfo("rolled again when bombers get there")),
    ]
    chosen = yield from table.choose(state.captain, "12.2.3", question, options, piece_key=box.key)
    if chosen.key == "remove":
        del sky.winds[box.key]
        table.log_line("12.2.3", "The wind over {} is discarded.", zones, target=f"wind-{box.key}")


def apply_storm(table: T) -> Steps:
    """[12.2.2] Strike the force with a storm: signals are removed, and a transit hazard is drawn."""
    sea, figures = table.state.sea, table.data.naval.storm
    if not sea.area or weather_at(table.state, table.data, sea.area) != "storm":
        return
    text, where = "The force fights its way through a storm at {}.", area_name(table.data, sea.area)
    table.log_line("12.2.2", text, where, target=sea.area)
    yield from remove_signals(table, figures.signals_removed)
    yield from hazards(table, figures.transit_hazards, "12.2.2")


def enter_area(table: T) -> Steps:
    """[12.2.2, 12.5.1, DR51] Check unknown weather in an area that the force has entered; a storm strikes at once."""
    sea = table.state.sea
    box = box_of(table.data, sea.area)
    if box not in sea.weather:
        yield from weather_check(table, box)
    yield from apply_storm(table)

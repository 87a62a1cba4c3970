"""[5.3, 8.2.3] Wind boxes: the weather in them, and the wind that it makes."""

from __future__ import annotations

from itertools import combinations

from readyroom.engine.rules.checks import Roll
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.common import WEATHERS, WINDS, Weather
from readyroom.games.doolittle.figures.flight import WindBox
from readyroom.games.doolittle.flight.flights import flights_aloft
from readyroom.games.doolittle.names import place_name
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import FaceCheck, RangeCheck, lowest_total, roll_with_rerolls
from readyroom.games.doolittle.state import T


def box_name(table: T, box: WindBox) -> str:
    """Return a wind box by the zones that it governs."""
    first, last = place_name(table.data, box.zones[0]), place_name(table.data, box.zones[-1])
    return first if first == last else f"{first} to {last}"


def weather_check(table: T, box: WindBox) -> None:
    """[8.2.3, 12.2.1, DR103] Roll the weather of a wind box, by its own column or by the table of its sea area."""
    figures, sea = table.data.flight, table.data.sea
    if box.key in figures.weather.columns:
        chart, column = figures.weather, box.key
    else:
        chart = sea.weather
        column = next(area.table for area in sea.areas.area if area.box == box.sea_box)
    roll = table.roll_on_chart(chart, column, box.key)
    table.state.sky.weather[box.key] = next(weather for weather in WEATHERS if weather == roll.cell)
    table.log_line("8.2.3", "The weather over {}: {}.", box_name(table, box), roll, target=f"wind-{box.key}")


def wind_check(table: T, box: WindBox) -> Steps:
    """[8.2.3, 5.3, DR39] Roll the wind of a box; after a planned launch the first wind is two of three dice."""
    sky = table.state.sky
    if box.key not in sky.weather:
        weather_check(table, box)
    weather = sky.weather[box.key]
    free = sky.planned and not sky.checked
    sky.checked = True
    total, roll = yield from (_choose_first_wind(table, box) if free else _roll_wind(table, box, weather))
    blows = table.data.flying.wind_chart.cell(total, weather)
    wind = sky.winds[box.key] = next(one for one in WINDS if one == blows)
    title = table.data.flying.effects.wind[wind].title
    text, where = "The wind over {}, {}: {}.", box_name(table, box)
    table.log_line("8.2.3", text, where, weather, title, roll, target=f"wind-{box.key}")


def _roll_wind(table: T, box: WindBox, weather: Weather) -> Choice[tuple[int, Roll]]:
    """[2.3.7, 8.2.3] Return the sum of the dice; an elite pilot who flies in this wind may have some rolled again."""
    chart, dice = table.data.flying.wind_chart, table.data.flying.wind.dice
    check = FaceCheck("8.2.3", "wind", dice=dice, at_least=_tailwind_sum(table, weather))
    pilots = _bombers_in_box(table, box)
    roll = yield from roll_with_rerolls(
        table, check, box.key, pilots, enough=lambda roll: chart.cell(roll.total, weather) == WINDS[-1]
    )
    return roll.total, roll


def _bombers_in_box(table: T, box: WindBox) -> list[Bomber]:
    """[8.2.3] Return the bombers that fly in the wind of a box."""
    flights = [flight for zone in box.zones for flight in flights_aloft(table.state, zone)]
    return [bomber for flight in flights for bomber in table.state.in_flight(flight)]


def _tailwind_sum(table: T, weather: Weather) -> int:
    """[8.2.3] Return the least sum that brings a tailwind."""
    return lowest_total(table.data.flying.wind_chart, weather, lambda cell: cell.endswith("tailwind"))


def _choose_first_wind(table: T, box: WindBox) -> Choice[tuple[int, Roll]]:
    """[2.3.7, 8.2.3] Roll three dice after a planned launch; re-rolls may follow, and the captain takes two."""
    figures, chart = table.data.flying.wind, table.data.flying.wind_chart
    weather = table.state.sky.weather[box.key]
    dice, sides = chart.dice_pool()

    def sums(roll: Roll) -> list[int]:
        return sorted({sum(some) for some in combinations(roll.dice, figures.keep)})

    check = RangeCheck(
        "8.2.3",
        "first wind",
        dice=figures.planned_dice,
        at_least=_tailwind_sum(table, weather),
        highest=dice * sides,
        pick=figures.keep,
        success="a tailwind",
    )
    pilots = _bombers_in_box(table, box)
    roll = yield from roll_with_rerolls(
        table, check, box.key, pilots, enough=lambda roll: chart.cell(max(sums(roll)), weather) == WINDS[-1]
    )
    titles = table.data.flying.effects.wind
    options = []
    for total in sums(roll):
        wind = chart.cell(total, weather)
        options.append(Option(f"sum-{total}", f"{total}: {titles[wind].title}", total))  # type: ignore[index]
    question = f"The first wind: {', '.join(map(str, roll.dice))}. Which two dice count?"
    return (yield from table.choose(table.state.captain, "8.2.3", question, options)).value, roll

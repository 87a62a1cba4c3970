"""What may be asked of the calculator about planning, voyage and denouement: talks, meetings at sea, ways home."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from readyroom.engine.rules.checks import nonzero_modifiers
from readyroom.engine.rules.forms import FormField, ModifierEffect, OddsResult, checkbox
from readyroom.games.doolittle.denouement.crews import capture_column
from readyroom.games.doolittle.figures.common import MONTHS, WEATHERS
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import NAVY, DiplomatRow
from readyroom.games.doolittle.names import place_names
from readyroom.games.doolittle.planning.incident_effects import battles
from readyroom.games.doolittle.planning.state import Turn
from readyroom.games.doolittle.rolls import LowestDiceCheck

Inputs = Mapping[str, str]
Net = list[tuple[str, int]]
QueryParts = tuple[str, Mapping[str, FormField], Callable[[Data, Inputs], OddsResult]]
MOST = 6
"""The largest number of urgent markers, submarines or recon in the calculator."""
WEATHER_NAMES = {str(weather): str(weather) for weather in WEATHERS}
LAUNCHES = {"planned": "planned", "emergency": "emergency"}


def campaign_questions(data: Data) -> dict[str, QueryParts]:
    """Return the queries about planning, voyage and denouement."""
    return {
        "talk": ("Diplomacy", _talk_blanks(data), talk),
        "underway": ("Getting under way", _underway_blanks(data), underway),
        "rendezvous": ("Rendezvous", _rendezvous_blanks(data), rendezvous),
        "launch": ("Launch from the deck", _launch_blanks(data), launch),
        "refuel": ("Refueling at sea", _refuel_blanks(data), refuel),
        "homeward": ("Return to port", _homeward_blanks(data), homeward),
        "trek": ("Trek through China", _trek_blanks(data), trek),
        "siberia": ("Crews in the Soviet Union", _siberia_blanks(data), siberia),
    }


def field_number(inputs: Inputs, name: str) -> int:
    """Return the number in a field."""
    return int(inputs[name] or 0)


def is_checked(inputs: Inputs, name: str) -> bool:
    """Return whether a checkbox is checked."""
    return inputs[name] == "yes"


def one_check(title: str, rule: str, net: Net, result: str, chance: Callable[[int], Fraction]) -> OddsResult:
    """Return the chance of a check with all modifiers, and the effect of each: with it, less without it."""
    lines = nonzero_modifiers(net)
    total = sum(value for _, value in lines)
    effects = [
        ModifierEffect(name, value, True, [(result, chance(total) - chance(total - value))]) for name, value in lines
    ]
    return OddsResult(title, rule, [(result, chance(total))], net=lines, effects=effects)


def dice_odds(dice: int, least: int, added: int = 0, keep: int = 0) -> Fraction:
    """Return the chance of dice, or of the `keep` lowest of them, to reach a target with a modifier."""
    return LowestDiceCheck("", "dice", dice=dice, keep=keep or dice, at_least=least - added).odds()


def _answer(title: str, rule: str, dice: int, least: int, net: Net, result: str) -> OddsResult:
    return one_check(title, rule, net, result, partial(dice_odds, dice, least))


# -- planning --------------------------------------------------------------------------------------------------------


def _talk_blanks(data: Data) -> Mapping[str, FormField]:
    rows = {str(key): f"{row.name}: {row.asks}" for key, row in data.planning.calendar.row.items()}
    months = {str(month): month.capitalize() for month in MONTHS}
    return {
        "diplomat": FormField("Diplomat", next(iter(rows)), rows),
        "month": FormField("Month", "february", months),
        "briefed": checkbox("Briefed"),
        "leader": checkbox("Leader briefed"),
        "urgent": FormField("Urgent markers", "0", whole=(0, MOST)),
        "doolittle": checkbox("Doolittle in January's box"),
        "refused": checkbox("Refused before"),
        **{turn: checkbox(text, "Incidents, for the Navy") for turn, text in BATTLES.items()},
    }


BATTLES: dict[Turn, str] = {
    "rabaul-battle": "The Navy has fought at Rabaul",
    "wake-after-blast": "Wake was raided after Blast",
    "wake-lost": "Wake was not retaken",
}
"""[15.1.2.F, 15.1.2.I] The incidents that weigh on the talks with the Navy, as they are asked for."""


def talk(data: Data, inputs: Inputs) -> OddsResult:
    """[13.2.1, 15.1.2.F, 15.1.2.I] Return the chance of a diplomacy check; a month without a cell has none.

    Battles weigh on the talks with the Navy alone.
    """
    figures = data.planning.diplomacy
    row: DiplomatRow = data.planning.calendar.row[inputs["diplomat"]]  # type: ignore[index]
    least = next((number for month, number in row.needs.items() if month == inputs["month"]), None)
    title = f"{row.name} in {inputs['month'].capitalize()}"
    if least is None:
        return OddsResult(f"{title}: no talks", "13.2.1", [("agrees", Fraction(0))])
    leader, navy = row.leader or "nobody", inputs["diplomat"] == NAVY
    net = [
        (f"{row.name} briefed", figures.briefed * is_checked(inputs, "briefed")),
        (f"{leader} briefed", figures.briefed * is_checked(inputs, "leader") * bool(row.leader)),
        ("urgent", figures.urgent * field_number(inputs, "urgent")),
        ("Doolittle", figures.doolittle * is_checked(inputs, "doolittle")),
        ("refused before", row.denied * is_checked(inputs, "refused")),
        *((name, value * is_checked(inputs, turn) * navy) for turn, (name, value) in battles(data).items()),
    ]
    return _answer(f"{title}: {least} or more", "13.2.1", figures.dice, least, net, "agrees")


# -- at sea ----------------------------------------------------------------------------------------------------------


def _areas(data: Data) -> dict[str, str]:
    return {area.key: area.name for area in data.sea.areas.area}


def _underway_blanks(data: Data) -> Mapping[str, FormField]:
    return {
        "area": FormField("Sea area", "midway", {"port": "in port", **_areas(data)}),
        "weather": FormField("Weather", "calm", WEATHER_NAMES),
    }


def underway(data: Data, inputs: Inputs) -> OddsResult:
    """[12.5.1, 12.5.2] Return the chance of an underway check, and of two areas where a raid move is allowed."""
    areas, area = data.sea.areas, inputs["area"]
    name = areas.port_table if area == "port" else data.sea.area[area].table
    least = next(number for weather, number in data.sea.moves[name].move.items() if weather == inputs["weather"])
    chance = dice_odds(data.naval.underway.dice, least)
    rows = [("moves", chance)]
    west = area != "port" and (area == areas.west_of_line or data.sea.west_of(area, areas.west_of_line))
    rows += [("and makes a raid move in the same weather", chance * chance)] if west else []
    return OddsResult(f"{least} or more to move", "12.5.1", rows)


def _rendezvous_blanks(data: Data) -> Mapping[str, FormField]:
    return {
        "area": FormField("Sea area", "midway", _areas(data)),
        "point": checkbox("Planned area"),
        "turn": checkbox("Planned turn"),
        "recon": FormField("Recon in the area", "0", whole=(0, 1)),
        "submarines": FormField("Submarines in contact in the area", "0", whole=(0, MOST)),
        "storm": checkbox("Storm"),
        "delayed": checkbox("Force delayed"),
        "flags": checkbox("Ships in distress have joined"),
    }


def rendezvous(data: Data, inputs: Inputs) -> OddsResult:
    """[12.5.3] Return the chance of a rendezvous, also with radio silence broken."""
    figures, area = data.naval.rendezvous, data.sea.area[inputs["area"]]
    dice = figures.planned_dice if is_checked(inputs, "point") else figures.dice
    net = [
        ("planned turn", figures.planned_turn * is_checked(inputs, "turn")),
        ("recon", figures.recon * field_number(inputs, "recon")),
        ("submarines", figures.submarine * field_number(inputs, "submarines")),
        ("storm", figures.storm * is_checked(inputs, "storm")),
        ("delayed", figures.delayed * is_checked(inputs, "delayed")),
        ("red flags", figures.red_flags * is_checked(inputs, "flags")),
    ]
    title = f"{area.name}: {area.rendezvous} or more on {dice} dice"
    odds = _answer(title, "12.5.3", dice, area.rendezvous, net, "they meet")
    total = sum(value for _, value in net)
    loud = [
        (f"with silence broken by up to {silence}", dice_odds(dice, area.rendezvous, total + silence))
        for silence in range(1, figures.silence_most + 1)
    ]
    return replace(odds, rows=[*odds.rows, *loud])


def _launch_blanks(data: Data) -> Mapping[str, FormField]:
    return {
        "how": FormField("Launch", "planned", LAUNCHES),
        "weather": FormField("Weather", "calm", WEATHER_NAMES),
        "pilot": checkbox("Elite pilot in the last bomber"),
        "damaged": checkbox("Last bomber damaged"),
    }


def launch(data: Data, inputs: Inputs) -> OddsResult:
    """[12.3.1, 12.3.2] Return the chance that a flight takes off, and the results for its last bomber."""
    naval, chart = data.naval, data.naval.launch_chart
    least = int(chart.rows[inputs["how"]][chart.columns.index(inputs["weather"])])
    good = dice_odds(naval.launch.dice, least)
    net = [
        ("elite pilot", naval.botched.elite_pilot * is_checked(inputs, "pilot")),
        ("damage", naval.botched.damaged * is_checked(inputs, "damaged")),
    ]
    lines = nonzero_modifiers(net)
    results = naval.botched_chart.odds(naval.botched_chart.columns[0], lines)
    rows = [
        ("all take off", good),
        *((f"last bomber: {cell}", (1 - good) * chance) for cell, chance in results.items()),
    ]
    return OddsResult(f"{least} or more to take off", "12.3.1", rows, net=lines)


def _refuel_blanks(data: Data) -> Mapping[str, FormField]:
    oilers = {ship.key: ship.name for ship in data.ships.fleet.ship if ship.refuel}
    return {
        "oiler": FormField("Oiler", next(iter(oilers)), oilers),
        "weather": FormField("Weather", "calm", WEATHER_NAMES),
    }


def refuel(data: Data, inputs: Inputs) -> OddsResult:
    """[12.7.2] Return the chance that an oiler refuels the force."""
    figures, ship = data.naval.refuel, data.ships.cards[inputs["oiler"]]
    added = next(value for weather, value in figures.modifier.items() if weather == inputs["weather"])
    title, net = f"{ship.name}: {ship.refuel} or more", [(inputs["weather"], added)]
    return _answer(title, "12.7.2", figures.dice, ship.refuel, net, "refuels")


# -- the way home ----------------------------------------------------------------------------------------------------


def _homeward_blanks(data: Data) -> Mapping[str, FormField]:
    return {
        "area": FormField("Sea area", "defense-east", _areas(data)),
        "destroyers": FormField("Undamaged destroyers", "6", whole=(0, 12)),
        "carriers": FormField("Undamaged carriers", "2", whole=(0, 2)),
        "alert": FormField("Alert at the launch", "1", whole=(0, data.security.track.alert_max)),
        "empty": checkbox("Low on fuel"),
        "slow": checkbox("Slow ships present"),
    }


def homeward(data: Data, inputs: Inputs) -> OddsResult:
    """[14.3.1] Return the chance of the check of return to port."""
    figures, area = data.denouement.homeward, inputs["area"]
    net = [
        ("destroyers", figures.destroyer * field_number(inputs, "destroyers")),
        ("carriers", figures.carrier * field_number(inputs, "carriers")),
        ("low fuel", figures.low_fuel * is_checked(inputs, "empty")),
        ("alert", figures.alert * field_number(inputs, "alert")),
        ("fast", figures.fast * (1 - is_checked(inputs, "slow"))),
    ]
    title = f"{data.sea.area[area].name}: {figures.number[area]} or more"
    return _answer(title, "14.3.1", figures.dice, figures.number[area], net, "home without incident")


def _trek_blanks(data: Data) -> Mapping[str, FormField]:
    names, routes = place_names(data), data.denouement.routes.route
    ways = {f"{one.start}-{one.end}": f"{names[one.start]} to {names[one.end]}" for one in routes}
    return {
        "way": FormField("Route", next(iter(ways)), ways),
        "alert": FormField("Alert", "1", whole=(0, data.security.track.alert_max)),
        "attacked": checkbox("The Japanese have taken a field"),
        "chiang": checkbox("Chiang briefed"),
        "shanghai": checkbox("Two Shanghai chits"),
        "crews": FormField("Crews in the party", "1", whole=(1, 16)),
        "wounded": checkbox("Wounded"),
    }


def trek(data: Data, inputs: Inputs) -> OddsResult:
    """[14.4.3, 14.4.4] Return the chance of a trek, and the results of the search for crews that fail it."""
    figures = data.denouement.routes
    route = next(one for one in figures.route if f"{one.start}-{one.end}" == inputs["way"])
    net = [
        ("alert", figures.alert * field_number(inputs, "alert")),
        ("Japanese attacks", figures.attacked * is_checked(inputs, "attacked")),
        ("Chiang briefed", figures.chiang_briefed * is_checked(inputs, "chiang")),
        ("Shanghai", figures.shanghai * is_checked(inputs, "shanghai")),
    ]
    odds = _answer(f"{route.trek} or more", "14.4.3", figures.dice, route.trek, net, "gets there")
    chance = odds.rows[0][1]
    chart = data.denouement.capture
    health = "wounded" if is_checked(inputs, "wounded") else "fit"
    searched = chart.odds(capture_column(data, health, field_number(inputs, "crews")))
    rows = [
        (f"searched for, {CELLS.get(cell, f'{cell} captured')}", (1 - chance) * part) for cell, part in searched.items()
    ]
    return replace(odds, rows=[*odds.rows, *rows])


CELLS = {"0": "no one captured", "close": "a close call", "all": "all captured"}
"""[14.4.4] Cells of the capture table in words."""


def _siberia_blanks(data: Data) -> Mapping[str, FormField]:
    rows = {row: row.replace("-", " ") for row in data.denouement.internment.rows}
    most, sound = data.denouement.internment.reach[1], data.denouement.passage.reach[1]
    return {
        "talks": FormField("Talks with Stalin", next(iter(rows)), rows),
        "blast": FormField("Blast on all maps", "20", whole=(0, most)),
        "bombers": FormField("Undamaged bombers at Vladivostok", "1", whole=(0, sound)),
        "stalin": checkbox("Stalin briefed"),
    }


def siberia(data: Data, inputs: Inputs) -> OddsResult:
    """[14.5.1, 14.5.2] Return the chances that crews go free at once, are released in time, or stay interned."""
    figures = data.denouement
    free = dice_odds(figures.internment.dice, figures.internment.at(inputs["talks"], field_number(inputs, "blast")))
    added = figures.passage.stalin_briefed * is_checked(inputs, "stalin")
    out = dice_odds(figures.passage.dice, figures.passage.at(inputs["talks"], field_number(inputs, "bombers")), added)
    rows = [
        ("released at once", free),
        ("interned, released in time", (1 - free) * out),
        ("interned to the end", (1 - free) * (1 - out)),
    ]
    star = "A release depends on the alliances." if inputs["talks"] in figures.passage.starred else ""
    return OddsResult(f"Talks: {inputs['talks'].replace('-', ' ')}", "14.5.1", rows, note=star)

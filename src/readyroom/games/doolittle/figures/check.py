"""Whether the figures fit together: everything that is named is there, every table total, every cup of its size."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import get_args

from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import FAR
from readyroom.games.doolittle.figures.check_campaign import (
    check_debriefing,
    check_denouement,
    check_embarkation,
    check_history,
    check_incidents,
    check_modifications,
    check_planning,
    check_training,
)
from readyroom.games.doolittle.figures.common import WEATHERS, WINDS
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Scenario
from readyroom.games.doolittle.figures.flight import FLIGHT_CUPS
from readyroom.games.doolittle.figures.naval import SEA_CUPS, ShipType, launched, strike_force
from readyroom.games.doolittle.figures.walk import (
    check_all,
    check_cells,
    check_count,
    check_cup,
    check_mutual,
    check_one,
    check_same,
    check_thing,
    check_unique,
    check_whole,
    check_whole_numbers,
    expect,
    walk,
)


def check(data: Data) -> None:
    """Check that the figures fit together: no unknown area, no gap in a chart, no cup of the wrong size.

    Raises:
        InvalidData: with file, key, what was expected and what the file has.
    """
    for file, key, thing in walk(data):
        check_thing(file, key, thing)
    for part in (
        *(_check_bombers, _check_targets, _check_hazards, _check_security, _check_flight_map, _check_flying),
        *(_check_flight_hazards, _check_sea, _check_ships, _check_sea_hazards, _check_naval, _check_airstrike),
        *(check_planning, check_modifications, check_training, check_embarkation, check_incidents),
        *(check_denouement, check_debriefing, check_history),
    ):
        part(data)
    for name, scenario in data.scenarios.items():
        check_scenario(data, f"scenarios/{name}.toml", scenario)


# -- bombers and the attack ------------------------------------------------------------------------------------------


def _check_bombers(data: Data) -> None:
    """[2] Check that keys and serials are unique, and elite crewmen have known bombers and benefits."""
    file, figures = "bombers.toml", data.bombers
    check_unique(file, "roster.bomber", (card.key for card in figures.roster.bomber))
    check_unique(file, "roster.bomber.serial", (card.serial for card in figures.roster.bomber))
    check_unique(file, "elites.elite", (card.key for card in figures.elites.elite))
    for card in figures.elites.elite:
        check_one(file, f"elites.elite {card.key}.home", card.home, figures.cards)
        check_one(file, f"elites.elite {card.key}.benefit", card.benefit, figures.benefits)
    for name in ("normal", "added", "removed"):
        steps = getattr(figures.armour, name)
        check_all(file, f"armour.{name}", steps, ("damaged", "severe", "destroyed"))
        last = ", ".join(steps) or "nothing"
        expect(steps[-1:] == ["destroyed"], file, f"armour.{name}", "destroyed as the last step", last)
    for name in ("standard", "factory"):
        check_same(file, f"{name}.navigation", getattr(figures, name).navigation, ("day", "night"))


def _check_targets(data: Data) -> None:
    """[3.2, 3.3] Check adjacency, unique keys, cups and carriers."""
    file, maps = "targets.toml", data.targets.maps
    check_same(file, "maps", maps, (city.key for city in data.flight.cities.city))
    areas = [area for each in maps.values() for area in each.area]
    check_unique(file, "maps.area", [*(area.key for area in areas), *(box.key for area in areas for box in area.box)])
    for name, each in maps.items():
        check_mutual(file, f"maps.{name}.area", {key: area.adjacent for key, area in each.areas.items()})
        check_same(file, f"maps.{name}.cups", each.cups, ("day", "night"))
        for light, cup in each.cups.items():
            check_one(file, f"maps.{name}.cups.{light}", cup, data.hazards.cups)
        _carrier(data, name)
        edge = any(area.perimeter for area in each.area)
        expect(edge, file, f"maps.{name}.area", "an area on the perimeter", "none")


def _carrier(data: Data, name: str) -> None:
    """[4.6.3.K] Check that a map that draws a carrier has one box for her."""
    target = data.targets.maps[name]
    kinds = data.hazards.kinds.kind
    drawn = any(
        kinds[marker.kind].effect == "carrier"
        for cup in target.cups.values()
        for marker in data.hazards.cups[cup].marker
        if marker.kind in kinds
    )
    boxes = [box.key for box in target.boxes.values() if box.carrier]
    check_count("targets.toml", f"maps.{name}.area.box.carrier", "boxes for a carrier", len(boxes), int(drawn))


def _check_hazards(data: Data) -> None:
    """[4.2.1, 4.6.3] Check the cups' sizes and kinds, and the numbers and icons of each kind."""
    file, figures = "hazards.toml", data.hazards
    check_one(file, "reserve.cup", figures.reserve.cup, figures.cups)
    for name, cup in figures.cups.items():
        check_cup(file, f"cups.{name}", cup, figures.kinds.kind)
        for at, marker in enumerate(cup.marker):
            key, kind = f"cups.{name}.marker.{at}", figures.kinds.kind[marker.kind]
            if kind.effect in ("range", "interceptor"):
                fits = 2 <= marker.low <= marker.high <= 12
                expect(fits, file, key, "a range within 2 and 12", f"{marker.low} to {marker.high}")
            if kind.effect == "modifier":
                adds = marker.approach or marker.detonation
                expect(adds, file, key, "what it adds to approach or detonation checks", "nothing")
            if kind.in_box != "some":
                box = kind.in_box == "always"
                expect(marker.box == box, file, f"{key}.box", f"box = {box}".lower(), str(marker.box).lower())


def _check_security(data: Data) -> None:
    """[6.2, 6.3.1] Check that the alert never falls as failures rise, and ends where the track ends."""
    file, figures = "security.toml", data.security
    steps, most = figures.alert_by_failed, figures.track.failed_max
    expect(steps.reach == (0, most), file, "alert_by_failed.reach", f"0 to {most}", "another reach")
    levels = [steps.at(failed) for failed in range(most + 1)]
    fits = levels == sorted(levels) and levels[-1] <= figures.track.alert_max
    rising = f"levels that rise to at most {figures.track.alert_max}"
    expect(fits, file, "alert_by_failed.rows", rising, ", ".join(map(str, levels)))
    check_same(file, "icons.icon", figures.icons.icon, ("triangle", "circle", "square", "line"))


# -- the flight ------------------------------------------------------------------------------------------------------


def _check_flight_map(data: Data) -> None:
    """[5] Check that zones, sites, winds, hours and launch boxes refer to one another."""
    file, figures = "flight.toml", data.flight
    zones = figures.order
    check_unique(file, "zones.zone", zones)
    check_one(file, "zones.china_from", figures.zones.china_from, zones)
    check_one(file, "zones.japan", figures.zones.japan, zones)
    for zone in figures.zones.zone:
        if zone.sea_area:
            check_one(file, f"zones.zone {zone.key}.sea_area", zone.sea_area, data.sea.order)
        for draw in zone.draw:
            fits = draw.halved != bool(draw.count)
            expect(fits, file, f"zones.zone {zone.key}.draw", "a count, or halved", f"{draw.count}")
    check_unique(file, "cities.city", (city.key for city in figures.cities.city))
    check_unique(file, "sites.site", (site.key for site in figures.sites.site))
    for site in figures.sites.site:
        check_all(file, f"sites.site {site.key}.zones", site.zones, zones)
        check_all(file, f"sites.site {site.key}.fuel_from", site.fuel_from, site.zones)
        fits = (site.country == "china") == bool(site.stockpile)
        expect(fits, file, f"sites.site {site.key}.stockpile", "a number in China alone", str(site.stockpile))
    _check_winds(data)
    _check_clock(data)


def _check_winds(data: Data) -> None:
    """[5.3] Check that every zone is in one wind box, and every wind box has a weather."""
    file, figures = "flight.toml", data.flight
    check_same(file, "winds.box.zones", (zone for box in figures.winds.box for zone in box.zones), figures.order)
    check_unique(file, "winds.box.zones", (zone for box in figures.winds.box for zone in box.zones))
    for box in figures.winds.box:
        if box.sea_box:
            check_one(file, f"winds.box {box.key}.sea_box", box.sea_box, data.sea.areas.winds)
        else:
            check_one(file, f"winds.box {box.key}", box.key, figures.weather.columns)
    check_cells(file, figures.weather, WEATHERS)


def _check_clock(data: Data) -> None:
    """[5.2, 12.4.1, 12.4.2] Check that hours are on the track, and zones on the map."""
    file, figures = "flight.toml", data.flight
    hours = [hour.label for hour in figures.clock.box]
    check_unique(file, "clock.box", hours)
    lights = Counter(hour.light for hour in figures.clock.box)
    check_count(file, "clock.box", "hours by night, as many as by day", lights["night"], lights["day"])
    check_cells(file, figures.emergency, hours, ["hour"])
    check_one(file, "launch.west_of", figures.launch.west_of, data.sea.order)
    reach = data.sea.order[data.sea.order.index(figures.launch.west_of) + 1 :]
    check_cells(file, figures.first_zone, figures.order, reach)
    check_all(file, "launch.fuel", figures.launch.fuel, figures.order)


def _check_flying(data: Data) -> None:
    """[7, 8] Check the charts of fumes and wind, and all six winds."""
    file, figures = "flying.toml", data.flying
    check_cells(file, figures.fumes_chart, ("ditch", "fumes", "low", "sputter"), ("low", "low in a storm", "high"))
    check_cells(file, figures.wind_chart, WINDS, WEATHERS)
    check_same(file, "effects.wind", figures.effects.wind, WINDS)
    for kind in figures.bonus.removes:
        check_one(file, "bonus.removes", kind, data.flight_hazards.kinds.kind)


def _check_flight_hazards(data: Data) -> None:
    """[8.3.1, 8.3.7] Check the cups' sizes and kinds, and the shadows for every alert level."""
    file, figures = "flight_hazards.toml", data.flight_hazards
    check_same(file, "cups", figures.cups, FLIGHT_CUPS)
    for name, cup in figures.cups.items():
        check_cup(file, f"cups.{name}", cup, figures.kinds.kind)
    most = data.security.track.alert_max
    expect(figures.shadow.reach == (0, most), file, "shadow.reach", f"0 to {most}", "another reach")


# -- the sea ---------------------------------------------------------------------------------------------------------


def _check_sea(data: Data) -> None:
    """[9] Check ten areas and turns, weather for each, and the boxes that the winds need."""
    file, figures = "sea.toml", data.sea
    check_unique(file, "areas.area", figures.order)
    check_one(file, "areas.west_of_line", figures.areas.west_of_line, figures.order)
    for box in figures.areas.winds:
        check_one(file, "areas.winds", box, [area.box for area in figures.areas.area])
    check_cells(file, figures.weather, WEATHERS, SEA_CUPS)
    check_same(file, "moves", figures.moves, SEA_CUPS)
    for name, table in figures.moves.items():
        check_same(file, f"moves.{name}.move", table.move, WEATHERS)
    for area in figures.areas.area:
        for draw in area.draw:
            fits = bool(draw.each) != bool(draw.count)
            expect(fits, file, f"areas.area {area.key}.draw", "a count, or each", f"{draw.count} and {draw.each}")
    check_unique(file, "turns.turn", figures.turns.turn)


def _check_ships(data: Data) -> None:
    """[9.5, 10] Check unique ships, recon of known ships, adjacent spaces, and arrows for every face."""
    file, figures = "ships.toml", data.ships
    check_unique(file, "fleet.ship", (ship.key for ship in figures.fleet.ship))
    check_one(file, "fleet.launches", figures.fleet.launches, figures.cards)
    for ship in figures.fleet.ship:
        fits = (ship.type == "AO") == bool(ship.refuel)
        expect(fits, file, f"fleet.ship {ship.key}.refuel", "a number for oilers alone", str(ship.refuel))
    check_unique(file, "recon.marker", (marker.key for marker in figures.recon.marker))
    for marker in figures.recon.marker:
        if marker.ship:
            check_one(file, f"recon.marker {marker.key}.ship", marker.ship, figures.cards)
    _check_layout(data)


def _check_layout(data: Data) -> None:
    """[9.5.1] Check that the layout has room for all ships, and that arrows run through adjacent spaces."""
    file, layout = "ships.toml", data.ships.layout
    spaces = layout.spaces
    check_mutual(file, "layout.space", {key: space.adjacent for key, space in spaces.items()})
    for name in ("distress", "center"):
        check_one(file, f"layout.{name}", getattr(layout, name), spaces)
    check_same(file, "layout.dive", layout.dive, ("even", "odd"))
    for name in ("torpedo", "i_boat"):
        check_whole(file, f"layout.{name}", getattr(layout, name), (1, 6))
    for name in ("torpedo", "dive", "i_boat"):
        for face, way in getattr(layout, name).items():
            for here, there in pairwise(way):
                check_one(file, f"layout.{name}.{face}", here, spaces)
                check_one(file, f"layout.{name}.{face}", there, spaces[here].adjacent)
    check_all(file, "layout.far_arrows", (*layout.far_arrows, *layout.straggler_arrows), layout.i_boat)
    check_same(file, "layout.usual", layout.usual, get_args(ShipType))
    for ship_type, default in layout.usual.items():
        check_all(file, f"layout.usual.{ship_type}", default, spaces)
    _room(data)


def _room(data: Data) -> None:
    """[9.5.1] Check that all ships have room: carriers and oilers in the center, the others around them."""
    layout = data.ships.layout
    center, needed = layout.spaces[layout.center], Counter[str]()
    for ship in data.ships.fleet.ship:
        needed["center" if ship.type in center.only else "about it"] += ship.size
    about = sum(space.room for space in layout.space if not space.only)
    for place, room in (("center", center.room), ("about it", about)):
        expect(needed[place] <= room, "ships.toml", "layout.space", f"room for {needed[place]} {place}", str(room))


def _check_sea_hazards(data: Data) -> None:
    """[12.6.1, 12.6.6] Check the cups' sizes and kinds, and that distress has a number to recover."""
    file, figures = "sea_hazards.toml", data.sea_hazards
    check_same(file, "cups", figures.cups, SEA_CUPS)
    for name, cup in figures.cups.items():
        check_cup(file, f"cups.{name}", cup, figures.kinds.kind)
        for at, marker in enumerate(cup.marker):
            key, fits = f"cups.{name}.marker.{at}.recovery", (marker.kind == "distress") == bool(marker.recovery)
            expect(fits, file, key, "a number for mechanical distress alone", str(marker.recovery))


def _check_naval(data: Data) -> None:
    """[12] Check the charts of launches, and weather for refueling."""
    file, figures = "naval.toml", data.naval
    check_same(file, "N7.columns", figures.launch_chart.columns, WEATHERS)
    check_same(file, "N7.rows", figures.launch_chart.rows, ("planned", "emergency"))
    check_whole_numbers(file, figures.launch_chart)
    results = ("deck wrecked", "fire on deck", "crash", "ditches", "damaged", "fuel")
    check_cells(file, figures.botched_chart, results, ["result"])
    for base in figures.ashore.base:
        check_one(file, f"ashore.base {base.key}.first", base.first, data.sea.order)
    for name in ("modifier", "damaged"):
        check_same(file, f"refuel.{name}", getattr(figures.refuel, name), WEATHERS)
    for name in ("even", "odd"):
        check_one(file, f"carrier_aim.{name}", getattr(figures.carrier_aim, name), data.ships.cards)


def _check_airstrike(data: Data) -> None:
    """[11] Check the charts of the airstrike."""
    file, figures = "airstrike.toml", data.airstrike
    patrols, caps = ("recon", "task force"), ("no CAP", "low CAP", "high CAP")
    check_cells(file, figures.navy, ("yes", "no"), patrols)
    check_same(file, "X2.columns", figures.army.columns, patrols)
    sizes = data.flying.flights
    for row, column, cell in figures.army.cells():
        counted = _launched(cell)
        fits = counted is None or sizes.bombers_min * counted[1] <= counted[0] <= sizes.bombers_max * counted[1]
        expect(fits, file, f"X2.rows.{row}, column {column}", "none, all, or bombers/flights", repr(cell))
    check_same(file, "X3.columns", figures.force.columns, caps)
    for row, column, cell in figures.force.cells():
        try:
            strike_force(cell)
        except ValueError:
            expected = "none, or markers such as F 2T 3D"
            raise InvalidData(file, f"X3.rows.{row}, column {column}", expected, repr(cell)) from None
    check_cells(file, figures.flak, ("no effect", "diverted", "hit"))
    check_cells(file, figures.ordnance, ("sunk", "damaged", "miss"), ("torpedo", "dive", "fighter"))
    reports = ("disaster", "no contact", "contact", "contact twice", "scratch")
    check_cells(file, figures.counterstrike, reports, ("any one", "any two", "all three"))
    check_all(file, "arrival", (*figures.arrival.middle_areas, figures.arrival.east_of), data.sea.order)


def _launched(cell: str) -> tuple[int, int] | None:
    """Return the bombers and flights of a cell; what is none counts as too many bombers."""
    try:
        counted = launched(cell)
    except ValueError:
        return 1, 0
    return counted if counted != (0, 0) or cell == "none" else (1, 0)


# -- scenarios -------------------------------------------------------------------------------------------------------


def check_scenario(data: Data, file: str, scenario: Scenario) -> None:
    """Check that a scenario's bombers, crewmen, areas, zones and winds exist, and its flights are legal."""
    check_unique(file, "bombers", scenario.bombers)
    check_all(file, "bombers", scenario.bombers, data.bombers.cards)
    for elite, bomber in scenario.elites.items():
        check_one(file, "elites", elite, data.bombers.crewmen)
        check_one(file, f"elites.{elite}", bomber, scenario.bombers)
    check_unique(file, "elites", scenario.elites.values())
    expect(scenario.light or not scenario.map, file, "light", "day or night", "nothing")
    if scenario.segments[0] == "attack":
        _check_attack_scenario(data, file, scenario)
    if scenario.segments[0] == "flight":
        _check_flight_scenario(data, file, scenario)
    if scenario.segments[0] == "naval":
        _check_naval_scenario(data, file, scenario)
    _check_flights(data, file, scenario)
    _check_bands(data, file, scenario)
    _check_variants(data, file, scenario)


def _check_attack_scenario(data: Data, file: str, scenario: Scenario) -> None:
    check_one(file, "map", scenario.map, data.targets.maps)
    expect(scenario.entry, file, "entry", "the turn and area of each bomber", "none")
    areas, last = data.targets.maps[scenario.map].areas, data.attack.turns.last
    edge = [key for key, area in areas.items() if area.perimeter]
    for entry in scenario.entry:
        check_one(file, f"entry {entry.bomber}.area", entry.area, edge)
        expect(1 <= entry.turn <= last, file, f"entry {entry.bomber}.turn", f"1 to {last}", str(entry.turn))
    check_all(file, "counted_areas", scenario.counted_areas, areas)


def _check_flight_scenario(data: Data, file: str, scenario: Scenario) -> None:
    check_one(file, "start_zone", scenario.start_zone, data.flight.order)
    check_one(file, "launch_area", scenario.launch_area, data.flight.first_zone.columns)
    check_one(file, "hour", scenario.hour, [hour.label for hour in data.flight.clock.box])
    check_same(file, "winds", scenario.winds, [box.key for box in data.flight.winds.box])
    check_all(file, "advice", scenario.advice, data.targets.maps)


def _check_naval_scenario(data: Data, file: str, scenario: Scenario) -> None:
    check_one(file, "rendezvous_area", scenario.rendezvous_area, data.sea.order)
    check_one(file, "planned_area", scenario.planned_area, data.sea.order)
    check_one(file, "rendezvous_turn", scenario.rendezvous_turn, data.sea.turns.turn)
    _check_submarines(data, file, scenario.submarines)


def _check_submarines(data: Data, file: str, submarines: dict[str, str]) -> None:
    for submarine, area in submarines.items():
        check_one(file, "submarines", submarine, [each.key for each in data.ships.submarines.submarine])
        check_one(file, f"submarines.{submarine}", area, data.sea.order)


def _check_flights(data: Data, file: str, scenario: Scenario) -> None:
    """[7.1, 7.1.1] Check for flights of two to four bombers, and no more than six flights."""
    sizes = data.flying.flights
    number, expected = len(scenario.flights), f"{sizes.bombers_min} to {sizes.bombers_max} bombers"
    expect(number <= sizes.most, file, "flights", f"at most {sizes.most}", str(number))
    for at, flight in enumerate(scenario.flights):
        fits = sizes.bombers_min <= len(flight) <= sizes.bombers_max
        expect(fits, file, f"flights.{at}", expected, str(len(flight)))


def _check_bands(data: Data, file: str, scenario: Scenario) -> None:
    if not scenario.bands:
        return
    grades = data.debriefing.attack_grades if scenario.segments == ["attack"] else data.debriefing.raid_grades
    check_whole(file, "bands", scenario.bands, (-FAR, FAR))
    for points, grade in scenario.bands.items():
        check_one(file, f"bands.{points}", grade, grades.title)


def _check_variants(data: Data, file: str, scenario: Scenario) -> None:
    check_unique(file, "variant", (variant.key for variant in scenario.variant))
    china = [site.key for site in data.flight.sites_in("china")]
    for variant in scenario.variant:
        _check_submarines(data, file, variant.submarines)
        for store in variant.stockpile:
            check_one(file, f"variant {variant.key}.stockpile", store.site, china)

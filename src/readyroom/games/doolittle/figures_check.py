"""Whether the figures fit together: everything that is named is there, every table total, every cup of its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from readyroom.engine.charts import FAR, Chart, row_range
from readyroom.engine.errors import DataMisfit
from readyroom.games.doolittle.figures_attack import Squadron
from readyroom.games.doolittle.figures_common import MONTHS, WEATHERS, WINDS, Crossing, Sourced, Steps, covering
from readyroom.games.doolittle.figures_ending import Band, Outcomes, Perspective, Scenario
from readyroom.games.doolittle.figures_flight import FLIGHT_CUPS
from readyroom.games.doolittle.figures_naval import SEA_CUPS, ShipType, launched, strike_force
from readyroom.games.doolittle.figures_planning import DIPLOMATS

if TYPE_CHECKING:
    from readyroom.games.doolittle.figures import Data


def check_all(data: Data) -> None:
    """Raises `DataMisfit` with file, key, what was expected and what was found for the first figure that is wrong."""
    for file, key, thing in walk(data):
        _check_thing(file, key, thing)
    for part in (
        *(_check_bombers, _check_targets, _check_hazards, _check_security, _check_flight_map, _check_flying),
        *(_check_flight_hazards, _check_sea, _check_ships, _check_sea_hazards, _check_naval, _check_airstrike),
        *(_check_planning, _check_modifications, _check_training, _check_embarkation, _check_incidents),
        *(_check_denouement, _check_debriefing, _check_history),
    ):
        part(data)
    for name, scenario in data.scenarios.items():
        _check_scenario(data, f"scenarios/{name}.toml", scenario)


# -- everywhere ------------------------------------------------------------------------------------------------------


def walk(data: Data) -> Iterator[tuple[str, str, Any]]:
    """Every table and row of the figures, with its file and its key."""
    for field in msgspec.structs.fields(data):
        value = getattr(data, field.name)
        if isinstance(value, dict):
            for name, item in value.items():
                yield from _walk(f"{field.name}/{name}.toml", "", item)
        else:
            yield from _walk(f"{field.name}.toml", "", value)


def _walk(file: str, key: str, thing: Any) -> Iterator[tuple[str, str, Any]]:
    for name, item in _items(thing):
        yield from _walk(file, f"{key}.{name}" if key else name, item)
    if isinstance(thing, msgspec.Struct):
        yield file, key, thing


@cache
def _names(kind: type[msgspec.Struct]) -> list[tuple[str, str]]:
    """The fields of a struct, as the file and as the code call them."""
    return [(field.encode_name, field.name) for field in msgspec.structs.fields(kind)]


def _items(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, msgspec.Struct):
        for encoded, name in _names(type(thing)):
            yield encoded, getattr(thing, name)
    elif isinstance(thing, dict):
        yield from ((str(name), item) for name, item in thing.items())
    elif isinstance(thing, list):
        yield from ((f"{at}", item) for at, item in enumerate(thing))


def _check_thing(file: str, key: str, thing: Any) -> None:
    """What every table has: an origin, and no gap."""
    if isinstance(thing, Sourced | Chart) and not thing.origin.strip():
        raise DataMisfit(file, f"{key}.origin", "a sentence that says where the figures come from", "nothing")
    if isinstance(thing, Steps):
        _whole(file, f"{key}.rows", thing.rows, thing.reach)
    if isinstance(thing, Crossing):
        _whole(file, f"{key}.columns", thing.columns, thing.reach)
        for row, cells in thing.rows.items():
            _count(file, f"{key}.rows.{row}", "cells", len(cells), len(thing.columns))
    if isinstance(thing, Outcomes):
        _bands(file, f"{key}.band", thing.band, thing.reach)
        if thing.grades:
            _count(file, f"{key}.grades", "grades", len(thing.grades), len(thing.band))
    if isinstance(thing, Perspective):
        _bands(file, f"{key}.band", thing.band, (-FAR, FAR))


def _whole(file: str, key: str, labels: Iterable[str], reach: tuple[int, int]) -> None:
    """Every number of the reach has exactly one range."""
    labels = list(labels)
    for label in labels:
        if row_range(label) is None:
            raise DataMisfit(file, f"{key}.{label}", "a range such as 4, 2-5, 9+ or <=3", repr(label))
    for value in _edges(labels, reach):
        found = covering(labels, value)
        if len(found) != 1:
            raise DataMisfit(file, key, f"one range for {value}", " and ".join(found) or "none")


def _edges(labels: Iterable[str], reach: tuple[int, int]) -> list[int]:
    """The numbers at which a gap or an overlap would show: the ends of the reach, and about the ends of each range."""
    ends = {end + step for span in map(row_range, labels) if span for end in span for step in (-1, 0, 1)}
    return sorted(end for end in ends | set(reach) if reach[0] <= end <= reach[1])


def _bands(file: str, key: str, bands: list[Band], reach: tuple[int, int]) -> None:
    _whole(file, key, [band.points for band in bands], reach)
    starts = [span[0] for band in bands if (span := row_range(band.points))]
    if starts != sorted(starts):
        raise DataMisfit(file, key, "bands from the lowest points to the highest", ", ".join(b.points for b in bands))


def _one(file: str, key: str, found: str, known: Iterable[str]) -> None:
    """Something is named that is there."""
    known = list(known)
    if found not in known:
        raise DataMisfit(file, key, f"one of {', '.join(known)}", repr(found))


def _all(file: str, key: str, found: Iterable[str], known: Iterable[str]) -> None:
    """Every one of some is there, and none beside."""
    found, known = list(found), list(known)
    for each in found:
        _one(file, key, each, known)
    lacking = [each for each in known if each not in found]
    if lacking:
        raise DataMisfit(file, f"{key}.{lacking[0]}", "a row", "none")


def _count(file: str, key: str, what: str, found: int, expected: int) -> None:
    if found != expected:
        raise DataMisfit(file, key, f"{expected} {what}", str(found))


def _unique(file: str, key: str, names: Iterable[str]) -> None:
    twice = [name for name, times in Counter(list(names)).items() if times > 1]
    if twice:
        raise DataMisfit(file, key, "every key once", f"{twice[0]!r} twice")


def _mutual(file: str, key: str, adjacent: dict[str, list[str]]) -> None:
    """What adjoins something is adjoined by it."""
    for here, others in adjacent.items():
        _unique(file, f"{key}.{here}.adjacent", others)
        for there in others:
            _one(file, f"{key}.{here}.adjacent", there, [each for each in adjacent if each != here])
            if here not in adjacent[there]:
                raise DataMisfit(
                    file, f"{key}.{there}.adjacent", f"{here}, which adjoins it", ", ".join(adjacent[there])
                )


def _cells(file: str, chart: Chart, known: Iterable[str], columns: Iterable[str] = ()) -> None:
    """A chart has these columns, and no cell but known ones."""
    if columns:
        _all(file, f"{chart.id}.columns", chart.columns, columns)
    known = list(known)
    for row, column, cell in chart.cells():
        _one(file, f"{chart.id}.rows.{row}, column {column}", cell, known)


def _whole_numbers(file: str, chart: Chart) -> None:
    for row, column, cell in chart.cells():
        if not cell.isdecimal():
            raise DataMisfit(file, f"{chart.id}.rows.{row}, column {column}", "a number", repr(cell))


# -- bombers and the attack ------------------------------------------------------------------------------------------


def _check_bombers(data: Data) -> None:
    """[2] Keys and serials once, elite crewmen of bombers that are there, a benefit for each of them."""
    file, figures = "bombers.toml", data.bombers
    _unique(file, "roster.bomber", (card.key for card in figures.roster.bomber))
    _unique(file, "roster.bomber.serial", (card.serial for card in figures.roster.bomber))
    _unique(file, "elites.elite", (card.key for card in figures.elites.elite))
    for card in figures.elites.elite:
        _one(file, f"elites.elite {card.key}.home", card.home, figures.cards)
        _one(file, f"elites.elite {card.key}.benefit", card.benefit, figures.benefits)
    for steps in ("normal", "added", "removed"):
        _armour(file, steps, getattr(figures.armour, steps))
    for name in ("standard", "factory"):
        _squadron(file, name, getattr(figures, name))


def _armour(file: str, name: str, steps: list[str]) -> None:
    for step in steps:
        _one(file, f"armour.{name}", step, ("damaged", "severe", "destroyed"))
    if not steps or steps[-1] != "destroyed":
        raise DataMisfit(file, f"armour.{name}", "destroyed as the last step", ", ".join(steps) or "nothing")


def _squadron(file: str, name: str, squadron: Squadron) -> None:
    _all(file, f"{name}.navigation", squadron.navigation, ("day", "night"))


def _check_targets(data: Data) -> None:
    """[3.2, 3.3] Areas adjoin each other, keys are told once, cups and carriers are where they belong."""
    file, maps = "targets.toml", data.targets.maps
    _all(file, "maps", maps, (city.key for city in data.flight.cities.city))
    areas = [area for each in maps.values() for area in each.area]
    _unique(file, "maps.area", [*(area.key for area in areas), *(box.key for area in areas for box in area.box)])
    for name, each in maps.items():
        _mutual(file, f"maps.{name}.area", {key: area.adjacent for key, area in each.areas.items()})
        _all(file, f"maps.{name}.cups", each.cups, ("day", "night"))
        for light, cup in each.cups.items():
            _one(file, f"maps.{name}.cups.{light}", cup, data.hazards.cups)
        _carrier(data, name)
        if not any(area.perimeter for area in each.area):
            raise DataMisfit(file, f"maps.{name}.area", "an area on the perimeter", "none")


def _carrier(data: Data, name: str) -> None:
    """[4.6.3.K] A map that draws a carrier has one box for her."""
    target = data.targets.maps[name]
    kinds = data.hazards.kinds.kind
    drawn = any(
        kinds[marker.kind].effect == "carrier"
        for cup in target.cups.values()
        for marker in data.hazards.cups[cup].marker
        if marker.kind in kinds
    )
    boxes = [box.key for box in target.boxes.values() if box.carrier]
    _count("targets.toml", f"maps.{name}.area.box.carrier", "boxes for a carrier", len(boxes), int(drawn))


def _check_hazards(data: Data) -> None:
    """[4.2.1, 4.6.3] Cups of their size, of known kinds, with the numbers and icons that each kind has."""
    file, figures = "hazards.toml", data.hazards
    _one(file, "reserve.cup", figures.reserve.cup, figures.cups)
    for name, cup in figures.cups.items():
        _count(file, f"cups.{name}.total", "markers", cup.total, sum(marker.count for marker in cup.marker))
        for at, marker in enumerate(cup.marker):
            key = f"cups.{name}.marker.{at}"
            _one(file, f"{key}.kind", marker.kind, figures.kinds.kind)
            kind = figures.kinds.kind[marker.kind]
            if kind.effect in ("range", "interceptor") and not 2 <= marker.low <= marker.high <= 12:
                raise DataMisfit(file, key, "a range within 2 and 12", f"{marker.low} to {marker.high}")
            if kind.effect == "modifier" and not (marker.approach or marker.detonation):
                raise DataMisfit(file, key, "what it adds to approach or detonation checks", "nothing")
            if kind.in_box != "some" and marker.box != (kind.in_box == "always"):
                expected = "box = true" if kind.in_box == "always" else "box = false"
                raise DataMisfit(file, f"{key}.box", expected, str(marker.box).lower())


def _check_security(data: Data) -> None:
    """[6.2, 6.3.1] The alert never falls as failures rise, and ends where the track ends."""
    file, figures = "security.toml", data.security
    failures = range(figures.track.failed_max + 1)
    if figures.alert_by_failed.reach != (0, figures.track.failed_max):
        raise DataMisfit(file, "alert_by_failed.reach", f"0 to {figures.track.failed_max}", "another reach")
    levels = [figures.alert_by_failed.at(failed) for failed in failures]
    if levels != sorted(levels) or levels[-1] > figures.track.alert_max:
        rising = f"levels that rise to at most {figures.track.alert_max}"
        raise DataMisfit(file, "alert_by_failed.rows", rising, ", ".join(map(str, levels)))
    _all(file, "icons.icon", figures.icons.icon, ("triangle", "circle", "square", "line"))


# -- the flight ------------------------------------------------------------------------------------------------------


def _check_flight_map(data: Data) -> None:
    """[5] Zones, sites, winds, hours and launch boxes name one another."""
    file, figures = "flight.toml", data.flight
    zones = figures.order
    _unique(file, "zones.zone", zones)
    _one(file, "zones.china_from", figures.zones.china_from, zones)
    _one(file, "zones.japan", figures.zones.japan, zones)
    for zone in figures.zones.zone:
        if zone.sea_area:
            _one(file, f"zones.zone {zone.key}.sea_area", zone.sea_area, data.sea.order)
        for draw in zone.draw:
            if draw.halved == bool(draw.count):
                raise DataMisfit(file, f"zones.zone {zone.key}.draw", "a count, or halved", f"{draw.count}")
    _unique(file, "cities.city", (city.key for city in figures.cities.city))
    _unique(file, "sites.site", (site.key for site in figures.sites.site))
    for site in figures.sites.site:
        for zone_key in site.zones:
            _one(file, f"sites.site {site.key}.zones", zone_key, zones)
        for zone_key in site.fuel_from:
            _one(file, f"sites.site {site.key}.fuel_from", zone_key, site.zones)
        if (site.country == "china") != bool(site.stockpile):
            raise DataMisfit(file, f"sites.site {site.key}.stockpile", "a number in China alone", str(site.stockpile))
    _check_winds(data)
    _check_clock(data)


def _check_winds(data: Data) -> None:
    """[5.3] Every zone lies in one wind box, and every wind box has a weather."""
    file, figures = "flight.toml", data.flight
    _all(file, "winds.box.zones", (zone for box in figures.winds.box for zone in box.zones), figures.order)
    _unique(file, "winds.box.zones", (zone for box in figures.winds.box for zone in box.zones))
    for box in figures.winds.box:
        if box.sea_box:
            _one(file, f"winds.box {box.key}.sea_box", box.sea_box, data.sea.areas.winds)
        else:
            _one(file, f"winds.box {box.key}", box.key, figures.weather.columns)
    _cells(file, figures.weather, WEATHERS)


def _check_clock(data: Data) -> None:
    """[5.2, 12.4.1, 12.4.2] Hours that are on the track, and zones that are on the map."""
    file, figures = "flight.toml", data.flight
    hours = [hour.label for hour in figures.clock.box]
    _unique(file, "clock.box", hours)
    lights = Counter(hour.light for hour in figures.clock.box)
    _count(file, "clock.box", "hours by night, as many as by day", lights["night"], lights["day"])
    _cells(file, figures.emergency, hours, ["hour"])
    _one(file, "launch.west_of", figures.launch.west_of, data.sea.order)
    reach = data.sea.order[data.sea.order.index(figures.launch.west_of) + 1 :]
    _cells(file, figures.first_zone, figures.order, reach)
    for zone in figures.launch.fuel:
        _one(file, "launch.fuel", zone, figures.order)


def _check_flying(data: Data) -> None:
    """[7, 8] Charts of fumes and wind, and all six winds."""
    file, figures = "flying.toml", data.flying
    _cells(file, figures.fumes_chart, ("ditch", "fumes", "low", "sputter"), ("low", "low in a storm", "high"))
    _cells(file, figures.wind_chart, WINDS, WEATHERS)
    _all(file, "effects.wind", figures.effects.wind, WINDS)
    for kind in figures.bonus.removes:
        _one(file, "bonus.removes", kind, data.flight_hazards.kinds.kind)


def _check_flight_hazards(data: Data) -> None:
    """[8.3.1, 8.3.7] Cups of their size and of known kinds, and shadows for every alert level."""
    file, figures = "flight_hazards.toml", data.flight_hazards
    _all(file, "cups", figures.cups, FLIGHT_CUPS)
    for name, cup in figures.cups.items():
        _count(file, f"cups.{name}.total", "markers", cup.total, sum(marker.count for marker in cup.marker))
        for at, marker in enumerate(cup.marker):
            _one(file, f"cups.{name}.marker.{at}.kind", marker.kind, figures.kinds.kind)
    if figures.shadow.reach != (0, data.security.track.alert_max):
        raise DataMisfit(file, "shadow.reach", f"0 to {data.security.track.alert_max}", "another reach")


# -- the sea ---------------------------------------------------------------------------------------------------------


def _check_sea(data: Data) -> None:
    """[9] Ten areas and as many turns, weather for each, and the boxes that the winds ask for."""
    file, figures = "sea.toml", data.sea
    _unique(file, "areas.area", figures.order)
    _one(file, "areas.west_of_line", figures.areas.west_of_line, figures.order)
    for box in figures.areas.winds:
        _one(file, "areas.winds", box, [area.box for area in figures.areas.area])
    _cells(file, figures.weather, WEATHERS, SEA_CUPS)
    _all(file, "moves", figures.moves, SEA_CUPS)
    for name, table in figures.moves.items():
        _all(file, f"moves.{name}.move", table.move, WEATHERS)
    for area in figures.areas.area:
        for draw in area.draw:
            if bool(draw.each) == bool(draw.count):
                raise DataMisfit(
                    file, f"areas.area {area.key}.draw", "a count, or each", f"{draw.count} and {draw.each}"
                )
    _unique(file, "turns.turn", figures.turns.turn)


def _check_ships(data: Data) -> None:
    """[9.5, 10] Ships once, recon from ships that are there, spaces that adjoin each other, arrows for every face."""
    file, figures = "ships.toml", data.ships
    _unique(file, "fleet.ship", (ship.key for ship in figures.fleet.ship))
    _one(file, "fleet.launches", figures.fleet.launches, figures.cards)
    for ship in figures.fleet.ship:
        if (ship.type == "AO") != bool(ship.refuel):
            raise DataMisfit(file, f"fleet.ship {ship.key}.refuel", "a number for oilers alone", str(ship.refuel))
    _unique(file, "recon.marker", (marker.key for marker in figures.recon.marker))
    for marker in figures.recon.marker:
        if marker.ship:
            _one(file, f"recon.marker {marker.key}.ship", marker.ship, figures.cards)
    _check_layout(data)


def _check_layout(data: Data) -> None:
    """[9.5.1] The layout has room for all ships, and its arrows run through spaces that adjoin each other."""
    file, layout = "ships.toml", data.ships.layout
    spaces = layout.spaces
    _mutual(file, "layout.space", {key: space.adjacent for key, space in spaces.items()})
    for name in ("distress", "center"):
        _one(file, f"layout.{name}", getattr(layout, name), spaces)
    _all(file, "layout.dive", layout.dive, ("even", "odd"))
    for name in ("torpedo", "i_boat"):
        _whole(file, f"layout.{name}", getattr(layout, name), (1, 6))
    for name in ("torpedo", "dive", "i_boat"):
        for face, way in getattr(layout, name).items():
            for here, there in pairwise(way):
                _one(file, f"layout.{name}.{face}", here, spaces)
                _one(file, f"layout.{name}.{face}", there, spaces[here].adjacent)
    for face in (*layout.far_arrows, *layout.straggler_arrows):
        _one(file, "layout.far_arrows", face, layout.i_boat)
    _all(file, "layout.usual", layout.usual, get_args(ShipType))
    for ship_type, usual in layout.usual.items():
        for space in usual:
            _one(file, f"layout.usual.{ship_type}", space, spaces)
    _room(data)


def _room(data: Data) -> None:
    """[9.5.1] All ships find room: carriers and oilers in the center, the others about them."""
    layout = data.ships.layout
    only: dict[str, int] = {}
    for ship in data.ships.fleet.ship:
        place = "center" if ship.type in layout.spaces[layout.center].only else "about it"
        only[place] = only.get(place, 0) + ship.size
    about = sum(space.room for space in layout.space if not space.only)
    for place, room in (("center", layout.spaces[layout.center].room), ("about it", about)):
        if only.get(place, 0) > room:
            raise DataMisfit("ships.toml", "layout.space", f"room for {only[place]} {place}", str(room))


def _check_sea_hazards(data: Data) -> None:
    """[12.6.1, 12.6.6] Cups of their size and of known kinds; distress has a number to recover."""
    file, figures = "sea_hazards.toml", data.sea_hazards
    _all(file, "cups", figures.cups, SEA_CUPS)
    for name, cup in figures.cups.items():
        _count(file, f"cups.{name}.total", "markers", cup.total, sum(marker.count for marker in cup.marker))
        for at, marker in enumerate(cup.marker):
            key = f"cups.{name}.marker.{at}"
            _one(file, f"{key}.kind", marker.kind, figures.kinds.kind)
            if (marker.kind == "distress") != bool(marker.recovery):
                raise DataMisfit(
                    file, f"{key}.recovery", "a number for mechanical distress alone", str(marker.recovery)
                )


def _check_naval(data: Data) -> None:
    """[12] The charts of launches, and weather for refuelling."""
    file, figures = "naval.toml", data.naval
    _all(file, "N7.columns", figures.launch_chart.columns, WEATHERS)
    _all(file, "N7.rows", figures.launch_chart.rows, ("planned", "emergency"))
    _whole_numbers(file, figures.launch_chart)
    results = ("deck wrecked", "fire on deck", "crash", "ditches", "damaged", "fuel")
    _cells(file, figures.botched_chart, results, ["result"])
    for base in figures.ashore.base:
        _one(file, f"ashore.base {base.key}.first", base.first, data.sea.order)
    for name in ("modifier", "damaged"):
        _all(file, f"refuel.{name}", getattr(figures.refuel, name), WEATHERS)
    for name in ("even", "odd"):
        _one(file, f"carrier_aim.{name}", getattr(figures.carrier_aim, name), data.ships.cards)


def _check_airstrike(data: Data) -> None:
    """[11] The charts of the airstrike."""
    file, figures = "airstrike.toml", data.airstrike
    patrols, caps = ("recon", "task force"), ("no CAP", "low CAP", "high CAP")
    _cells(file, figures.navy, ("yes", "no"), patrols)
    _all(file, "X2.columns", figures.army.columns, patrols)
    sizes = data.flying.flights
    for row, column, cell in figures.army.cells():
        counted = _launched(cell)
        fits = counted is None or sizes.bombers_min * counted[1] <= counted[0] <= sizes.bombers_max * counted[1]
        if not fits:
            raise DataMisfit(file, f"X2.rows.{row}, column {column}", "none, all, or bombers/flights", repr(cell))
    _all(file, "X3.columns", figures.force.columns, caps)
    for row, column, cell in figures.force.cells():
        try:
            strike_force(cell)
        except ValueError:
            expected = "none, or markers such as F 2T 3D"
            raise DataMisfit(file, f"X3.rows.{row}, column {column}", expected, repr(cell)) from None
    _cells(file, figures.flak, ("no effect", "diverted", "hit"))
    _cells(file, figures.ordnance, ("sunk", "damaged", "miss"), ("torpedo", "dive", "fighter"))
    reports = ("disaster", "no contact", "contact", "contact twice", "scratch")
    _cells(file, figures.counterstrike, reports, ("any one", "any two", "all three"))
    for area in (*figures.arrival.middle_areas, figures.arrival.east_of):
        _one(file, "arrival", area, data.sea.order)


def _launched(cell: str) -> tuple[int, int] | None:
    """The bombers and flights of a cell; what is none counts as too many bombers."""
    try:
        counted = launched(cell)
    except ValueError:
        return 1, 0
    return counted if counted != (0, 0) or cell == "none" else (1, 0)


# -- planning --------------------------------------------------------------------------------------------------------


def _check_planning(data: Data) -> None:
    """[13.1, 13.2] The calendar's rows and months, the events and their places."""
    file, figures = "planning.toml", data.planning
    _all(file, "calendar.row", figures.calendar.row, DIPLOMATS)
    _all(file, "calendar.risk", figures.calendar.risk, MONTHS)
    for name in (*figures.calendar.must, *figures.calendar.either):
        _one(file, "calendar", name, figures.calendar.row)
    _cells(file, figures.event_chart, ("attack", "storm", "none"), ["event"])
    china = [site.key for site in data.flight.sites.site if site.country == "china"]
    _cells(file, figures.location_chart, china, ["site"])
    _all(file, "doolittle.box", figures.doolittle.box, MONTHS)
    if figures.selection.most != len(data.bombers.roster.bomber):
        expected = f"{len(data.bombers.roster.bomber)}, for so many bombers there are"
        raise DataMisfit(file, "selection.most", expected, str(figures.selection.most))


def _check_modifications(data: Data) -> None:
    """[13.3.3] What a modification needs or excludes is there, and what excludes is excluded."""
    file, figures = "modifications.toml", data.modifications
    _unique(file, "modifications.modification", (card.key for card in figures.modifications.modification))
    for key, card in figures.cards.items():
        where = f"modifications.modification {key}"
        if card.needs:
            _one(file, f"{where}.needs", card.needs, figures.cards)
        for other in card.excludes:
            _one(file, f"{where}.excludes", other, figures.cards)
            if key not in figures.cards[other].excludes:
                raise DataMisfit(file, f"modifications.modification {other}.excludes", key, "nothing")
    _all(file, "modifications", sorted({card.box for card in figures.cards.values()}), "ABCDEFGHIJ")
    heaviest = figures.factory.weight + sum(max(card.weight, 0) for card in figures.cards.values())
    if figures.guzzle.reach[0] > figures.factory.weight_min or figures.guzzle.reach[1] < heaviest:
        raise DataMisfit(file, "guzzle.reach", f"{figures.factory.weight_min} to {heaviest}", "less")
    if figures.guzzle.at(figures.factory.weight) != data.bombers.factory.guzzle:
        expected = f"{data.bombers.factory.guzzle}, as bombers.toml has it at factory.guzzle"
        raise DataMisfit(file, "guzzle.rows", expected, str(figures.guzzle.at(figures.factory.weight)))


def _check_training(data: Data) -> None:
    """[13.4] Tracks for modifications that are there, morale that rises, and a deck for every sum."""
    file, figures = "training.toml", data.training
    for key, track in figures.training.track.items():
        for name in (track.needs, track.unless):
            if name:
                _one(file, f"training.track.{key}", name, data.modifications.cards)
    if not 0 <= figures.morale.start < len(figures.morale.box):
        boxes = f"0 to {len(figures.morale.box) - 1}"
        raise DataMisfit(file, "morale.start", boxes, str(figures.morale.start))
    spaces = figures.short_take_off.space
    dice = figures.short_take_off.dice
    _all(file, "short_take_off.space", (str(each.space) for each in spaces), map(str, range(dice, 6 * dice + 1)))
    for each in spaces:
        if set(each.mishaps) - {"c", "d"}:
            raise DataMisfit(file, f"short_take_off.space {each.space}.mishaps", "letters c and d", repr(each.mishaps))
    capacities = [each.capacity for each in spaces]
    if capacities != sorted(capacities):
        raise DataMisfit(file, "short_take_off.space.capacity", "capacities that rise", ", ".join(map(str, capacities)))


def _check_embarkation(data: Data) -> None:
    """[13.5] The transit cup, the crane, delay and the variable risks."""
    file, figures = "embarkation.toml", data.embarkation
    _count(file, "cup.total", "markers", figures.cup.total, sum(marker.count for marker in figures.cup.marker))
    for site in (*figures.transit.site, *figures.variable.liberty_site):
        _one(file, "transit.site", site, data.training.sites.site)
    _whole_numbers(file, figures.transit_chart)
    for row, cells in figures.crane_chart.rows.items():
        _one(file, f"P4-crane.rows.{row}, column result", cells[0], ("damage", "hazard", "risk", "none"))
    _cells(file, figures.delay_chart, ("delayed", "on time"), ["result"])
    _whole_numbers(file, figures.risk_chart)
    _all(file, "P5.columns", figures.risk_chart.columns, ("attack", "delayed", "liberty", "telephone"))


def _check_incidents(data: Data) -> None:
    """[15.1] As many chits of each kind as their total says, and turns and chits that are there."""
    file, chits = "incidents.toml", data.incidents.chits
    _all(file, "chits.months", chits.months, MONTHS)
    found: Counter[str] = Counter()
    for month, kinds in chits.months.items():
        for kind, count in kinds.items():
            _one(file, f"chits.months.{month}", kind, chits.kind)
            found[kind] += count
    _all(file, "chits.totals", chits.totals, chits.kind)
    for kind, total in chits.totals.items():
        _count(file, f"chits.totals.{kind}", "chits", total, found[kind])
    for kind in (*data.incidents.bataan.called_off, data.incidents.ceylon.fished):
        _one(file, "bataan.called_off", kind, chits.kind)
    if data.incidents.shanghai.trek != data.denouement.routes.shanghai:
        raise DataMisfit(file, "shanghai.trek", str(data.denouement.routes.shanghai), str(data.incidents.shanghai.trek))
    _one(file, "bataan.grounds", data.incidents.bataan.grounds, data.bombers.crewmen)
    _one(file, "rabaul.earliest_turn", data.incidents.rabaul.earliest_turn, data.sea.turns.turn)


# -- the end ---------------------------------------------------------------------------------------------------------

_CAPTURES = tuple(f"{health} {crews}" for health in ("fit", "wounded") for crews in ("1", "2", "3-4", "5+"))


def _check_denouement(data: Data) -> None:
    """[14] Charts of landings, ditchings and captures, and routes between places that are there."""
    file, figures = "denouement.toml", data.denouement
    _cells(file, figures.poor_landing, ("dead", "crash", "damaged", "good"))
    ditched = ("missing", "captured", "missing unless submarine", "china wounded", "china fit")
    _cells(file, figures.ditched, ditched, ("east of Japan", "Japan", "west of Japan"))
    _all(file, "homeward.number", figures.homeward.number, data.sea.order)
    _cells(file, figures.incident, ("airstrike", "i-boat", "ships"), ["incident"])
    _cells(file, figures.capture, ("0", "1", "2", "3", "all", "close"), _CAPTURES)
    for row, cells in figures.close_call.rows.items():
        _one(file, f"D4-close.rows.{row}, column effect", cells[0], ("lost", "captured", "wounded", "none"))
    _one(file, "landing.iced_site", figures.landing.iced_site, data.flight.site)
    _all(file, "landing.weather", figures.landing.weather, WEATHERS)
    talks = ("agreed", "no-attempt", "denied")
    for name in ("internment", "passage"):
        _all(file, f"{name}.rows", getattr(figures, name).rows, talks)
    for row in (*figures.passage.starred, figures.soviet.row):
        _one(file, "soviet.row", row, talks)
    _check_routes(data)


def _check_routes(data: Data) -> None:
    """[14.4.3] From every place in China one comes to Chungking, and the table has no way twice."""
    file, routes = "denouement.toml", data.denouement.routes
    china = [site.key for site in data.flight.sites.site if site.country == "china"]
    for route in routes.route:
        _one(file, "routes.route", route.start, [*china, routes.on_foot])
        _one(file, "routes.route", route.end, [*china, routes.goal])
        if (route.start == routes.on_foot) != (route.fuel is None):
            where = f"routes.route {route.start} to {route.end}"
            raise DataMisfit(file, f"{where}.fuel", "fuel unless one is on foot", str(route.fuel))
    _unique(file, "routes.route", (f"{route.start} to {route.end}" for route in routes.route))
    for start in (*china, routes.on_foot):
        _one(file, f"routes.route {start}", routes.goal, [route.end for route in routes.route if route.start == start])
    _all(file, "routes.weather_box", routes.weather_box, china)
    for site, box in routes.weather_box.items():
        _one(file, f"routes.weather_box.{site}", box, [each.key for each in data.flight.winds.box])


def _check_debriefing(data: Data) -> None:
    """The grades of the short scenarios, what launches are worth, and the views and checks of the campaign."""
    file, figures = "debriefing.toml", data.debriefing
    for name in ("attack_grades", "raid_grades"):
        grades = getattr(figures, name)
        _all(file, f"{name}.text", grades.text, grades.title)
    _all(file, "worth.launch_area", figures.worth.launch_area, data.sea.order)
    _all(file, "worth.launch", figures.worth.launch, ("planned", "emergency", "none"))
    _all(file, "worth.doolittle", figures.worth.doolittle, ("home", "aboard", "stayed", "lost"))
    views = ("army", "navy", "joint-chiefs", "white-house", "japan", "china", "ussr")
    _all(file, "perspectives", figures.perspectives, views)
    _all(file, "checks", figures.checks, ("prisoners", "reprisal", "alliances"))
    best = sum(len(view.band) - 1 for view in figures.perspectives.values()) + max(figures.checks["alliances"].grades)
    if figures.verdict.reach != (0, best):
        raise DataMisfit(file, "verdict.reach", f"[0, {best}]", str(list(figures.verdict.reach)))


def _check_history(data: Data) -> None:
    """The facts of 1942 are all that the campaign's views count."""
    facts = data.history.campaign.facts
    for name, view in data.debriefing.perspectives.items():
        for term in view.term:
            if term.of not in facts:
                raise DataMisfit("history.toml", f"campaign.facts.{term.of}", f"a number, for {name} counts it", "none")
    for name, bounds in data.history.raid.bounds.items():
        if not bounds.low <= bounds.expected <= bounds.high:
            between = f"between {bounds.low} and {bounds.high}"
            raise DataMisfit("history.toml", f"raid.bounds.{name}.expected", between, str(bounds.expected))


# -- scenarios -------------------------------------------------------------------------------------------------------


def _check_scenario(data: Data, file: str, scenario: Scenario) -> None:
    """Bombers, crewmen, areas, zones and winds of a scenario are there, and its flights are of a legal size."""
    _unique(file, "bombers", scenario.bombers)
    for bomber in scenario.bombers:
        _one(file, "bombers", bomber, data.bombers.cards)
    for elite, bomber in scenario.elites.items():
        _one(file, "elites", elite, data.bombers.crewmen)
        _one(file, f"elites.{elite}", bomber, scenario.bombers)
    _unique(file, "elites", scenario.elites.values())
    if "attack" in scenario.segments and scenario.segments[0] == "attack":
        _check_attack_scenario(data, file, scenario)
    if scenario.segments[0] == "flight":
        _check_flight_scenario(data, file, scenario)
    if scenario.segments[0] == "naval":
        _check_naval_scenario(data, file, scenario)
    _check_flights(data, file, scenario)
    _check_bands(data, file, scenario)
    _check_variants(data, file, scenario)


def _check_attack_scenario(data: Data, file: str, scenario: Scenario) -> None:
    _one(file, "map", scenario.map, data.targets.maps)
    if scenario.light is None:
        raise DataMisfit(file, "light", "day or night", "nothing")
    areas = data.targets.maps[scenario.map].areas
    if not scenario.entry:
        raise DataMisfit(file, "entry", "the turn and area of each bomber", "none")
    for entry in scenario.entry:
        _one(file, f"entry {entry.bomber}.area", entry.area, [key for key, area in areas.items() if area.perimeter])
        if not 1 <= entry.turn <= data.attack.turns.last:
            raise DataMisfit(file, f"entry {entry.bomber}.turn", f"1 to {data.attack.turns.last}", str(entry.turn))
    for area in scenario.counted_areas:
        _one(file, "counted_areas", area, areas)


def _check_flight_scenario(data: Data, file: str, scenario: Scenario) -> None:
    _one(file, "start_zone", scenario.start_zone, data.flight.order)
    _one(file, "launch_area", scenario.launch_area, data.flight.first_zone.columns)
    _one(file, "hour", scenario.hour, [hour.label for hour in data.flight.clock.box])
    _all(file, "winds", scenario.winds, [box.key for box in data.flight.winds.box])
    for city in scenario.advice:
        _one(file, "advice", city, data.targets.maps)


def _check_naval_scenario(data: Data, file: str, scenario: Scenario) -> None:
    _one(file, "rendezvous_area", scenario.rendezvous_area, data.sea.order)
    _one(file, "planned_area", scenario.planned_area, data.sea.order)
    _one(file, "rendezvous_turn", scenario.rendezvous_turn, data.sea.turns.turn)
    _check_submarines(data, file, scenario.submarines)


def _check_submarines(data: Data, file: str, submarines: dict[str, str]) -> None:
    for submarine, area in submarines.items():
        _one(file, "submarines", submarine, [each.key for each in data.ships.submarines.submarine])
        _one(file, f"submarines.{submarine}", area, data.sea.order)


def _check_flights(data: Data, file: str, scenario: Scenario) -> None:
    """[7.1, 7.1.1] Flights of two to four, and of those no more than six."""
    sizes = data.flying.flights
    if len(scenario.flights) > sizes.most:
        raise DataMisfit(file, "flights", f"at most {sizes.most}", str(len(scenario.flights)))
    for at, flight in enumerate(scenario.flights):
        if not sizes.bombers_min <= len(flight) <= sizes.bombers_max:
            expected = f"{sizes.bombers_min} to {sizes.bombers_max} bombers"
            raise DataMisfit(file, f"flights.{at}", expected, str(len(flight)))


def _check_bands(data: Data, file: str, scenario: Scenario) -> None:
    if not scenario.bands:
        return
    grades = data.debriefing.attack_grades if scenario.segments == ["attack"] else data.debriefing.raid_grades
    _whole(file, "bands", scenario.bands, (-FAR, FAR))
    for points, grade in scenario.bands.items():
        _one(file, f"bands.{points}", grade, grades.title)


def _check_variants(data: Data, file: str, scenario: Scenario) -> None:
    _unique(file, "variant", (variant.key for variant in scenario.variant))
    china = [site.key for site in data.flight.sites.site if site.country == "china"]
    for variant in scenario.variant:
        _check_submarines(data, file, variant.submarines)
        for store in variant.stockpile:
            _one(file, f"variant {variant.key}.stockpile", store.site, china)

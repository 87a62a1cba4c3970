"""The modifiers, dice and limits that the printed cards list next to their tables: attack, flight and secrecy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import astuple

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle import names
from readyroom.games.doolittle.figures.common import M, Sourced
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.flight import FlightHazardMarker
from readyroom.games.doolittle.flight.view import draw_words

MODIFIER = ["modifier"]


def modifiers(id: str, title: str, rule: str, figures: Sourced, rows: Mapping[str, int | str]) -> Chart:
    """Return a card of modifiers; a cell that is no number is printed as it is."""
    cells = [(name, [signed(value) if isinstance(value, int) else value]) for name, value in rows.items()]
    return figures.as_chart(id, title, rule, MODIFIER, cells)


def cup_rows(cups: Sequence[Sequence[M]], label: Callable[[M], str], none: str = "") -> list[tuple[str, list[str]]]:
    """Return a row for each label of markers: how many there are in each cup."""
    counts: dict[str, list[int]] = {}
    for at, markers in enumerate(cups):
        for marker in markers:
            counts.setdefault(label(marker), [0] * len(cups))[at] += marker.count
    return [(name, [str(number or none) for number in numbers]) for name, numbers in sorted(counts.items())]


def attack_cards(data: Data) -> list[Chart]:
    """[3.2, 3.3.1, 4.2.2 to 4.7] Return what an attack turn needs next to its tables."""
    return [_areas(data), _turn(data), _late(data)]


def _areas(data: Data) -> Chart:
    """[3.2, 4.1] Return the areas of all target maps, and where a bomber can move from each."""
    rows = []
    for maps in data.targets.maps.values():
        for area in maps.area:
            near = ", ".join(maps.areas[key].name for key in area.adjacent)
            rows.append((area.name, [maps.title, "perimeter" if area.perimeter else "no exit", near]))
    first = next(iter(data.targets.maps.values()))
    return first.as_chart("A-areas", "Areas and their neighbors", "4.1", ["map", "exit", "next to"], rows)


def _turn(data: Data) -> Chart:
    """[3.3.1, 4.2.2, 4.4, 4.5, 4.7] Return draws, evasion, guns, exit, and the bombers that may enter a target box."""
    figures, standard = data.attack, data.bombers.standard
    guns = f"{standard.gunnery} dice (scenarios 1-9), one {figures.gunnery.hit} drives it off"
    evaded = f"{standard.evasion} marker per area (scenarios 1-9)"
    spoilt = "; ".join(
        f"armor {name}: {', '.join(getattr(data.bombers.armour, name))}" for name in ("added", "removed")
    )
    rows = {
        "drawn in an area": f"{figures.draws.bomber} per bomber, {figures.draws.alert} per alert level, and A3; "
        "at most the area's limit of new markers",
        "evade, low": evaded,
        "evade, high": "not allowed",
        "guns": f"{guns}; {figures.gunnery.targets} interceptor per bomber and phase",
        "hits": f"{', '.join(data.bombers.armour.normal)} ({spoilt})",
        "enter a box, low": "with the Mark Twain bombsight",
        "enter a box, high by day": "with the Norden bombsight only (no bomber in scenarios 1-9)",
        "enter a box, high by night": "not allowed",
        "exit": "without bombs, on the perimeter",
        f"after turn {figures.turns.last}": f"scenarios 1-6 end (A8); else the flight pays {figures.turns.fuel} fuel",
    }
    return figures.phases.as_chart("A-turn", "The attack turn", "4.0", ["limit"], [(k, [v]) for k, v in rows.items()])


def _late(data: Data) -> Chart:
    fate = data.attack.fate
    rows = {
        "an interceptor attached": fate.interceptor,
        "a damaged bomber": fate.damaged,
        "an elite pilot": fate.elite_pilot,
    }
    return modifiers("A8-modifiers", "Still over the target: modifiers", "4.0.1", fate, rows)


def flight_cards(data: Data) -> list[Chart]:
    """[7.2.4, 8.1.3, 8.1.4, 8.2.4, 8.3] Return what a flight turn needs next to its tables."""
    return [_fumes(data), _guzzle(data), zones(data), _search(data), _beacons(data), _cups(data), _dice(data)]


def _fumes(data: Data) -> Chart:
    fumes = data.flying.fumes
    rows = {
        "a fuel leak": f"+{fumes.leak} die",
        "fuel evaporation": f"+{fumes.evaporation} die",
        "each fumes marker": f"+{fumes.marker} die",
        "however many dice": f"the {fumes.keep} lowest count",
    }
    return modifiers("F1-dice", "Dry tanks", "7.2.4", fumes, rows)


def _guzzle(data: Data) -> Chart:
    guzzle = data.flying.guzzle
    rows: dict[str, int | str] = {
        "to reach, scenarios 1-9": str(data.bombers.standard.guzzle),
        "to reach, scenario 10": "by weight (P-weight)",
        f"each fuel marker ({data.flying.fuel.marker} fuel, or the last 1)": guzzle.marker,
        "bombs aboard": guzzle.loaded,
        f"a fuel leak, with less than {guzzle.leak_below} fuel": "then a check on fumes",
    }
    return modifiers("F3-guzzle", "Guzzle check", "8.2.4", guzzle, rows)


def zones(data: Data) -> Chart:
    """[5.1, 5.3, 5.5, 8.3.2] Return the flight zones: wind box, hazards drawn, cities and sites, and fuel."""
    rows = []
    for zone in data.flight.zones.zone:
        box = data.flight.wind_of[zone.key]
        weather = f"{box.key}, weather of {box.sea_box.capitalize()}" if box.sea_box else box.key
        draws = draw_words([astuple(draw) for draw in zone.draw])
        rows.append((zone.key[1:], [zone.name, weather, draws, ", ".join(_found(data, zone.key))]))
    columns = ["zone", "wind box", "hazards drawn", "found there"]
    return data.flight.zones.as_chart("F4", "Zones and their hazards", "8.3.2", columns, rows)


def _found(data: Data, zone: str) -> list[str]:
    """[5.4, 5.5, 12.4.1] Return cities and landing sites of a zone, with fuel icons and the fuel of a launch."""
    names = [city.name for city in data.flight.cities.city] if zone == data.flight.zones.japan else []
    paid = f" ({data.flight.sites.fuel} fuel)"
    names += [f"{site.name}{paid if zone in site.fuel_from else ''}" for site in data.flight.sites_of(zone)]
    launch = data.flight.launch.fuel.get(zone)
    return [*names, *([f"launched here: {launch} fuel"] if launch else [])]


def _search(data: Data) -> Chart:
    figures, standard = data.flying.acquisition, data.bombers.standard
    lights = f"{figures.dark_dice} dice, the {figures.dark_keep} lowest count"
    rows: dict[str, int | str] = {
        "navigation, by day": standard.navigation["day"],
        "navigation, by night": standard.navigation["night"],
        "a blast marker on the city's map": figures.blast,
        "each elite navigator, or pilot who navigates": data.bombers.benefits["navigation"].bonus,
        "each submarine in contact off Japan": figures.submarine,
        "a persistent attempt": figures.persistent,
        "a contact marker at the city": f"{figures.contact_rerolls} re-roll",
        "a flight at high altitude": f"{figures.high_rerolls} re-roll",
        "by night, first": f"{data.flying.lights.dice} die below the alert: lights out for good",
        "lights out, by night": lights,
        "a second target": f"from alert {figures.deviation_alert} first {figures.deviation_hazards} alert hazard",
        "a city attacked": f"alert +{figures.attacked_alert} at the end of the phase",
    }
    return modifiers("F6-modifiers", "Finding a target: modifiers", "8.1.4", figures, rows)


def _beacons(data: Data) -> Chart:
    rows = [(str(value), [str(count)]) for value, count in sorted(Counter(data.flight.beacons.values).items())]
    return data.flight.beacons.as_chart("F6-beacons", "Landing beacons in the cup", "8.1.4", ["markers"], rows)


def _cups(data: Data) -> Chart:
    """[8.3.1] Return the cups of flight hazards."""
    figures = data.flight_hazards

    def label(one: FlightHazardMarker) -> str:
        adds = (("gunnery", one.gunnery), ("detonation", one.detonation), ("landing", one.landing))
        texts = [one.name or figures.kinds.kind[one.kind].title]
        texts += [f"{what} {signed(value)}" for what, value in adds if value]
        return ", ".join(texts + (["secrecy test"] if one.icon else []))

    first, rows = figures.cups["I"], cup_rows([cup.marker for cup in figures.cups.values()], label)
    return first.as_chart("F5-cups", "Cups of flight hazards", "8.3.1", list(figures.cups), rows)


def _dice(data: Data) -> Chart:
    """[8.3.7] Return the dice of flight hazards."""
    figures = data.flight_hazards
    boat, vessel = figures.flying_boat, figures.vessel
    shadow = {f"shadowed at alert {label}": value for label, value in figures.shadow.rows.items()}
    rows = {
        "elude a flying boat, low": f"{boat.low_dice} dice, one even",
        "elude a flying boat, high": f"{boat.high_dice} die, even",
        f"elude a flying boat, from alert {boat.wary_from}": f"{boat.wary_dice} dice, both even",
        "a flying boat in tow when a goal is found": f"alert +{boat.landing_alert}",
        **{name: f"{value} alert hazards" if value else "a secrecy test" for name, value in shadow.items()},
        "vessel, low": f"{vessel.low_dice} dice, both below the number of vessels on the map: alert +{vessel.alert}",
        "vessel, high": f"{vessel.high_dice} die below the number of vessels on the map: alert +{vessel.alert}",
        "engine sputter": f"even {figures.fire.even}, odd {figures.fire.odd}",
        "a burning engine": f"even {figures.burning.even}, odd {figures.burning.odd}",
        "interceptor by night": f"even {figures.night_fighter.even}, odd {figures.night_fighter.odd}",
        "elude an interceptor": f"the bomber leaves its flight and pays {data.flying.fuel.elude} fuel",
        "compass error": f"enters on the turn of {figures.compass.error_dice} die",
        "faulty compass, over a city": f"odd: enters on turn {figures.compass.faulty_turn}",
        "faulty compass, at a landing site": (
            f"odd: ditches; by a beacon {figures.compass.beacon_dice} dice, one even saves"
        ),
        "remove beacons, Stilwell briefed": f"even: they {figures.briefed_beacons.even}",
    }
    cells = [(name, [value]) for name, value in rows.items()]
    return figures.kinds.as_chart("F5-dice", "Dice of flight hazards", "8.3.7", ["result"], cells)


def secrecy_cards(data: Data) -> list[Chart]:
    """[6.1, 6.2, 6.3.1] Return the security track, and what the icon of a failed test does."""
    figures = data.security
    track = [(label, [str(value)]) for label, value in figures.alert_by_failed.rows.items()]
    icons = []
    for key, card in figures.icons.icon.items():
        strike = names.icon_text(data, key).removeprefix(f"{card.title}: ")
        alert = f"else alert +{card.alert}, if the task force was met" if card.alert else ""
        icons.append((card.title, [strike, alert]))
    value = figures.track.value
    test = {
        "roll": f"as many dice as the secrecy value ({value} in scenarios 1-9)",
        "passed": "the sum is the risk or more",
        "after every test": f"risk +{figures.test.risk}",
        "failed": f"failed tests +{figures.test.failed} (S2); at sea the icon counts (S3)",
    }
    cells = [(name, [text]) for name, text in test.items()]
    return [
        figures.test.as_chart("S1", "Secrecy test", "6.3.1", ["rule"], cells),
        figures.alert_by_failed.as_chart("S2", "Least alert by failed tests", "6.2", ["alert"], track),
        figures.icons.as_chart("S3", "Icons of a failed test at sea", "6.3.1", ["airstrike", "otherwise"], icons),
    ]

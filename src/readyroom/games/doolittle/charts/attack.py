"""The charts of the game: the printed tables of attack and flight by their labels, and the markers."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.charts.attack_modifiers import attack_cards, cup_rows, flight_cards, secrecy_cards
from readyroom.games.doolittle.charts.campaign import debriefing_charts, naval_charts
from readyroom.games.doolittle.charts.campaign_modifiers import ending_cards, planning_cards, strike_cards, voyage_cards
from readyroom.games.doolittle.charts.ending import ending_charts, strike_charts
from readyroom.games.doolittle.charts.planning import planning_charts
from readyroom.games.doolittle.figures.attack import HazardMarker
from readyroom.games.doolittle.figures.data import Data


def charts(data: Data) -> list[Chart]:
    """[1.8] Return the cards of all segments and of the debriefing, and the counters."""
    return [
        *_attack_charts(data),
        data.attack.late,
        _hazard_cups(data),
        _hazard_kinds(data),
        *attack_cards(data),
        data.flying.fumes_chart,
        data.flying.wind_chart,
        *_flight_charts(data),
        *flight_cards(data),
        *secrecy_cards(data),
        data.flight.weather,
        data.flight.emergency,
        data.flight.first_zone,
        *planning_charts(data),
        *planning_cards(data),
        *naval_charts(data),
        *debriefing_charts(data),
        *voyage_cards(data),
        *ending_charts(data),
        *ending_cards(data),
        *strike_charts(data),
        *strike_cards(data),
        *_counter_charts(data),
    ]


def _attack_charts(data: Data) -> list[Chart]:
    """[4.0 to 4.9] Return what is added, rolled and drawn over a target."""
    figures, standard = data.attack, data.bombers.standard
    approach, detonation = figures.approach, figures.detonation
    benefits = data.bombers.benefits
    rows_a1 = [
        ("navigation, by day", [signed(standard.navigation["day"])]),
        ("navigation, by night", [signed(standard.navigation["night"])]),
        ("an elite navigator, or a pilot who navigates", [signed(benefits["navigation"].bonus)]),
        ("fires in the box", [signed(approach.burning)]),
        ("hazards on the bomber and in the box", ["as marked"]),
        ("lights out, by night", [f"{approach.dark_dice} dice, the {approach.dark_keep} lowest count"]),
    ]
    rows_a2 = [
        ("bombing", [signed(standard.bombing)]),
        ("an elite bombardier", [signed(benefits["release"].bonus)]),
        ("a damaged bomber", [signed(detonation.damaged)]),
        ("hazards on the bomber and in the box", ["as marked"]),
    ]
    rows_a3 = [(label, [signed(value)]) for label, value in figures.detonations.rows.items()]
    rows_a4 = [
        ("a hit in a box", [str(detonation.box_blast)]),
        ("a hit with extra ordnance", [str(detonation.extra_blast)]),
        ("a miss, in the area", [str(detonation.missed_blast)]),
        ("a release over an area", [str(detonation.area_blast)]),
    ]
    return [
        approach.as_chart("A1", "Approach check", "4.8.1", ["added"], rows_a1),
        detonation.as_chart("A2", "Detonation check", "4.9.3", ["added"], rows_a2),
        figures.detonations.as_chart("A3", "Detonations and hazards", "4.2.2", ["hazards"], rows_a3),
        detonation.as_chart("A4", "Blast", "4.9", ["blast"], rows_a4),
        *(_box_charts(data, number, key) for number, key in enumerate(data.targets.maps, start=5)),
    ]


def _box_charts(data: Data, number: int, key: str) -> Chart:
    """[3.2, 3.3] Return the boxes of a target map, with their numbers by day and by night."""
    maps = data.targets.maps[key]
    rows = []
    for area in maps.area:
        edge = "on the edge" if area.perimeter else "inner"
        for box in area.box:
            cells = [f"{area.name}, {edge}", str(area.hazards_max), *(f"{a} / {b}" for a, b in (box.day, box.night))]
            rows.append((box.name, cells))
        if not area.box:
            rows.append((area.name, [f"no target, {edge}", str(area.hazards_max), "", ""]))
    columns = ["area", "hazards", "by day", "by night"]
    return maps.as_chart(f"A{number}", f"Targets of {maps.title}", "3.3", columns, rows)


def _hazard_cups(data: Data) -> Chart:
    """[4.2.1] Return the contents of the cups."""
    cups = list(data.hazards.cups.values())
    rows = cup_rows([cup.marker for cup in cups], lambda marker: _hazard(data, marker), "0")
    return cups[0].as_chart("A9", "Cups of hazards", "4.2.1", [cup.title for cup in cups], rows)


def _hazard(data: Data, marker: HazardMarker) -> str:
    """Return a marker as its row is called."""
    text = data.hazards.kinds.kind[marker.kind].title
    if marker.high:
        text += f" {marker.low}" if marker.low == marker.high else f" {marker.low}–{marker.high}"
    for what, value in (("approach", marker.approach), ("detonation", marker.detonation)):
        text += f", {what} {signed(value)}" if value else ""
    icons = [word for word, has in (("red box", marker.box), ("S", marker.stay)) if has]
    return f"{text} ({', '.join(icons)})" if icons else text


def _hazard_kinds(data: Data) -> Chart:
    """[4.6.3] Return what each hazard does."""
    kinds = data.hazards.kinds
    rows = [(kind.title, [kind.rule, "low only" if kind.low_only else "", kind.text]) for kind in kinds.kind.values()]
    return kinds.as_chart("A10", "Hazards", "4.6.3", ["rule", "height", "what it does"], rows)


def _flight_charts(data: Data) -> list[Chart]:
    """[8.2, 8.3] Return winds, zones, flight hazards, and cities and sites."""
    effects, kinds = data.flying.effects, data.flight_hazards.kinds
    winds = []
    for wind in effects.wind.values():
        guzzle = "must pass" if wind.needs_pass else "must roll" if wind.forced else "yes" if wind.guzzle else "no"
        cells = ["must, at a city" if wind.must else "yes" if wind.may else "no", str(wind.before), guzzle]
        winds.append((wind.title, [*cells, str(wind.pass_cost), str(wind.fail_cost)]))
    hazards = [(kind.title, [kind.rule, "stays" if kind.attaches else "", kind.text]) for kind in kinds.kind.values()]
    columns = ["may act", "fuel to try", "guzzle check", "fuel if passed", "fuel if failed"]
    return [
        effects.as_chart("F3", "Winds", "8.2.1", columns, winds),
        kinds.as_chart("F5", "Flight hazards", "8.3.7", ["rule", "on the bomber", "what it does"], hazards),
        _place_charts(data),
    ]


def _place_charts(data: Data) -> Chart:
    """[5.4, 5.5] Return the cities and landing sites: numbers to find them, landing numbers, zones, and fuel icons."""
    sites = data.flight.sites
    zone = data.flight.zones.japan[1:]
    places = [(city.name, [str(city.day), str(city.night), "", zone, ""]) for city in data.flight.cities.city]
    for site in sites.site:
        where = ", ".join(zone[1:] for zone in site.zones)
        fuel = ", ".join(f"{sites.fuel} from zone {zone[1:]}" for zone in site.fuel_from)
        places.append((site.name, [str(site.day), str(site.night), str(site.landing), where, fuel]))
    columns = ["by day", "by night", "landing", "zone", "fuel"]
    return sites.as_chart("F6", "Finding a target", "8.1.4", columns, places)


def _counter_charts(data: Data) -> list[Chart]:
    """[2.1, 2.3] Return the bombers and the elite crewmen."""
    roster_of, elites = data.bombers.roster, data.bombers.elites
    bombers = [(card.serial, [card.pilot, card.nickname, card.target, card.fate]) for card in roster_of.bomber]
    men = []
    for man in elites.elite:
        benefit = data.bombers.benefits[man.benefit]
        home = data.bombers.cards[man.home].pilot if man.home in data.bombers.cards else ""
        men.append((man.name, [man.role, benefit.title, "once" if benefit.once else "always", home]))
    return [
        roster_of.as_chart("bombers", "Bombers", "2.1", ["pilot", "name", "target in 1942", "fate in 1942"], bombers),
        elites.as_chart("elites", "Elite crewmen", "2.3", ["role", "benefit", "how often", "flew with"], men),
    ]

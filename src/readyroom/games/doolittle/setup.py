"""[1.2] Setting up: scenarios, seats, the squadron, the targets, the cups, the ships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.game import Scenario, Seat
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.state import At
from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.figures import ending
from readyroom.games.doolittle.figures.check import check, check_scenario
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Variant
from readyroom.games.doolittle.pieces import Bomber, EliteMan, Marker
from readyroom.games.doolittle.planning import blotter
from readyroom.games.doolittle.state import CAPTAIN, Air, Area, Box, Doolittle, Flight, Raid, Rulings, Security, Target
from readyroom.games.doolittle.voyage.formation import place_ships, usual_layout
from readyroom.games.doolittle.voyage.ships import HANGAR
from readyroom.games.doolittle.voyage.state import Launch, Plan, Recon, Ship, Submarine, Voyage

BEFORE = "before"
"""The phase of a match before its first one."""


def scenarios(data: Data) -> list[Scenario]:
    """[1.2] Return the scenarios in their order."""
    ordered = sorted(data.scenarios.items(), key=lambda one: one[1].order)
    return [Scenario(key=key, title=each.title, summary=each.summary, content=each) for key, each in ordered]


def seats(scenario: Scenario, options: Mapping[str, str]) -> tuple[Seat, ...]:
    """[1.4] Return the seats: one captain, or two or three who share the raid."""
    number = int(options["players"])
    if number == 1:
        return (Seat(CAPTAIN, "Captain", "usa"),)
    return tuple(Seat(f"{CAPTAIN}-{at}", f"Captain {at}", "usa") for at in range(1, number + 1))


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Doolittle:
    """[1.2] Return the table at the beginning."""
    card: ending.Scenario = scenario.content
    rulings = msgspec.convert(dict(options), ready(Rulings))
    variant = card.chosen_variant(rulings.variant)
    state = Doolittle(
        at=At(0, BEFORE),
        scenario=scenario.key,
        rulings=rulings,
        agenda=_agenda(card, rulings),
        segment=card.segments[0],
        seats=[seat.key for seat in seats(scenario, options)],
        ratings=data.bombers.standard,
        security=_security_track(data, card, variant),
        squad=_squadron(card),
        targets={
            key: Target({area.key: Area({box.key: Box() for box in area.box}) for area in target.area})
            for key, target in data.targets.maps.items()
            if not card.map or key == card.map
        },
        cups=dict(_cups(data, card)),
        own=card if scenario.text is not None else None,
    )
    if card.map:
        light = (variant.light if variant else None) or card.light
        assert light is not None
        state.raid = raid = Raid(card.map, light)
        for entry in card.entry:
            state.squad[entry.bomber].enters = entry.turn
        _mix_response(data, state, raid, variant)
    else:
        state.air = _flight_map(data, card)
        _site_supplies(data, state, variant)
    if card.rendezvous_area:
        state.plan = _naval_plan(card, variant)
    _set_up_ships(data, card, state)
    if card.segments[0] == "planning":
        blotter.set_up(state, data)
    return state


def _set_up_ships(data: Data, card: ending.Scenario, state: Doolittle) -> None:
    """[9.0, 14.3, DR110] Set up ships at sea, or on their way home if only the end is played."""
    if "naval" in card.segments:
        state.voyage = empty_map(data)
    elif card.launch_area and "denouement" in state.agenda:
        state.voyage = homeward_forces(data, card.launch_area)
        state.launched = Launch(card.launch_area, "emergency", 1, state.security.alert)


def _agenda(card: ending.Scenario, rulings: Rulings) -> list[ending.Segment]:
    """[1.2, 1.3] Return the segments after the first; the denouement if a variant has it and it is wanted."""
    whole = rulings.ending == "told" and any(one.denouement for one in card.variant)
    return [*card.segments[1:], "denouement"] if whole else card.segments[1:]


def _naval_plan(card: ending.Scenario, variant: Variant | None) -> Plan:
    """[13.5.1] Return the naval plan that a scenario begins with."""
    more = variant.submarines if variant else {}
    comes = card.enterprise if variant is None or variant.enterprise is None else variant.enterprise
    return Plan(
        rendezvous_area=card.rendezvous_area,
        rendezvous_turn=card.rendezvous_turn,
        launch_area=card.planned_area,
        submarines={**card.submarines, **more},
        enterprise=comes,
    )


def _security_track(data: Data, card: ending.Scenario, variant: Variant | None) -> Security:
    """[6.1] Return the security track as the scenario has it."""
    alert = variant.alert if variant and variant.alert is not None else card.alert
    return Security(alert, card.failed, card.risk, card.secrecy or data.security.track.value)


def _squadron(card: ending.Scenario) -> dict[str, Bomber]:
    """[2.1, 2.3] Return the bombers that take part, with their elite crewmen."""
    elites = {bomber: man for man, bomber in card.elites.items()}
    return {key: Bomber(key=key, elite=EliteMan(key=elites[key]) if key in elites else None) for key in card.bombers}


def _cups(data: Data, card: ending.Scenario) -> Iterator[tuple[str, Cup[Marker]]]:
    """[4.2.1, 4.2.2, 8.3.1, 12.6.1, 13.5.2] Yield the cups that the scenario can draw from."""
    if card.map:
        own = {*data.targets.maps[card.map].cups.values(), data.hazards.reserve.cup}
        known: list[str] = [key for key in data.hazards.markers if key.rpartition("-")[0] in own]
    else:
        known = [*data.hazards.markers, *data.flight_hazards.markers]
    if "naval" in card.segments:
        known += [*data.sea_hazards.markers, *data.embarkation.cup.markers]
    names = dict.fromkeys(key.rpartition("-")[0] for key in known)
    for name in names:
        yield name, Cup([Marker(key=key) for key in known if key.rpartition("-")[0] == name])


def _mix_response(data: Data, state: Doolittle, raid: Raid, variant: Variant | None) -> None:
    """[1.2] Put the response markers into the city's own cup if the city is awake."""
    if variant is None or not variant.response_mixed:
        return
    own, reserve = data.targets.maps[raid.city].cups[raid.light], data.hazards.reserve.cup
    state.cups[own].contents += state.cups[reserve].contents
    state.cups[reserve].contents = []
    state.poured[reserve] = own


def _flight_map(data: Data, card: ending.Scenario) -> Air:
    """[5.0, 7.2.1] Return the flight map at the launch."""
    hours = [hour.label for hour in data.flight.clock.box]
    flights = [
        Flight(key=f"flight-{number}", members=list(members), zone=card.start_zone, fuel=card.fuel)
        for number, members in enumerate(card.flights if card.start_zone else [], start=1)
    ]
    return Air(
        hour=hours.index(card.hour) if card.hour else 0,
        flights=flights,
        zones={zone: [] for zone in data.flight.order},
        winds={box: wind for box, (_, wind) in card.winds.items()},
        weather={box: weather for box, (weather, _) in card.winds.items()},
        planned=card.launch != "emergency",
    )


def _site_supplies(data: Data, state: Doolittle, variant: Variant | None) -> None:
    """[7.2.2, 8.1.4] Set up the variant's beacons, without a number until a flight searches for the site.

    Fuel and groundcrews that wait there are for bombers that have landed, one by one.
    """
    for stock in variant.stockpile if variant else []:
        if stock.fuel:
            state.sky.stock[stock.site] = stock.fuel
        if stock.groundcrews:
            state.sky.groundcrews[stock.site] = stock.groundcrews
        if stock.beacon:
            state.sky.beacons[stock.site] = 0


def scenario_choices(data: Data) -> Mapping[str, Mapping[str, str]]:
    """Return what the fields of a scenario may be, as the form of scenarios offers them."""
    bombers = {key: f"{card.pilot} ({key})" for key, card in data.bombers.cards.items()}
    areas = {area.key: area.name for target in data.targets.maps.values() for area in target.area}
    edges = {area.key: area.name for target in data.targets.maps.values() for area in target.area if area.perimeter}
    seas = {key: area.name for key, area in data.sea.area.items()}
    grades = {
        key: key.capitalize() for key in (*data.debriefing.attack_grades.title, *data.debriefing.raid_grades.title)
    }
    maps = {key: target.title for key, target in data.targets.maps.items()}
    submarines = {card.key: card.name for card in data.ships.submarines.submarine}
    none = {"": "None"}
    return {
        "map": {**none, **maps},
        "hour": {**none, **{hour.label: hour.label for hour in data.flight.clock.box}},
        "start_zone": {**none, **{key: key for key in data.flight.order}},
        "launch_area": {**none, **{key: key for key in data.flight.first_zone.columns}},
        "entry/bomber": bombers,
        "entry/area": edges,
        "flights": bombers,
        "elites": {key: card.name for key, card in data.bombers.crewmen.items()},
        "elites/*": bombers,
        "winds": {box.key: box.key for box in data.flight.winds.box},
        "advice": maps,
        "rendezvous_area": {**none, **seas},
        "rendezvous_turn": {**none, **{turn: en_dashes(turn) for turn in data.sea.turns.turn}},
        "planned_area": {**none, **seas},
        "submarines": submarines,
        "submarines/*": seas,
        "counted_areas": areas,
        "bands/*": grades,
        "variant/submarines": submarines,
        "variant/submarines/*": seas,
        "variant/stockpile/site": {site.key: site.name for site in data.flight.sites_in("china")},
    }


def check_opening(data: Data, scenario: Scenario) -> None:
    """Check that the figures fit together; raise `InvalidData` if not."""
    check(data)
    if scenario.text is not None:
        check_scenario(data, scenario.file, scenario.content)


def empty_map(data: Data) -> Voyage:
    """[10.0] Return the empty naval map."""
    return Voyage(
        ships={card.key: Ship(key=card.key) for card in data.ships.fleet.ship},
        recon={card.key: Recon(key=card.key) for card in data.ships.recon.marker},
        submarines={card.key: Submarine(key=card.key) for card in data.ships.submarines.submarine},
        signals={area: [] for area in data.sea.order},
    )


def homeward_forces(data: Data, area: str) -> Voyage:
    """[DR110] Return the forces on their way home after a launch that was not played: fueled and undamaged."""
    sea = empty_map(data)
    sea.area, ships = area, list(sea.ships.values())
    sea.met = sea.begun = sea.over = True
    for ship in ships:
        ship.group = ""
    place_ships(ships, usual_layout(data, ships))
    for recon in sea.recon.values():
        recon.place = HANGAR
    return sea

"""[12.4, 12.7.1] Where launched bombers go: to a base ashore or onto the flight map, at which hour; contact markers."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.naval import Base
from readyroom.games.doolittle.flight.flights import pay_fuel
from readyroom.games.doolittle.names import place_name, titled
from readyroom.games.doolittle.secrecy import RISK, add_risk
from readyroom.games.doolittle.state import Flight, T, scenario_card
from readyroom.games.doolittle.voyage.ships import in_contact
from readyroom.games.doolittle.voyage.state import Deck, TakeOff


def base_of(table: T) -> Base | None:
    """[12.4, DR115] Return the base to which bombers fly if Japan is out of reach, else None."""
    area, order = table.state.sea.area, table.data.sea.order
    if table.data.sea.west_of(area, table.data.flight.launch.west_of):
        return None
    return [base for base in table.data.naval.ashore.base if order.index(base.first) <= order.index(area)][-1]


def send_off(table: T, deck: Deck, flown: Sequence[TakeOff]) -> Steps:
    """[12.4, DR115] Send the launched bombers to Japan, or ashore if it is out of reach."""
    state, base = table.state, base_of(table)
    if base is None:
        yield from _set_up_flights(table, deck, flown)
        return
    for bomber in [state.squad[key] for off in flown for key in off.members]:
        bomber.fate, bomber.where = "ashore", base.key
        state.add_to_story("ashore", bomber.key, base.key)
    text, moment = "Japan is out of reach. The bombers fly to {}.", "Japan is out of reach"
    table.log_line("12.4", text, base.name, target="task-force", moment=moment)


def _set_up_flights(table: T, deck: Deck, flown: Sequence[TakeOff]) -> Steps:
    """[12.4, 7.2.1, 8.2.3, 9.3] Put the flights onto the flight map: zone, hour, fuel left, and the weather there."""
    state, sky, weather = table.state, table.state.sky, table.state.sea.weather
    sky.weather |= {box.key: weather[box.sea_box] for box in table.data.flight.winds.box if box.sea_box in weather}
    zone = yield from choose_first_zone(table, planned=deck.planned)
    sky.hour = yield from choose_hour(table, deck)
    sky.turn, sky.phase = 1, ""
    sky.queue = []
    sky.planned = deck.planned
    sky.checked = sky.attacked = False
    sky.submarines = _submarines_off_japan(table)
    fuel = scenario_card(state, table.data).fuel or state.ratings.fuel
    before = max((int(flight.key.split("-")[1]) for flight in sky.flights), default=0)
    for number, off in enumerate(flown, start=before + 1):
        flight = Flight(key=f"flight-{number}", members=list(off.members), zone=zone, fuel=fuel, waits=off.waits)
        sky.flights.append(flight)
        name, where = titled(table.data, flight), place_name(table.data, zone)
        table.log_line("12.4.1", "{} sets out from {}.", name, where, target=table.data.ships.fleet.launches)
        yield from pay_fuel(table, flight, off.lost + table.data.flight.launch.fuel.get(zone, 0))
    state.facts["launched"] = state.facts.get("launched", 0) + sum(len(off.members) for off in flown)


def choose_first_zone(table: T, *, planned: bool) -> Choice[str]:
    """[12.4.1] Roll for the first zone by sea area; after a planned launch choose one of two dice."""
    figures, area = table.data.flight, table.state.sea.area
    dice = figures.launch.planned_dice if planned else figures.launch.emergency_dice
    faces = table.roll_dice("12.4.1", "zone", dice)
    text = "The dice for the first zone: {}."
    table.log_line("12.4.1", text, ", ".join(map(str, faces)), target="task-force")
    options = []
    for zone in dict.fromkeys(figures.first_zone.cell(face, area) for face in sorted(faces)):
        cost = figures.launch.fuel.get(zone, 0)
        info = OptionInfo(f"costs {cost} fuel at once") if cost else None
        options.append(Option(f"zone-{zone}", place_name(table.data, zone), zone, info))
    chosen = yield from table.choose(table.state.captain, "12.4.1", "In which zone do the flights start?", options)
    return str(chosen.value)


def choose_hour(table: T, deck: Deck) -> Choice[int]:
    """[12.4.2] Choose the hour of the launch if planned, else roll for it."""
    if deck.planned:
        hours = enumerate(table.data.flight.clock.box)
        options = [Option(f"at-{box.label}", f"{box.label}, by {box.light}", at) for at, box in hours]
        question = "At what hour, Japan time, do the bombers launch?"
        chosen = yield from table.choose(table.state.captain, "12.4.2", question, options)
        return int(chosen.value)
    at = _roll_hour(table, strike=deck.strike)
    return (yield from _choose_delay(table, at, strike=deck.strike))


def _roll_hour(table: T, *, strike: bool) -> int:
    """[12.4.2] Roll three dice for the hour; under an airstrike roll until day is within reach."""
    clock, chart = table.data.flight.clock, table.data.flight.emergency
    labels = [box.label for box in clock.box]
    while True:
        roll = table.roll_on_chart(chart, chart.columns[0], "hour")
        at = labels.index(roll.cell)
        table.log_line("12.4.2", "Hour of the launch: {}.", roll, target="task-force")
        if not strike or _by_day(table, at) or _by_day(table, at + clock.slide):
            return at


def _by_day(table: T, at: int) -> bool:
    box = table.data.flight.clock.box
    return box[at % len(box)].light == "day"


def _choose_delay(table: T, at: int, *, strike: bool) -> Choice[int]:
    """[12.4.2, DR116] Choose whether the bombers start a box later for a die of risk; under attack only by day."""
    state, clock = table.state, table.data.flight.clock
    later = (at + clock.slide) % len(clock.box)
    options = []
    for key, hour in (("now", at), ("later", later)):
        if not strike or _by_day(table, hour):
            text = f"at {clock.box[hour].label}, by {clock.box[hour].light}"
            note = OptionInfo("risk +1 die") if key == "later" else None
            options.append(Option(key, text, hour, note))
    chosen = yield from table.choose(state.captain, "12.4.2", "When do the bombers launch?", options)
    if chosen.key == "later":
        more = sum(table.roll_dice("12.4.2", "slide", clock.slide_risk_dice))
        add_risk(table, more)
        table.log_line("12.4.2", "They wait; the risk rises by {} to {}.", more, state.security.risk, target=RISK)
    return int(chosen.value)


def place_contact(table: T) -> Steps:
    """[12.7.1, DR119] Choose a city for the contact marker of a submarine off Japan, as a naval turn ends."""
    if not _submarines_off_japan(table):
        return
    contacts, names = table.state.sky.contacts, table.data.flight.city
    options = [Option(f"contact-{key}", card.name, key) for key, card in names.items()]
    question = "A submarine is off the coast. Which city does it help to find?"
    chosen = yield from table.choose(table.state.captain, "12.7.1", question, options)
    contacts[chosen.value] = contacts.get(chosen.value, 0) + 1
    japan = table.data.sea.order[-1]
    table.log_line("12.7.1", "A contact marker is placed at {}.", names[chosen.value].name, target=japan)


def _submarines_off_japan(table: T) -> int:
    """[8.1.4, 12.1.3] Return the submarines in contact where the cities are."""
    japan = next(zone for zone in table.data.flight.zones.zone if zone.key == table.data.flight.zones.japan).sea_area
    boats = table.state.sea.submarines.values()
    return sum(in_contact(table.state, boat.key) and boat.area == japan for boat in boats)

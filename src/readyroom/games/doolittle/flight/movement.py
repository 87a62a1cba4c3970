"""[8.1, 8.4, 5.0, 15.2] The move phase and the fuel phase; and how the flight begins.

The bombers leave the deck in `voyage.launch`; `begin_flight` follows once they are in the air.
"""

from __future__ import annotations

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.flight import acquisition
from readyroom.games.doolittle.flight.flights import (
    MOVE,
    flights_aloft,
    light_in,
    may_attack,
    pay_fuel,
    price_text,
    remove_empty_flights,
    run_flights,
)
from readyroom.games.doolittle.names import flight_title, place_name, titled
from readyroom.games.doolittle.state import Flight, T, announce_lead

WEST, CLIMB, DIVE, STAY = "west", "west-climb", "west-dive", "stay"
ALTITUDE = "altitude"


def begin_flight(table: T) -> Steps:
    """[5.0, 15.2] Begin the flight; after a planned launch some hazards may be removed first."""
    state = table.state
    state.begin("flight")
    starting = [flight for flight in state.sky.flights if not flight.site]

    for zone in sorted({flight.zone for flight in starting}):
        there = [flight_title(table.data, flight) for flight in starting if flight.zone == zone]
        keys = [flight.key for flight in starting if flight.zone == zone]
        table.log_line("5.1", "{}: {}.", place_name(table.data, zone), KeyedText(", ".join(there), *keys), target=zone)
    if state.sky.planned and state.rulings.bonus == "yes" and not state.sky.eased:
        yield from _remove_bonus_markers(table)


def _remove_bonus_markers(table: T) -> Steps:
    """[15.2] Remove up to two markers of each kind that the bonus names, once."""
    state, known = table.state, table.data.flight_hazards.markers
    state.sky.eased = True
    for kind, most in table.data.flying.bonus.removes.items():
        bonus = [
            (cup, marker) for cup in state.cups.values() for marker in cup.contents
            if marker.key in known and known[marker.key].kind == kind
        ]  # fmt: skip
        title = table.data.flight_hazards.kinds.kind[kind].title.lower()
        options = [Option(marker.key, f"{title}, cup {marker.cup}", (cup, marker)) for cup, marker in bonus]
        question, seat = f"Which {title} markers are removed from the game?", state.captain
        chosen = yield from table.choose_some(seat, "15.2", question, options, at_most=most, select_all_default=True)
        for option in chosen:
            cup, marker = option.value
            cup.contents.remove(marker)
            state.out.append(marker)


def _log_hours(table: T) -> Steps:
    """[5.2.1, 5.2.2] Log the hour at both ends of the marker."""
    yield from ()
    clock = table.data.flight.clock
    sky = table.state.sky
    box = clock.box[sky.hour]
    china = clock.box[(sky.hour - clock.china_boxes_earlier) % len(clock.box)]
    text, times = "It is {} in Japan, {}, and {} in China, {}.", (box.label, box.light, china.label, china.light)
    table.log_line("5.2", text, *times, target=f"hour-{sky.hour}")
    announce_lead(table)


def move(table: T) -> Steps:
    """[8.1, 8.1.1, 8.1.2] Let each flight move on or search for a target in its zone."""
    yield from run_flights(table, MOVE, flights_aloft(table.state, since=1), _choose_move, _log_hours)


def _choose_move(table: T, flight: Flight, *, changed: bool = False) -> Steps:
    """[7.1.3, 8.1.1, 8.1.2, DR142] Choose a flight's move; a loaded one over Japan must search for a city.

    Whatever it does, it may change altitude first, once.
    """
    options = acquisition.search_options(table, flight)
    rule = "8.1.2" if options else "8.1.1"
    stays = bool(options) or not next_zone(table, flight)
    if not may_attack(table, flight):
        options += _ways_west(table, flight, changed=changed)
    if stays and not changed:
        text = "descend to low altitude first" if flight.high else "climb to high altitude first"
        info = None if flight.high else OptionInfo(f"costs {price_text(table, flight)}")
        options.append(Option(ALTITUDE, text, info=info))
    zone, light = place_name(table.data, flight.zone), light_in(table, flight.zone)
    question = f"{flight_title(table.data, flight)} is over {zone} by {light}. What do you do?"
    chosen = yield from acquisition.choose_for_flight(table, flight, rule, question, options)
    if chosen.key in (WEST, CLIMB, DIVE):
        if chosen.key != WEST:
            yield from _change_altitude(table, flight)
        if table.state.in_flight(flight):
            move_west(table, flight, "8.1.1")
    elif chosen.key == ALTITUDE:
        yield from _change_altitude(table, flight)
        if table.state.in_flight(flight):
            yield from _choose_move(table, flight, changed=True)
    elif chosen.key != STAY:
        yield from acquisition.search(table, flight, chosen.value)


def _change_altitude(table: T, flight: Flight) -> Steps:
    """[7.1.3, 8.1.1, DR38] Climb, for a fuel that is paid first, or descend."""
    climbs = not flight.high
    if climbs:
        yield from pay_fuel(table, flight, table.data.flying.fuel.climb)
    if table.state.in_flight(flight):
        flight.high = climbs
        text = "climbs to high altitude" if climbs else "descends to low altitude"
        table.log_line("7.1.3", "{} {}.", titled(table.data, flight), text, target=flight.key)


def _ways_west(table: T, flight: Flight, *, changed: bool) -> list[Option]:
    """[8.1.1, 7.1.3, DR32] Return the ways to fly on: at this height or another; at the western edge it stays."""
    following = next_zone(table, flight)
    if not following:
        return [Option(STAY, "stay in this zone")]
    name = place_name(table.data, following)
    height = "high" if flight.high else "low"
    options = [Option(WEST, f"fly on to {name}, {height}")]
    if flight.high and not changed:
        options.append(Option(DIVE, f"fly on to {name}, and descend"))
    elif not changed:
        cost = OptionInfo(f"costs {price_text(table, flight)}")
        options.append(Option(CLIMB, f"fly on to {name}, and climb", info=cost))
    return options


def next_zone(table: T, flight: Flight) -> str:
    """[8.1.1] Return the zone west of a flight; none at the edge."""
    order = table.data.flight.order
    at = order.index(flight.zone) + 1
    return order[at] if at < len(order) else ""


def move_west(table: T, flight: Flight, rule: str) -> None:
    """[8.1.1, 8.2.1] Move a flight one zone west."""
    flight.zone = next_zone(table, flight)
    zone, height = place_name(table.data, flight.zone), "high" if flight.high else "low"
    table.log_line(rule, "{} flies on to {}, {}.", titled(table.data, flight), zone, height, target=flight.zone)


def pay_turn_fuel(table: T) -> Steps:
    """[8.4, 5.2] Pay a fuel for each flight; then the hour advances."""
    sky = table.state.sky
    for flight in flights_aloft(table.state):
        yield from pay_fuel(table, flight, table.data.flying.fuel.turn)
    remove_empty_flights(table)
    sky.turn += 1
    sky.hour = (sky.hour + 1) % len(table.data.flight.clock.box)

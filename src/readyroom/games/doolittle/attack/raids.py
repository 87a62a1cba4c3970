"""[4.0, 4.1] An attack begins, bombers enter and move, and it ends."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.attack.hazards import put_back
from readyroom.games.doolittle.bombers import hazards_of_kind
from readyroom.games.doolittle.flight.flights import light_in
from readyroom.games.doolittle.names import city_name, flight_name, pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import EvenCheck, FaceCheck, roll_with_rerolls
from readyroom.games.doolittle.state import Flight, Raid, T, ask, scenario_card, seat_of, target_map

COMPASS_ERROR, FAULTY_COMPASS = "compass-error", "faulty-compass"


def begin_attack(table: T, flight: Flight, city: str) -> Steps:
    """[4.0, 8.1.4] Begin the attack of a flight on its city: set when each bomber enters (DR17 to DR19)."""
    state = table.state
    zone = table.data.flight.zones.japan
    state.raid = Raid(city, light_in(table, zone), flight.key, flight.high)
    name = table.data.flight.city[city].name
    height = "high" if flight.high else "low"
    attackers = KeyedText(flight_name(flight.key), flight.key, *flight.members)
    text, moment = "{} attacks {} by {}, {}.", f"Over {city_name(table.data, city)}"
    table.log_line("8.1.4", text, attackers, name, state.raid.light, height, target=city, moment=moment)
    state.add_to_story("attack", flight.key, city)
    waiting = state.in_flight(flight)
    for bomber in waiting:
        bomber.enters, bomber.delayed = 0, False
        yield from _roll_faulty_compasses(table, bomber)
    for slot in range(1, len(waiting) + 1):
        bomber = yield from _choose_entry(table, flight, slot, waiting)
        waiting.remove(bomber)
        bomber.enters = max(slot, bomber.enters)
        for _ in hazards_of_kind(table, bomber, COMPASS_ERROR):
            yield from _roll_compass_errors(table, bomber, slot)


def _choose_entry(table: T, flight: Flight, slot: int, waiting: Sequence[Bomber]) -> Choice[Bomber]:
    """[4.1.1] Choose which bomber enters on an attack turn, after the compass rolls of those before."""
    if len(waiting) == 1:
        return waiting[0]
    options = [
        Option(f"next-{one.key}", pilot_name(table.data, one.key), one, _compass_hazards(table, one)) for one in waiting
    ]
    question = f"Which bomber of {flight_name(flight.key)} enters on turn {slot}?"
    seat = seat_of(table.state, flight=flight)
    return (yield from table.choose(seat, "4.1.1", question, options)).value  # type: ignore[no-any-return]


def _compass_hazards(table: T, bomber: Bomber) -> OptionInfo | None:
    """[8.3.7.A, 8.3.7.C] Return what has delayed a bomber, or may still delay it."""
    texts = [f"no earlier than turn {bomber.enters}"] if bomber.enters else []
    if hazards_of_kind(table, bomber, COMPASS_ERROR):
        texts.append("compass error: a die roll may delay it")
    return OptionInfo("; ".join(texts)) if texts else None


def _roll_compass_errors(table: T, bomber: Bomber, slot: int) -> Steps:
    """[8.3.7.A, DR18] Roll a die for a later turn of entry; the bomber may then enter in any area on the edge."""
    dice = table.data.flight_hazards.compass.error_dice
    check = FaceCheck("8.3.7.A", "turn of entry", dice=dice, at_most=slot)
    roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber])
    bomber.enters, bomber.delayed = max(bomber.enters, roll.total), True
    name, text = pilot(table.data, bomber.key), "{} has a compass error and enters on turn {}."
    table.log_line("8.3.7.A", text, name, bomber.enters, roll, target=bomber)


def _roll_faulty_compasses(table: T, bomber: Bomber) -> Steps:
    """[8.3.7.C, DR19] Roll for faulty compasses: odd delays the bomber until turn six; the marker is gone."""
    for marker in hazards_of_kind(table, bomber, FAULTY_COMPASS):
        roll = yield from roll_with_rerolls(table, EvenCheck("8.3.7.C", "the compass settles"), bomber.key, [bomber])
        bomber.markers.remove(marker)
        table.state.out.append(marker)
        if roll:
            name = pilot(table.data, bomber.key)
            table.log_line("8.3.7.C", "{}'s faulty compass has no effect.", name, roll, target=bomber)
        else:
            turn = table.data.flight_hazards.compass.faulty_turn
            bomber.enters, bomber.delayed = turn, True
            text = "{}'s faulty compass delays it until turn {}."
            table.log_line("8.3.7.C", text, pilot(table.data, bomber.key), turn, roll, target=bomber)


def airspeed(table: T) -> Steps:
    """[4.1, 4.1.1, 4.1.2, 4.1.3] Move every bomber on the map; then the bombers of this turn enter."""
    state = table.state
    state.attack.turn += 1
    state.attack.met.clear()
    cards = target_map(table).areas
    for bomber in state.over_target():
        options = [Option(f"to-{key}", cards[key].name, key) for key in cards[bomber.area].adjacent]
        question = f"Where does {pilot_name(table.data, bomber.key)} fly from {cards[bomber.area].name}?"
        bomber.area = (yield from ask(table, bomber, "4.1", question, options)).value
    yield from _enter(table)


def _enter(table: T) -> Steps:
    """[4.1.1] Let bombers enter over the edge: as the scenario says, after the first, or by choice if delayed.

    A compass error is removed as the bomber enters [8.3.7.A].
    """
    state = table.state
    cards = target_map(table).areas
    edge = [area for area in cards.values() if area.perimeter]
    for bomber in state.squad.values():
        if bomber.enters != state.attack.turn:
            continue
        named = scenario_card(state, table.data).entries.get(bomber.key, "")
        area = named or (state.attack.entry if not bomber.delayed else "")
        if not area:
            options = [Option(f"enter-{one.key}", one.name, one.key) for one in edge]
            question = f"Where does {pilot_name(table.data, bomber.key)} enter?"
            area = (yield from ask(table, bomber, "4.1.1", question, options)).value
        bomber.area, bomber.enters = area, 0
        if not bomber.delayed:
            state.attack.entry = area
        for marker in hazards_of_kind(table, bomber, COMPASS_ERROR):
            put_back(table, bomber, marker)
        table.log_line("4.1.1", "{} enters over {}.", pilot(table.data, bomber.key), cards[area].name, target=area)


def attack_is_over(table: T) -> bool:
    """[4.0.2, DR20] Return whether the attack has ended: no one is on the map, and no one is still to come."""
    return not table.state.over_target() and not any(one.flies and one.enters for one in table.state.squad.values())

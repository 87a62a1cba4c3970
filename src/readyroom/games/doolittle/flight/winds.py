"""[8.2] The wind phase: winds are checked, and flights try to move or to look for a target with them."""

from __future__ import annotations

from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.common import Wind
from readyroom.games.doolittle.figures.flight import WindEffect
from readyroom.games.doolittle.flight import acquisition
from readyroom.games.doolittle.flight.flights import (
    check_guzzle,
    flights_aloft,
    guzzle_check,
    may_attack,
    pay_fuel,
    price_text,
    run_flights,
    seat_of_flight,
)
from readyroom.games.doolittle.flight.movement import STAY, WEST, move_west, next_zone
from readyroom.games.doolittle.flight.wind_boxes import wind_check
from readyroom.games.doolittle.names import flight_title, place_name, titled
from readyroom.games.doolittle.state import Flight, T


def wind(table: T) -> Steps:
    """[8.2, 8.2.3, DR39] Check unknown winds; then each flight may act, as its wind lets it."""
    yield from run_flights(table, "wind", flights_aloft(table.state), _act, _check_winds)


def _check_winds(table: T) -> Steps:
    """[8.2.3] Check the wind of each box with a flight and no wind yet, from east to west."""
    state = table.state
    zones = {flight.zone for flight in flights_aloft(state)}
    for box in table.data.flight.winds.box:
        if box.key not in state.sky.winds and zones & set(box.zones):
            yield from wind_check(table, box)


def wind_effect(table: T, flight: Flight) -> WindEffect:
    """[8.2.1, DR2] Return what the wind of a flight's zone does to it."""
    return table.data.flying.effects.wind[wind_of(table, flight)]


def wind_of(table: T, flight: Flight) -> Wind:
    """[8.2.1, DR2] Return the wind whose effect a flight feels."""
    result = table.state.sky.winds[table.data.flight.wind_of[flight.zone].key]
    if result == "severe-crosswind" and table.state.rulings.crosswind == "example":
        return "crosswind"
    return result


def _act(table: T, flight: Flight) -> Steps:
    """[8.2.1, 8.2.2, DR28] Choose whether a flight moves, searches for a target, or holds its course."""
    wind = wind_effect(table, flight)
    if not wind.may:
        yield from _pay_for_holding(table, flight, wind)
        return
    options = _flight_options(table, flight, wind)
    if not options:
        return
    title, zone = flight_title(table.data, flight), place_name(table.data, flight.zone)
    question = f"{title} has a {wind.title} over {zone}. What do you do?"
    rule = "8.2.2" if acquisition.search_goals(table, flight) else "8.2.1"
    chosen = yield from acquisition.choose_for_flight(table, flight, rule, question, options)
    if chosen.key != STAY:
        yield from _attempt(table, flight, wind, chosen)


def _pay_for_holding(table: T, flight: Flight, wind: WindEffect) -> Steps:
    """[8.2.1] Pay the fuel that a wind may cost a flight that cannot act."""
    text = "{} makes no headway in a {}."
    table.log_line("8.2.1", text, titled(table.data, flight), wind.title, target=flight.key)
    if wind.forced and not (yield from check_guzzle(table, flight)):
        yield from pay_fuel(table, flight, wind.fail_cost)


def _flight_options(table: T, flight: Flight, wind: WindEffect) -> list[Option]:
    """[8.2.1, 8.2.2, DR28] Return the options of a flight in this wind; a loaded one over Japan can only search."""
    check = guzzle_check(table, flight, wind.before)
    passed = check.odds() if wind.needs_pass else 1
    note = _price_text(table, flight, wind)
    options = [
        Option(one.key, one.text, one.value, OptionInfo(note + one.info.note, (one.info.chance or 0.0) * float(passed)))
        for one in acquisition.search_options(table, flight)
        if one.info
    ]
    following = next_zone(table, flight)
    if following and not may_attack(table, flight):
        hint = OptionInfo(note + "gets there", float(passed))
        options.append(Option(WEST, f"fly on to {place_name(table.data, following)}", info=hint))
    if options and not (wind.must and may_attack(table, flight)):
        options.insert(0, Option(STAY, "hold its course"))
    return options


def _price_text(table: T, flight: Flight, wind: WindEffect) -> str:
    """[8.2.1] Return what it costs to try, in words, with the chance of each price."""
    passes = float(guzzle_check(table, flight, wind.before).odds())
    one = price_text(table, flight)
    texts = []
    if wind.before:
        texts.append(f"{one} at once")
    if wind.pass_cost:
        texts.append(f"{one} once the check is passed")
    if wind.fail_cost:
        texts.append(f"{percent(1 - passes)} chance to pay {one}")
    return "; ".join(texts) + "; " if texts else ""


def _attempt(table: T, flight: Flight, wind: WindEffect, chosen: Option) -> Steps:
    """[8.2.1, 8.2.2] Pay for the attempt and roll; if it succeeds, move or search."""
    yield from pay_fuel(table, flight, wind.before)
    if not table.state.in_flight(flight):
        return
    passed = not wind.guzzle or (yield from check_guzzle(table, flight))
    if not passed:
        yield from pay_fuel(table, flight, wind.fail_cost)
        if wind.needs_pass:
            table.log_line("8.2.1", "{} makes no headway.", titled(table.data, flight), target=flight.key)
            return
    elif wind.pass_cost:
        if chosen.key == WEST and not (yield from _offer_move(table, flight, wind)):
            return
        yield from pay_fuel(table, flight, wind.pass_cost)
    if not table.state.in_flight(flight):
        return
    if chosen.key == WEST:
        move_west(table, flight, "8.2.1")
    else:
        yield from acquisition.search(table, flight, chosen.value)


def _offer_move(table: T, flight: Flight, wind: WindEffect) -> Choice[bool]:
    """[8.2.1] Choose whether a flight that has passed its check pays to move."""
    if not table.state.in_flight(flight):
        return False
    hint = OptionInfo(f"costs {price_text(table, flight)}")
    options = [Option("go", "fly on", info=hint), Option(STAY, "hold its course")]
    question = f"{flight_title(table.data, flight)} can make headway in the {wind.title}. Fly on?"
    seat = seat_of_flight(table, flight)
    return (yield from table.choose(seat, "8.2.1", question, options, piece_key=flight.key)).key == "go"

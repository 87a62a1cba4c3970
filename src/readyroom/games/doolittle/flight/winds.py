"""[8.2] The wind phase: winds are checked, and flights try to move or to look for a target with them."""

from __future__ import annotations

from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.figures.flight import WindEffect
from readyroom.games.doolittle.flight import acquisition
from readyroom.games.doolittle.flight.flights import (
    aloft,
    attacks,
    called,
    consume,
    guzzle,
    guzzle_check,
    in_turn,
    owner,
    price,
)
from readyroom.games.doolittle.flight.movement import STAY, WEST, goes_west, next_zone
from readyroom.games.doolittle.flight.wind_boxes import wind_check
from readyroom.games.doolittle.names import place
from readyroom.games.doolittle.state import Flight, T


def wind(table: T) -> Steps:
    """[8.2, 8.2.3, DR39] Check unknown winds; then each flight may act, as its wind lets it."""
    yield from in_turn(table, "wind", aloft(table.state), _acts, _checks)


def _checks(table: T) -> Steps:
    """[8.2.3] Check the wind of each box with a flight and no wind yet, from east to west."""
    state = table.state
    zones = {flight.zone for flight in aloft(state)}
    for box in table.data.flight.winds.box:
        if box.key not in state.sky.winds and zones & set(box.zones):
            yield from wind_check(table, box)


def effect(table: T, flight: Flight) -> WindEffect:
    """[8.2.1, DR2] Return what the wind of a flight's zone does to it."""
    figures = table.data.flying.effects.wind
    result = table.state.sky.winds[table.data.flight.wind_of[flight.zone].key]
    if result == "severe-crosswind" and table.state.rulings.crosswind == "example":
        return figures["crosswind"]
    return figures[result]


def _acts(table: T, flight: Flight) -> Steps:
    """[8.2.1, 8.2.2, DR28] Choose whether a flight moves, searches for a target, or holds its course."""
    wind = effect(table, flight)
    if not wind.may:
        yield from _held(table, flight, wind)
        return
    options = _tries(table, flight, wind)
    if not options:
        return
    question = f"{called(table, flight)} has a {wind.title} over {place(table.data, flight.zone)}. What does it do?"
    seat = owner(table, flight)
    rule = "8.2.2" if acquisition.goals(table, flight) else "8.2.1"
    chosen = yield from table.choose(
        seat, rule, question, options, piece_key=flight.key, unavailable=lambda: acquisition.duty(table, flight, rule)
    )
    if chosen.key != STAY:
        yield from _tried(table, flight, wind, chosen)


def _held(table: T, flight: Flight, wind: WindEffect) -> Steps:
    """[8.2.1] Pay the fuel that a wind may cost a flight that cannot act."""
    table.log_line("8.2.1", "{} makes no headway in a {}.", called(table, flight), wind.title)
    if wind.forced and not (yield from guzzle(table, flight)):
        yield from consume(table, flight, wind.fail_cost)


def _tries(table: T, flight: Flight, wind: WindEffect) -> list[Option]:
    """[8.2.1, 8.2.2, DR28] Return the options of a flight in this wind; a loaded one over Japan can only search."""
    check = guzzle_check(table, flight, wind.before)
    passed = check.odds() if wind.needs_pass else 1
    note = _price(table, flight, wind)
    options = [
        Option(one.key, one.text, one.value, OptionInfo(note + one.info.note, (one.info.chance or 0.0) * float(passed)))
        for one in acquisition.looking(table, flight)
        if one.info
    ]
    following = next_zone(table, flight)
    if following and not attacks(table, flight):
        hint = OptionInfo(note + "gets there", float(passed))
        options.append(Option(WEST, f"fly on to {place(table.data, following)}", info=hint))
    if options and not (wind.must and attacks(table, flight)):
        options.insert(0, Option(STAY, "hold its course"))
    return options


def _price(table: T, flight: Flight, wind: WindEffect) -> str:
    """[8.2.1] Return what it costs to try, in words, with the chance of each price."""
    passes = float(guzzle_check(table, flight, wind.before).odds())
    one = price(table, flight)
    texts = []
    if wind.before:
        texts.append(f"{one} at once")
    if wind.pass_cost:
        texts.append(f"{one} once the check is passed")
    if wind.fail_cost:
        texts.append(f"{one} with a chance of {1 - passes:.0%}")
    return "; ".join(texts) + "; " if texts else ""


def _tried(table: T, flight: Flight, wind: WindEffect, chosen: Option) -> Steps:
    """[8.2.1, 8.2.2] Pay for the attempt and roll; if it succeeds, move or search."""
    yield from consume(table, flight, wind.before)
    if not table.state.in_flight(flight):
        return
    passed = not wind.guzzle or (yield from guzzle(table, flight))
    if not passed:
        yield from consume(table, flight, wind.fail_cost)
        if wind.needs_pass:
            table.log_line("8.2.1", "{} makes no headway.", called(table, flight))
            return
    elif wind.pass_cost:
        if chosen.key == WEST and not (yield from _still(table, flight, wind)):
            return
        yield from consume(table, flight, wind.pass_cost)
    if not table.state.in_flight(flight):
        return
    if chosen.key == WEST:
        goes_west(table, flight, "8.2.1")
    else:
        yield from acquisition.search(table, flight, chosen.value)


def _still(table: T, flight: Flight, wind: WindEffect) -> Choice[bool]:
    """[8.2.1] Choose whether a flight that has passed its check pays to move."""
    if not table.state.in_flight(flight):
        return False
    hint = OptionInfo(f"costs {price(table, flight)}")
    options = [Option("go", "fly on", info=hint), Option(STAY, "hold its course after all")]
    question = f"{called(table, flight)} can make its way in the {wind.title}. Does it?"
    chosen = yield from table.choose(owner(table, flight), "8.2.1", question, options, piece_key=flight.key)
    return bool(chosen.key == "go")

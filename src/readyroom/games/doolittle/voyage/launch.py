"""[12.0.1, 12.3, 12.4] The launch: the order to launch, and how the voyage ends.

`launch_from_deck` is the phase of the naval turn, `launch_bombers` carries a launch out. An airstrike calls
`launch_before_planes` for the bombers that can still get away, and `launch_after_planes` for the others. The flight
itself begins in `flight.movement.begin_flight`.
"""

from __future__ import annotations

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.bombers import bomber_options
from readyroom.games.doolittle.state import OVER_JAPAN, Doolittle, T, choose_exactly
from readyroom.games.doolittle.voyage.departure import base_of, place_contact, send_off
from readyroom.games.doolittle.voyage.ships import area_name, bombers_on_deck, can_launch, last_turn, may_launch
from readyroom.games.doolittle.voyage.state import Deck, How, Launch
from readyroom.games.doolittle.voyage.take_off import organize, take_off, take_off_check


def launch_bombers(table: T, *, planned: bool, last: bool = False) -> Steps:
    """[12.3, 12.3.1] Launch the bombers; the segment ends, or their flight interrupts it.

    `last`: the force turns about, so that no bomber can wait for another turn.
    """
    table.state.deck = Deck(planned)
    text = "as planned" if planned else "in an emergency"
    where = area_name(table.data, table.state.sea.area)
    moment = "Launch the bombers" if planned else "Emergency launch"
    hornet = table.data.ships.fleet.launches
    table.reveal("12.3", "The bombers are launched from {} {}.", where, text, target=hornet, moment=moment)
    yield from organize(table, bombers_on_deck(table.state))
    yield from take_off(table)
    yield from _conclude(table, last=last)


def launch_from_deck(table: T) -> Steps:
    """[12.3, DR53] Launch the bombers as planned if the force is at the planned point or west of it."""
    state, area = table.state, table.state.sea.area
    planned = state.orders.launch_area
    there = area == planned or (bool(area) and bool(planned) and table.data.sea.west_of(area, planned))
    if there and may_launch(table):
        yield from launch_bombers(table, planned=True)


def emergency_hint(table: T) -> OptionInfo:
    """[12.3.1, 12.4] Return what an emergency launch leads to, and the chance that a flight gets off."""
    base = base_of(table)
    where = f"only to {base.name}; a flight" if base else "an emergency launch; a flight"
    return OptionInfo(f"{where} takes off", float(take_off_check(table, planned=False).odds()))


def launch_before_planes(table: T, most: tuple[int, int] | None) -> Steps:
    """[11.2.1, DR141] Launch the given bombers and flights before the planes come; by default all."""
    if not may_launch(table):
        return
    table.state.deck = Deck(planned=False, strike=True)
    bombers, flights = bombers_on_deck(table.state), None
    if most is not None and most[0] <= len(bombers):
        count, flights = most
        if count < len(bombers):
            question = f"There is time to launch {count} bombers. Which?"
            options = bomber_options(table.data, "goes", bombers)
            bombers = yield from choose_exactly(table, "11.2.1", question, options, count)
    yield from organize(table, bombers, flights)
    yield from take_off(table)


def launch_after_planes(table: T) -> Steps:
    """[11.2.1, 12.0.1, DR57] Launch the other bombers after an airstrike, or end the voyage if the deck is not sound.

    Do nothing if no bomber was launched and the Hornet is sound.
    """
    state, deck = table.state, table.state.deck
    if deck is not None:
        deck.held = False
        if may_launch(table):
            waiting, deck.flights = deck.flights, []
            left = [bomber for bomber in bombers_on_deck(state) if not any(bomber.key in flight for flight in waiting)]
            if left:
                yield from organize(table, left)
            deck.flights = waiting + deck.flights
            yield from take_off(table)
        yield from _conclude(table)
    elif not can_launch(table):
        end_voyage(table, "the Hornet can no longer launch bombers")


def _conclude(table: T, *, last: bool = False) -> Steps:
    """[12.0.1, 12.3.2, 12.4, DR113] Send the launched bombers off; the voyage ends, unless a fire keeps others back."""
    state, sea = table.state, table.state.sea
    deck, alert = state.launching, state.security.alert
    flown = [off for off in deck.gone if any(state.squad[key].flies for key in off.members)]
    stay = can_launch(table) and bombers_on_deck(state) and sea.burned == sea.turn
    if not flown:
        state.deck = None
        if not stay:
            end_voyage(table, "no more bombers can take off")
        return
    yield from place_contact(table)
    if state.launched is None:
        how: How = "airstrike" if deck.strike else "planned" if deck.planned else "emergency"
        state.launched = Launch(sea.area, how, sea.turn, alert)
        state.add_to_story("launch", state.launched.how, sea.area)
    yield from send_off(table, deck, flown)
    state.deck = None
    _put_back(table)
    if stay and not last and sea.turn < last_turn(table.data):
        _interrupt(table)
    else:
        end_voyage(table, "the remaining bombers sail home" if bombers_on_deck(state) else "the bombers are gone")


def _interrupt(table: T) -> None:
    """[12.3.2, DR113] Interrupt the voyage for the flight; the others may launch next turn."""
    state, sea = table.state, table.state.sea
    state.agenda = [*(OVER_JAPAN if _any_aloft(state) else ()), "naval", *state.agenda]
    sea.turn += 1
    sea.over = True
    text = "The deck fire is out. The other bombers may launch in the next naval turn."
    table.log_line("12.3.2", text, target=table.data.ships.fleet.launches, is_miss=True)


def _any_aloft(state: Doolittle) -> bool:
    """[5.1.1] Return whether anybody is in the air."""
    return any(not flight.site and state.in_flight(flight) for flight in state.sky.flights)


def end_voyage(table: T, why: str) -> None:
    """[12.0.1] End the naval segment; bombers still on the deck return with the ship."""
    state, sea = table.state, table.state.sea
    sea.over, state.deck = True, None
    _put_back(table)
    for bomber in bombers_on_deck(state):
        bomber.fate = "home"
        state.add_to_story("home", bomber.key, sea.area)
    if state.launched is None:
        state.launched = Launch(sea.area, "none", sea.turn, state.security.alert)
        state.add_to_story("no-launch", "", sea.area)
    table.reveal("12.0.1", "The voyage ends at {}: {}.", area_name(table.data, sea.area), why, target="task-force")
    if not _any_aloft(state):
        state.agenda = [segment for segment in state.agenda if segment not in OVER_JAPAN]


def _put_back(table: T) -> None:
    """[12.6.4, DR54] Put unresolved sea hazards back into their cups."""
    sea = table.state.sea
    for markers in sea.assigned.values():
        table.state.put_back(*markers)
    sea.assigned, sea.queue = {}, []
    sea.drawn = False


def turn_about(table: T, why: str) -> Steps:
    """[12.0.1, 12.5.2, 12.7, DR71] Turn the force about; before that the bombers may be launched in haste."""
    if may_launch(table):
        options = [Option("launch", "launch the bombers first", info=emergency_hint(table))]
        options.append(Option("home", "turn back with them"))
        question = f"{capitalize_first(why)}: the force turns back. Launch the bombers first?"
        chosen = yield from table.choose(table.state.captain, "12.0.1", question, options)
        if chosen.key == "launch":
            yield from launch_bombers(table, planned=False, last=True)
            if table.state.sea.over:
                return
    end_voyage(table, why)

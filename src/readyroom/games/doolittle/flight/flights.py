"""[7.1, 8.0] Flights: which are in the air, who acts next, and bombers that continue alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heapreplace
from typing import TypeAlias

from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.attack.raids import flight_name
from readyroom.games.doolittle.bombers import kinds, pilot_of
from readyroom.games.doolittle.names import place
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.secrecy import raise_alert
from readyroom.games.doolittle.state import Doolittle, Flight, T, ask, seat_of

LEAK, MOVE = "fuel-leak", "move"


def aloft(state: Doolittle, zone: str = "", *, since: int = 0) -> list[Flight]:
    """[5.1] The flights in the air, all or those of a zone; `since`: those that took off this many turns ago."""
    sky = state.sky
    return [
        flight
        for flight in sky.flights
        if not flight.site
        and sky.turn > flight.waits + since
        and (not zone or flight.zone == zone)
        and state.in_flight(flight)
    ]


def called(table: T, flight: Flight) -> str:
    """What a flight is called; a bomber alone by its pilot."""
    if flight.alone:
        return f"{pilot_of(table, table.state.squad[flight.members[0]])}'s lone bomber"
    return flight_name(flight)


def owner(table: T, flight: Flight) -> str:
    """[1.4] The seat that answers for a flight."""
    return seat_of(table.state, flight=flight)


def loaded(state: Doolittle, flight: Flight) -> bool:
    """[DR33] Whether any of its bombers still carries its bombs."""
    return any(bomber.loaded for bomber in state.in_flight(flight))


def attacks(table: T, flight: Flight) -> bool:
    """[8.1.2] Whether a flight is where the cities are, with bombs aboard."""
    return flight.zone == table.data.flight.zones.japan and loaded(table.state, flight)


def tidy(table: T) -> None:
    """[7.1.1] A flight that has no bomber left is taken off the map."""
    state = table.state
    for flight in [one for one in state.sky.flights if not state.in_flight(one)]:
        state.sky.flights.remove(flight)
        if not flight.alone:
            table.log_line("7.1.1", "{} is no more.", flight_name(flight))
    known = {flight.key for flight in state.sky.flights}
    state.sky.queue = [key for key in state.sky.queue if key in known]


# -- going alone -----------------------------------------------------------------------------------------------------


def leave(table: T, bomber: Bomber, rule: str) -> Flight:
    """[7.1.2, DR37] A bomber continues alone, with the fuel and height of its flight; the last one just stays."""
    state = table.state
    flight = state.flight_of(bomber.key)
    assert flight is not None
    if len(state.in_flight(flight)) == 1:
        return flight
    number = flight.key.split("-")[1]
    flight.members.remove(bomber.key)
    sole = Flight(
        key=f"flight-{number}-{bomber.key}",
        members=[bomber.key],
        zone=flight.zone,
        fuel=flight.fuel,
        high=flight.high,
        alone=True,
        waits=flight.waits,
    )
    state.sky.flights.append(sole)
    table.log_line(rule, "{} leaves {} and flies on alone.", pilot_of(table, bomber), flight_name(flight))
    state.add_to_story("alone", bomber.key, flight.zone)
    return sole


def may_leave(table: T, bomber: Bomber) -> Choice[Flight | None]:
    """[7.1.2, 8.3.7.G] A bomber with a leak may leave its flight, which it then does as a flight of its own."""
    flight = table.state.flight_with(bomber.key)
    if len(table.state.in_flight(flight)) == 1:
        return None
    note = OptionInfo("its flight need not care for its leak, and it not for its flight")
    options = [Option("together", "it stays with its flight"), Option("alone", "it continues alone", info=note)]
    question = f"{pilot_of(table, bomber)} leaks fuel. Does it leave {flight_name(flight)}?"
    chosen = yield from ask(table, bomber, "7.1.2", question, options)
    return leave(table, bomber, "7.1.2") if chosen.key == "alone" else None


def leaking(table: T, flight: Flight) -> list[Bomber]:
    """[8.3.7.G] The bombers of a flight that have a leak."""
    return [bomber for bomber in table.state.in_flight(flight) if LEAK in kinds(table, bomber)]


def _leavers(table: T, flight: Flight) -> Steps:
    """[7.1.2, DR146] Before a flight acts, bombers that leak may leave it; they then act by themselves."""
    for bomber in leaking(table, flight):
        sole = yield from may_leave(table, bomber)
        if sole is not None:
            table.state.sky.queue.insert(0, sole.key)


# -- one flight after the other --------------------------------------------------------------------------------------

Act = Callable[[T, Flight], Steps]


def in_turn(table: T, phase: str, flights: Sequence[Flight], act: Act, first: Callable[[T], Steps]) -> Steps:
    """[8.0, 8.1, 8.2] Each flight acts; an attack interrupts the phase, which then continues with those that are left.

    `first` starts the phase. A resumed phase has its flights in the queue.
    """
    state, sky = table.state, table.state.sky
    tidy(table)
    if sky.phase != phase:
        sky.phase, sky.attacked = phase, False
        sky.queue = [flight.key for flight in flights]
        yield from first(table)
    while sky.queue:
        flight = yield from _next(table)
        yield from _leavers(table, flight)
        sky.queue.remove(flight.key)
        yield from act(table, flight)
        tidy(table)
        if state.raid is not None:
            sky.attacked = True
            return
    _closed(table)


def _closed(table: T) -> None:
    """[6.2, 8.1.4, DR46, DR131] At the end of a phase in which a city was attacked the alert rises, by one in all."""
    sky = table.state.sky
    if sky.attacked:
        raise_alert(table, table.data.flying.acquisition.attacked_alert, "6.2")
    sky.phase, sky.attacked = "", False


def _next(table: T) -> Choice[Flight]:
    """[8.1] Which flight acts next, where it can matter to another; else they go by their numbers."""
    state = table.state
    flights = [state.flight(key) for key in state.sky.queue]
    if len(flights) == 1 or not any(_seeks(table, flight) for flight in flights):
        return flights[0]
    options = [Option(flight.key, called(table, flight), flight, _standing(table, flight)) for flight in flights]
    chosen = yield from table.choose(state.captain, "8.1", "Which flight is next?", options)
    return chosen.value  # type: ignore[no-any-return]


def _seeks(table: T, flight: Flight) -> bool:
    """[8.1] Whether it matters to others when this flight acts: it may bomb, or turn a beacon over."""
    beacons = table.state.sky.beacons
    unseen = any(beacons.get(site.key) == 0 for site in table.data.flight.sites_of(flight.zone))
    return attacks(table, flight) or unseen


def _standing(table: T, flight: Flight) -> OptionInfo:
    texts = [place(table.data, flight.zone), f"fuel {flight.fuel}", "high" if flight.high else "low"]
    return OptionInfo(", ".join([*texts, *(["loaded"] if loaded(table.state, flight) else [])]))


# -- sharing out -----------------------------------------------------------------------------------------------------

Load: TypeAlias = tuple[int, ...]
"""What a taker has already; its first number counts what is shared."""
Share: TypeAlias = tuple[str, list[Marker]]
"""A front in words, and the markers that show it."""


def evenly(loads: Sequence[Load], more: int) -> list[Load]:
    """[8.3.3, 8.3.4] These loads, least first, after more are shared evenly.

    >>> evenly([(0, 1), (0, 0)], 3)
    [(1, 1), (2, 0)]
    """
    heap = list(loads)
    heapify(heap)
    for _ in range(more):
        count, *rest = heap[0]
        heapreplace(heap, (count + 1, *rest))
    return sorted(heap)


def share_fronts(
    table: T,
    rule: str,
    seat: str,
    fronts: Sequence[Share],
    among: Sequence[Option],
    load: Callable[[Option], Load],
    give: Callable[[Option, Marker], None],
) -> Steps:
    """[8.3.3, 8.3.4] Share markers as evenly as possible; the captain chooses among all even distributions.

    `load` says what a taker has already, `give` gives it a marker. Markers with one front are equal, so only the last
    front is shared several at a time; before that each marker may go wherever the rest can still be shared evenly.
    """
    if not fronts:
        return
    left = sum(len(markers) for _, markers in fronts)
    even = evenly([load(taker) for taker in among], left)
    *others, (last, rest) = fronts
    for what, markers in others:
        for marker in markers:
            left -= 1
            able = [taker for taker in among if evenly(_with_one_more(among, load, taker), left) == even]
            chosen = able[0]
            if len(able) > 1:
                chosen = yield from table.choose(seat, rule, f"{what}: who gets it?", able)
            give(chosen, marker)
    yield from share(table, rule, seat, len(rest), last, among, load, lambda taker: give(taker, rest.pop()))


def _with_one_more(among: Sequence[Option], load: Callable[[Option], Load], taker: Option) -> list[Load]:
    loads = [(one is taker, load(one)) for one in among]
    return [(count + extra, *rest) for extra, (count, *rest) in loads]


def share(
    table: T,
    rule: str,
    seat: str,
    count: int,
    what: str,
    among: Iterable[Option],
    load: Callable[[Option], tuple[int, ...]],
    give: Callable[[Option], None],
) -> Steps:
    """[8.3.3, 8.3.4] Give markers of one front to those that have the fewest; ask where not all get one.

    `what` is the place and the front, `load` says how much one has already, and `give` lays a marker on it.
    """
    takers = list(among)
    while count > 0:
        least = min(map(load, takers))
        able = [taker for taker in takers if load(taker) == least]
        chosen: Sequence[Option] = able
        if len(able) > count:
            question = f"{what}: who gets {'it' if count == 1 else f'one of {count}'}?"
            chosen = yield from table.choose_some(seat, rule, question, able, at_least=count, at_most=count)
        for taker in chosen:
            give(taker)
        count -= len(chosen)

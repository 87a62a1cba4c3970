"""[7.0, 8.0, 8.2.4] Flights: their order, bombers that continue alone, fuel, fumes and guzzle checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from readyroom.engine.rules.checks import Roll, nonzero_modifiers, percent
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.bombers import ditch, has_benefit, hazard_kinds, use_benefit
from readyroom.games.doolittle.figures.common import Light
from readyroom.games.doolittle.names import flight_name, flight_title, pilot, pilot_name, place_name, titled
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import (
    FaceCheck,
    LowestDiceCheck,
    lowest_total,
    offer_reroll,
    reroll_of_crewman,
    roll_with_rerolls,
)
from readyroom.games.doolittle.secrecy import raise_alert
from readyroom.games.doolittle.state import Doolittle, Flight, T, ask, seat_of

MOVE = "move"


def flights_aloft(state: Doolittle, zone: str = "", *, since: int = 0) -> list[Flight]:
    """[5.1] Return the flights in the air, all or those of a zone; `since`: those that took off this many turns ago."""
    sky = state.sky
    return [
        flight
        for flight in sky.flights
        if not flight.site
        and sky.turn > flight.waits + since
        and (not zone or flight.zone == zone)
        and state.in_flight(flight)
    ]


def light_in(table: T, zone: str) -> Light:
    """[5.2.2, DR47] Return the light in a zone, by its own end of the clock."""
    clock = table.data.flight.clock
    hour = table.state.sky.hour
    if zone in table.data.flight.china_side:
        hour -= clock.china_boxes_earlier
    return clock.box[hour % len(clock.box)].light


def seat_of_flight(table: T, flight: Flight) -> str:
    """[1.4] Return the seat that answers for a flight."""
    return seat_of(table.state, flight=flight)


def has_bombs(state: Doolittle, flight: Flight) -> bool:
    """[DR33] Return whether any of its bombers still carries its bombs."""
    return any(bomber.loaded for bomber in state.in_flight(flight))


def may_attack(table: T, flight: Flight) -> bool:
    """[8.1.2] Return whether a flight is where the cities are, with bombs aboard."""
    return flight.zone == table.data.flight.zones.japan and has_bombs(table.state, flight)


def remove_empty_flights(table: T) -> None:
    """[7.1.1] Take flights without bombers off the map."""
    state = table.state
    for flight in [one for one in state.sky.flights if not state.in_flight(one)]:
        state.sky.flights.remove(flight)
        if not flight.alone:
            table.log_line("7.1.1", "{} has no bombers left.", flight_name(flight.key))
    known = {flight.key for flight in state.sky.flights}
    state.sky.queue = [key for key in state.sky.queue if key in known]


# -- going alone -------------------------------------------------------------------------------------------------------


def leave_flight(table: T, bomber: Bomber, rule: str) -> Flight:
    """[7.1.2, DR37] Let a bomber continue alone, with the fuel and height of its flight; the last one just stays."""
    state = table.state
    flight = state.flight_with(bomber.key)
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
    who = KeyedText(pilot_name(table.data, bomber.key), bomber.key, sole.key)
    table.log_line(rule, "{} leaves {} and flies on alone.", who, flight_name(flight.key), target=flight.zone)
    state.add_to_story("alone", bomber.key, flight.zone)
    return sole


def offer_to_leave(table: T, bomber: Bomber) -> Choice[Flight | None]:
    """[7.1.2, 8.3.7.G] Choose whether a leaking bomber leaves its flight; return its own flight if it does."""
    flight = table.state.flight_with(bomber.key)
    if len(table.state.in_flight(flight)) == 1:
        return None
    note = OptionInfo("the leak no longer affects the flight")
    options = [Option("together", "stay with the flight"), Option("alone", "continue alone", info=note)]
    question = f"{pilot_name(table.data, bomber.key)} leaks fuel. Does it leave {flight_name(flight.key)}?"
    chosen = yield from ask(table, bomber, "7.1.2", question, options)
    return leave_flight(table, bomber, "7.1.2") if chosen.key == "alone" else None


def leaking_bombers(table: T, flight: Flight) -> list[Bomber]:
    """[8.3.7.G] Return the bombers of a flight that have a leak."""
    return [bomber for bomber in table.state.in_flight(flight) if LEAK in hazard_kinds(table, bomber)]


# -- one flight after the other ----------------------------------------------------------------------------------------


Act = Callable[[T, Flight], Steps]


def run_flights(table: T, phase: str, flights: Sequence[Flight], act: Act, first: Callable[[T], Steps]) -> Steps:
    """[8.0, 8.1, 8.2] Let each flight act; an attack interrupts the phase, which then continues with the others.

    `first` starts the phase. A resumed phase has its flights in the queue. Before a flight acts, its leaking bombers
    may leave it and then act by themselves [7.1.2, DR146]. If a city was attacked, the alert rises by one at the end of
    the phase [6.2, 8.1.4, DR46, DR131].
    """
    state, sky = table.state, table.state.sky
    remove_empty_flights(table)
    if sky.phase != phase:
        sky.phase, sky.attacked = phase, False
        sky.queue = [flight.key for flight in flights]
        yield from first(table)
    while sky.queue:
        flight = yield from _choose_next_flight(table)
        for bomber in leaking_bombers(table, flight):
            if (sole := (yield from offer_to_leave(table, bomber))) is not None:
                sky.queue.insert(0, sole.key)
        sky.queue.remove(flight.key)
        yield from act(table, flight)
        remove_empty_flights(table)
        if state.raid is not None:
            sky.attacked = True
            return
    if sky.attacked:
        raise_alert(table, table.data.flying.acquisition.attacked_alert, "6.2")
    sky.phase, sky.attacked = "", False


def _choose_next_flight(table: T) -> Choice[Flight]:
    """[8.1] Choose which flight acts next if the order can matter to another."""
    state = table.state
    flights = [state.flight(key) for key in state.sky.queue]
    if len(flights) == 1 or not any(_affects_others(table, flight) for flight in flights):
        return flights[0]
    options = [
        Option(flight.key, flight_title(table.data, flight), flight, _flight_info(table, flight)) for flight in flights
    ]
    return (yield from table.choose(state.captain, "8.1", "Which flight acts next?", options)).value  # type: ignore[no-any-return]


def _affects_others(table: T, flight: Flight) -> bool:
    """[8.1] Return whether it matters to others when this flight acts: it may bomb, or turn a beacon over."""
    beacons = table.state.sky.beacons
    unseen = any(beacons.get(site.key) == 0 for site in table.data.flight.sites_of(flight.zone))
    return may_attack(table, flight) or unseen


def _flight_info(table: T, flight: Flight) -> OptionInfo:
    texts = [place_name(table.data, flight.zone), f"fuel {flight.fuel}", "high" if flight.high else "low"]
    return OptionInfo(", ".join([*texts, *(["loaded"] if has_bombs(table.state, flight) else [])]))


# -- fuel and fumes ----------------------------------------------------------------------------------------------------


DITCH, FUMES, LOWER, SPUTTER = "ditch", "fumes", "low", "sputter"
FUMES_TEXT = {
    DITCH: "runs dry",
    FUMES: "flies on fumes",
    LOWER: "must descend to low altitude",
    SPUTTER: "sputters on",
}
EVAPORATION, LEAK = "fuel-evaporation", "fuel-leak"


def pay_fuel(table: T, flight: Flight, count: int = 1) -> Steps:
    """[7.2.3] Pay fuel; for each fuel that a flight has not, all its bombers check on fumes."""
    for _ in range(count):
        if flight.fuel:
            flight.fuel -= 1
            text = "{} uses 1 fuel ({} left)."
            table.log_line("7.2.3", text, titled(table.data, flight), flight.fuel, target=flight.key)
        else:
            yield from check_fumes(table, flight, table.state.in_flight(flight))


def check_fumes(table: T, flight: Flight, bombers: Sequence[Bomber]) -> Steps:
    """[7.2.4, DR143] Check bombers of a flight on fumes one at a time, in the captain's order.

    The order matters only at high altitude, since one that has to go down takes the flight with it.
    """
    waiting = list(bombers)
    while waiting:
        bomber = waiting[0]
        if flight.high and len(waiting) > 1:
            options = [
                Option(f"fumes-{one.key}", pilot_name(table.data, one.key), one, _dry_tank_info(table, one))
                for one in waiting
            ]
            question = f"{flight_title(table.data, flight)} is out of fuel. Which bomber makes its fumes check next?"
            chosen = yield from table.choose(seat_of(table.state, flight=flight), "7.2.4", question, options)
            bomber = chosen.value
        waiting.remove(bomber)
        yield from check_bomber_on_fumes(table, flight, bomber)


def _dry_tank_info(table: T, bomber: Bomber) -> OptionInfo | None:
    dice = dry_tank_dice(table, bomber)
    return OptionInfo(f"{dice} more {'die' if dice == 1 else 'dice'} for dry tanks") if dice else None


def fumes_column(table: T, flight: Flight) -> str:
    """[7.2.4] Return the column of a check: by altitude, and low down by the weather."""
    low, stormy, high = table.data.flying.fumes_chart.columns
    if flight.high:
        return high
    box = table.data.flight.wind_of[flight.zone].key
    return stormy if table.state.sky.weather.get(box) == "storm" else low


def dry_tank_dice(table: T, bomber: Bomber) -> int:
    """[7.2.4, 8.3.7.F, 8.3.7.G] Return the dice that a bomber's dry tanks add."""
    figures, names = table.data.flying.fumes, hazard_kinds(table, bomber)
    leaks = figures.leak * names.count(LEAK)
    return leaks + figures.evaporation * names.count(EVAPORATION) + figures.marker * bomber.fumes


def fumes_check(table: T, flight: Flight, dry: int) -> LowestDiceCheck:
    """[7.2.4] Return the dice of a check on fumes; passing means that the bomber does not come down."""
    figures = table.data.flying.fumes
    least = lowest_total(table.data.flying.fumes_chart, fumes_column(table, flight), lambda cell: cell != DITCH)
    return LowestDiceCheck(
        "7.2.4",
        "flying on fumes",
        dice=figures.dice + dry,
        keep=figures.keep,
        why="dry tanks",
        at_least=least,
        success="stays up",
    )


def price_text(table: T, flight: Flight) -> str:
    """[7.2.3, 7.2.4] Return the price of a move as text: a fuel, or the chance to stay in the air without one."""
    if flight.fuel:
        return "1 fuel"
    bombers = table.state.in_flight(flight)
    chance = float(prod(fumes_check(table, flight, dry_tank_dice(table, bomber)).odds() for bomber in bombers))
    return f"a check on fumes ({percent(chance)} that all stay up)"


def check_bomber_on_fumes(table: T, flight: Flight, bomber: Bomber) -> Steps:
    """[7.2.4, 2.3.4, 2.3.7] Check a bomber on fumes; elite crewmen may help after the roll."""
    check = fumes_check(table, flight, dry_tank_dice(table, bomber))
    chart, column_ = table.data.flying.fumes_chart, fumes_column(table, flight)

    def cell(roll: Roll) -> str:
        return chart.cell(roll.total, column_)

    roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber], enough=lambda roll: cell(roll) == SPUTTER)
    if cell(roll) != SPUTTER and has_benefit(table.data, bomber.elite, "fuel-conservation"):
        roll = yield from _save_fuel(table, flight, bomber, check, roll)
    name = cell(roll)
    if name == FUMES:
        bomber.fumes += table.data.flying.fumes.marker
    elif name == LOWER:
        flight.high = False
        if table.state.raid is not None:
            table.state.raid.high = False
    table.log_line("7.2.4", "{} {}.", pilot(table.data, bomber.key), FUMES_TEXT[name], roll, target=bomber)
    if name == DITCH:
        ditch(table, bomber, "7.2.4", "it is out of fuel", flight.zone)


def _save_fuel(table: T, flight: Flight, bomber: Bomber, check: LowestDiceCheck, roll: Roll) -> Choice[Roll]:
    """[2.3.4, 7.2.4, DR144] Let an elite crewman save fuel, once: no dry tanks, or a re-roll if there are none."""
    assert bomber.elite is not None
    if not dry_tank_dice(table, bomber):
        source = reroll_of_crewman(table, bomber, "2.3.4")
        return (yield from offer_reroll(table, check, roll, bomber.key, source))
    name = table.data.bombers.crewmen[bomber.elite.key].name
    plain = fumes_check(table, flight, 0)
    faces = roll.dice if table.state.rulings.conservation == "first" else bytes(sorted(roll.dice, reverse=True))
    better = plain.read(faces[: plain.dice])
    cells = [table.data.flying.fumes_chart.cell(one.total, fumes_column(table, flight)) for one in (roll, better)]
    if cells[0] == cells[1]:
        return roll
    question = f"{pilot_name(table.data, bomber.key)} {FUMES_TEXT[cells[0]]}. Does {name} conserve fuel?"
    options = [
        Option("keep", "no", info=OptionInfo(FUMES_TEXT[cells[0]])),
        Option("conserve", "ignore dry tanks for this check", info=OptionInfo(FUMES_TEXT[cells[1]])),
    ]
    chosen = yield from ask(table, bomber, "2.3.4", question, options)
    if chosen.key == "keep":
        return roll
    use_benefit(table, bomber)
    return better


# -- guzzling ----------------------------------------------------------------------------------------------------------


def guzzle_check(table: T, flight: Flight, spent: int = 0) -> FaceCheck:
    """[8.2.4, DR33] Return the check of a flight, when so much of its fuel has been spent before."""
    figures, fuel = table.data.flying.guzzle, max(0, flight.fuel - spent)
    markers = -(-fuel // table.data.flying.fuel.marker)  # [DR34] half of it, rounded up
    modifiers = [
        ("fuel", figures.marker * markers),
        ("bombs", figures.loaded if has_bombs(table.state, flight) else 0),
    ]
    least = table.state.ratings.guzzle
    return FaceCheck("8.2.4", "guzzle", dice=figures.dice, at_least=least, modifiers=nonzero_modifiers(modifiers))


def check_guzzle(table: T, flight: Flight) -> Choice[bool]:
    """[8.2.4, DR35, DR36] Make a guzzle check, then one on fumes for each leaking bomber while fuel is short."""
    short = flight.fuel < table.data.flying.guzzle.leak_below
    bombers: Sequence[Bomber] = table.state.in_flight(flight)
    roll = yield from roll_with_rerolls(table, guzzle_check(table, flight), flight.key, bombers)
    passed = "{} does not guzzle: its engines need no more fuel than planned."
    text = passed if roll else "{} guzzles: its engines need more fuel than planned."
    table.log_line("8.2.4", text, titled(table.data, flight), roll, target=flight.key)
    if short:
        yield from check_fumes(table, flight, leaking_bombers(table, flight))
    return roll.passed

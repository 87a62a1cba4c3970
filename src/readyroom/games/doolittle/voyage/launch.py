"""[12.0.1, 12.3, 12.4] The launch: the order, flights that take off, where they set out; and how the voyage ends.

`launch_from_deck` is the phase of the naval turn, `launch_bombers` carries a launch out. An airstrike calls
`launch_before_planes` for the bombers that can still get away, and `launch_after_planes` for the others. The flight
itself begins in `flight.movement.begin_flight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from readyroom.engine.rules.checks import Modifiers, Roll, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.bombers import destroy, hit_bomber, is_pilot
from readyroom.games.doolittle.figures.naval import Base
from readyroom.games.doolittle.flight.flights import pay_fuel
from readyroom.games.doolittle.names import flight_title, pilot_name, place_name
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import FaceCheck, lowest_total, roll_with_rerolls
from readyroom.games.doolittle.secrecy import add_risk
from readyroom.games.doolittle.state import OVER_JAPAN, Doolittle, Flight, T, scenario_card
from readyroom.games.doolittle.voyage.ships import (
    area_name,
    bombers_on_deck,
    can_launch,
    in_contact,
    last_turn,
    lose_bomber,
    weather_here,
)
from readyroom.games.doolittle.voyage.state import Deck, How, Launch, TakeOff

ROWS = {True: "planned", False: "emergency"}
WRECKED, FIRE, CRASH, DITCHES, DAMAGED, FUEL = "deck wrecked", "fire on deck", "crash", "ditches", "damaged", "fuel"
"""[12.3.2] What may become of the last bomber of a flight that takes off badly."""
IN_ORDER, OWN = "in-order", "own"
NOW, LATER = "now", "later"


# -- the order ---------------------------------------------------------------------------------------------------------


def may_launch(table: T) -> bool:
    """[12.3, 12.3.2, DR52, DR53, DR113] Return whether bombers can take off: at sea, from a sound deck."""
    sea = table.state.sea
    return bool(sea.area and can_launch(table) and bombers_on_deck(table.state)) and sea.burned != sea.turn


def launch_bombers(table: T, *, planned: bool, last: bool = False) -> Steps:
    """[12.3, 12.3.1] Launch the bombers; the segment ends, or their flight interrupts it.

    `last`: the force turns about, so that no bomber can wait for another turn.
    """
    table.state.deck = Deck(planned)
    text = "as planned" if planned else "in haste"
    table.reveal("12.3", "From {} the bombers are launched, {}.", _here(table), text)
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
    where = f"to {base.name} alone; a flight" if base else "an emergency launch; a flight"
    return OptionInfo(f"{where} gets off", float(take_off_check(table, planned=False).odds()))


def launch_before_planes(table: T, most: tuple[int, int] | None) -> Steps:
    """[11.2.1, DR141] Launch the given bombers and flights before the planes come; by default all."""
    state = table.state
    if not may_launch(table):
        return
    state.deck = Deck(planned=False, strike=True)
    bombers, flights = bombers_on_deck(state), None
    if most is not None and most[0] <= len(bombers):
        flights = most[1]
        if most[0] < len(bombers):
            bombers = yield from _choose_bombers(table, bombers, most[0])
    yield from organize(table, bombers, flights)
    yield from take_off(table)


def _choose_bombers(table: T, bombers: Sequence[Bomber], count: int) -> Choice[list[Bomber]]:
    """[11.2.1] Choose which bombers launch before the planes come."""
    options = [Option(f"goes-{bomber.key}", pilot_name(table.data, bomber.key), bomber) for bomber in bombers]
    question = f"There is time for {count} bombers to launch. Which ones?"
    seat = table.state.captain
    chosen = yield from table.choose_some(seat, "11.2.1", question, options, at_least=count, at_most=count)
    return [option.value for option in chosen]


def launch_after_planes(table: T) -> Steps:
    """[11.2.1, 12.0.1, DR57] Launch the other bombers after an airstrike, or end the voyage if the deck is not sound.

    Do nothing if no bomber was launched and the Hornet is sound.
    """
    state = table.state
    if state.deck is not None:
        deck = state.deck
        deck.held = False
        if may_launch(table):
            waiting = deck.flights
            deck.flights = []
            left = [bomber for bomber in bombers_on_deck(state) if not any(bomber.key in flight for flight in waiting)]
            if left:
                yield from organize(table, left)
            deck.flights = waiting + deck.flights
            yield from take_off(table)
        yield from _conclude(table)
    elif not can_launch(table):
        end_voyage(table, "the Hornet can launch no one any more")


# -- flights -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def flight_sizes(bombers: int, flights: int, least: int, most: int) -> tuple[int, ...]:
    """[7.1.1] Return the possible sizes of the next flight, of a given number, if the others are to have theirs.

    >>> flight_sizes(5, 2, 2, 4), flight_sizes(16, 4, 2, 4), flight_sizes(3, 2, 2, 4)
    ((2, 3), (4,), ())
    """
    if flights == 1:
        return (bombers,) if least <= bombers <= most else ()
    return tuple(size for size in range(least, most + 1) if flight_sizes(bombers - size, flights - 1, least, most))


def flight_counts(table: T, bombers: int) -> list[int]:
    """[7.1, 7.1.1, DR57] Return the possible numbers of flights for these bombers, next to those that have left before.

    If no other split is possible, more or smaller flights are allowed.
    """
    figures = table.data.flying.flights
    deck = table.state.deck
    left = figures.most - (len(deck.gone) if deck else 0) - len(table.state.sky.flights)
    able = [number for number in range(1, bombers + 1) if flight_sizes(bombers, number, *_span_text(table))]
    within = [number for number in able if number <= left]
    return within or [-(-bombers // figures.bombers_max)]


def _span_text(table: T) -> tuple[int, int]:
    figures = table.data.flying.flights
    return figures.bombers_min, figures.bombers_max


def organize(table: T, bombers: Sequence[Bomber], flights: int | None = None) -> Steps:
    """[12.3.1, 7.1, 7.1.1, 11.2.1] Put the bombers into flights: as planned, in order, or freely.

    The plan is dropped if losses have left one of its flights too small.
    """
    deck, planned = table.state.launching, _planned_flights(table, bombers)
    if flights is None and planned and not _may_reorganize(table):
        deck.flights = planned
        return
    numbers = [flights] if flights else flight_counts(table, len(bombers))
    options = [Option(IN_ORDER, "in deck order, as evenly as possible"), Option(OWN, "choose them")]
    if flights is None and len(planned) in numbers:
        options.insert(0, Option("as-planned", "as planned", planned))
    seat = table.state.captain
    chosen = yield from table.choose(seat, "12.3.1", "How are the bombers grouped into flights?", options)
    if chosen.key == OWN:
        yield from _form_flights(table, list(bombers), numbers)
    else:
        deck.flights = chosen.value or even_flights([bomber.key for bomber in bombers], numbers[0])


def _may_reorganize(table: T) -> bool:
    """[12.3.1] Return whether planned flights may be changed: by the variant, or after a launch."""
    card = scenario_card(table.state, table.data)
    variant = card.chosen_variant(table.state.rulings.variant)
    return bool(variant and variant.free_flights) or bool(table.state.launching.gone)


def _planned_flights(table: T, bombers: Sequence[Bomber]) -> list[list[str]]:
    """[7.1, 7.1.1] Return the scenario's flights, with the bombers that are left; none if losses make one too small.

    The last bomber of all flies alone.
    """
    here = {bomber.key for bomber in bombers}
    flights = [[key for key in flight if key in here] for flight in scenario_card(table.state, table.data).flights]
    least = min(table.data.flying.flights.bombers_min, len(bombers))
    left = [flight for flight in flights if flight]
    return left if all(len(flight) >= least for flight in left) else []


def even_flights(keys: Sequence[str], flights: int) -> list[list[str]]:
    """[7.1.1] Return the flights in order, the first ones one larger where it does not divide evenly.

    >>> even_flights(["a", "b", "c", "d", "e"], 2)
    [['a', 'b', 'c'], ['d', 'e']]
    """
    least, more = divmod(len(keys), flights)
    names, at = [], 0
    for number in range(flights):
        size = least + (number < more)
        names.append(list(keys[at : at + size]))
        at += size
    return names


def _form_flights(table: T, waiting: list[Bomber], numbers: Sequence[int]) -> Steps:
    """[7.1.1, 12.3.1] Choose the number of flights, their sizes, and their bombers."""
    deck, seat = table.state.launching, table.state.captain
    options = [Option(f"flights-{number}", f"{number}", number) for number in numbers]
    chosen = yield from table.choose(seat, "7.1", "How many flights are there?", options)
    for left in range(chosen.value, 0, -1):
        able = flight_sizes(len(waiting), left, *_span_text(table)) or (-(-len(waiting) // left),)
        count = len(deck.gone) + len(deck.flights) + 1
        sized = [Option(f"size-{size}", f"{size}", size) for size in able]
        size = yield from table.choose(seat, "7.1.1", f"How many bombers fly in flight {count}?", sized)
        who = [Option(bomber.key, pilot_name(table.data, bomber.key), bomber) for bomber in waiting]
        question = f"Which bombers fly in flight {count}?"
        flying = yield from table.choose_some(seat, "7.1.1", question, who, at_least=size.value, at_most=size.value)
        deck.flights.append([option.key for option in flying])
        waiting = [bomber for bomber in waiting if bomber.key not in deck.flights[-1]]


# -- taking off --------------------------------------------------------------------------------------------------------


def launch_check(table: T) -> FaceCheck:
    """[12.3.1] Return the dice of a flight's launch, as the launch that is continuing was ordered."""
    return take_off_check(table, planned=table.state.launching.planned)


def take_off_check(table: T, *, planned: bool) -> FaceCheck:
    """[12.3.1] Return the dice of a flight's launch, by the weather and the haste."""
    figures, weather = table.data.naval, weather_here(table)
    chart, row = figures.launch_chart, ROWS[planned]
    least = int(chart.rows[row][chart.columns.index(weather)])
    return FaceCheck("12.3.1", "launch", dice=figures.launch.dice, at_least=least, success="gets off")


def take_off(table: T) -> Steps:
    """[12.3.1, 12.3.2] Launch flight after flight, until the deck is empty, wrecked or on fire."""
    deck = table.state.launching
    while deck.flights and not deck.held and may_launch(table):
        flight = deck.flights.pop(0)
        number = len(deck.gone) + 1
        bombers = [table.state.squad[key] for key in flight]
        check = launch_check(table)
        roll = yield from roll_with_rerolls(table, check, flight[0], bombers)
        text = "gets off the deck" if roll else "is in trouble"
        table.log_line(
            "12.3.1",
            "Flight {} ({}) {}.",
            number,
            ", ".join(pilot_name(table.data, one.key) for one in bombers),
            text,
            roll,
        )
        off = TakeOff(list(flight), waits=deck.waits)
        deck.gone.append(off)
        if not roll:
            yield from _roll_botched(table, off, bombers)
        off.members = [key for key in off.members if table.state.squad[key].flies]
    deck.gone = [off for off in deck.gone if off.members]


def _roll_botched(table: T, off: TakeOff, bombers: Sequence[Bomber]) -> Steps:
    """[12.3.2] Roll for the last bomber of a flight in trouble; the others have taken off."""
    chart = table.data.naval.botched_chart
    bomber = yield from _choose_last_bomber(table, bombers)
    least = lowest_total(chart, "result", lambda cell: cell in (DAMAGED, FUEL))
    check = FaceCheck(
        "12.3.2",
        "botched take-off",
        dice=chart.dice_pool()[0],
        at_least=least,
        modifiers=botched_modifiers(table, bomber),
        success="gets away",
    )
    roll = yield from roll_with_rerolls(
        table, check, bomber.key, [bomber], enough=lambda roll: _cell(table, roll) == FUEL
    )
    name = _cell(table, roll)
    table.log_line("12.3.2", "{} {}.", pilot_name(table.data, bomber.key), BOTCHED_TEXT[name], roll)
    table.state.add_to_story("botched", bomber.key, name)
    yield from _apply_botched(table, off, bomber, name)


BOTCHED_TEXT = {
    WRECKED: "crashes on the deck, which is beyond repair",
    FIRE: "crashes on the deck and sets it on fire",
    CRASH: "crashes on the deck, which has to be cleared",
    DITCHES: "falls into the sea; its crew is picked up",
    DAMAGED: "barely clears the deck",
    FUEL: "shuts a valve too early and loses fuel",
}


def _cell(table: T, roll: Roll) -> str:
    return table.data.naval.botched_chart.cell(roll.total, "result")


def botched_modifiers(table: T, bomber: Bomber) -> Modifiers:
    """[12.3.2] Return what bears on the last bomber's take-off."""
    figures = table.data.naval.botched
    names = [("elite pilot", figures.elite_pilot if is_pilot(table, bomber) else 0)]
    names.append(("damage", figures.damaged if bomber.hits else 0))
    return nonzero_modifiers(names)


def _choose_last_bomber(table: T, bombers: Sequence[Bomber]) -> Choice[Bomber]:
    """[12.3.2] Choose which bomber of a flight was the last one."""
    options = [
        Option(f"last-{bomber.key}", pilot_name(table.data, bomber.key), bomber, _bomber_info(table, bomber))
        for bomber in bombers
    ]
    question = "The take-off goes wrong. Which bomber is the last of its flight?"
    chosen = yield from table.choose(table.state.captain, "12.3.2", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _bomber_info(table: T, bomber: Bomber) -> OptionInfo | None:
    texts = ["elite pilot"] if is_pilot(table, bomber) else []
    texts += ["damaged"] if bomber.hits else []
    return OptionInfo(", ".join(texts)) if texts else None


def _apply_botched(table: T, off: TakeOff, bomber: Bomber, name: str) -> Steps:
    """[12.3.2, DR114] Apply the result to the last bomber and to the deck."""
    deck, sea = table.state.launching, table.state.sea
    if name in (WRECKED, FIRE, CRASH):
        destroy(table, bomber, "12.3.2", "a crash on the deck")
    if name == WRECKED:
        sea.wrecked = True
    elif name == FIRE:
        yield from _burn_bombers(table)
    elif name == CRASH:
        deck.waits = table.data.flight.launch.delayed_turns
        deck.held = table.state.strike is not None
    elif name == DITCHES:
        lose_bomber(table, bomber)
    elif name == DAMAGED:
        yield from hit_bomber(table, bomber, "12.3.2", "a take-off that all but failed")
    elif name == FUEL:
        off.lost += table.data.naval.botched.fuel


def _burn_bombers(table: T) -> Steps:
    """[12.3.2] Roll how many bombers the fire takes, and choose them; their crews live."""
    sea, state = table.state.sea, table.state
    sea.burned = sea.turn
    count = sum(table.roll_dice("12.3.2", "fire", table.data.naval.botched.fire_dice))
    there = bombers_on_deck(state)
    lost = min(count, len(there))
    table.reveal(
        "12.3.2", "The fire at {} (roll {}) destroys bombers: {}.", area_name(table.data, sea.area), count, lost
    )
    options = [Option(f"burns-{bomber.key}", pilot_name(table.data, bomber.key), bomber) for bomber in there]
    question = "Which bombers are lost to the fire?"
    chosen = yield from table.choose_some(state.captain, "12.3.2", question, options, at_least=lost, at_most=lost)
    for option in chosen:
        lose_bomber(table, option.value)


# -- results -----------------------------------------------------------------------------------------------------------


def _conclude(table: T, *, last: bool = False) -> Steps:
    """[12.0.1, 12.3.2, 12.4, DR113] Send the launched bombers off; the voyage ends, unless a fire keeps others back."""
    state, sea = table.state, table.state.sea
    deck, alert = state.launching, state.security.alert
    flown = [off for off in deck.gone if any(state.squad[key].flies for key in off.members)]
    stay = can_launch(table) and bombers_on_deck(state) and sea.burned == sea.turn
    if not flown:
        state.deck = None
        if not stay:
            end_voyage(table, "no one can take off any more")
        return
    yield from place_contact(table)
    if state.launched is None:
        how: How = "airstrike" if deck.strike else "planned" if deck.planned else "emergency"
        state.launched = Launch(sea.area, how, sea.turn, alert)
        state.add_to_story("launch", state.launched.how, sea.area)
    base = base_of(table)
    if base is None:
        yield from _set_up_flights(table, deck, flown)
    else:
        _fly_ashore(table, flown, base)
    state.deck = None
    _put_back(table)
    if stay and not last and sea.turn < last_turn(table.data):
        _interrupt(table)
    else:
        end_voyage(table, "those who are left sail home" if bombers_on_deck(state) else "the bombers are gone")


def _interrupt(table: T) -> None:
    """[12.3.2, DR113] Interrupt the voyage for the flight; the others may launch next turn."""
    state, sea = table.state, table.state.sea
    first = [segment for segment in OVER_JAPAN if _any_aloft(state)]
    state.agenda = [*first, "naval", *state.agenda]
    sea.turn += 1
    sea.over = True
    table.log_line("12.3.2", "The deck is cleared of the fire. The others may follow in the next naval turn.")


def _any_aloft(state: Doolittle) -> bool:
    """[5.1.1] Return whether anybody is in the air."""
    return any(not flight.site and state.in_flight(flight) for flight in state.sky.flights)


def end_voyage(table: T, why: str) -> None:
    """[12.0.1] End the naval segment; bombers still on the deck return with the ship."""
    state, sea = table.state, table.state.sea
    sea.over, state.deck = True, None
    _put_back(table)
    table.reveal("12.0.1", "The voyage ends at {}: {}.", _here(table), why)
    for bomber in bombers_on_deck(state):
        bomber.fate = "home"
        state.add_to_story("home", bomber.key, sea.area)
    if state.launched is None:
        state.launched = Launch(sea.area, "none", sea.turn, state.security.alert)
        state.add_to_story("no-launch", "", sea.area)
    if not _any_aloft(state):
        state.agenda = [segment for segment in state.agenda if segment not in OVER_JAPAN]


def _put_back(table: T) -> None:
    """[12.6.4, DR54] Put unresolved sea hazards back into their cups."""
    sea = table.state.sea
    for markers in sea.assigned.values():
        table.state.put_back(*markers)
    sea.assigned, sea.queue = {}, []
    sea.drawn = False


def _here(table: T) -> str:
    return area_name(table.data, table.state.sea.area)


def turn_about(table: T, why: str) -> Steps:
    """[12.0.1, 12.5.2, 12.7, DR71] Turn the force about; before that the bombers may be launched in haste."""
    if may_launch(table):
        options = [Option("launch", "launch the bombers first", info=emergency_hint(table))]
        options.append(Option("home", "turn about with the bombers aboard"))
        question = f"{capitalize_first(why)}: the force turns about. Are the bombers launched first?"
        chosen = yield from table.choose(table.state.captain, "12.0.1", question, options)
        if chosen.key == "launch":
            yield from launch_bombers(table, planned=False, last=True)
            if table.state.sea.over:
                return
    end_voyage(table, why)


# -- ashore ------------------------------------------------------------------------------------------------------------


def base_of(table: T) -> Base | None:
    """[12.4, DR115] Return the base to which bombers fly if Japan is out of reach, else None."""
    area, order = table.state.sea.area, table.data.sea.order
    if table.data.sea.west_of(area, table.data.flight.launch.west_of):
        return None
    return [base for base in table.data.naval.ashore.base if order.index(base.first) <= order.index(area)][-1]


def _fly_ashore(table: T, flown: Sequence[TakeOff], base: Base) -> None:
    """[12.4, DR115] Fly the bombers to Midway or to Pearl Harbor, if Japan is out of reach."""
    state = table.state
    for bomber in [state.squad[key] for off in flown for key in off.members]:
        bomber.fate, bomber.where = "ashore", base.key
        state.add_to_story("ashore", bomber.key, base.key)
    table.log_line("12.4", "Japan is out of reach. The bombers fly to {}.", base.name)


# -- the flight map ----------------------------------------------------------------------------------------------------


def _set_up_flights(table: T, deck: Deck, flown: Sequence[TakeOff]) -> Steps:
    """[12.4] Put the flights onto the flight map: zone, hour, and fuel already used."""
    state, sky = table.state, table.state.sky
    _copy_weather(table)
    zone = yield from choose_first_zone(table, planned=deck.planned)
    sky.hour = yield from choose_hour(table, deck)
    sky.turn, sky.phase = 1, ""
    sky.queue = []
    sky.planned = deck.planned
    sky.checked = sky.attacked = False
    sky.submarines = _submarines_off_japan(table)
    fuel = scenario_card(state, table.data).fuel or state.ratings.fuel
    number = max((int(flight.key.split("-")[1]) for flight in sky.flights), default=0)
    for number_, off in enumerate(flown, start=number + 1):
        flight = Flight(key=f"flight-{number_}", members=list(off.members), zone=zone, fuel=fuel, waits=off.waits)
        sky.flights.append(flight)
        table.log_line("12.4.1", "{} sets out from {}.", flight_title(table.data, flight), place_name(table.data, zone))
        yield from pay_fuel(table, flight, off.lost + table.data.flight.launch.fuel.get(zone, 0))
    count = sum(len(off.members) for off in flown)
    state.facts["launched"] = state.facts.get("launched", 0) + count


def _copy_weather(table: T) -> None:
    """[8.2.3, 9.3] Copy the weather of the sea areas to the wind boxes over them."""
    sky, sea = table.state.sky, table.state.sea
    for box in table.data.flight.winds.box:
        if box.sea_box in sea.weather:
            sky.weather[box.key] = sea.weather[box.sea_box]


def _submarines_off_japan(table: T) -> int:
    """[8.1.4, 12.1.3] Return the submarines in contact where the cities are."""
    japan = next(zone for zone in table.data.flight.zones.zone if zone.key == table.data.flight.zones.japan).sea_area
    boats = table.state.sea.submarines.values()
    return sum(in_contact(table.state, boat.key) and boat.area == japan for boat in boats)


def choose_first_zone(table: T, *, planned: bool) -> Choice[str]:
    """[12.4.1] Roll for the first zone by sea area; after a planned launch choose one of two dice."""
    figures, area = table.data.flight, table.state.sea.area
    dice = figures.launch.planned_dice if planned else figures.launch.emergency_dice
    faces = table.roll_dice("12.4.1", "zone", dice)
    result = dict.fromkeys(figures.first_zone.cell(face, area) for face in sorted(faces))
    table.log_line("12.4.1", "The dice for the first zone: {}.", ", ".join(map(str, faces)))
    options = [Option(f"zone-{zone}", place_name(table.data, zone), zone, _costs(table, zone)) for zone in result]
    chosen = yield from table.choose(table.state.captain, "12.4.1", "Where do the flights begin?", options)
    return str(chosen.value)


def _costs(table: T, zone: str) -> OptionInfo | None:
    cost = table.data.flight.launch.fuel.get(zone, 0)
    return OptionInfo(f"costs {cost} fuel at once") if cost else None


def choose_hour(table: T, deck: Deck) -> Choice[int]:
    """[12.4.2] Choose the hour of the launch if planned, else roll for it."""
    clock = table.data.flight.clock
    if deck.planned:
        options = [Option(f"at-{box.label}", f"{box.label}, by {box.light}", at) for at, box in enumerate(clock.box)]
        seat = table.state.captain
        chosen = yield from table.choose(seat, "12.4.2", "At what hour in Japan do the bombers start?", options)
        return int(chosen.value)
    at = _roll_hour(table, strike=deck.strike)
    return (yield from _choose_delay(table, at, strike=deck.strike))


def _roll_hour(table: T, *, strike: bool) -> int:
    """[12.4.2] Roll three dice for the hour; under an airstrike roll until day is within reach."""
    clock = table.data.flight.clock
    labels = [box.label for box in clock.box]
    while True:
        roll = table.roll_on_chart(table.data.flight.emergency, table.data.flight.emergency.columns[0], "hour")
        at = labels.index(roll.cell)
        table.log_line("12.4.2", "The hour of the launch: {}.", roll)
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
    if not strike or _by_day(table, at):
        options.append(Option(NOW, f"at {clock.box[at].label}, by {clock.box[at].light}"))
    if not strike or _by_day(table, later):
        note = OptionInfo("the risk rises by one die")
        options.append(Option(LATER, f"at {clock.box[later].label}, by {clock.box[later].light}", info=note))
    chosen = yield from table.choose(state.captain, "12.4.2", "When do the bombers take off?", options)
    if chosen.key == NOW:
        return at
    more = sum(table.roll_dice("12.4.2", "slide", clock.slide_risk_dice))
    add_risk(table, more)
    table.log_line("12.4.2", "They wait, and the risk grows by {} to {}.", more, state.security.risk)
    return later


def place_contact(table: T) -> Steps:
    """[12.7.1, DR119] Choose a city for the contact marker of a submarine off Japan, as a naval turn ends."""
    if not _submarines_off_japan(table):
        return
    sky, names = table.state.sky, table.data.flight.city
    options = [Option(f"contact-{key}", card.name, key) for key, card in names.items()]
    question = "A submarine has seen the coast. Which city does it help to find?"
    chosen = yield from table.choose(table.state.captain, "12.7.1", question, options)
    sky.contacts[chosen.value] = sky.contacts.get(chosen.value, 0) + 1
    table.log_line("12.7.1", "A contact marker is placed at {}.", names[chosen.value].name)

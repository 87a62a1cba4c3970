"""[7.1, 12.3.1, 12.3.2] The take-off: the bombers are put into flights, which leave the deck one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from readyroom.engine.rules.checks import Modifiers, Roll, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.bombers import bomber_options, destroy, hit_bomber, is_pilot
from readyroom.games.doolittle.names import pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import FaceCheck, lowest_total, roll_with_rerolls
from readyroom.games.doolittle.state import T, choose_exactly, scenario_card
from readyroom.games.doolittle.voyage.ships import area_name, bombers_on_deck, lose_bomber, may_launch, weather_here
from readyroom.games.doolittle.voyage.state import TakeOff

WRECKED, FIRE, CRASH, DITCHES, DAMAGED, FUEL = "deck wrecked", "fire on deck", "crash", "ditches", "damaged", "fuel"
"""[12.3.2] What may become of the last bomber of a flight that takes off badly."""
BOTCHED_TEXT = {
    WRECKED: "crashes on the deck, which is beyond repair",
    FIRE: "crashes on the deck and sets it on fire",
    CRASH: "crashes on the deck, which has to be cleared",
    DITCHES: "falls into the sea; its crew is picked up",
    DAMAGED: "barely clears the deck",
    FUEL: "shuts a valve too early and loses fuel",
}
OWN = "own"


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
    figures, deck = table.data.flying.flights, table.state.deck
    left = figures.most - (len(deck.gone) if deck else 0) - len(table.state.sky.flights)
    able = [n for n in range(1, bombers + 1) if flight_sizes(bombers, n, figures.bombers_min, figures.bombers_max)]
    return [number for number in able if number <= left] or [-(-bombers // figures.bombers_max)]


def organize(table: T, bombers: Sequence[Bomber], flights: int | None = None) -> Steps:
    """[12.3.1, 7.1, 7.1.1, 11.2.1] Put the bombers into flights: as planned, in order, or freely.

    The plan is dropped if losses have left one of its flights too small. Planned flights may be changed only by the
    variant, or after a launch.
    """
    deck, planned = table.state.launching, _planned_flights(table, bombers)
    variant = scenario_card(table.state, table.data).chosen_variant(table.state.rulings.variant)
    if flights is None and planned and not (variant and variant.free_flights) and not deck.gone:
        deck.flights = planned
        return
    numbers = [flights] if flights else flight_counts(table, len(bombers))
    options = [Option("in-order", "in deck order, as evenly as possible"), Option(OWN, "choose the flights")]
    if flights is None and len(planned) in numbers:
        options.insert(0, Option("as-planned", "as the plan has them", planned))
    chosen = yield from table.choose(table.state.captain, "12.3.1", "How are the flights formed?", options)
    if chosen.key == OWN:
        yield from _form_flights(table, list(bombers), numbers)
    else:
        deck.flights = chosen.value or even_flights([bomber.key for bomber in bombers], numbers[0])


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
    waiting = iter(keys)
    return [list(islice(waiting, least + (number < more))) for number in range(flights)]


def _form_flights(table: T, waiting: list[Bomber], numbers: Sequence[int]) -> Steps:
    """[7.1.1, 12.3.1] Choose the number of flights, their sizes, and their bombers."""
    deck, seat, figures = table.state.launching, table.state.captain, table.data.flying.flights
    options = [Option(f"flights-{number}", f"{number}", number) for number in numbers]
    chosen = yield from table.choose(seat, "7.1", "How many flights are there?", options)
    for left in range(chosen.value, 0, -1):
        able = flight_sizes(len(waiting), left, figures.bombers_min, figures.bombers_max)
        count = len(deck.gone) + len(deck.flights) + 1
        sized = [Option(f"size-{size}", f"{size}", size) for size in able or (-(-len(waiting) // left),)]
        size = yield from table.choose(seat, "7.1.1", f"How many bombers fly in flight {count}?", sized)
        who = [Option(bomber.key, pilot_name(table.data, bomber.key), bomber.key) for bomber in waiting]
        question = f"Which bombers fly in flight {count}?"
        flying = yield from choose_exactly(table, "7.1.1", question, who, size.value)
        deck.flights.append(flying)
        waiting = [bomber for bomber in waiting if bomber.key not in flying]


def take_off_check(table: T, *, planned: bool) -> FaceCheck:
    """[12.3.1] Return the dice of a flight's launch, by the weather and the haste."""
    figures = table.data.naval
    chart = figures.launch_chart
    cells = chart.rows["planned" if planned else "emergency"]
    least = int(cells[chart.columns.index(weather_here(table))])
    return FaceCheck("12.3.1", "launch", dice=figures.launch.dice, at_least=least, success="takes off")


def take_off(table: T) -> Steps:
    """[12.3.1, 12.3.2] Launch flight after flight, until the deck is empty, wrecked or on fire."""
    deck, squad = table.state.launching, table.state.squad
    while deck.flights and not deck.held and may_launch(table):
        flight = deck.flights.pop(0)
        bombers = [squad[key] for key in flight]
        roll = yield from roll_with_rerolls(table, take_off_check(table, planned=deck.planned), flight[0], bombers)
        pilots = KeyedText(", ".join(pilot_name(table.data, key) for key in flight), *flight)
        text = "takes off" if roll else "is in trouble"
        off = TakeOff(list(flight), waits=deck.waits)
        deck.gone.append(off)
        hornet = table.data.ships.fleet.launches
        table.log_line("12.3.1", "Flight {} ({}) {}.", len(deck.gone), pilots, text, roll, target=hornet)
        if not roll:
            yield from _roll_botched(table, off, bombers)
        off.members = [key for key in off.members if squad[key].flies]
    deck.gone = [off for off in deck.gone if off.members]


def _roll_botched(table: T, off: TakeOff, bombers: Sequence[Bomber]) -> Steps:
    """[12.3.2] Roll for the last bomber of a flight in trouble; the others have taken off."""
    chart = table.data.naval.botched_chart
    bomber = yield from _choose_last_bomber(table, bombers)
    check = FaceCheck(
        "12.3.2",
        "botched take-off",
        dice=chart.dice_pool()[0],
        at_least=lowest_total(chart, "result", lambda cell: cell in (DAMAGED, FUEL)),
        modifiers=botched_modifiers(table, bomber),
        success="survives",
    )

    def lost_fuel(roll: Roll) -> bool:
        return chart.cell(roll.total, "result") == FUEL

    roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber], enough=lost_fuel)
    result = chart.cell(roll.total, "result")
    deck, sea, figures = table.state.launching, table.state.sea, table.data.naval.botched
    sea.wrecked = sea.wrecked or result == WRECKED
    off.lost += figures.fuel if result == FUEL else 0
    if result == CRASH:
        deck.waits = table.data.flight.launch.delayed_turns
        deck.held = table.state.strike is not None
    name = pilot(table.data, bomber.key)
    table.log_line("12.3.2", "{} {}.", name, BOTCHED_TEXT[result], roll, target=bomber)
    table.state.add_to_story("botched", bomber.key, result)
    yield from _apply_botched(table, bomber, result)


def botched_modifiers(table: T, bomber: Bomber) -> Modifiers:
    """[12.3.2] Return what bears on the last bomber's take-off."""
    figures = table.data.naval.botched
    elite = figures.elite_pilot if is_pilot(table, bomber) else 0
    return nonzero_modifiers([("elite pilot", elite), ("damage", figures.damaged if bomber.hits else 0)])


def _choose_last_bomber(table: T, bombers: Sequence[Bomber]) -> Choice[Bomber]:
    """[12.3.2] Choose which bomber of a flight was the last one."""

    def condition(bomber: Bomber) -> OptionInfo | None:
        texts = ["elite pilot"] if is_pilot(table, bomber) else []
        texts += ["damaged"] if bomber.hits else []
        return OptionInfo(", ".join(texts)) if texts else None

    options = bomber_options(table.data, "last", bombers, condition)
    question = "The take-off goes wrong. Which bomber is last in its flight?"
    chosen = yield from table.choose(table.state.captain, "12.3.2", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _apply_botched(table: T, bomber: Bomber, result: str) -> Steps:
    """[12.3.2, DR114] Apply the result to the last bomber, and a fire to the others on the deck."""
    if result in (WRECKED, FIRE, CRASH):
        destroy(table, bomber, "12.3.2", "a crash on the deck")
    if result == FIRE:
        yield from _burn_bombers(table)
    elif result == DITCHES:
        lose_bomber(table, bomber)
    elif result == DAMAGED:
        yield from hit_bomber(table, bomber, "12.3.2", "a take-off that all but failed")


def _burn_bombers(table: T) -> Steps:
    """[12.3.2] Roll how many bombers the fire takes, and choose them; their crews live."""
    sea, state = table.state.sea, table.state
    sea.burned = sea.turn
    count = sum(table.roll_dice("12.3.2", "fire", table.data.naval.botched.fire_dice))
    there = bombers_on_deck(state)
    lost = min(count, len(there))
    text, hornet = "Fire at {} (roll {}) destroys bombers: {}.", table.data.ships.fleet.launches
    where, moment = area_name(table.data, sea.area), "Fire on the Hornet"
    facts = (where, count, lost)
    table.reveal("12.3.2", text, *facts, target=hornet, moment=moment, is_miss=True)  # they are chosen next
    question = "Which bombers are lost in the fire?"
    options = bomber_options(table.data, "burns", there)
    for bomber in (yield from choose_exactly(table, "12.3.2", question, options, lost)):
        lose_bomber(table, bomber)

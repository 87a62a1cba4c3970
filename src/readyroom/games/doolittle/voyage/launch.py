"""[12.3] The launch: flights are put together on the deck, and take off one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from readyroom.engine.checks import Modifiers, Roll, nonzero_modifiers
from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.bombers import destroy, hurt, is_pilot, pilot_of
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import Thrown, roll_with_rerolls
from readyroom.games.doolittle.setup import variant_of
from readyroom.games.doolittle.state import T, scenario_card
from readyroom.games.doolittle.voyage.fleet import area_name, weather_here
from readyroom.games.doolittle.voyage.ships import aboard, launches, lost_aboard
from readyroom.games.doolittle.voyage.state import TakeOff

ROWS = {True: "planned", False: "emergency"}
WRECKED, FIRE, CRASH, DITCHES, DAMAGED, FUEL = "deck wrecked", "fire on deck", "crash", "ditches", "damaged", "fuel"
"""[12.3.2] What may become of the last bomber of a flight that takes off badly."""
IN_ORDER, OWN = "in-order", "own"


def may_launch(table: T) -> bool:
    """[12.3, 12.3.2, DR52, DR53, DR113] Whether anybody can take off: at sea, off a sound deck, not burned today."""
    sea = table.state.sea
    return bool(sea.area and launches(table) and aboard(table.state)) and sea.burned != sea.turn


# -- flights ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def sizes(bombers: int, flights: int, least: int, most: int) -> tuple[int, ...]:
    """[7.1.1] The possible sizes of the next flight, of a given number, if the others are to have theirs.

    >>> sizes(5, 2, 2, 4), sizes(16, 4, 2, 4), sizes(3, 2, 2, 4)
    ((2, 3), (4,), ())
    """
    if flights == 1:
        return (bombers,) if least <= bombers <= most else ()
    return tuple(size for size in range(least, most + 1) if sizes(bombers - size, flights - 1, least, most))


def counts(table: T, bombers: int) -> list[int]:
    """[7.1, 7.1.1, DR57] The possible numbers of flights for these bombers, besides those that have left before.

    Where it cannot be otherwise there are more of them, or smaller ones.
    """
    figures = table.data.flying.flights
    deck = table.state.deck
    left = figures.most - (len(deck.gone) if deck else 0) - len(table.state.sky.flights)
    able = [number for number in range(1, bombers + 1) if sizes(bombers, number, *_span(table))]
    within = [number for number in able if number <= left]
    return within or [-(-bombers // figures.bombers_max)]


def _span(table: T) -> tuple[int, int]:
    figures = table.data.flying.flights
    return figures.bombers_min, figures.bombers_max


def organize(table: T, bombers: Sequence[Bomber], flights: int | None = None) -> Steps:
    """[12.3.1, 7.1, 7.1.1, 11.2.1] Bombers on the deck are put into flights: as planned, in order, or freely.

    A plan of which losses have left a flight too small holds no more.
    """
    deck, planned = table.state.launching, _planned_flights(table, bombers)
    if flights is None and planned and not _free(table):
        deck.flights = planned
        return
    numbers = [flights] if flights else counts(table, len(bombers))
    options = [Option(IN_ORDER, "in the order of the deck, as evenly as can be"), Option(OWN, "as I like")]
    if flights is None and len(planned) in numbers:
        options.insert(0, Option("as-planned", "as the plan has them", planned))
    seat = table.state.captain
    chosen = yield from table.choose(seat, "12.3.1", "How are the flights put together?", options)
    if chosen.key == OWN:
        yield from _freely(table, list(bombers), numbers)
    else:
        deck.flights = chosen.value or evenly([bomber.key for bomber in bombers], numbers[0])


def _free(table: T) -> bool:
    """[12.3.1] Whether flights that the scenario plans are the captain's: by the variant, or after anybody has left."""
    card = scenario_card(table.state, table.data)
    variant = variant_of(card, table.state.rulings.variant)
    return bool(variant and variant.free_flights) or bool(table.state.launching.gone)


def _planned_flights(table: T, bombers: Sequence[Bomber]) -> list[list[str]]:
    """[7.1, 7.1.1] The scenario's flights, of those who are still there; none where losses leave one too small.

    The last bomber of all flies alone.
    """
    here = {bomber.key for bomber in bombers}
    flights = [[key for key in flight if key in here] for flight in scenario_card(table.state, table.data).flights]
    least = min(table.data.flying.flights.bombers_min, len(bombers))
    left = [flight for flight in flights if flight]
    return left if all(len(flight) >= least for flight in left) else []


def evenly(keys: Sequence[str], flights: int) -> list[list[str]]:
    """[7.1.1] The flights in order, the first ones one larger where it does not divide evenly.

    >>> evenly(["a", "b", "c", "d", "e"], 2)
    [['a', 'b', 'c'], ['d', 'e']]
    """
    least, more = divmod(len(keys), flights)
    names, at = [], 0
    for number in range(flights):
        size = least + (number < more)
        names.append(list(keys[at : at + size]))
        at += size
    return names


def _freely(table: T, waiting: list[Bomber], numbers: Sequence[int]) -> Steps:
    """[7.1.1, 12.3.1] How many flights, how large each is, and who flies in it."""
    deck, seat = table.state.launching, table.state.captain
    options = [Option(f"flights-{number}", f"{number}", number) for number in numbers]
    chosen = yield from table.choose(seat, "7.1", "How many flights are there?", options)
    for left in range(chosen.value, 0, -1):
        able = sizes(len(waiting), left, *_span(table)) or (-(-len(waiting) // left),)
        count = len(deck.gone) + len(deck.flights) + 1
        sized = [Option(f"size-{size}", f"{size}", size) for size in able]
        size = yield from table.choose(seat, "7.1.1", f"How many bombers fly in flight {count}?", sized)
        who = [Option(bomber.key, pilot_of(table, bomber), bomber) for bomber in waiting]
        question = f"Which bombers fly in flight {count}?"
        flying = yield from table.choose_some(seat, "7.1.1", question, who, at_least=size.value, at_most=size.value)
        deck.flights.append([option.key for option in flying])
        waiting = [bomber for bomber in waiting if bomber.key not in deck.flights[-1]]


# -- taking off ------------------------------------------------------------------------------------------------------


def launch_check(table: T) -> Thrown:
    """[12.3.1] The dice of a flight's launch, as the launch that is continuing was ordered."""
    return getting_off(table, planned=table.state.launching.planned)


def getting_off(table: T, *, planned: bool) -> Thrown:
    """[12.3.1] The dice of a flight's launch, by the weather and the haste."""
    figures, weather = table.data.naval, weather_here(table)
    chart, row = figures.launch_chart, ROWS[planned]
    least = int(chart.rows[row][chart.columns.index(weather)])
    return Thrown("12.3.1", "launch", dice=figures.launch.dice, at_least=least, well="gets off")


def take_off(table: T) -> Steps:
    """[12.3.1, 12.3.2] Flight after flight takes off, until the deck is empty, wrecked or on fire."""
    deck = table.state.launching
    while deck.flights and not deck.held and may_launch(table):
        flight = deck.flights.pop(0)
        number = len(deck.gone) + 1
        bombers = [table.state.squad[key] for key in flight]
        check = launch_check(table)
        roll = yield from roll_with_rerolls(table, check, flight[0], bombers)
        text = "gets off the deck" if roll else "is in trouble"
        table.log_line(
            "12.3.1", "Flight {} ({}) {}.", number, ", ".join(pilot_of(table, one) for one in bombers), text, roll
        )
        off = TakeOff(list(flight), waits=deck.waits)
        deck.gone.append(off)
        if not roll:
            yield from _botched(table, off, bombers)
        off.members = [key for key in off.members if table.state.squad[key].flies]
    deck.gone = [off for off in deck.gone if off.members]


def _botched(table: T, off: TakeOff, bombers: Sequence[Bomber]) -> Steps:
    """[12.3.2] The last bomber of a flight is in trouble; all others have got away."""
    chart = table.data.naval.botched_chart
    bomber = yield from _last(table, bombers)
    least = next(total for total in range(2, 13) if chart.cell(total, "result") in (DAMAGED, FUEL))
    check = Thrown(
        "12.3.2",
        "botched take-off",
        dice=chart.dice_pool()[0],
        at_least=least,
        modifiers=botched_modifiers(table, bomber),
        well="gets away",
    )
    roll = yield from roll_with_rerolls(
        table, check, bomber.key, [bomber], enough=lambda roll: _cell(table, roll) == FUEL
    )
    name = _cell(table, roll)
    table.log_line("12.3.2", "{} {}.", pilot_of(table, bomber), BOTCHED_TEXT[name], roll)
    table.state.add_to_story("botched", bomber.key, name)
    yield from _suffers(table, off, bomber, name)


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
    """[12.3.2] What bears on the last bomber's take-off."""
    figures = table.data.naval.botched
    names = [("elite pilot", figures.elite_pilot if is_pilot(table, bomber) else 0)]
    names.append(("damage", figures.damaged if bomber.hits else 0))
    return nonzero_modifiers(names)


def _last(table: T, bombers: Sequence[Bomber]) -> Choice[Bomber]:
    """[12.3.2] Which bomber of a flight was the last one."""
    options = [
        Option(f"last-{bomber.key}", pilot_of(table, bomber), bomber, _standing(table, bomber)) for bomber in bombers
    ]
    question = "The take-off goes wrong. Which bomber is the last of its flight?"
    chosen = yield from table.choose(table.state.captain, "12.3.2", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _standing(table: T, bomber: Bomber) -> OptionInfo | None:
    texts = ["elite pilot"] if is_pilot(table, bomber) else []
    texts += ["damaged"] if bomber.hits else []
    return OptionInfo(", ".join(texts)) if texts else None


def _suffers(table: T, off: TakeOff, bomber: Bomber, name: str) -> Steps:
    """[12.3.2, DR114] What becomes of the last bomber, and of the deck."""
    deck, sea, figures = table.state.launching, table.state.sea, table.data.naval.botched
    if name in (WRECKED, FIRE, CRASH):
        destroy(table, bomber, "12.3.2", "a crash on the deck")
    if name == WRECKED:
        sea.wrecked = True
    elif name == FIRE:
        yield from _burns(table)
    elif name == CRASH:
        deck.waits = table.data.flight.launch.delayed_turns
        deck.held = table.state.strike is not None
    elif name == DITCHES:
        lost_aboard(table, bomber)
    elif name == DAMAGED:
        yield from hurt(table, bomber, "12.3.2", "a take-off that all but failed")
    elif name == FUEL:
        off.lost += figures.fuel


def _burns(table: T) -> Steps:
    """[12.3.2] The fire takes as many bombers as a die says, of the captain's choice; their crews live."""
    sea, state = table.state.sea, table.state
    sea.burned = sea.turn
    count = sum(table.roll_dice("12.3.2", "fire", table.data.naval.botched.fire_dice))
    there = aboard(state)
    lost = min(count, len(there))
    table.reveal("12.3.2", "The fire at {} (roll {}) takes bombers: {}.", area_name(table.data, sea.area), count, lost)
    options = [Option(f"burns-{bomber.key}", pilot_of(table, bomber), bomber) for bomber in there]
    question = "Which bombers are given up to the fire?"
    chosen = yield from table.choose_some(state.captain, "12.3.2", question, options, at_least=lost, at_most=lost)
    for option in chosen:
        lost_aboard(table, option.value)

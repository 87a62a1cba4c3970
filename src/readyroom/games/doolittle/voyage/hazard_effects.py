"""[12.6.6] The effect of each kind of sea hazard, and enemy signals that stay in sea areas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.figures.naval import SeaHazardMarker
from readyroom.games.doolittle.names import pilot_name
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.rolls import EvenCheck
from readyroom.games.doolittle.secrecy import RISK, VALUE, add_risk, brings_airstrike, raise_alert, secrecy_test
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage import i_boats
from readyroom.games.doolittle.voyage.formation import fitting_spaces
from readyroom.games.doolittle.voyage.ships import (
    CARRIER,
    HANGAR,
    OILER,
    TASK_FORCE,
    area_name,
    bombers_on_deck,
    named,
    patrol_name,
    ship_options,
    ships_afloat,
    slow_ships,
)
from readyroom.games.doolittle.voyage.ships import card_of as ship_card
from readyroom.games.doolittle.voyage.state import Ship, Strike

Effect = Callable[[T, str, Marker], Choice[bool]]
PHASE = "sea-hazards"
SINK, EVADE = "sink", "evade"
TESTED = {"enemy-signals": "enemy signals", "i-boat": "an I-boat", "ship": "a ship"}
"""[12.6.6] What a secrecy test is made for, by the kind of the hazard."""


def resolve(table: T, patrol: str, marker: Marker) -> Steps:
    """[12.6.5, 6.3.1, DR127] Apply a hazard; an airstrike that it calls for comes before the rest of its effect."""
    has_rest = yield from EFFECTS[hazard_card(table, marker).kind](table, patrol, marker)
    if has_rest and table.state.strike is not None:
        table.state.sea.unfinished = marker.key
        return
    if has_rest:
        yield from _apply_rest(table, marker)
    _return(table, marker)


def finish(table: T) -> Steps:
    """[6.3.1, 12.6.5, DR127] Apply the rest of the hazard that called for an airstrike, after it."""
    sea = table.state.sea
    key, sea.unfinished = sea.unfinished, ""
    for marker in [marker for marker in sea.assigned.get(TASK_FORCE, []) if marker.key == key]:
        yield from _apply_rest(table, marker)
        _return(table, marker)


def _apply_rest(table: T, marker: Marker) -> Steps:
    """[12.6.6.A, 12.6.6.C, 12.6.6.E, 12.6.6.H, DR62, DR65] Apply what follows the test of a hazard on the task force.

    A boat raises the alert, and so does a ship on an odd roll. Signals stay in the area. An I-boat attacks a force that
    has a slow ship.
    """
    kind = hazard_card(table, marker).kind
    if kind == "boat":
        raise_alert(table, table.data.naval.boat.alert, "12.6.6.A")
    elif kind == "enemy-signals":
        _take_off_patrol(table, marker)
        place_signals(table, marker, table.state.sea.area)
    elif kind == "i-boat" and slow_ships(table):
        yield from i_boats.resolve_attack(table)
    elif kind == "ship":
        figures, face = table.data.naval.ship, table.roll_dice("12.6.6.H", TASK_FORCE)[0]
        seen = figures.of(face) == figures.odd
        text = "has seen the force" if seen else "passes"
        table.log_line("12.6.6.H", "The ship {} (roll {}).", text, face, target=TASK_FORCE)
        if seen:
            raise_alert(table, figures.alert, "12.6.6.H")


def _return(table: T, marker: Marker) -> None:
    """[12.6.5] Put a resolved hazard back into its cup, unless it was placed elsewhere."""
    for markers in table.state.sea.assigned.values():
        if marker in markers:
            markers.remove(marker)
            table.state.put_back(marker)


def hazard_card(table: T, marker: Marker) -> SeaHazardMarker:
    """[12.6.6] Return the figures of a sea hazard."""
    return table.data.sea_hazards.markers[marker.key]


def _take_off_patrol(table: T, marker: Marker) -> None:
    for markers in table.state.sea.assigned.values():
        if marker in markers:
            markers.remove(marker)


def make_test(table: T, patrol: str, marker: Marker, why: str) -> None:
    """[6.3, 6.3.1, 11.0, 12.6.6, DR68] Make a hazard's secrecy test; a failed one may call an airstrike."""
    state, icon = table.state, hazard_card(table, marker).icon
    if secrecy_test(table, patrol, why) or not brings_airstrike(table, icon, force=patrol == TASK_FORCE):
        return
    if patrol in state.sea.submarines:
        state.strike = Strike("submarine", group=patrol)
    else:
        state.strike = Strike("task-force" if patrol == TASK_FORCE else "recon")


# -- boats -------------------------------------------------------------------------------------------------------------


def _meet_boat(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.A, DR64, DR106] Sink, evade or ignore a boat; return whether it then reports the task force."""
    name, force = patrol_name(table.data, patrol), patrol == TASK_FORCE
    if patrol in table.state.sea.submarines:
        text, boat = "{} stays submerged until the boat has passed.", KeyedText(capitalize_first(name), patrol)
        table.log_line("12.6.6.A", text, boat, target=patrol)
        return False
    way = yield from _choose_method(table, patrol)
    rid, silent = False, False
    if way == SINK:
        roll = table.roll(sink_check(table, patrol), patrol)
        rid, silent = roll.passed, all(face % 2 == 0 for face in roll.dice)
        text = "is sunk but reports by radio first" if force and not silent else "is sunk"
        table.log_line("12.6.6.A", "The picket boat {}.", text if rid else "is not sunk", roll, target=patrol)
    elif way == EVADE:
        roll = table.roll(evade_check(table), patrol)
        rid, text = roll.passed, "evades" if roll else "fails to evade"
        who = KeyedText(capitalize_first(name), patrol)
        table.log_line("12.6.6.A", "{} {} the picket boat.", who, text, roll, target=patrol)
    if not rid:
        make_test(table, patrol, marker, f"a boat sighting {name}")
    return force and not silent


def sink_check(table: T, patrol: str) -> EvenCheck:
    """[12.6.6.A] Return the dice that sink a boat: those of the patrol, of which one has to be even."""
    figures = table.data.ships.recon
    dice = {card.key: card.boat_dice for card in figures.marker}.get(patrol, figures.task_force_boat_dice)
    return EvenCheck("12.6.6.A", "sinking the boat", dice)


def evade_check(table: T) -> EvenCheck:
    """[12.6.6.A] Return the die that evades a boat."""
    return EvenCheck("12.6.6.A", "evading the boat", table.data.naval.boat.evade_dice)


def _choose_method(table: T, patrol: str) -> Choice[str]:
    """[12.6.6.A] Choose whether a boat is to be sunk, evaded or ignored."""
    sinking, evading = sink_check(table, patrol), evade_check(table)
    loud = "; the alert still rises" if patrol == TASK_FORCE else ""
    mute = "; if all dice are even it cannot report" if patrol == TASK_FORCE else ""
    options = [
        Option(SINK, "sink it", info=OptionInfo(f"no test{mute}", float(sinking.odds()))),
        Option(EVADE, "evade it", info=OptionInfo(f"no test{loud}", float(evading.odds()))),
        Option("ignore", "ignore it"),
    ]
    question = f"A picket boat is in sight of {patrol_name(table.data, patrol)}. What do you do?"
    chosen = yield from table.choose(table.state.captain, "12.6.6.A", question, options)
    return chosen.key


# -- clouds, signals, flying boats, ships, I-boats ---------------------------------------------------------------------


def _meet_other(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.B, 12.6.6.C, 12.6.6.E, 12.6.6.H] Make the test of signals, an I-boat or a ship if there is an icon.

    Clouds have none. Return whether the task force is met.
    """
    yield from ()
    card = hazard_card(table, marker)
    if card.icon:
        make_test(table, patrol, marker, TESTED[card.kind])
    return patrol == TASK_FORCE


def unseen_check(table: T) -> Check:
    """[12.6.6.D, DR61] Return the dice that keep the force from being seen: as many as it has ships, or more."""
    figures, ships = table.data.naval.flying_boat, len(ships_afloat(table.state))
    return Check("12.6.6.D", "unseen by the flying boat", dice=figures.dice, at_least=ships)


def _meet_flying_boat(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.D] Roll whether the force is seen, add the risk of signals, and make the test."""
    yield from ()
    figures = table.data.naval.flying_boat
    more = figures.signal_risk * count_signals(table.state)
    if patrol == TASK_FORCE:
        roll = table.roll(unseen_check(table), patrol)
        moment = "" if roll else "Sighted by a flying boat"
        text = "does not see" if roll else "sees"
        table.log_line("12.6.6.D", "The flying boat {} the task force.", text, roll, target=patrol, moment=moment)
        more += 0 if roll else figures.risk
    if more:
        add_risk(table, more)
        table.log_line("12.6.6.D", "The risk is {}.", table.state.security.risk, target=RISK)
    make_test(table, patrol, marker, "a flying boat")
    return False


# -- enemy signals in sea areas ----------------------------------------------------------------------------------------


def count_signals(state: Doolittle) -> int:
    """[12.6.2, 12.6.6.D] Return the enemy signals on the map."""
    return sum(map(len, state.sea.signals.values()))


def lost_secrecy_dice(filled: Sequence[bool], run: int, dice: int) -> int:
    """[12.6.6.C, DR60] Return the dice that rows of areas with signals take, one for each area from `run` on.

    >>> lost_secrecy_dice([True, True, True, True, False, True], run=3, dice=1)
    2
    """
    rows = (len(list(group)) for full, group in groupby(filled) if full)
    return sum(dice * max(0, length - run + 1) for length in rows)


def update_secrecy(table: T) -> None:
    """[12.6.6.C, DR60, DR133] Set the secrecy value by the signals on the map; one die remains."""
    security, sea = table.state.security, table.state.sea
    figures = table.data.naval.signals
    filled = [bool(sea.signals.get(area)) for area in table.data.sea.order]
    whole = security.value + sea.muffled
    sea.muffled = min(lost_secrecy_dice(filled, figures.run, figures.dice), whole - table.data.security.track.value_min)
    before, security.value = security.value, whole - sea.muffled
    if security.value != before:
        text = "With enemy signals on the air the secrecy value is {}."
        table.log_line("12.6.6.C", text, security.value, target=VALUE)


def place_signals(table: T, marker: Marker, area: str) -> None:
    """[12.6.6.C] Place signals in an area; more there raise the risk, and signals in a row take dice."""
    there = table.state.sea.signals[area]
    there.append(marker)
    if len(there) > 1:
        add_risk(table, table.data.naval.signals.stacked_risk)
        name, risk = area_name(table.data, area), table.state.security.risk
        table.log_line("12.6.6.C", "More enemy signals in {}: the risk is {}.", name, risk, target=area)
    update_secrecy(table)


def remove_signals(table: T, count: int) -> Steps:
    """[12.2.2, 12.6.6.C] Remove signals in a storm, from areas of the captain's choice."""
    state, signals = table.state, table.state.sea.signals
    for _ in range(min(count, count_signals(state))):
        options = [Option(f"off-{area}", area_name(table.data, area), area) for area, lying in signals.items() if lying]
        question = "The storm drowns out enemy signals. In which sea area?"
        chosen = yield from table.choose(state.captain, "12.2.2", question, options)
        state.put_back(signals[chosen.value].pop())
        area = chosen.value
        table.log_line("12.2.2", "The storm drowns out signals in {}.", area_name(table.data, area), target=area)
        update_secrecy(table)


# -- distress, flags, medals -------------------------------------------------------------------------------------------


def _apply_distress(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.F] Break a submarine's contact, return a recon to the hangar, or move a ship far astern.

    All hazards of the submarine go back. The recon keeps the distress, and the force meets its other hazards.
    """
    sea, name = table.state.sea, patrol_name(table.data, patrol)
    if patrol in sea.submarines:
        sea.submarines[patrol].contact = False
        table.state.put_back(*sea.assigned.pop(patrol))
        who = KeyedText(capitalize_first(name), patrol)
        table.log_line("12.6.6.F", "{} is out of contact.", who, target=patrol)
    elif patrol in sea.recon:
        _take_off_patrol(table, marker)
        recon = sea.recon[patrol]
        recon.place = HANGAR
        recon.markers.append(marker)
        others = sea.assigned.pop(patrol, [])
        sea.assigned.setdefault(TASK_FORCE, []).extend(others)
        table.log_line("12.6.6.F", "{} returns to the hangar.", KeyedText(name, patrol), target=HANGAR)
    else:
        yield from _move_astern(table, marker)
    return False


def _move_astern(table: T, marker: Marker) -> Steps:
    """[12.6.6.F, 9.5.1] Choose a ship with engine trouble; all but carriers fall far astern."""
    state = table.state
    options = ship_options(table, "on", ships_afloat(state), _distress_info)
    chosen = yield from table.choose(state.captain, "12.6.6.F", "Which ship is in mechanical distress?", options)
    ship: Ship = chosen.value
    _take_off_patrol(table, marker)
    ship.markers.append(marker)
    ship.space = fitting_spaces(table.data, ship, {}, ships_afloat(state))[0]
    table.log_line("12.6.6.F", "{} is in mechanical distress and slow.", named(table, ship), target=ship)


def _distress_info(table: T, ship: Ship) -> OptionInfo | None:
    kind = ship_card(table.data, ship).type
    if kind == CARRIER:
        return OptionInfo("stays in the center; slow")
    if kind == OILER:
        return OptionInfo("slow; cannot refuel until repaired")
    return OptionInfo("already slow") if ship in slow_ships(table) else None


def _keep_red_flags(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.F] Keep red flags with the force until a rendezvous check; after a rendezvous they go back."""
    yield from ()
    sea = table.state.sea
    if not sea.met:
        _take_off_patrol(table, marker)
        sea.flags.append(marker)
        text = "Hazard for the task force: red flags until a rendezvous check."
        table.log_line("12.6.6.F", text, target=patrol)
    return False


def _give_medals(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.G, DR66] Choose a bomber on the deck for the medals, which give it a re-roll before it releases."""
    bombers = bombers_on_deck(table.state)
    options = [Option(bomber.key, pilot_name(table.data, bomber.key), bomber) for bomber in bombers]
    if options:
        chosen = yield from table.choose(
            table.state.captain, "12.6.6.G", "Which bomber's bombs get the medals?", options
        )
        _take_off_patrol(table, marker)
        chosen.value.markers.append(marker)
        name = KeyedText(chosen.text, chosen.value.key)
        table.log_line("12.6.6.G", "Medals are tied to a bomb of {}.", name, target=chosen.value)
    return False


EFFECTS: dict[str, Effect] = {
    "boat": _meet_boat,
    "clouds": _meet_other,
    "enemy-signals": _meet_other,
    "flying-boat": _meet_flying_boat,
    "i-boat": _meet_other,
    "distress": _apply_distress,
    "red-flags": _keep_red_flags,
    "medals": _give_medals,
    "ship": _meet_other,
}
"""[12.6.6] What each kind does first; the result says whether a rest of the effect follows."""

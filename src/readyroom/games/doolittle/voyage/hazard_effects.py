"""[12.6.6] The effect of each kind of sea hazard, and enemy signals that stay in sea areas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.naval import SeaHazardMarker
from readyroom.games.doolittle.names import pilot_name
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.rolls import EvenCheck
from readyroom.games.doolittle.secrecy import add_risk, brings_airstrike, raise_alert, secrecy_test
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
    capitalized_patrol,
    patrol_name,
    ship_name,
    ships_afloat,
    slow_ships,
)
from readyroom.games.doolittle.voyage.ships import card_of as ship_card
from readyroom.games.doolittle.voyage.state import Ship, Strike

Effect = Callable[[T, str, Marker], Choice[bool]]
PHASE = "sea-hazards"
SINK, EVADE, IGNORE = "sink", "evade", "ignore"


def resolve(table: T, patrol: str, marker: Marker) -> Steps:
    """[12.6.5, 6.3.1, DR127] Apply a hazard; an airstrike that it calls for comes before the rest of its effect."""
    state, kind = table.state, _card_of(table, marker).kind
    has_rest = yield from EFFECTS[kind](table, patrol, marker)
    if has_rest and state.strike is not None:
        state.sea.unfinished = marker.key
        return
    if has_rest:
        yield from RESTS[kind](table, marker)
    _return(table, marker)


def finish(table: T) -> Steps:
    """[6.3.1, 12.6.5, DR127] Apply the rest of the hazard that called for an airstrike, after it."""
    sea = table.state.sea
    key, sea.unfinished = sea.unfinished, ""
    for marker in [marker for marker in sea.assigned.get(TASK_FORCE, []) if marker.key == key]:
        yield from RESTS[_card_of(table, marker).kind](table, marker)
        _return(table, marker)


def _return(table: T, marker: Marker) -> None:
    """[12.6.5] Put a resolved hazard back into its cup, unless it was placed elsewhere."""
    for markers in table.state.sea.assigned.values():
        if marker in markers:
            markers.remove(marker)
            table.state.put_back(marker)


def _card_of(table: T, marker: Marker) -> SeaHazardMarker:
    return table.data.sea_hazards.markers[marker.key]


def _take_off_patrol(table: T, marker: Marker) -> None:
    """Take a marker off its patrol."""
    for markers in table.state.sea.assigned.values():
        if marker in markers:
            markers.remove(marker)


def is_submarine(table: T, patrol: str) -> bool:
    """[12.6.2] Return whether a patrol is a submarine."""
    return patrol in table.state.sea.submarines


def make_test(table: T, patrol: str, marker: Marker, why: str) -> None:
    """[6.3, 6.3.1, 11.0, 12.6.6, DR68] Make a hazard's secrecy test; a failed one may call an airstrike."""
    state = table.state
    if secrecy_test(table, patrol, why) or not brings_airstrike(
        table, _card_of(table, marker).icon, force=patrol == TASK_FORCE
    ):
        return
    if patrol == TASK_FORCE:
        state.strike = Strike("task-force")
    elif is_submarine(table, patrol):
        state.strike = Strike("submarine", group=patrol)
    else:
        state.strike = Strike("recon")


# -- boats -------------------------------------------------------------------------------------------------------------


def _meet_boat(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.A, DR64, DR106] Sink, evade or ignore a boat; return whether it then reports the task force."""
    if is_submarine(table, patrol):
        table.log_line(
            "12.6.6.A", "{} stays submerged until the boat has passed.", capitalized_patrol(table.data, patrol)
        )
        return False
    way = yield from _choose_method(table, patrol)
    rid, silent = False, False
    if way == SINK:
        rid, silent = _is_sunk(table, patrol)
    elif way == EVADE:
        roll = table.roll(evade_check(table), patrol)
        rid = roll.passed
        table.log_line(
            "12.6.6.A",
            "{} {} the picket boat.",
            capitalized_patrol(table.data, patrol),
            "evades" if rid else "fails to evade",
            roll,
        )
    if not rid:
        make_test(table, patrol, marker, f"a boat that has seen {patrol_name(table.data, patrol)}")
    return patrol == TASK_FORCE and not silent


def _boat_reports(table: T, marker: Marker) -> Steps:
    """[12.6.6.A] Raise the alert for a boat that has met the task force."""
    yield from ()
    raise_alert(table, table.data.naval.boat.alert, "12.6.6.A")


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
    loud = "; the alert rises anyway" if patrol == TASK_FORCE else ""
    mute = "; if all dice are even it sends no report" if patrol == TASK_FORCE else ""
    options = [
        Option(SINK, "sink it", info=OptionInfo(f"no secrecy test{mute}", float(sinking.odds()))),
        Option(EVADE, "evade it", info=OptionInfo(f"no secrecy test{loud}", float(evading.odds()))),
        Option(IGNORE, "ignore it"),
    ]
    question = f"A picket boat is in sight of {patrol_name(table.data, patrol)}. What do you do?"
    chosen = yield from table.choose(table.state.captain, "12.6.6.A", question, options)
    return chosen.key


def _is_sunk(table: T, patrol: str) -> tuple[bool, bool]:
    """[12.6.6.A] Return whether a boat is sunk, and whether it has got no word out."""
    roll = table.roll(sink_check(table, patrol), patrol)
    silent = all(face % 2 == 0 for face in roll.dice)
    reports = " but reports by radio first" if not silent and patrol == TASK_FORCE else ""
    text = f"is sunk{reports}" if roll else "is not sunk"
    table.log_line("12.6.6.A", "The picket boat {}.", text, roll)
    return roll.passed, roll.passed and silent


# -- clouds, signals, flying boats, ships ------------------------------------------------------------------------------


def _clouds(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.B] Do nothing: clouds have no effect."""
    yield from ()
    return False


def _meet_signals(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.C] Make a test if there is an icon; return whether the marker then stays in the area."""
    yield from ()
    if _card_of(table, marker).icon:
        make_test(table, patrol, marker, "enemy signals")
    return patrol == TASK_FORCE


def _signals_stay(table: T, marker: Marker) -> Steps:
    """[12.6.6.C] Leave signals that the task force meets in its area."""
    yield from ()
    _take_off_patrol(table, marker)
    place_signals(table, marker, table.state.sea.area)


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
        table.log_line("12.6.6.D", "The flying boat {} the task force.", "does not see" if roll else "sees", roll)
        more += 0 if roll else figures.risk
    if more:
        add_risk(table, more)
        table.log_line("12.6.6.D", "The risk is {}.", table.state.security.risk)
    make_test(table, patrol, marker, "a flying boat")
    return False


def _meet_ship(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.H] Make a test; return whether the ship has then met the task force."""
    yield from ()
    make_test(table, patrol, marker, "a ship")
    return patrol == TASK_FORCE


def _ship_reports(table: T, marker: Marker) -> Steps:
    """[12.6.6.H, DR65] Roll a die for the ship that the task force has met: odd raises the alert."""
    yield from ()
    figures, face = table.data.naval.ship, table.roll_dice("12.6.6.H", TASK_FORCE)[0]
    seen = figures.of(face) == figures.odd
    table.log_line("12.6.6.H", "The ship {} (roll {}).", "has seen the force" if seen else "passes", face)
    if seen:
        raise_alert(table, figures.alert, "12.6.6.H")


# -- I-boats -----------------------------------------------------------------------------------------------------------


def _meet_i_boat(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.E] Make a test; return whether the I-boat may then attack the task force."""
    yield from ()
    make_test(table, patrol, marker, "an I-boat")
    return patrol == TASK_FORCE


def _i_boat_attacks(table: T, marker: Marker) -> Steps:
    """[12.6.6.E, DR62] Let an I-boat attack a task force that has a slow ship."""
    if slow_ships(table):
        yield from i_boats.resolve_attack(table)


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
        table.log_line("12.6.6.C", "With these signals in the ether the secrecy value is {}.", security.value)


def place_signals(table: T, marker: Marker, area: str) -> None:
    """[12.6.6.C] Place signals in an area; more there raise the risk, and signals in a row take dice."""
    state, figures = table.state, table.data.naval.signals
    there = state.sea.signals[area]
    if there:
        add_risk(table, figures.stacked_risk)
        table.log_line(
            "12.6.6.C", "More signals in {}: the risk is {}.", area_name(table.data, area), state.security.risk
        )
    there.append(marker)
    update_secrecy(table)


def remove_signals(table: T, count: int) -> Steps:
    """[12.2.2, 12.6.6.C] Remove signals in a storm, from areas of the captain's choice."""
    state = table.state
    for _ in range(count):
        signals = state.sea.signals
        options = [Option(f"off-{area}", area_name(table.data, area), area) for area, lying in signals.items() if lying]
        if not options:
            return
        question = "The storm drowns out enemy signals. In which sea area?"
        chosen = yield from table.choose(state.captain, "12.2.2", question, options)
        state.put_back(signals[chosen.value].pop())
        table.log_line("12.2.2", "The storm drowns out enemy signals in {}.", area_name(table.data, chosen.value))
        update_secrecy(table)


# -- distress, flags, medals -------------------------------------------------------------------------------------------


def _apply_distress(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.F] Break a submarine's contact, return a recon to the hangar, or move a ship far astern."""
    sea = table.state.sea
    if is_submarine(table, patrol):
        _break_contact(table, patrol)
    elif patrol in sea.recon:
        _return_to_hangar(table, patrol, marker)
    else:
        yield from _move_astern(table, marker)
    return False


def _break_contact(table: T, patrol: str) -> None:
    """[12.6.6.F] Break a submarine's contact; this hazard and her others go back."""
    sea = table.state.sea
    sea.submarines[patrol].contact = False
    table.state.put_back(*sea.assigned.pop(patrol))
    table.log_line("12.6.6.F", "{} is out of contact.", capitalized_patrol(table.data, patrol))


def _return_to_hangar(table: T, patrol: str, marker: Marker) -> None:
    """[12.6.6.F] Return a recon to its hangar with the distress; the force meets its other hazards."""
    sea = table.state.sea
    _take_off_patrol(table, marker)
    recon = sea.recon[patrol]
    recon.place = HANGAR
    recon.markers.append(marker)
    others = sea.assigned.pop(patrol, [])
    sea.assigned.setdefault(TASK_FORCE, []).extend(others)
    table.log_line("12.6.6.F", "{} returns to the hangar.", patrol_name(table.data, patrol))


def _move_astern(table: T, marker: Marker) -> Steps:
    """[12.6.6.F, 9.5.1] Choose a ship with engine trouble; all but carriers fall far astern."""
    state = table.state
    options = [
        Option(f"on-{ship.key}", ship_name(table, ship), ship, _distress_info(table, ship))
        for ship in ships_afloat(state)
    ]
    chosen = yield from table.choose(state.captain, "12.6.6.F", "Which ship is in mechanical distress?", options)
    ship: Ship = chosen.value
    _take_off_patrol(table, marker)
    ship.markers.append(marker)
    ship.space = fitting_spaces(table.data, ship, {}, ships_afloat(state))[0]
    table.log_line("12.6.6.F", "{} is in mechanical distress and slow.", ship_name(table, ship))


def _distress_info(table: T, ship: Ship) -> OptionInfo | None:
    kind = ship_card(table.data, ship).type
    if kind == CARRIER:
        return OptionInfo("stays in the center, and is slow")
    if kind == OILER:
        return OptionInfo("slow; refuels no one until it is repaired")
    return OptionInfo("slow as it is") if ship in slow_ships(table) else None


def _keep_red_flags(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.F] Keep red flags with the force until a rendezvous check; after a rendezvous they go back."""
    yield from ()
    sea = table.state.sea
    if not sea.met:
        _take_off_patrol(table, marker)
        sea.flags.append(marker)
        table.log_line("12.6.6.F", "Hazard for the task force: red flags until a rendezvous check.")
    return False


def _give_medals(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.6.G, DR66] Choose a bomber on the deck for the medals, which give it a re-roll before it releases."""
    bombers = bombers_on_deck(table.state)
    if not bombers:
        return False
    options = [Option(bomber.key, pilot_name(table.data, bomber.key), bomber) for bomber in bombers]
    chosen = yield from table.choose(table.state.captain, "12.6.6.G", "Which bomber's bombs get the medals?", options)
    _take_off_patrol(table, marker)
    chosen.value.markers.append(marker)
    table.log_line("12.6.6.G", "Medals are tied to a bomb of {}.", pilot_name(table.data, chosen.value.key))
    return False


EFFECTS: dict[str, Effect] = {
    "boat": _meet_boat,
    "clouds": _clouds,
    "enemy-signals": _meet_signals,
    "flying-boat": _meet_flying_boat,
    "i-boat": _meet_i_boat,
    "distress": _apply_distress,
    "red-flags": _keep_red_flags,
    "medals": _give_medals,
    "ship": _meet_ship,
}
"""[12.6.6] What each kind does first; the result says whether a rest of the effect follows."""
RESTS: dict[str, Callable[[T, Marker], Steps]] = {
    "boat": _boat_reports,
    "enemy-signals": _signals_stay,
    "i-boat": _i_boat_attacks,
    "ship": _ship_reports,
}
"""[12.6.6] What follows the secrecy test of a hazard on the task force."""

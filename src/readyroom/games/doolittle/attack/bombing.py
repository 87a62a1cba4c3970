"""[4.7, 4.8, 4.9, DR48] Bombers leave, approach their targets, and release; the attack turn ends."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers, percent
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.attack.gunnery import choose_next_hazard, fire_flak, roll_collision, shoot_off_attached
from readyroom.games.doolittle.attack.hazards import INTERCEPTOR, attached_interceptors, describe, put_back, turn_over
from readyroom.games.doolittle.attack.raids import attack_is_over
from readyroom.games.doolittle.bombers import DAMAGED, DESTROYED, destroy, has_benefit, hit_bomber, is_pilot, unload
from readyroom.games.doolittle.flight.flights import pay_fuel
from readyroom.games.doolittle.names import city_name, pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rolls import FaceCheck, LowestDiceCheck, lowest_total, roll_with_rerolls
from readyroom.games.doolittle.state import Box, Doolittle, T, seat_of, target_map

FLAK, BALLOONS, ESCAPES = "flak", "balloons", "escapes"


# -- leaving ---------------------------------------------------------------------------------------------------------


def leave_map(table: T) -> Steps:
    """[4.7, DR12, DR22] Choose which unloaded bombers on the edge leave, of those without an attached interceptor."""
    state = table.state
    yield from shoot_off_attached(table)
    cards = target_map(table).areas
    able = [
        Option(f"exit-{bomber.key}", f"{pilot_name(table.data, bomber.key)} from {cards[bomber.area].name}", bomber)
        for bomber in state.over_target()
        if not bomber.loaded and cards[bomber.area].perimeter and not attached_interceptors(table, bomber)
    ]
    for seat, options in options_by_seat(table, able):
        question = "Which bombers leave the target?"
        for option in (yield from table.choose_some(seat, "4.7", question, options, select_all_default=True)):
            _take_off_map(table, option.value)


def options_by_seat(table: T, options: Sequence[Option]) -> list[tuple[str, list[Option]]]:
    """[1.4, DR111] Return the options of bombers, each seat its own."""
    return [
        (seat, [one for one in options if seat_of(table.state, one.value.key) == seat]) for seat in table.state.seats
    ]


def _take_off_map(table: T, bomber: Bomber) -> None:
    """[4.7] Take a bomber off the map; what was assigned to it stays behind."""
    for marker in list(bomber.assigned):
        _return_assigned(table, bomber, marker)
    bomber.area = ""
    if not table.state.attack.flight:
        bomber.fate = "home"
    table.log_line("4.7", "{} leaves the target.", pilot(table.data, bomber.key), target=bomber)
    table.state.add_to_story("left", bomber.key)


def _return_assigned(table: T, bomber: Bomber, marker: Marker) -> None:
    """[4.7, 4.9] Put a marker that was assigned for a turn back, or with the S into the area."""
    bomber.assigned.remove(marker)
    if table.data.hazards.markers[marker.key].stay:
        table.state.city.areas[bomber.area].markers.append(marker)
    else:
        table.state.put_back(marker)


# -- approaching -----------------------------------------------------------------------------------------------------


def can_enter_boxes(state: Doolittle) -> bool:
    """[3.2.1, 3.3.1, DR23, DR24] Return whether the bombers have a sight for boxes at this height and by this light."""
    if state.attack.high:
        return state.ratings.norden and state.attack.light == "day"
    return state.ratings.mark_twain


def approach(table: T) -> Steps:
    """[4.8, DR12, DR13] Let each loaded bomber try once to reach a free box of its area."""
    if can_enter_boxes(table.state):
        for seat in table.state.seats:
            yield from _approach_in_order(table, seat)


def _approach_in_order(table: T, seat: str) -> Steps:
    """[4.8] Let the bombers of a seat approach, in the order that it chooses."""
    state, tried = table.state, set[str]()
    while True:
        own = [bomber for bomber in state.over_target() if seat_of(state, bomber.key) == seat]
        options = [option for bomber in own for option in _reachable_boxes(table, bomber, tried)]
        if not options:
            return
        options.append(Option("enough", "no more approaches"))
        chosen = yield from table.choose(seat, "4.8", "Which bomber approaches which target?", options)
        if chosen.key == "enough":
            return
        bomber, key = chosen.value
        tried.add(bomber.key)
        yield from _resolve_approach(table, bomber, key)


def _reachable_boxes(table: T, bomber: Bomber, tried: set[str]) -> list[Option]:
    """Return the boxes that a bomber may try to get into, with its chances of getting there and of hitting."""
    state = table.state
    if not bomber.loaded or bomber.key in tried or bomber.box or attached_interceptors(table, bomber):
        return []
    taken = {other.box for other in state.over_target() if other.box}
    pilot, options = pilot_name(table.data, bomber.key), []
    for key in state.city.areas[bomber.area].boxes:
        if key not in taken:
            name, hit = target_map(table).boxes[key].name, detonation_check(table, bomber, key).odds()
            info = OptionInfo(
                f"once there, {percent(hit)} to hit; gets there", float(approach_check(table, bomber, key).odds())
            )
            options.append(Option(f"{bomber.key}-{key}", f"{pilot}: {name}", (bomber, key), info, cell=(pilot, name)))
    return options


def box_at(table: T, key: str) -> Box:
    """Return a target box by its key."""
    area = target_map(table).area_of[key]
    return table.state.city.areas[area].boxes[key]


def _hazard_modifiers(table: T, bomber: Bomber, box: Box, what: str) -> Modifiers:
    """[4.8.1, 4.9.3, 4.6.3.C, 4.6.3.E, 4.6.3.G, 4.6.3.J, 4.6.3.L, 4.6.3.N] Return the modifiers of known hazards."""
    names = []
    for marker in (*bomber.assigned, *box.markers):
        card = table.data.hazards.markers[marker.key]
        if marker.shown:
            kind = table.data.hazards.kinds.kind[card.kind].title.lower()
            names.append((kind, int(getattr(card, what))))
    return names


def approach_check(table: T, bomber: Bomber, key: str) -> FaceCheck:
    """[4.8.1, 4.8.4] Return the check of an approach."""
    state, figures = table.state, table.data.attack.approach
    box, light = box_at(table, key), state.attack.light
    bonus = table.data.bombers.benefits["navigation"].bonus
    modifiers = [
        ("navigation", state.ratings.navigation[light]),
        ("elite navigator", bonus if has_benefit(table.data, bomber.elite, "navigation") else 0),
        ("fires", figures.burning if box.blast else 0),
        *_hazard_modifiers(table, bomber, box, "approach"),
    ]
    least = target_map(table).boxes[key].approach(light)
    dark = state.city.dark and light == "night"
    return LowestDiceCheck(
        "4.8.1",
        "approach",
        dice=figures.dark_dice if dark else figures.dice,
        keep=figures.dark_keep if dark else figures.dice,
        why="lights out",
        at_least=least,
        modifiers=nonzero_modifiers(modifiers),
    )


def _resolve_approach(table: T, bomber: Bomber, key: str) -> Steps:
    """[4.8.1, 4.8.2, 4.8.3] Turn over the hazards in the box; then the check; a bomber that gets in meets its guns."""
    name, box = target_map(table).boxes[key].name, box_at(table, key)
    for marker in box.markers:
        if not marker.shown:
            turn_over(table, marker)
            table.reveal("4.8.1", "At {}: {}.", name, describe(table, marker), target=key)
    roll = yield from roll_with_rerolls(table, approach_check(table, bomber, key), bomber.key, [bomber])
    text = "reaches" if roll else "fails to find"
    bomber.box = key if roll else bomber.box
    table.log_line("4.8.1", "{} {} {}.", pilot(table.data, bomber.key), text, name, roll, target=key)
    if not roll:
        return
    waiting = [marker for marker in box.markers if table.data.hazards.markers[marker.key].kind in (FLAK, BALLOONS)]
    while waiting and bomber.flies:
        marker = yield from choose_next_hazard(table, bomber, waiting, always=True)
        waiting.remove(marker)
        yield from _fire_from_box(table, bomber, box, marker)


def _fire_from_box(table: T, bomber: Bomber, box: Box, marker: Marker) -> Steps:
    """[4.8.2, DR100] Let flak or balloons in the box attack at once; without the S they then go back."""
    card = table.data.hazards.markers[marker.key]
    if card.kind == FLAK:
        yield from fire_flak(table, bomber, marker)
    elif not table.state.attack.high:
        yield from roll_collision(table, bomber, marker)
    if not card.stay:
        box.markers.remove(marker)
        table.state.put_back(marker)


# -- releasing -------------------------------------------------------------------------------------------------------


def bombs_away(table: T) -> Steps:
    """[4.9, 4.9.1, 4.9.2] Release: bombers over areas may, then bombers in boxes must; then the turn ends."""
    yield from _release_over_areas(table)
    for bomber in table.state.over_target():
        if bomber.box:
            yield from _release_in_box(table, bomber)
    _return_hazards(table)


def _release_over_areas(table: T) -> Steps:
    """[4.9.1, 4.6.3.H] Choose which loaded bombers over areas release, of those without an attached interceptor.

    To release over an area is certain and does little damage.
    """
    state = table.state
    cards = target_map(table).areas
    able = [
        Option(f"drop-{bomber.key}", f"{pilot_name(table.data, bomber.key)} over {cards[bomber.area].name}", bomber)
        for bomber in state.over_target()
        if bomber.loaded and not bomber.box and not attached_interceptors(table, bomber)
    ]
    question = "Which bombers drop their bombs on their area instead of a target?"
    for seat, options in options_by_seat(table, able):
        for option in (yield from table.choose_some(seat, "4.9.1", question, options)):
            bomber: Bomber = option.value
            _release(table, bomber)
            state.city.areas[bomber.area].blast += table.data.attack.detonation.area_blast
            name = cards[bomber.area].name
            who, moment = pilot(table.data, bomber.key), _first_bombs(table)
            table.log_line("4.9.1", "{} releases over {}.", who, name, target=bomber.area, moment=moment)
            state.add_to_story("area", bomber.key, bomber.area)


def _first_bombs(table: T) -> str:
    """[4.9] Return the moment of the first release over a city."""
    state = table.state
    first = state.city.tally == table.data.attack.detonation.tally
    return f"First bombs on {city_name(table.data, state.attack.city)}" if first else ""


def _release(table: T, bomber: Bomber) -> None:
    """[3.4, 4.9] Release a bomber's bombs; each release moves the tally on."""
    unload(table, bomber)
    table.state.city.tally += table.data.attack.detonation.tally


def detonation_check(table: T, bomber: Bomber, key: str) -> FaceCheck:
    """[4.9.3, 2.3.1, DR5, DR26] Return the check of a release in a box."""
    state, figures = table.state, table.data.attack.detonation
    known = table.data.flight_hazards.markers
    doors = sum(known[marker.key].detonation for marker in bomber.markers if marker.key in known)
    bonus = table.data.bombers.benefits["release"].bonus
    modifiers = [
        ("bombing", state.ratings.bombing),
        ("elite bombardier", bonus if has_benefit(table.data, bomber.elite, "release") else 0),
        ("damage", figures.damaged if bomber.hits else 0),
        ("faulty doors", doors),
        *_hazard_modifiers(table, bomber, box_at(table, key), "detonation"),
    ]
    least = target_map(table).boxes[key].blast(state.attack.light)
    return FaceCheck("4.9.3", "detonation", dice=figures.dice, at_least=least, modifiers=nonzero_modifiers(modifiers))


def _release_in_box(table: T, bomber: Bomber) -> Steps:
    """[4.9.2 to 4.9.5, DR25] Release in a box: the bombs hit it or fall into the area; the bomber leaves the box."""
    state, figures = table.state, table.data.attack.detonation
    key = bomber.box
    name = target_map(table).boxes[key].name
    roll = yield from roll_with_rerolls(table, detonation_check(table, bomber, key), bomber.key, [bomber])
    _release(table, bomber)
    bomber.box = ""
    if roll:
        box_at(table, key).blast += figures.extra_blast if state.ratings.extra_ordnance else figures.box_blast
        who, moment = pilot(table.data, bomber.key), _first_bombs(table)
        blast = box_at(table, key).blast
        table.log_line("4.9.4", "{} hits {}: its fires are now {}.", who, name, blast, roll, target=key, moment=moment)
    else:
        state.city.areas[bomber.area].blast += figures.missed_blast
        who, moment = pilot(table.data, bomber.key), _first_bombs(table)
        table.log_line("4.9.5", "{}'s bombs miss {}.", who, name, roll, target=key, moment=moment, is_miss=True)
    state.add_to_story("hit" if roll else "missed", bomber.key, key)


def _return_hazards(table: T) -> None:
    """[4.9, DR100] Return hazards, except attached ones and those with the S; also guns that were seen in boxes.

    By the card's way those that no one has seen do not wait either, so that all of them have to be turned over.
    """
    for bomber in table.state.over_target():
        for marker in list(bomber.assigned):
            _return_assigned(table, bomber, marker)
    for _, box in table.state.city.boxes:
        for marker in list(box.markers):
            if table.state.rulings.boxes == "return":
                turn_over(table, marker)
            if marker.shown and not table.data.hazards.markers[marker.key].stay:
                box.markers.remove(marker)
                table.state.put_back(marker)


# -- the end of the turn ---------------------------------------------------------------------------------------------


def end_turn(table: T) -> Steps:
    """[4.0.1, 4.0.2, DR21] End a scenario after the ninth turn, or pay a fuel; an empty map ends the attack.

    The tally and hazards with the S stay for the next flight.
    """
    state, raid, figures = table.state, table.state.attack, table.data.attack.turns
    late = raid.turn >= figures.last and not attack_is_over(table)
    if late and raid.flight:
        raid.turn = 0
        table.log_line("4.0.1", "The attack runs long: the flight uses 1 fuel.", target=raid.flight)
        for _ in range(figures.fuel):
            yield from pay_fuel(table, state.flight(raid.flight))
        for bomber in state.squad.values():
            if bomber.enters > figures.last:
                bomber.enters -= figures.last
    elif late:
        yield from resolve_late_bombers(table)
    if attack_is_over(table) or (late and not raid.flight):
        for bomber in state.squad.values():
            bomber.enters, bomber.delayed = 0, False
        state.raid = None


def resolve_late_bombers(table: T) -> Steps:
    """[4.0.1] Roll for bombers that are still over the target when an attack scenario ends: destroyed, hit, or home."""
    chart = table.data.attack.late
    for bomber in table.state.over_target():
        roll = yield from roll_with_rerolls(table, escape_check(table, bomber), bomber.key, [bomber])
        fate = chart.cell(roll.total, "fate")
        text = "escapes from" if fate == ESCAPES else f"is {fate} over"
        name, area = pilot(table.data, bomber.key), bomber.area
        if fate == ESCAPES:
            _fly_home(table, bomber)
        table.log_line("4.0.1", "{} {} the city.", name, text, roll, target=area)
        if fate == DESTROYED:
            destroy(table, bomber, "4.0.1", "the defenses")
        elif fate == DAMAGED:
            yield from hit_bomber(table, bomber, "4.0.1", "the defenses")
        if bomber.flies:
            _fly_home(table, bomber)


def _fly_home(table: T, bomber: Bomber) -> None:
    """[4.0.1] Take a bomber home at the end of an attack scenario; interceptors let it go."""
    for marker in attached_interceptors(table, bomber):
        put_back(table, bomber, marker)
    bomber.area, bomber.fate = "", "home"


def escape_check(table: T, bomber: Bomber) -> FaceCheck:
    """[4.0.1] Return the roll for a bomber that is still over the city; passed, it gets away unhurt."""
    chart, figures = table.data.attack.late, table.data.attack.fate
    modifiers = [
        (INTERCEPTOR, figures.interceptor if attached_interceptors(table, bomber) else 0),
        ("damage", figures.damaged if bomber.hits else 0),
        ("elite pilot", figures.elite_pilot if is_pilot(table, bomber) else 0),
    ]
    least, (dice, _) = lowest_total(chart, "fate", lambda cell: cell == ESCAPES), chart.dice_pool()
    return FaceCheck("4.0.1", "getting away", dice=dice, at_least=least, modifiers=nonzero_modifiers(modifiers))

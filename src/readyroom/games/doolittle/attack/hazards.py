"""[4.2, 4.3, 4.4] Hazards over the target are drawn, assigned, and evaded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import count_noun
from readyroom.games.doolittle.bombers import DESTROYED, hit_outcome, is_pilot
from readyroom.games.doolittle.figures.attack import HazardMarker
from readyroom.games.doolittle.names import pilot, pilot_name
from readyroom.games.doolittle.piece_views import public_front, unseen
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rolls import RangeCheck
from readyroom.games.doolittle.sharing import eligible_takers
from readyroom.games.doolittle.state import T, seat_of, target_map

INTERCEPTOR = "interceptor"


def card_of(table: T, marker: Marker) -> HazardMarker | None:
    """[4.6.3] Return the figures of a marker over the targets, None for one of the flight."""
    return table.data.hazards.markers.get(marker.key)


def is_fighter(table: T, marker: Marker) -> bool:
    """[4.5] Return whether the front of a marker shows an interceptor; what breaks off does too."""
    card = card_of(table, marker)
    return card is not None and table.data.hazards.kinds.kind[card.kind].front == "interceptor"


def attached_interceptors(table: T, bomber: Bomber) -> list[Marker]:
    """[4.6.3.H] Return the interceptors that are attached to a bomber."""
    return [marker for marker in bomber.markers if is_fighter(table, marker)]


def visible_face(table: T, marker: Marker) -> str:
    """[4.2] Return what may be seen of a marker: all of it once it was turned over, else its front."""
    if not marker.shown:
        return "a possible interceptor" if is_fighter(table, marker) else "a face-down hazard"
    return describe(table, marker)


def turn_over(table: T, marker: Marker) -> None:
    """[4.6.1, 4.8.1] Turn a marker over; what led to that can no longer be taken back."""
    if not marker.shown:
        marker.shown = True
        table.block_undo("a marker was turned over")
        met, text = table.state.city.met, describe(table, marker).replace("–", "-")  # as former records have it
        met[text] = met.get(text, 0) + 1
        table.state.attack.met.append(text)


def describe(table: T, marker: Marker) -> str:
    """[4.6.3] Return a marker in words, with its range or what it adds."""
    card = card_of(table, marker)
    assert card is not None
    text = table.data.hazards.kinds.kind[card.kind].title.lower()
    if card.high:
        text += f" {card.low}" if card.low == card.high else f" {card.low}–{card.high}"
    for name, value in (("approach", card.approach), ("detonation", card.detonation)):
        text += f", {name} {value:+d}".replace("-", "−") if value else ""
    return text


def fire_check(table: T, marker: Marker, *, guided: bool = False) -> RangeCheck:
    """[4.6.3.F, 4.6.3.H, 4.6.3.M, 15.4] Return the dice of a gun or a fighter."""
    card = table.data.hazards.markers[marker.key]
    kind = table.data.hazards.kinds.kind[card.kind]
    figures = table.data.attack
    dice, pick = figures.fire.dice, 0
    if guided:
        dice = figures.coordinated.high_dice if table.state.attack.high else figures.coordinated.low_dice
        pick = figures.coordinated.keep
    return RangeCheck(kind.rule, kind.title.lower(), dice=dice, at_least=card.low, highest=card.high, pick=pick)


def put_back(table: T, bomber: Bomber, marker: Marker) -> None:
    """[4.6.1, 8.3.5] Take a marker off a bomber and put it back into its cup."""
    (bomber.assigned if marker in bomber.assigned else bomber.markers).remove(marker)
    table.state.put_back(marker)


# -- placing ---------------------------------------------------------------------------------------------------------


def draw_count(table: T, area: str) -> int:
    """[4.2.2, 4.2.3] Return how many markers an area draws, by bombers, alert and detonations (DR3, DR7)."""
    state, figures = table.state, table.data.attack
    bombers = len(state.in_area(area))
    count = figures.draws.bomber * bombers + figures.draws.alert * state.security.alert
    count += figures.detonations.at(state.city.tally)
    limit = target_map(table).areas[area].hazards_max
    if state.rulings.limit == "all":
        there = state.city.areas[area]
        lying = len(there.markers) + sum(len(box.markers) for box in there.boxes.values())
        limit = max(0, limit - lying)
    return min(max(count, 0), limit)


def place_hazards(table: T) -> Steps:
    """[4.2, 4.2.1, DR4] Draw markers face down for every area with bombers."""
    state = table.state
    areas = [area for area in target_map(table).areas if state.in_area(area)]
    while areas:
        area = yield from _choose_next_area(table, areas)
        areas.remove(area)
        _draw_in_area(table, area)


def _choose_next_area(table: T, areas: Sequence[str]) -> Choice[str]:
    """[4.2, 4.2.2, DR13] Choose which area draws next if the map's cup runs out."""
    maps, state = target_map(table), table.state
    left = len(state.cups[maps.cups[state.attack.light]].contents)
    if len(areas) == 1 or sum(draw_count(table, area) for area in areas) <= left:
        return areas[0]
    options = [Option(f"area-{area}", maps.areas[area].name, area) for area in areas]
    question = f"The city's cup has only {count_noun(left, 'hazard')} left. Which area draws next?"
    return str((yield from table.choose(state.captain, "4.2", question, options)).value)


def _draw_in_area(table: T, area: str) -> None:
    """[4.2, 4.2.1] Draw the markers of an area."""
    maps, count = target_map(table), draw_count(table, area)
    cups = (maps.cups[table.state.attack.light], table.data.hazards.reserve.cup)
    drawn = [marker for _ in range(count) if (marker := draw_from(table, cups, "4.2.2", area)) is not None]
    table.state.city.areas[area].markers.extend(drawn)
    if drawn:
        name = maps.areas[area].name
        table.log_line("4.2", "{}: {} drawn.", name, count_noun(len(drawn), "hazard"), target=area)


def draw_from(table: T, cups: Sequence[str], rule: str, subject: str) -> Marker | None:
    """[4.2.2, 8.3.2, DR4, DR42] Return a marker of the first of these cups that is not empty; none if all are."""
    cup = next((table.state.cups[name] for name in cups if table.state.cups[name].contents), None)
    return None if cup is None else table.draw(cup, rule, subject)


# -- sharing out -----------------------------------------------------------------------------------------------------


def assign_hazards(table: T) -> Steps:
    """[4.3, 4.3.1] Assign every marker of an area with bombers to a target box or to one of the bombers."""
    state = table.state
    for area in target_map(table).areas:
        if state.in_area(area):
            yield from _assign_to_boxes(table, area)
            yield from _assign_to_bombers(table, area)


def _assign_to_boxes(table: T, area: str) -> Steps:
    """[4.3.1] Spread markers with the red box over the boxes; without boxes they go back (DR10, DR11)."""
    state = table.state
    there = state.city.areas[area]
    boxed = [marker for marker in there.markers if (card := card_of(table, marker)) and card.box]
    names = target_map(table).boxes
    for marker in boxed:
        if not there.boxes:
            there.markers.remove(marker)
            state.put_back(marker)
            continue
        least = min(len(box.markers) for box in there.boxes.values())
        able = [key for key, box in there.boxes.items() if len(box.markers) == least]
        options = [Option(f"box-{key}", names[key].name, key) for key in able]
        seat = seat_of(state, state.in_area(area)[0].key)
        question = "Which target gets a hazard with the red box?"
        chosen = yield from table.choose(seat, "4.3.1", question, options, piece_key=area)
        there.markers.remove(marker)
        there.boxes[chosen.value].markers.append(marker)


def _assign_to_bombers(table: T, area: str) -> Steps:
    """[4.3] Share the markers evenly, attached interceptors counted; known ones come first."""
    there, bombers = table.state.city.areas[area], table.state.in_area(area)
    markers = sorted(there.markers, key=lambda one: not one.shown)
    loads = [len(attached_interceptors(table, bomber)) for bomber in bombers]
    for left, marker in zip(range(len(markers) - 1, -1, -1), markers, strict=True):
        able = [bombers[at] for at in eligible_takers([(load,) for load in loads], left)]
        chosen = yield from _choose_taker(table, marker, able)
        loads[bombers.index(chosen)] += 1
        there.markers.remove(marker)
        chosen.assigned.append(marker)


def _choose_taker(table: T, marker: Marker, able: Sequence[Bomber]) -> Choice[Bomber]:
    """[4.3] Choose who gets a marker, if several can."""
    if len(able) == 1:
        return able[0]
    options = [
        Option(f"on-{bomber.key}", pilot_name(table.data, bomber.key), bomber, _bomber_info(table, bomber))
        for bomber in able
    ]
    area, question = able[0].area, f"Which bomber gets {visible_face(table, marker)}?"
    seat = seat_of(table.state, table.state.in_area(area)[0].key)
    return (yield from table.choose(seat, "4.3", question, options, piece_key=area)).value  # type: ignore[no-any-return]


def _bomber_info(table: T, bomber: Bomber) -> OptionInfo | None:
    texts = (["damaged"] if bomber.hits else []) + ([] if bomber.loaded else ["unloaded"])
    return OptionInfo(", ".join(texts)) if texts else None


# -- evading ---------------------------------------------------------------------------------------------------------


def evasion_limit(table: T) -> int:
    """[4.4.1, 13.4.6, 13.4.8] Return how many hazards an area's bombers evade."""
    state = table.state
    return state.ratings.evasion + (state.ratings.night_evasion if state.attack.light == "night" else 0)


def evade_hazards(table: T) -> Steps:
    """[4.4, 4.4.1] Let low bombers evade hazards, which stay in the area until all is resolved (DR8, DR9)."""
    state = table.state
    if ("high" if state.attack.high else "low") != table.data.attack.evasion.altitude:
        return
    for area, card in target_map(table).areas.items():
        bombers, question = state.in_area(area), f"Which hazards over {card.name} do you evade?"
        yield from _evade_up_to(table, area, bombers, question, evasion_limit(table))
        for bomber in bombers:
            if is_pilot(table, bomber):
                question = f"Which other hazards does {pilot_name(table.data, bomber.key)} (elite pilot) evade?"
                yield from _evade_up_to(table, area, [bomber], question, state.ratings.elite_evasion)


def _evade_up_to(table: T, area: str, bombers: Sequence[Bomber], question: str, most: int) -> Steps:
    """[4.4.1, 13.4.6] Evade up to a number of hazards of these bombers."""
    held = [
        (bomber, marker) for bomber in bombers for marker in (*bomber.assigned, *attached_interceptors(table, bomber))
    ]
    if not held:
        return
    options = []
    for at, (bomber, marker) in enumerate(held, start=1):
        text = f"{visible_face(table, marker)} on {pilot_name(table.data, bomber.key)}"
        options.append(Option(f"evade-{at}", text, (bomber, marker)))
    seat = seat_of(table.state, bombers[0].key)
    chosen = yield from table.choose_some(
        seat, "4.4.1", question, options, at_most=most, piece_key=area, info=lambda one: _harm_info(table, *one.value)
    )
    for option in chosen:
        bomber, marker = option.value
        (bomber.assigned if marker in bomber.assigned else bomber.markers).remove(marker)
        table.state.city.areas[area].markers.append(marker)
        name, face = pilot(table.data, bomber.key), visible_face(table, marker)
        table.log_line("4.4.1", "{} evades {}.", name, face, target=bomber)


def _harm_info(table: T, bomber: Bomber, marker: Marker) -> OptionInfo:
    """[4.6.3, 2.1.3] Return what a hazard may do to a bomber; face down it may be any that looks like it."""
    data, front = table.data, public_front(table.data, marker)
    kinds = data.hazards.kinds.kind
    effect = kinds[data.hazards.markers[marker.key].kind].effect if marker.shown else ""
    verb = "destroys" if hit_outcome(table, bomber) == DESTROYED else "damages"
    if effect == "parity" and verb == "damages":
        figures = data.attack.collision
        return OptionInfo(
            "if not evaded, damages the bomber; destroys it", [figures.of(face) for face in (1, 2)].count(DESTROYED) / 2
        )
    if effect and not _hit_odds(table, marker):
        return OptionInfo("does not hit the bomber")
    possible = [marker] if marker.shown else [one for one in unseen(table.state) if public_front(data, one) == front]
    return OptionInfo(
        f"if not evaded, {verb} the bomber", float(sum(_hit_odds(table, one) for one in possible) / len(possible))
    )


def _hit_odds(table: T, marker: Marker) -> Fraction:
    """[4.6.3] Return the probability that a hazard hits a low bomber; balloons and chimneys always do."""
    effect = table.data.hazards.kinds.kind[table.data.hazards.markers[marker.key].kind].effect
    return fire_check(table, marker).odds() if effect in ("range", "interceptor") else Fraction(effect == "parity")

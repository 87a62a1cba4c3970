"""[4.5, 4.6] Gunnery over the target, and the effect of each hazard."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.attack.hazards import (
    INTERCEPTOR,
    attached_interceptors,
    card_of,
    describe,
    fire_check,
    is_fighter,
    put_back,
    turn_over,
    visible_face,
)
from readyroom.games.doolittle.bombers import DESTROYED, destroy, has_benefit, hit_bomber, tied_medals, use_benefit
from readyroom.games.doolittle.figures.attack import BenefitName, HazardMarker
from readyroom.games.doolittle.names import pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rolls import EvenCheck, HitCheck, ShakeOffCheck, roll_with_rerolls
from readyroom.games.doolittle.state import T, ask, target_map

AVERTING: tuple[BenefitName, ...] = ("re-roll", "ignore-damage", "gunnery")
"""[2.3.5, 2.3.7] The benefits that avert what a hazard does."""
DOUBLES = 2
"""[15.3, DR134] How many dice show doubles; guided flak has more of them."""


# -- gunnery ---------------------------------------------------------------------------------------------------------


def gunnery_check(table: T, bomber: Bomber, rule: str = "4.5.1") -> HitCheck:
    """[4.5.1] Return the dice of a bomber's guns: its rating less what is jammed or cracked."""
    figures = table.data.attack.gunnery
    known = table.data.flight_hazards.markers
    broken = sum(known[marker.key].gunnery for marker in bomber.markers if marker.key in known)
    transit = table.data.embarkation.cup.markers
    broken += sum(transit[marker.key].gunnery for marker in bomber.markers if marker.key in transit)
    return HitCheck(rule, "gunnery", max(0, table.state.ratings.gunnery + broken), face=figures.hit)


def gunnery(table: T) -> Steps:
    """[4.5, 2.3.5] Let each bomber fire at one interceptor; an elite gunner may drive off another one."""
    for bomber in table.state.over_target():
        fired = False
        while not fired:
            fighters = [marker for marker in (*bomber.assigned, *bomber.markers) if is_fighter(table, marker)]
            aim = (yield from _choose_aim(table, bomber, fighters)) if fighters else None
            if aim is None:
                break
            marker, fired = aim
            if fired:
                yield from _fire_guns(table, bomber, marker)
            else:
                put_back(table, bomber, marker)
                use_benefit(table, bomber)


def _choose_aim(table: T, bomber: Bomber, fighters: Sequence[Marker]) -> Choice[tuple[Marker, bool] | None]:
    """[4.5, 2.3.5] Choose at what a bomber fires, with its guns or by its elite gunner; it may hold fire."""
    check = gunnery_check(table, bomber)
    named = [(str(at), visible_face(table, one), one) for at, one in enumerate(fighters, start=1)]
    drives, surely = OptionInfo("drives it off", float(check.odds())), OptionInfo("drives it off", 1.0)
    options = [Option(f"fire-{at}", f"fire at {what}", (one, True), drives) for at, what, one in named if check.dice]
    if has_benefit(table.data, bomber.elite, "gunnery"):
        text = "the elite gunner drives off"
        options += [Option(f"gunner-{at}", f"{text} {what}", (one, False), surely) for at, what, one in named]
    if not options:
        return None
    options.append(Option("hold", "hold fire", None))
    question = f"What does {pilot_name(table.data, bomber.key)} fire at?"
    return (yield from ask(table, bomber, "4.5", question, options)).value  # type: ignore[no-any-return]


def _fire_guns(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[4.5.1] Fire the guns of a bomber at an interceptor."""
    roll = yield from roll_with_rerolls(table, gunnery_check(table, bomber), bomber.key, [bomber])
    text = "drives off" if roll else "misses"
    if roll:
        put_back(table, bomber, marker)
    table.log_line("4.5.1", "{} {} the interceptor.", pilot(table.data, bomber.key), text, roll, target=bomber)


def shoot_off_attached(table: T) -> Steps:
    """[2.3.5, 4.7] Let elite gunners shoot at attached interceptors before bombers leave or release."""
    for bomber in table.state.over_target():
        for marker in attached_interceptors(table, bomber):
            if (yield from offer_gunner(table, bomber, describe(table, marker))):
                put_back(table, bomber, marker)


# -- resolving -------------------------------------------------------------------------------------------------------


def resolve(table: T) -> Steps:
    """[4.6, 4.6.1] Turn over all assigned hazards one after the other and apply them; then the evaded ones."""
    state = table.state
    for bomber in state.over_target():
        waiting = [*bomber.assigned, *attached_interceptors(table, bomber)]
        while waiting and bomber.flies:
            marker = yield from choose_next_hazard(table, bomber, waiting)
            waiting.remove(marker)
            turn_over(table, marker)
            yield from _apply_hazard(table, bomber, marker)
    for area in target_map(table).areas:
        _turn_over_evaded(table, area)


def can_avert(table: T, bomber: Bomber) -> bool:
    """[2.3.5, 2.3.7, 12.6.6.G] Return whether an elite crewman or medals can still avert what a hazard does."""
    return any(has_benefit(table.data, bomber.elite, name) for name in AVERTING) or bool(tied_medals(table, bomber))


def choose_next_hazard(table: T, bomber: Bomber, waiting: Sequence[Marker], *, always: bool = False) -> Choice[Marker]:
    """[4.6.1, 4.8.2, DR147] Choose which hazard comes next if something aboard may avert one.

    `always`: also where no one can, since what is left over waits for the next bomber.
    """
    fronts = {_marker_label(table, marker): marker for marker in reversed(waiting)}
    if len(fronts) == 1 or not (always or can_avert(table, bomber)):
        return waiting[0]
    options = [Option(f"first-{waiting.index(one) + 1}", text, one) for text, one in reversed(fronts.items())]
    question = f"Which of {pilot_name(table.data, bomber.key)}'s hazards is resolved next?"
    return (yield from ask(table, bomber, "4.6.1", question, options)).value  # type: ignore[no-any-return]


def _marker_label(table: T, marker: Marker) -> str:
    """[4.6.1] Return what may be seen of a marker, its S included."""
    card = card_of(table, marker)
    return visible_face(table, marker) + (", stays" if marker.shown and card is not None and card.stay else "")


def _turn_over_evaded(table: T, area: str) -> None:
    """[4.6.1, DR16] Turn over the evaded hazards: those with the S stay, the others go back; a carrier is sighted."""
    there = table.state.city.areas[area]
    for marker in list(there.markers):
        card = card_of(table, marker)
        assert card is not None
        if not marker.shown:
            turn_over(table, marker)
            table.log_line("4.6.1", "The evaded hazard is turned over: {}.", describe(table, marker), target=area)
        if table.data.hazards.kinds.kind[card.kind].effect == "carrier":
            there.markers.remove(marker)
            _sight_carrier(table, marker)
        elif not card.stay:
            there.markers.remove(marker)
            table.state.put_back(marker)


def _apply_hazard(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[4.6.3, 4.6.3.B, 4.6.3.I] Apply a hazard to a bomber; one that modifies checks stays with it for the turn."""
    card = card_of(table, marker)
    assert card is not None
    kind = table.data.hazards.kinds.kind[card.kind]
    if kind.effect == "carrier":
        bomber.assigned.remove(marker)
        _sight_carrier(table, marker)
    elif kind.low_only and table.state.attack.high:
        facts = (pilot(table.data, bomber.key), describe(table, marker))
        table.log_line(kind.rule, "{} flies too low for {}.", *facts, target=bomber, is_miss=True)
    elif kind.effect == "range":
        yield from fire_flak(table, bomber, marker, coordinated=True)
    elif kind.effect == "interceptor":
        yield from _roll_interceptor(table, bomber, marker)
    elif kind.effect == "parity":
        yield from roll_collision(table, bomber, marker)
    else:
        table.log_line(kind.rule, "{}: {}.", pilot(table.data, bomber.key), describe(table, marker), target=bomber)
    _put_down(table, bomber, marker, card)


def _put_down(table: T, bomber: Bomber, marker: Marker, card: HazardMarker) -> None:
    """[4.6.1] Put a resolved hazard back, unless it has the S, is attached, or modifies checks."""
    if marker in bomber.assigned and not card.stay and not (card.approach or card.detonation):
        put_back(table, bomber, marker)


def _sight_carrier(table: T, marker: Marker) -> None:
    """[4.6.3.K] Sight a carrier under construction in the shipping of her bay (DR16)."""
    state = table.state
    maps = target_map(table)
    key = maps.carrier_box
    name = table.data.hazards.kinds.kind[table.data.hazards.markers[marker.key].kind].title
    if not key:
        state.out.append(marker)
        return
    state.city.areas[maps.area_of[key]].boxes[key].markers.append(marker)
    text = "{}, a carrier under construction, is sighted at {}."
    table.reveal("4.6.3.K", text, name, maps.boxes[key].name, target=key)
    state.add_to_story("carrier", name, key)


def is_guided(table: T, bomber: Bomber, marker: Marker) -> bool:
    """[15.4] Return whether searchlights guide the flak, by the optional rule; they are then turned over."""
    if table.state.rulings.coordinated == "no" or table.data.hazards.markers[marker.key].kind != "flak":
        return False
    lights = [one for one in bomber.assigned if (card := card_of(table, one)) and card.kind == "searchlights"]
    for one in lights:
        turn_over(table, one)
    return bool(lights)


def fire_flak(table: T, bomber: Bomber, marker: Marker, *, coordinated: bool = False) -> Steps:
    """[4.6.3.F, 4.6.3.M, 15.3, DR135] Fire guns at a bomber; by the optional rule flak fires again after doubles."""
    check = fire_check(table, marker, guided=coordinated and is_guided(table, bomber, marker))
    while bomber.flies:
        roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber], wanted=False)
        gun, text = describe(table, marker).capitalize(), "hits" if roll else "misses"
        table.log_line(check.rule, "{} {} {}.", gun, text, pilot(table.data, bomber.key), roll, target=bomber)
        if roll:
            yield from hit_bomber(table, bomber, check.rule, check.name)
        doubles = len(roll.dice) == DOUBLES and len(set(roll.dice)) == 1
        if table.state.rulings.tracers == "no" or check.name != "flak" or not doubles:
            return


def roll_collision(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[4.6.3.A, 4.6.3.D, DR14] Roll a die for balloons, wires or chimneys, which damage or destroy a bomber."""
    kind = table.data.hazards.kinds.kind[table.data.hazards.markers[marker.key].kind]
    figures = table.data.attack.collision
    check = EvenCheck(kind.rule, kind.title.lower())
    roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber], wanted=figures.even != DESTROYED)
    result = figures.of(roll.dice[0])
    name = pilot(table.data, bomber.key)
    table.log_line(kind.rule, "{} rolls for {}: {}.", name, check.name, result, roll, target=bomber)
    if result == DESTROYED:
        destroy(table, bomber, kind.rule, check.name)
    else:
        yield from hit_bomber(table, bomber, kind.rule, check.name)


def _roll_interceptor(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[4.6.3.H, 2.3.5] Roll for a fighter: it hits, breaks off, or attaches; an elite gunner may act first.

    Above its range it is shaken off, below it the bomber is left behind.
    """
    if (yield from offer_gunner(table, bomber, describe(table, marker))):
        put_back(table, bomber, marker)
        return
    card, dice = table.data.hazards.markers[marker.key], table.data.attack.fire.dice
    check = ShakeOffCheck("4.6.3.H", INTERCEPTOR, dice=dice, lowest=card.low, at_least=card.high + 1)
    roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber])
    hangs = roll.total < check.lowest
    text = "breaks off" if roll else "stays attached" if hangs else "hits"
    what, name = describe(table, marker), pilot(table.data, bomber.key)
    if not hangs:
        put_back(table, bomber, marker)
    elif marker in bomber.assigned:
        bomber.assigned.remove(marker)
        bomber.markers.append(marker)
    table.log_line("4.6.3.H", "The {} attacking {} {}.", what, name, text, roll, target=bomber)
    if text == "hits":
        yield from hit_bomber(table, bomber, "4.6.3.H", INTERCEPTOR)


def offer_gunner(table: T, bomber: Bomber, what: str) -> Choice[bool]:
    """[2.3.5] Choose whether the elite gunner drives a fighter off that is about to attack."""
    if not has_benefit(table.data, bomber.elite, "gunnery"):
        return False
    options = [Option("fire", "drive it off"), Option("wait", "hold fire")]
    question = f"{pilot_name(table.data, bomber.key)} is under attack by {what}. Does the elite gunner fire?"
    chosen = yield from ask(table, bomber, "2.3.5", question, options)
    if chosen.key == "fire":
        use_benefit(table, bomber)
    return bool(chosen.key == "fire")

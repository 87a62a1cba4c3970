"""[8.3, 8.4] Flying: entry of waves, movement, takeoff, landing and return to the carriers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import agree, count_noun
from readyroom.games.tora.battle.day import take_off
from readyroom.games.tora.battle.reach import formations, without
from readyroom.games.tora.battle.reaction import describe_zone, may_react, note_entry
from readyroom.games.tora.battle.waves import deal_loads, drawn_up, form_wave, may_fly, order_of
from readyroom.games.tora.figures import JAPAN, USA, SideName
from readyroom.games.tora.odds import red_cards
from readyroom.games.tora.plans.data import THIRD, Group, Ordnance
from readyroom.games.tora.state import AirUnit, Field, T, Tora, Wave, ring, seat_of

STAY, DIVIDE, CARRIERS = "stay", "divide", "carriers"
FLY, PART, WAIT, SKIP, OFF = "fly", "part", "wait", "skip", "off"


def arrive(table: T) -> Steps:
    """[7.3, 8.1] Place a due wave in its sectors of ring 3; its units have moved."""
    state, japan, turn = table.state, table.state.japan, table.state.at.turn
    steps = _next_wave(table)
    if state.rulings.questions == "always" and japan.entered < state.rulings.waves_max:
        steps = table.always_asks(japan.commander, "13.1", "No wave enters this turn.", steps)
    wave = japan.waves[0] if japan.waves else (yield from steps)
    if wave is None:
        return
    japan.entered = wave.number
    first = "The first wave arrives over Oahu" if not any(state.japanese_aloft()) and wave.number == 1 else ""
    earlier: dict[str, str] = {}
    for sector in list(wave.sectors):
        units = wave.sectors.pop(sector)
        for unit in units:
            unit.acted = turn
        state.zones[sector].japan += units
        moment = "" if wave.sectors else first  # once all of it is there
        after = KeyedText(f"; already there: {' and '.join(earlier.values())}", *earlier) if moment and earlier else ""
        table.reveal(
            "8.1", "Wave {} enters over {}: {}{}.", wave.number, sector, units, after, target=sector, moment=moment
        )
        earlier[sector] = f"{AirUnit.describe_many(units, table.data)} over {sector}"
    japan.waves.remove(wave)
    note_entry(table)


def _next_wave(table: T) -> Choice[Wave | None]:
    """[7.3, 13.1] Return the next wave if it is due (T6), fits into the 48 units, and is sent (T33)."""
    state, japan, number = table.state, table.state.japan, table.state.japan.entered + 1
    if not more_waves(state) or order_of(japan, number).turn > state.at.turn:
        return None
    able = [(group, unit) for group, units in drawn_up(state, number) for unit in units]
    if not able:
        _postpone_or_cancel(table, number)
        return None
    most = table.data.air.limits.in_play_units
    room = most - len(list(state.japanese_aloft()))
    if room < 1:
        template = "Wave {} must wait: {} units are already in play."
        table.log_line("7.3", template, number, most, audience=state.readers(JAPAN))
        return None
    flying, ordered = min(len(able), room), order_of(japan, number).units
    hint = _sortie_hint(state, table.data.planning.waves.sortie)
    options = [
        Option(FLY, f"enter with {flying} of {ordered} units", info=hint),
        Option(PART, "enter with some of the units"),
        Option(WAIT, "wait a turn"),
        Option(OFF, "cancel all further waves"),
    ]
    if state.rulings.waves_max > number < len(japan.plan.wave):  # type: ignore[union-attr]
        options.insert(3, Option(SKIP, f"skip this wave; wave {number + 1} is still to come"))
    question = f"Wave {number} is due. Does it enter?"
    chosen = yield from table.choose(japan.commander, "13.1", question, options, piece_key=f"enter:{number}")
    if chosen.key == OFF:
        call_off(table)
    if chosen.key == SKIP:
        japan.entered, japan.skipped = number, japan.skipped + 1
        table.log_line("13.1", "Japan skips wave {}.", number, audience=state.readers(JAPAN))
    if chosen.key not in (FLY, PART):
        return None
    units = [unit for _, unit in able][:flying]
    if chosen.key == PART:
        units = yield from _some_of(table, number, able, flying)
    wave = form_wave(state, number, units)
    deal_loads(table, wave)
    return wave


def _some_of(table: T, number: int, able: list[tuple[Group, AirUnit]], most: int) -> Choice[list[AirUnit]]:
    """[7.3, 13.1] Choose the units of a wave that enter; the others stay aboard."""
    options = [Option(unit.key, f"{unit} to {group.sector}{group.ordnance.phrase}", unit) for group, unit in able]
    chosen = yield from table.choose_some(
        table.state.japan.commander,
        "7.3",
        f"Which units of wave {number} enter? There is room for {most}.",
        options,
        at_least=1,
        at_most=most,
        piece_key=f"enter:{number}:units",
    )
    return [option.value for option in chosen]


def reconsider_wave(table: T) -> Steps:
    """[13.1] When all aircraft are back before the next wave is due, ask whether it is still sent (T33)."""
    state, japan = table.state, table.state.japan
    if any(unit.recovered == state.at.turn for unit in japan.carriers):
        steps = _reconsider(table, japan.entered + 1)
        if state.rulings.questions == "always":
            steps = table.always_asks(japan.commander, "13.1", "All aircraft are aboard. The next wave is due.", steps)
        yield from steps


def _reconsider(table: T, number: int) -> Steps:
    """[13.1] Ask whether the next wave is still sent, unless it is due at once (T33)."""
    state, japan, turn = table.state, table.state.japan, table.state.at.turn
    due = order_of(japan, number).turn
    could_fly = any(units for _, units in drawn_up(state, number))
    if due <= turn + 1 and could_fly:
        return
    when = f"on turn {due}, as planned" if due > turn else "when it is ready"
    options = [Option(FLY, f"yes, {when}"), Option(OFF, "no, cancel all further waves")]
    question = f"All aircraft are aboard. Do you still send wave {number}?"
    chosen = yield from table.choose(japan.commander, "13.1", question, options, piece_key=f"enter:{number}")
    if chosen.key == OFF:
        call_off(table)


def _sortie_hint(state: Tora, turns: int) -> OptionInfo:
    """[13.3] Describe the chance that no black card is drawn during a direct sortie; the deck is known."""
    begins, last = state.rulings.luck_from, state.at.turn + turns - 1
    cards = max(0, last - max(begins, state.at.turn) + 1) if begins else 0
    left, black = len(state.luck.contents), sum(card.black for card in state.luck.contents)
    safe = float(red_cards(cards, left - black, black))
    return OptionInfo(f"a direct sortie takes {turns} turns; no black card drawn by then", safe)


def more_waves(state: Tora) -> bool:
    """[7.3, 16.6] Return whether a wave is still to come: planned, allowed and not cancelled."""
    japan = state.japan
    assert japan.plan is not None
    return not japan.off and japan.entered < min(len(japan.plan.wave), state.rulings.waves_max)


def _postpone_or_cancel(table: T, number: int) -> None:
    """[7.3, 16.3] Delay a wave without ready units if some may become ready; otherwise cancel it.

    Only a third wave can have none, so no further one comes. Units of the first wave may still join it while they are
    out, or rearm (T6). The enemy sees waves that entered, but not this.
    """
    state, turn, rearm = table.state, table.state.at.turn, table.state.rulings.rearm
    types = {group.type for group in order_of(state.japan, number).group}
    flown = (unit for unit in (*state.japan.carriers, *state.japanese_aloft()) if unit.wave == 1 and unit.type in types)
    if number == THIRD and any(not may_fly(unit, number, turn, rearm) for unit in flown):
        table.log_line("7.3", "No aircraft are ready for wave {} yet.", number, audience=state.readers(JAPAN))
        return
    table.log_line("7.3", "Wave {} is cancelled: no aircraft are left.", number, audience=state.readers(JAPAN))
    state.japan.off = True


def call_off(table: T) -> None:
    """[13.1] Cancel all further waves."""
    table.state.japan.off = True
    table.log_line("13.1", "Japan cancels all further waves.", audience=table.state.readers(JAPAN))


# -- moving ----------------------------------------------------------------------------------------------------------


def move(table: T, side: SideName, number: int) -> Steps:
    """[8.3, 16.4] Aircraft of a ring that have not attacked may move one zone."""
    state, turn = table.state, table.state.at.turn
    if side == USA and not may_react(table, "airfield"):
        return
    for zone in table.data.places.zones_of(number):
        units = [unit for unit in state.zones[zone].of(side) if unit.acted != turn]
        if units:
            yield from _order(table, side, zone, units)


class Part(NamedTuple):
    """[8.3] A formation and where it flies, without the other units of its zone."""

    units: list[AirUnit]
    way: Option


def _order(table: T, side: SideName, zone: str, units: list[AirUnit]) -> Steps:
    """[8.3] All units of a zone stay, fly to one place, or are divided; or one formation flies, then the rest (T31)."""
    while units:
        ways = _ways(table, side, zone, units)
        chosen = yield from _where(table, side, zone, units, ways)
        if chosen.key == STAY:
            return
        if chosen.key == DIVIDE:
            yield from _divide(table, side, zone, units, ways)
            return
        part = chosen.value if isinstance(chosen.value, Part) else Part(units, chosen)
        _go(table, side, zone, part.way, part.units)
        units = without(units, part.units)


def _where(table: T, side: SideName, zone: str, units: list[AirUnit], ways: list[Option]) -> Choice[Option]:
    """[8.3] Ask where the units of a zone fly: all of them, or one of several formations."""
    whole = [way for way in ways if _is_open(way, units)]
    divide = [Option(DIVIDE, "divide the units")] if len(units) > 1 else []
    chosen: Option = yield from table.choose(
        seat_of(table.state.side(side), zone),
        "8.3",
        f"Over {zone}: {AirUnit.describe_many(units, table.data)}. Where do they fly?",
        [Option(STAY, "stay"), *whole, *divide, *_parts(table, side, zone, ways)],
        unavailable=lambda: _no_ways(table, side, zone, whole),
        piece_key=f"move:{zone}",
    )
    return chosen


def _parts(table: T, side: SideName, zone: str, ways: list[Option]) -> Iterator[Option]:
    """[8.3] Yield the ways of each formation by itself, if there are several; earlier versions did not offer them."""
    found = list(formations(table.state, side, zone)) if table.state.rulings.questions == "always" else []
    for formation in found if len(found) > 1 else ():
        for way in ways:
            if _is_open(way, formation.units):
                key = f"{formation.type}:{formation.ordnance.value}:{way.key}"
                yield Option(key, f"{formation.title} {way.text}, then the rest", Part(formation.units, way))


def _is_open(way: Option, units: list[AirUnit]) -> bool:
    """[8.4] Return whether a way is open to all units; fields take some types, as long as there are places."""
    return not isinstance(way.value, Runway) or way.value.takes(units)


def _divide(table: T, side: SideName, zone: str, units: list[AirUnit], ways: list[Option]) -> Steps:
    """[8.3] Choose for each way in turn which units take it; the rest stay."""
    for way in ways:
        going = yield from table.choose_some(
            seat_of(table.state.side(side), zone),
            "8.3",
            f"Over {zone}: which of these fly {way.text}?",
            [unit for unit in units if not isinstance(way.value, Runway) or unit.type in way.value.types],
            at_most=way.value.room if isinstance(way.value, Runway) else None,
            piece_key=f"move:{zone}:{way.key}",
        )
        if going:
            _go(table, side, zone, way, going)
            units = without(units, going)


class Runway(NamedTuple):
    """[8.4] A field to land on: types allowed, and free places (T14)."""

    field: Field
    types: set[str]
    room: int

    def takes(self, units: list[AirUnit]) -> bool:
        """Return whether all units may land."""
        return len(units) <= self.room and all(unit.type in self.types for unit in units)


def _ways(table: T, side: SideName, zone: str, units: list[AirUnit]) -> list[Option]:
    """[8.3, 8.4] Return destinations: adjacent zones (T9), the carriers from ring 3, American fields below (T14)."""
    state = table.state
    near = table.data.places.near(zone, state.rulings.diagonal == "yes")
    ways = [Option(other, f"to {other}") for other in near]
    if side == JAPAN:
        if zone in table.data.places.sectors:
            ways.append(Option(CARRIERS, "home to the carriers"))
    elif state.rulings.landing == "yes":
        flown = {unit.type for unit in units}
        for field in state.usa.fields:
            if field.zone == zone:
                types = {key for key in flown if field.key in table.data.air.types[key].fields}
                if types:
                    ways.append(Option(field.key, f"to land at {field}", Runway(field, types, field.room)))
    return ways


def _no_ways(table: T, side: SideName, zone: str, whole: list[Option]) -> Iterator[Unavailable]:
    """[5.10, 8.3, 8.4, 16.3] Yield destinations that are not open to all units, with the reasons (T14)."""
    offered = {way.key for way in whole}
    for other in table.data.places.zone_ids:
        if other not in offered and other != zone:
            reason = f"{other} does not adjoin {zone}; aircraft move one zone a turn."
            yield Unavailable(other, f"to {other}", "T9", reason)
    if side == JAPAN and CARRIERS not in offered:
        yield Unavailable(CARRIERS, "home to the carriers", "16.3", "Aircraft return to the carriers only from ring 3.")
    for field in table.state.usa.fields if side == USA else ():
        if field.key not in offered:
            if table.state.rulings.landing == "no":
                rule, reason = "T14", "American fighters cannot land once they are in the air."
            elif field.zone != zone:
                rule, reason = "8.4", f"{field} is in {field.zone}; only aircraft over that zone can land there."
            else:
                rule, room = "5.10", count_noun(field.room, "free place")
                reason = f"{field} has {room} and takes types of its service only; divide the units."
            yield Unavailable(field.key, f"to land at {field}", rule, reason)


def _go(table: T, side: SideName, zone: str, way: Option, units: list[AirUnit]) -> None:
    """[8.3] Move units to a zone, to the carriers [16.3] or to a field [8.4]; they have moved."""
    state, turn = table.state, table.state.at.turn
    here = state.zones[zone].of(side)
    here[:] = without(here, units)
    for unit in units:
        unit.acted = turn
    if way.key == CARRIERS:
        recover(table, units)
    elif isinstance(way.value, Runway):
        way.value.field.stacks += [[unit] for unit in units]
        field = way.value.field
        table.log_line("8.4", "{} {} at {}.", units, agree(len(units), "lands", "land"), field, target=field)
    else:
        state.zones[way.key].of(side).extend(units)
        acts = agree(len(units), "flies", "fly")
        ends = (f"{describe_zone(end)} ({end})" for end in (zone, way.key))
        table.log_line("8.3", "{} {} from {} to {}.", units, acts, *ends, target=way.key)
        if side == JAPAN:
            note_entry(table)


def recover(table: T, units: list[AirUnit]) -> None:
    """[16.3, 7.3] Return units from ring 3 to the carriers and take off their ordnance (T6)."""
    for unit in units:
        unit.recovered, unit.ordnance = table.state.at.turn, Ordnance.NONE
    table.state.japan.carriers += units
    returns = agree(len(units), "returns", "return")
    table.log_line("16.3", "{} {} to the carriers.", units, returns, target=CARRIERS)


# -- taking off ------------------------------------------------------------------------------------------------------


def launch(table: T, number: int) -> Steps:
    """[5.5, 8.4] Launch up to two or three units per field of a ring, by alert level; top units first [5.11]."""
    usa = table.state.usa
    if not may_react(table, "airfield"):
        return
    count = launches(table, usa.alert("airfield"))
    for field in usa.fields:
        if ring(field.zone) == number:
            yield from _launch(table, field, count)


def launches(table: T, alert: int) -> int:
    """[5.5] Return how many units a field may launch at an alert."""
    return table.data.planning.readiness.launches[alert - 1]


def _launch(table: T, field: Field, count: int) -> Steps:
    """[5.5, T11] Choose units to take off; units under them may follow within the limit."""
    tops = [stack[-1] for stack in field.stacks]
    seat, usa = seat_of(table.state.usa, field.zone), table.state.usa
    while count:
        going: list[AirUnit] = yield from table.choose_some(
            seat,
            "5.5",
            f"Which units take off from {field}? At most {count}.",
            [unit for unit in tops if unit.acted != table.state.at.turn],
            at_most=count,
            unavailable=lambda: _still_below(field, table.state.at.turn),
            piece_key=f"launch:{field.key}",
            select_all_default=True,
        )
        if not going:
            return
        count -= len(going)
        tops = [stack[-2] for stack in field.stacks if stack[-1] in going and len(stack) > 1]
        for unit in going:
            take_off(field, unit)
            unit.acted = table.state.at.turn
            table.state.zones[field.zone].usa.append(unit)
        takes = agree(len(going), "takes", "take")
        table.log_line("8.4", "{} {} off from {}.", going, takes, field, target=field)
    fewer = launches(table, usa.alert("airfield")) < launches(table, table.data.planning.alert.top)
    if tops and fewer and table.state.rulings.questions == "always":
        yield from table.ask_to_continue(seat, "5.5", f"No more units may take off from {field}.")


def _still_below(field: Field, turn: int) -> Iterator[Unavailable]:
    """[5.11, 8.4] Yield units that cannot take off: under another unit, or landed this turn."""
    for stack in field.stacks:
        if stack[-1].acted == turn:
            yield Unavailable(stack[-1].key, str(stack[-1]), "8.4", f"{stack[-1]} landed this turn.")
        for unit in stack[:-1]:
            reason = f"{unit} is parked under {stack[-1]}, which must take off first."
            yield Unavailable(unit.key, str(unit), "5.11", reason)

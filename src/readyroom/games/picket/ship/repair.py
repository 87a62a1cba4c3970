"""[7.7 to 7.12] Damage control: fires, all hands, work assignments, and repairs."""

from __future__ import annotations

from collections.abc import Container, Sequence

from readyroom.engine.rules.checks import Check, signed
from readyroom.engine.rules.decisions import BudgetGroup, Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket.combat.guns import masked_heights
from readyroom.games.picket.figures.common import BEARINGS, SECTIONS, Section
from readyroom.games.picket.rolls import DieRoll, die, reach
from readyroom.games.picket.ship.crew import at_work, called_away, name_of, section_of_gear
from readyroom.games.picket.ship.damage import MACHINERY, flood, hit_room, sink, wreck
from readyroom.games.picket.state import CAPTAIN, CHIEFS, DAMAGED, OFFICERS, START, Mount, Room, Side, T
from readyroom.games.picket.text import leaning, leans

LOCKERS: dict[Section, str] = {"forward": "repair-locker-1", "midship": "repair-locker-2", "aft": "repair-locker-3"}
WATER: dict[Side, str] = {
    "port": "port side",
    "starboard": "starboard side",
    "bow": "by the bow",
    "stern": "by the stern",
}
"""[7.4.J] The sides of counter-flooding as text."""
ENGINEERS = (*MACHINERY, "steering-room")
"""[7.7.F] The compartments in which the engineering officer may work."""


def damage_control(table: T) -> Steps:
    """[7.5, 7.7.A, 7.8] Fight fires, assign men, and attempt repairs, after a wave or once a phase (P33)."""
    ship = table.state.ship
    if not _hurt(table):
        return
    deck_fires(table)
    if ship.lost:
        return
    yield from all_hands(table)
    if ship.lost:
        return
    yield from _officers(table)
    _recall(table)
    yield from _parties(table)
    tried = {key for key, space in ship.spaces.items() if space.tried}
    yield from _attempt_repairs(table, tried)
    _water_lines(table)
    yield from _counter_flood(table)


def _hurt(table: T) -> bool:
    """Return whether anything burns, leaks, lists or is broken."""
    ship = table.state.ship
    parts: list[Room | Mount] = [*ship.rooms.values(), *ship.mounts.values()]
    broken = any(part.hits for part in parts)
    spaces = any(space.boxes for space in ship.spaces.values())
    gear = any(gear.hits == DAMAGED for gear in ship.gear.values())
    return bool(broken or spaces or gear or ship.heel or ship.trim or ship.water_lines or any(ship.fires.values()))


# -- fires -----------------------------------------------------------------------------------------------------------


def deck_fires(table: T) -> None:
    """[7.8.1.A, 7.8.1.B, 7.8.1.C, 7.8.1.E] Roll up to two dice for each burning deck (P35).

    A failure on a full track loses the ship.
    """
    ship, figures = table.state.ship, table.data.damage.deck_fires
    for section in SECTIONS:
        for _ in range(figures.rolls):
            if not ship.fires[section] or ship.lost:
                break
            rolled = die(table, "7.8.1", f"fire-{section}")
            if rolled + (figures.water_lines if ship.water_lines else 0) <= figures.out_to:
                ship.fires[section] = 0
                table.log_line("7.8.1", "The fires on the {} deck are out.", section, rolled)
            elif ship.fires[section] >= table.data.ship.tracks.deck_fires:
                table.log_line("7.8.1.D", "The fires on the {} deck are out of control.", section, rolled)
                sink(table, "7.8.1.D", "lost to fire")
            else:
                ship.fires[section] += 1
                table.log_line("7.8.1.C", "The fires on the {} deck spread.", section, rolled)


# -- all hands -------------------------------------------------------------------------------------------------------


def damaged_share(table: T) -> tuple[int, int]:
    """[7.7.L] Return the number of damaged or destroyed compartments, and of all in this game (P37)."""
    ship = table.state.ship
    rooms = [not room.whole for room in ship.rooms.values()]
    if table.state.plan.advanced:
        rooms += [not space.whole for space in ship.spaces.values()]
    return sum(rooms), len(rooms)


def half_hurt(table: T) -> bool:
    """[7.7.L] Return whether half of all compartments are damaged or destroyed."""
    hurt, count = damaged_share(table)
    return table.data.repair.all_hands.share * hurt >= count


def all_hands(table: T) -> Steps:
    """[7.7.L, 7.7.N] Let the captain call all hands once a phase while half the ship is damaged."""
    ship, raid = table.state.ship, table.state.raid
    if ship.all_hands:
        yield from call_off(table)
        return
    if raid.declared or not half_hurt(table):
        return
    check = reach("7.7.L", "all hands", table.data.tables.all_hands, ship.value("captain"))
    hint = OptionInfo("succeeds", float(check.odds()))
    question = "Half of the ship is damaged. Call all hands to damage control?"
    options = [
        Option("all-hands", "call all hands: no gun fires", None, hint),
        Option("go-on", "carry on as before"),
    ]
    chosen = yield from table.choose(CAPTAIN, "7.7.L", question, options)
    if chosen.key == "go-on":
        return
    raid.declared = True
    roll = table.roll(check, "all-hands")
    ship.all_hands, ship.attacked = bool(roll), False
    table.log_line("7.7.L", "The call for all hands {}.", "succeeds" if roll else "fails", roll)
    if not roll:
        options = [Option("fight-on", "fight on"), Option("abandon", "abandon ship: the Japanese win")]
        chosen = yield from table.choose(CAPTAIN, "7.7.N", "The call has failed. Fight on, or abandon ship?", options)
        if chosen.key == "abandon":
            sink(table, "7.7.N", "abandoned")


def call_off(table: T) -> Steps:
    """[7.7.O] Let the guns be manned again after the next wave, or with less damage."""
    ship = table.state.ship
    if half_hurt(table) and not ship.attacked:
        return
    options = [
        Option("go-on", "keep all hands at damage control: no gun fires"),
        Option("call-off", "send them back: the guns are manned again"),
    ]
    question = "All hands are at damage control. Send them back to the guns?"
    chosen = yield from table.choose(CAPTAIN, "7.7.O", question, options)
    ship.all_hands = chosen.key == "go-on"


# -- who works where -------------------------------------------------------------------------------------------------


def _broken(table: T, section: Section | None = None) -> list[Room]:
    """[7.3.X] Return primary compartments with hit markers; destroyed ones have none."""
    rooms, broken = table.data.rooms, [room for room in table.state.ship.rooms.values() if room.hits]
    return [room for room in broken if section in (None, rooms[room.key].section)]


def _broken_guns(table: T, section: Section | None = None) -> list[Mount]:
    """[11.5.A] Return 40mm and 5-inch guns that can be repaired, by an optional rule; a 20mm gun is lost at once."""
    if table.state.rulings.gun_repairs == "no":
        return []
    cards, mounts = table.data.mounts, table.state.ship.mounts.values()
    broken = [mount for mount in mounts if 0 < mount.hits < cards[mount.key].boxes]
    return [mount for mount in broken if section in (None, cards[mount.key].section)]


def _officers(table: T) -> Steps:
    """[2.0.D, 7.7.D, 7.7.G, 7.8.2.G] Assign the executive, engineering and damage control officers (P32).

    An officer whose compartment is not repaired from the phase before must stay there.
    """
    ship = table.state.ship
    rooms = _broken(table)
    broken: list[Room | Mount] = [*rooms, *_broken_guns(table)]
    hurt = {room.key for room in rooms}
    if not broken:
        return
    for key, rule, able in (
        ("executive", "7.7.E", broken),
        ("engineer", "7.7.F", [room for room in rooms if room.key in ENGINEERS]),
    ):
        officer = ship.officers[key]
        if officer.dead or not able or (officer.held and officer.place in hurt):
            continue
        options = [
            *(Option(f"to-{place}", text, place) for place, text in _with_hits(table, able).items()),
            Option("stay", "no assignment: stays in place"),
        ]
        question = f"Where does the {OFFICERS[key].lower()} ({signed(officer.value)}) go?"
        chosen = yield from table.choose(CAPTAIN, rule, question, options)
        officer.assigned, officer.held = chosen.value is not None, False
        officer.place = chosen.value or officer.place
    officer = ship.officers["damage-control"]
    if not officer.dead:  # 7.7.G: the value counts for all repairs in a section
        question = f"In which section does the damage control officer ({signed(officer.value)}) work?"
        options = [Option(f"section-{section}", section, section) for section in SECTIONS]
        officer.place = (yield from table.choose(CAPTAIN, "7.7.G", question, options)).value
    yield from _others(table)


def _with_hits(table: T, places: Sequence[Room | Mount]) -> dict[str, str]:
    return {one.key: f"{name_of(table, one.key)}, {count_noun(one.hits, 'hit')}" for one in places}


def _others(table: T) -> Steps:
    """[2.0.D, P57] Let the gunnery officer and the chief petty officer move to another compartment."""
    ship, rooms = table.state.ship, table.data.rooms
    groups = []
    for key in ("gunnery", "chief"):
        officer = ship.officers[key]
        able = [room for room in rooms if room != officer.place and not ship.rooms[room].destroyed]
        options = [Option(f"{key}-{room}", f"{OFFICERS[key]} to the {rooms[room].name}", (key, room)) for room in able]
        if not officer.dead:
            groups.append(BudgetGroup(key, OFFICERS[key], options))
    chosen = yield from table.choose_some(
        CAPTAIN,
        "2.0.D",
        "Move the gunnery officer and the chief petty officer? They do not help with repairs.",
        [option for group in groups for option in group.options],
        cost=lambda option: 1,
        budget=1,
        budget_groups=groups,
    )
    for option in chosen:
        key, room = option.value
        ship.officers[key].place = room
        table.log_line("2.0.D", "The {} moves to the {}.", OFFICERS[key].lower(), table.data.rooms[room].name)


def _recall(table: T) -> None:
    """[7.8.2.F, 7.8.2.G, 7.9.F] Let men be moved between the waves of a phase.

    Those held since the last phase stay, and so does who has not repaired a secondary compartment.
    """
    ship = table.state.ship
    for section in SECTIONS:
        for key in at_work(table, section):
            if not (key in ship.spaces or (key in ship.rooms and ship.rooms[key].held)):
                called_away(table, key)
                ship.men[section] += 1


def _parties(table: T) -> Steps:
    """[7.7.A, 7.7.B, 7.7.C, 7.8.2.F, 7.8.2.G, 7.9.D, 7.9.E, 11.5.B] Assign the free men of the three parties.

    There may be up to three at a compartment.
    """
    ship = table.state.ship
    most = dict[str, int]()
    for section in SECTIONS:
        chosen = yield from table.choose_some(
            CAPTAIN,
            "7.7",
            f"Where {_men(ship.men[section])} of the {section} party work?",
            _work(table, section, most),
            at_most=ship.men[section],
            limit=lambda option: most[option.key],
            select_all_default=True,
            piece_key=section,
        )
        for option in chosen:
            _send(table, option.value, section)


def _men(number: int) -> str:
    """Return a number of men as a question has it: "do the 3 men", "does the one man"."""
    return "does the one man" if number == 1 else f"do the {number} men"


def _work(table: T, section: Section, most: dict[str, int], tried: Container[str] = ()) -> list[Option]:
    """[7.7.B, 7.7.C, 7.10.A, 7.11.A] Return what the men of a section may work at, with the room at each in `most`.

    What has its men is among them with no room for more, and is not offered.
    """
    ship, data = table.state.ship, table.data
    room_for, one = data.ship.crew.in_a_room, data.ship.crew.at_equipment
    options = list[Option]()

    def add(key: str, room: int, hint: OptionInfo | None = None) -> None:
        if key not in tried:
            most[f"at-{key}"], name = room, name_of(table, key)
            options.append(Option(f"at-{key}", capitalize_first(name), key, hint))

    for room in _broken(table, section):
        text = f"{count_noun(room.hits, 'hit')}; success with one more man"
        add(room.key, room_for - room.men, OptionInfo(text, float(room_check(table, room, more=1).odds())))
    for key, gear in ship.gear.items():
        if gear.hits == DAMAGED and section_of_gear(data, key) == section:
            add(key, one - gear.man)
    for key, space in ship.spaces.items():
        if data.secondary[key].section == section and space.boxes == DAMAGED and not space.tried:
            add(key, one - space.man)
    for mount in _broken_guns(table, section):
        add(mount.key, room_for - mount.men)
    return options


def _send(table: T, key: str, section: Section) -> None:
    ship = table.state.ship
    ship.men[section] -= 1
    if key in ship.rooms:
        ship.rooms[key].men += 1
    elif key in ship.gear:
        ship.gear[key].man = True
    elif key in ship.spaces:
        ship.spaces[key].man = True
    else:
        ship.mounts[key].men += 1


# -- repairs ---------------------------------------------------------------------------------------------------------


def _next_target(table: T, tried: Container[str]) -> tuple[Section, str] | None:
    """[7.5, 7.8.2.A, 11.5.C] Return the next attempt: compartments, secondary ones, directors, radars, guns.

    Every damaged primary compartment, and by option gun, is tried at least with its own value and that of officers and
    chiefs.
    """
    ship, data = table.state.ship, table.data
    order: list[Container[str]] = [ship.rooms, ship.spaces, data.directors, data.radars, ship.mounts]
    working = [(section, key) for section in SECTIONS for key in at_work(table, section)]
    unmanned = [(data.rooms[room.key].section, room.key) for room in _broken(table)]
    unmanned += [(data.mounts[mount.key].section, mount.key) for mount in _broken_guns(table)]
    waiting = [one for one in dict.fromkeys([*working, *unmanned]) if one[1] not in tried]
    return min(waiting, key=lambda one: next(at for at, kind in enumerate(order) if one[1] in kind), default=None)


def _attempt_repairs(table: T, tried: set[str]) -> Steps:
    """[7.7.I, 7.8.2.F, 11.5.C] Attempt every repair once; men who are finished may move on."""
    ship = table.state.ship
    while (target := _next_target(table, tried)) is not None:
        section, key = target
        tried.add(key)
        if key in ship.rooms:
            freed = _room(table, ship.rooms[key])
        elif key in ship.gear:
            freed = _gear(table, key)
        else:
            freed = _space(table, key) if key in ship.spaces else _gun(table, key)
        if freed:
            yield from _go_on(table, section, key, freed, tried)
        if not (ship.rooms[key].hits if key in ship.rooms else key in ship.mounts and ship.mounts[key].hits):
            yield from _officers_go_on(table, key, tried)


def _go_on(table: T, section: Section, done: str, men: int, tried: set[str]) -> Steps:
    """[7.8.2.F] Let men who are finished move to something of their section not yet attempted."""
    most = dict[str, int]()
    table.state.ship.men[section] += men
    chosen = yield from table.choose_some(
        CAPTAIN,
        "7.8.2.F",
        f"{name_of(table, done)} is repaired. Where {_men(men)} who repaired it work next?",
        _work(table, section, most, tried),
        at_most=men,
        limit=lambda option: most[option.key],
        piece_key=done,
    )
    for option in chosen:
        _send(table, option.value, section)


def _officers_go_on(table: T, done: str, tried: set[str]) -> Steps:
    """[7.8.2.F, 11.5.B] Let an officer whose work is finished move on, or return to post."""
    for key in ("executive", "engineer"):
        officer = table.state.ship.officers[key]
        if not officer.assigned or officer.place != done:
            continue
        places: list[Room | Mount] = [room for room in _broken(table) if key == "executive" or room.key in ENGINEERS]
        places += _broken_guns(table) if key == "executive" else []
        able = _with_hits(table, [one for one in places if one.key not in tried])
        options = [Option(f"to-{room}", text, room) for room, text in able.items()]
        options.append(Option("stay", "stays in place", done))
        post = officer.post or START[key]
        if post not in (done, *able):
            options.append(Option(f"to-{post}", f"returns to post: {name_of(table, post)}", post))
        title = f"{OFFICERS[key].lower()} ({signed(officer.value)})"
        question = f"{name_of(table, done)} is repaired. Where does the {title} go next?"
        chosen = yield from table.choose(CAPTAIN, "7.8.2.F", question, options, piece_key=key)
        officer.place, officer.held, officer.assigned = chosen.value, False, chosen.value in (done, *able)


def repair_value(table: T, key: str, section: Section, men: int, hits: int) -> int:
    """[7.7.D, 7.7.H, 7.8.2.A, 7.8.2.B] Return the value of those at work, less the hit marker penalty (P2, P32)."""
    ship, figures = table.state.ship, table.data.repair.primary
    value = figures.inherent + men + ship.value(CHIEFS[section])
    if ship.officers["damage-control"].place == section:
        value += ship.value("damage-control")
    for officer in ("executive", "engineer"):
        if ship.officers[officer].assigned and ship.officers[officer].place == key:
            value += ship.value(officer)
    return value - figures.penalty.get(str(hits), max(figures.penalty.values()))


def control(table: T, value: int, rule: str, *more: tuple[str, int]) -> Check:
    """[7.7.M, 7.8.2.C, 7.8.2.D] Return the check of an attempt, with good or bad morale and all hands."""
    figures, ship = table.data.repair.primary, table.state.ship
    morale = figures.morale if ship.morale > 0 else -figures.morale if ship.morale < 0 else 0
    added = [("morale", morale), *more, ("all hands", figures.all_hands if ship.all_hands else 0)]
    return reach(rule, "damage control", table.data.tables.control, value, added)


# -- primary compartments and guns -----------------------------------------------------------------------------------


def room_check(table: T, room: Room, more: int = 0) -> Check:
    """[7.8.2.A, 7.8.2.G] Return the check of an attempt at a compartment, with `more` additional men."""
    figures, ship = table.data.repair.primary, table.state.ship
    value = repair_value(table, room.key, table.data.rooms[room.key].section, room.men + more, room.hits)
    shop = figures.shop if room.key in ENGINEERS and ship.works("machine-shop") else 0
    held = figures.held if room.held else 0
    return control(table, value, "7.8.2", ("men who stayed", held), ("machine shop", shop))


def _markers(table: T, rule: str, key: str, hits: int) -> tuple[DieRoll, int]:
    """[7.8.2.E] Roll for the markers that a success removes; return the roll and the hits left."""
    rolled = die(table, rule, key)
    return rolled, max(0, hits - table.data.repair.primary.removes[str(rolled)])


def _room(table: T, room: Room) -> int:
    """[7.3.H, 7.8.2.A, 7.8.2.E, 7.8.2.H] Attempt a primary compartment; return the number of men who are finished."""
    name = table.data.rooms[room.key].name
    room.tended = room.tended or bool(room.men)
    roll = table.roll(room_check(table, room), room.key)
    table.log_line("7.8.2", "Damage control {} in the {}.", "succeeds" if roll else "fails", name, roll)
    if not roll:
        return 0
    rolled, room.hits = _markers(table, "7.8.2.E", room.key, room.hits)
    left = f"leave {count_noun(room.hits, 'hit')} in" if room.hits else "clear all hits from"
    table.log_line("7.8.2.E", "Repairs {} the {}.", left, name, rolled)
    if room.hits:
        return 0
    if room.flooded:  # 7.3.H: it is pumped dry (P24)
        ship, side = table.state.ship, room.side
        ship.flood = min(table.data.ship.tracks.full, ship.flood + table.data.damage.flooding.flood)
        ship.tilt[side] = max(0, ship.tilt[side] - 1)  # type: ignore[index]
        room.flooded, room.side = False, ""
        table.log_line("7.3.H", "{} is pumped dry.", name)
    freed, room.men, room.held = room.men, 0, False
    return freed


def _gun(table: T, key: str) -> int:
    """[11.5.B, 11.5.C] Attempt a 40mm or 5-inch gun like a compartment (P54); return the men who are finished."""
    mount, card = table.state.ship.mounts[key], table.data.mounts[key]
    value = repair_value(table, key, card.section, mount.men, mount.hits)
    roll, name = table.roll(control(table, value, "11.5.C"), key), name_of(table, key)
    table.log_line("11.5.C", "The repair of {} {}.", name, "succeeds" if roll else "fails", roll)
    if roll:
        rolled, mount.hits = _markers(table, "11.5.C", key, mount.hits)
        table.log_line("11.5.C", "{} has {} left.", name, count_noun(mount.hits, "hit"), rolled)
    freed = 0 if mount.hits else mount.men
    mount.men -= freed
    return freed


# -- everything else -------------------------------------------------------------------------------------------------


def _gear(table: T, key: str) -> int:
    """[7.10.B, 7.10.C, 7.11.B] Attempt a director or a radar with one man; return 1 if repaired."""
    gear, figures = table.state.ship.gear[key], table.data.repair.primary
    rule = "7.10" if key in table.data.directors else "7.11"
    shop = figures.shop if table.state.ship.works("radar-shop") else 0
    roll = table.roll(control(table, figures.equipment_column, rule, ("radar shop", shop)), key)
    table.log_line(rule, "{} is {}.", name_of(table, key), "repaired" if roll else "not yet repaired", roll)
    if roll:
        gear.hits, gear.man = 0, False
    return int(bool(roll))


def _space(table: T, key: str) -> int:
    """[7.9.C, 7.9.F] Attempt a secondary compartment with one man and one die, once a phase (P36)."""
    space, card, figures = table.state.ship.spaces[key], table.data.secondary[key], table.data.repair.secondary
    locker = LOCKERS[card.section]
    most = figures.repaired_to if table.state.ship.works(locker) or key == locker else figures.without_locker
    rolled = die(table, "7.9", key)
    space.tried = True
    table.log_line("7.9", "{} is {}.", card.name, "repaired" if rolled <= most else "not yet repaired", rolled)
    if rolled > most:
        return 0
    space.boxes, space.man = 0, False
    return 1


def _water_lines(table: T) -> None:
    """[7.12.C] Roll to repair the water lines, unless they are destroyed."""
    ship = table.state.ship
    if not 0 < ship.water_lines < table.data.ship.tracks.water_lines:
        return
    rolled = die(table, "7.12.C", "water-lines")
    repaired = rolled >= table.data.repair.water_lines.repaired_from
    ship.water_lines = 0 if repaired else ship.water_lines
    table.log_line("7.12.C", "The water lines are {}.", "repaired" if repaired else "still broken", rolled)


def _counter_flood(table: T) -> Steps:
    """[7.9.H] Offer to flood dry compartments where list or trim masks guns (P38)."""
    ship = table.state.ship
    if not any(masked_heights(table.state, table.data, bearing) for bearing in BEARINGS):
        return
    able = [card for card in table.data.ship.secondary.room if card.floods and not ship.spaces[card.key].flooded]
    while able:
        # 7.4.E: the sides where water corrects list and trim
        is_high = {"port": ship.heel > 0, "starboard": ship.heel < 0, "stern": ship.trim > 0, "bow": ship.trim < 0}
        sides = [side for side in WATER if is_high[side]]
        if not sides:
            return
        options = [Option("enough", "none: accept list and trim")]
        options += [
            Option(f"{card.key}-{side}", f"{card.name}, {WATER[side]}", (card, side), _rights(table, side))
            for card in able
            for side in sides
        ]
        question = f"The ship has {leans(ship.heel, ship.trim)}. Flood a compartment to correct it?"
        chosen = yield from table.choose(CAPTAIN, "7.9.H", question, options)
        if chosen.value is None:
            return
        card, side = chosen.value
        wreck(table, ship.spaces[card.key])
        flood(table, ship.spaces[card.key], side)
        table.log_line("7.9.H", "The {} is flooded: {}, {}.", card.name.lower(), *leaning(ship.heel, ship.trim))
        able = [one for one in able if one is not card]


def _rights(table: T, side: Side) -> OptionInfo:
    """[7.4.J, 7.9.H] Return the effect and cost of counter-flooding on a side."""
    ship, figures = table.state.ship, table.data.damage.flooding
    tilt = ship.tilt | {side: ship.tilt[side] + 1}
    heel, trim = tilt["starboard"] - tilt["port"], tilt["bow"] - tilt["stern"]
    then = leaning(heel, trim)[side in ("bow", "stern")]
    return OptionInfo(f"then {then}; Afloat −{figures.flood}, Maneuver −{figures.maneuver}, compartment lost")


def spread(table: T) -> Steps:
    """[7.8.2.G, 7.8.2.H] Spread damage where no one worked; men at damaged compartments stay (P34)."""
    ship = table.state.ship
    for key, room in ship.rooms.items():
        if room.hits and not room.tended and not ship.lost:
            table.log_line("7.8.2.H", "No one works in the {}: the damage spreads.", table.data.rooms[key].name)
            side: Side = room.hit_from or "bow"  # type: ignore[assignment]
            yield from hit_room(table, key, side, by_plane=False)
        room.held = bool(room.men)
        room.tended = False
    for officer in ("executive", "engineer"):
        moved = ship.officers[officer]
        moved.held = moved.assigned and moved.place in ship.rooms and bool(ship.rooms[moved.place].hits)
    for space in ship.spaces.values():
        space.tried = False

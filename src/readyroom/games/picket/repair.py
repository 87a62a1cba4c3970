"""[7.7 to 7.12] Damage control: fires, who works where, and what is mended."""

from __future__ import annotations

from readyroom.engine.checks import Check, Modifiers
from readyroom.engine.decisions import Hint, Option, Purse
from readyroom.engine.table import Steps
from readyroom.games.picket.damage import MACHINERY, flood, hit_room, sink
from readyroom.games.picket.figures import SECTIONS, Section
from readyroom.games.picket.rolls import die, reach
from readyroom.games.picket.state import CAPTAIN, CHIEFS, DAMAGED, DESTROYED, Room, Side, T

LOCKERS: dict[Section, str] = {"forward": "repair-locker-1", "midship": "repair-locker-2", "aft": "repair-locker-3"}
ENGINEERS = (*MACHINERY, "steering-room")
"""[7.7.F] Where the engineering officer may work."""


def damage_control(table: T) -> Steps:
    """[7.7, 7.8] After a wave, and once in a phase without one: fires first, then everything that can be mended."""
    ship = table.state.ship
    if ship.lost or not _hurt(table):
        return
    deck_fires(table)
    if ship.lost:
        return
    yield from _all_hands(table)
    yield from _officers(table)
    yield from _parties(table)
    for section in SECTIONS:
        yield from _rooms(table, section)
    _gear(table)
    _spaces(table)
    _guns(table)
    _water_lines(table)
    yield from _counter_flood(table)


def _hurt(table: T) -> bool:
    """Whether anything burns, leaks or is broken."""
    ship = table.state.ship
    broken = any(room.hits and not room.destroyed for room in ship.rooms.values())
    spaces = any(space.boxes for space in ship.spaces.values())
    gear = any(gear.hits == DAMAGED for gear in ship.gear.values())
    mounts = any(mount.hits for mount in ship.mounts.values())
    return broken or spaces or gear or mounts or bool(ship.water_lines) or any(ship.fires.values())


# -- fires -----------------------------------------------------------------------------------------------------------


def deck_fires(table: T) -> None:
    """[7.8.1] Each burning deck is fought with up to two dice; a fire that is lost on a full track loses the ship."""
    ship, figures = table.state.ship, table.data.damage.deck_fires
    for section in SECTIONS:
        for _ in range(figures.rolls):
            if not ship.fires[section] or ship.lost:
                break
            thrown = die(table, "7.8.1", f"fire-{section}") + (figures.water_lines if ship.water_lines else 0)
            if thrown <= figures.out_to:
                ship.fires[section] = 0
                table.say("7.8.1", "The fires on the {} deck are out: {}.", section, thrown)
            elif ship.fires[section] >= table.data.ship.tracks.deck_fires:
                table.say("7.8.1.D", "The fires on the {} deck: {}.", section, thrown)
                sink(table, "7.8.1.D", "lost to fire")
            else:
                ship.fires[section] += 1
                table.say("7.8.1.C", "The fires on the {} deck spread: {}.", section, thrown)


# -- all hands -------------------------------------------------------------------------------------------------------


def damaged_share(table: T) -> tuple[int, int]:
    """[7.7.L] How many compartments are damaged or destroyed, and how many there are in the game that is played."""
    ship = table.state.ship
    rooms = [bool(room.hits or room.destroyed) for room in ship.rooms.values()]
    if table.state.plan.advanced:
        rooms += [bool(space.boxes) for space in ship.spaces.values()]
    return sum(rooms), len(rooms)


def _all_hands(table: T) -> Steps:
    """[7.7.L to O] With half of her hurt the captain may call all hands; if that fails he may abandon her."""
    ship, share = table.state.ship, table.data.repair.all_hands.share
    hurt, count = damaged_share(table)
    if share * hurt < count:
        ship.all_hands = False
        return
    check = reach("7.7.L", "all hands", table.data.tables.all_hands, ship.value("captain"))
    options = [Option("go-on", "go on as before")]
    if ship.all_hands:
        options.append(Option("call-off", "call it off: the guns are manned again"))
    else:
        options.insert(
            0, Option("all-hands", "all hands to the fires: no gun fires", None, Hint("succeeds", float(check.odds())))
        )
    chosen = yield from table.choose(CAPTAIN, "7.7.L", "Half of the ship is hurt. All hands?", options)
    if chosen.key == "call-off":
        ship.all_hands = False
    elif chosen.key == "all-hands":
        roll = table.roll(check, "all-hands")
        ship.all_hands = bool(roll)
        table.say("7.7.L", "All hands to damage control: {}.", roll)
        if not roll:
            yield from _abandon(table)


def _abandon(table: T) -> Steps:
    """[7.7.N] The call has failed: fight on, or abandon ship."""
    options = [Option("fight-on", "fight on"), Option("abandon", "abandon ship: the Japanese have won")]
    chosen = yield from table.choose(CAPTAIN, "7.7.N", "The call has failed.", options)
    if chosen.key == "abandon":
        sink(table, "7.7.N", "abandoned")


# -- who works where -------------------------------------------------------------------------------------------------


def _broken(table: T, section: Section | None = None) -> list[Room]:
    """Primary compartments that can be mended."""
    rooms = table.data.rooms
    return [
        room
        for key, room in table.state.ship.rooms.items()
        if room.hits and not room.destroyed and (section is None or rooms[key].section == section)
    ]


def _officers(table: T) -> Steps:
    """[7.7.D to G] Where the executive officer, the engineer and the damage control officer go."""
    ship, rooms = table.state.ship, table.data.rooms
    broken = _broken(table)
    if not broken:
        return
    for officer, words, able in (
        ("executive", "executive officer", broken),
        ("engineer", "engineering officer", [room for room in broken if room.key in ENGINEERS]),
    ):
        if ship.officers[officer].dead or not able:
            continue
        options = [Option(f"to-{room.key}", f"{rooms[room.key].name}, {room.hits} hits", room.key) for room in able]
        options.append(Option("stay", "stays where he is"))
        question = f"Where does the {words} ({ship.officers[officer].value:+d}) go?"
        chosen = yield from table.choose(CAPTAIN, "7.7.E" if officer == "executive" else "7.7.F", question, options)
        if chosen.value is not None:
            ship.officers[officer].place = chosen.value
    if not ship.officers["damage-control"].dead:
        yield from _control(table)


def _control(table: T) -> Steps:
    """[7.7.G] The damage control officer works in one section."""
    ship = table.state.ship
    able = [section for section in SECTIONS if _broken(table, section)]
    officer = ship.officers["damage-control"]
    question = f"In which section does the damage control officer ({officer.value:+d}) work?"
    chosen = yield from table.choose(
        CAPTAIN, "7.7.G", question, [Option(f"section-{section}", section, section) for section in able]
    )
    officer.place = chosen.value


def _parties(table: T) -> Steps:
    """[7.7.A to C, 7.9.D, 7.10.B, 7.11.B] The men of the three parties, up to three to a compartment."""
    ship = table.state.ship
    _called_back(table)
    options, purses, most = list[Option](), list[Purse](), dict[str, int]()
    for section in SECTIONS:
        mine = _work(table, section, most)
        if mine and ship.men[section]:
            options += mine
            purses.append(Purse(section, f"the {section} party", mine))
    if not options:
        return
    for purse in purses:
        section: Section = purse.key  # type: ignore[assignment]
        chosen = yield from table.choose_some(
            CAPTAIN,
            "7.7",
            f"Where do the {ship.men[section]} men of the {section} party work?",
            list(purse.options),
            at_most=ship.men[section],
            limit=lambda option: most[option.key],
            usual=True,
            about=section,
        )
        for option in chosen:
            _sent(table, option.value, section)


def _called_back(table: T) -> None:
    """[7.8.2.F, 7.8.2.G] Men who stayed at an unmended compartment stay; the others are free."""
    ship = table.state.ship
    for key, room in ship.rooms.items():
        if room.men and (room.destroyed or not room.hits):
            ship.men[table.data.rooms[key].section] += room.men
            room.men, room.held = 0, False


def _work(table: T, section: Section, most: dict[str, int]) -> list[Option]:
    """What the men of a section may work at, and how many of them at each thing."""
    ship, data = table.state.ship, table.data
    found = list[Option]()

    def add(key: str, name: str, room: int, hint: Hint | None = None) -> None:
        if room > 0:
            most[f"at-{key}"] = room
            found.append(Option(f"at-{key}", name, key, hint))

    for room in _broken(table, section):
        check = room_check(table, room, more=1)
        note = Hint(f"{room.hits} hits; with one man more mended", float(check.odds()))
        add(room.key, data.rooms[room.key].name, data.ship.crew.in_a_room - room.men, note)
    for card in (*data.directors.values(), *data.radars.values()):
        if card.section == section and ship.gear[card.key].hits == DAMAGED:
            add(card.key, card.name, data.ship.crew.at_equipment - ship.gear[card.key].man)
    if table.state.plan.advanced:
        for key, space in ship.spaces.items():
            if data.secondary[key].section == section and space.boxes == DAMAGED and not space.man and not space.tried:
                add(key, data.secondary[key].name.lower(), 1)
    if table.state.rulings.gun_repairs == "yes":
        for key, mount in ship.mounts.items():
            gun = data.mounts[key]
            if gun.section == section and 0 < mount.hits < gun.boxes:
                add(key, f"{gun.kind} mount {gun.name}", data.ship.crew.in_a_room - mount.men)
    return found


def _sent(table: T, key: str, section: Section) -> None:
    """A man goes to his work."""
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


# -- primary compartments --------------------------------------------------------------------------------------------


def room_value(table: T, room: Room, more: int = 0) -> int:
    """[7.8.2.A, 7.8.2.B] The value of those who work at a compartment, less its hit markers."""
    ship, data = table.state.ship, table.data
    section = data.rooms[room.key].section
    value = data.repair.primary.inherent + room.men + more + ship.value(CHIEFS[section])
    if ship.officers["damage-control"].place == section:
        value += ship.value("damage-control")
    for officer in ("executive", "engineer"):
        if ship.officers[officer].place == room.key:
            value += ship.value(officer)
    penalty = data.repair.primary.penalty
    return value - penalty.get(str(room.hits), max(penalty.values()))


def room_check(table: T, room: Room, more: int = 0) -> Check:
    """[7.8.2.C to E] The roll of an attempt at a compartment."""
    figures, ship = table.data.repair.primary, table.state.ship
    shop = table.state.plan.advanced and room.key in ENGINEERS and ship.works("machine-shop")
    added: Modifiers = [
        ("morale", _morale(table)),
        ("men who stayed", figures.held if room.held else 0),
        ("machine shop", figures.shop if shop else 0),
        ("all hands", figures.all_hands if ship.all_hands else 0),
    ]
    return reach("7.8.2", "damage control", table.data.tables.control, room_value(table, room, more), added)


def _morale(table: T) -> int:
    """[7.8.2.D] Good or bad morale."""
    ship, step = table.state.ship, table.data.repair.primary.morale
    return step if ship.morale > 0 else -step if ship.morale < 0 else 0


def _rooms(table: T, section: Section) -> Steps:
    """[7.8.2] One attempt at each compartment where men work; who is done may go on to another."""
    tried = set[str]()
    while True:
        room = next((one for one in _broken(table, section) if one.men and one.key not in tried), None)
        if room is None:
            return
        tried.add(room.key)
        room.tended = True
        _attempt(table, room)
        if not room.hits:
            yield from _go_on(table, section, room, tried)


def _attempt(table: T, room: Room) -> None:
    """[7.8.2.E] An attempt, and the markers that it takes off."""
    name, figures = table.data.rooms[room.key].name, table.data.repair.primary
    roll = table.roll(room_check(table, room), room.key)
    if not roll:
        table.say("7.8.2", "{}: the damage is not mastered: {}.", name, roll)
        return
    removed = figures.removes[str(die(table, "7.8.2.E", room.key))]
    room.hits = max(0, room.hits - removed)
    table.say("7.8.2", "{}: {}: {}.", name, "repaired" if not room.hits else f"{room.hits} hits are left", roll)
    if not room.hits:
        _dry(table, room)


def _dry(table: T, room: Room) -> None:
    """[7.3.H] A mended compartment is pumped dry."""
    ship = table.state.ship
    if room.flooded:
        room.flooded = False
        ship.flood = min(table.data.ship.tracks.full, ship.flood + table.data.damage.flooding.flood)
        side: Side = room.side  # type: ignore[assignment]
        ship.tilt[side] = max(0, ship.tilt[side] - 1)
        room.side = ""
        table.say("7.3.H", "{} is pumped dry.", table.data.rooms[room.key].name)


def _go_on(table: T, section: Section, done: Room, tried: set[str]) -> Steps:
    """[7.8.2.F] Men who are done may go to a compartment of their section that has not been tried yet."""
    ship, most = table.state.ship, table.data.ship.crew.in_a_room
    men, done.men, done.held = done.men, 0, False
    able = [room for room in _broken(table, section) if room.key not in tried and room.men < most]
    if not able or not men:
        ship.men[section] += men
        return
    limits = {f"on-{room.key}": most - room.men for room in able}
    options = [Option(f"on-{room.key}", f"{table.data.rooms[room.key].name}, {room.hits} hits", room) for room in able]
    chosen = yield from table.choose_some(
        CAPTAIN,
        "7.8.2.F",
        f"{table.data.rooms[done.key].name} is mended. Where do its {men} men go on?",
        options,
        at_most=men,
        limit=lambda option: limits[option.key],
        about=done.key,
    )
    for option in chosen:
        option.value.men += 1
    ship.men[section] += men - len(chosen)


# -- everything else -------------------------------------------------------------------------------------------------


def _gear(table: T) -> None:
    """[7.10, 7.11] Directors and radars, each by one man."""
    ship, data, figures = table.state.ship, table.data, table.data.repair.primary
    shop = table.state.plan.advanced and ship.works("radar-shop")
    added = [
        ("morale", _morale(table)),
        ("radar shop", figures.shop if shop else 0),
        ("all hands", figures.all_hands if ship.all_hands else 0),
    ]
    for card in (*data.directors.values(), *data.radars.values()):
        gear = ship.gear[card.key]
        if not gear.man:
            continue
        roll = table.roll(reach("7.10", "repair", data.tables.control, figures.equipment_column, added), card.key)
        table.say("7.10" if card.key in data.directors else "7.11", "{}: {}.", card.name, roll)
        if roll:
            gear.hits, gear.man = 0, False
            ship.men[card.section] += 1


def _spaces(table: T) -> None:
    """[7.9] Secondary compartments, each by one man and one die, once a phase."""
    ship, data = table.state.ship, table.data
    for key, space in ship.spaces.items():
        if not space.man or space.tried:
            continue
        card, figures = data.secondary[key], data.repair.secondary
        locker = LOCKERS[card.section]
        most = figures.repaired_to if ship.works(locker) or key == locker else figures.without_locker
        thrown = die(table, "7.9", key)
        space.tried = True
        table.say("7.9", "{}: {}, {}.", card.name, thrown, "repaired" if thrown <= most else "not yet")
        if thrown <= most:
            space.boxes, space.man = 0, False
            ship.men[card.section] += 1


def _guns(table: T) -> None:
    """[11.5] By an optional rule damaged 40mm and 5-inch guns are mended as compartments are."""
    ship, data, figures = table.state.ship, table.data, table.data.repair.primary
    for key, mount in ship.mounts.items():
        if not mount.men:
            continue
        card = data.mounts[key]
        value = figures.inherent + mount.men + ship.value(CHIEFS[card.section])
        if ship.officers["damage-control"].place == card.section:
            value += ship.value("damage-control")
        value -= figures.penalty[str(mount.hits)]
        added = [("morale", _morale(table)), ("all hands", figures.all_hands if ship.all_hands else 0)]
        roll = table.roll(reach("11.5", "repair of a gun", data.tables.control, value, added), key)
        if roll:
            mount.hits = max(0, mount.hits - figures.removes[str(die(table, "11.5", key))])
        ship.men[card.section] += mount.men
        mount.men = 0
        table.say("11.5", "{} mount {}: {}.", card.kind, card.name, roll)


def _water_lines(table: T) -> None:
    """[7.12] The water lines, unless they are destroyed."""
    ship = table.state.ship
    if not 0 < ship.water_lines < table.data.ship.tracks.water_lines:
        return
    thrown = die(table, "7.12.C", "water-lines")
    mended = thrown >= table.data.repair.water_lines.repaired_from
    ship.water_lines = 0 if mended else ship.water_lines
    table.say("7.12.C", "The water lines: {}, {}.", thrown, "repaired" if mended else "still out")


def _counter_flood(table: T) -> Steps:
    """[7.9.H] With a list or out of trim, dry compartments below the water line may be flooded to right her."""
    ship = table.state.ship
    if not table.state.plan.advanced or not (ship.heel or ship.trim):
        return
    able = [card for card in table.data.ship.secondary.room if card.floods and not ship.spaces[card.key].flooded]
    sides: list[Side] = []
    if ship.heel:
        sides.append("port" if ship.heel > 0 else "starboard")
    if ship.trim:
        sides.append("stern" if ship.trim > 0 else "bow")
    while able and sides:
        options = [Option("enough", "none")]
        options += [
            Option(f"{card.key}-{side}", f"{card.name}, {side}", (card, side)) for card in able for side in sides
        ]
        chosen = yield from table.choose(CAPTAIN, "7.9.H", "Flood a compartment to right her?", options)
        if chosen.value is None:
            return
        card, side = chosen.value
        ship.spaces[card.key].boxes = DESTROYED
        flood(table, ship.spaces[card.key], side)
        table.say("7.9.H", "The {} is flooded: list {:+d}, trim {:+d}.", card.name.lower(), ship.heel, ship.trim)
        able = [one for one in able if one is not card]
        sides = [one for one in sides if _still(table, one)]


def _still(table: T, side: Side) -> bool:
    ship = table.state.ship
    return {"port": ship.heel > 0, "starboard": ship.heel < 0, "stern": ship.trim > 0, "bow": ship.trim < 0}[side]


def spread(table: T) -> None:
    """[7.8.2.G, 7.8.2.H] At the end of a phase damage spreads where nobody worked; men at unmended rooms stay there."""
    ship = table.state.ship
    for key, room in ship.rooms.items():
        if room.hits and not room.destroyed and not room.tended and not ship.lost:
            table.say("7.8.2.H", "Nobody works in the {}: the damage spreads.", table.data.rooms[key].name)
            side: Side = room.hit_from or "bow"  # type: ignore[assignment]
            hit_room(table, key, side, by_plane=False)
        room.held = bool(room.men and room.hits)
        room.tended = False
    for space in ship.spaces.values():
        space.tried = False

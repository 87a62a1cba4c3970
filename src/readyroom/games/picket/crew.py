"""[7.6, 7.7.J, 7.7.K] Officers, chiefs and men: who is killed, and who takes his place."""

from __future__ import annotations

from readyroom.games.picket.figures import SECTIONS, Section
from readyroom.games.picket.rolls import die, look
from readyroom.games.picket.state import CHIEF_NAMES, CHIEFS, OFFICERS, T
from readyroom.games.picket.station import chit

COMMANDS = tuple(OFFICERS)


def kill_in_room(table: T, key: str) -> None:
    """[7.2.F, 7.7.J] Whoever is in a compartment that is hit is killed."""
    ship, section = table.state.ship, table.data.rooms[key].section
    room = ship.rooms[key]
    for _ in range(room.men):
        kill_man(table, "7.7.J", section, free=False, saved=False)
    room.men, room.held = 0, False
    for officer in OFFICERS:
        found = ship.officers[officer]
        if found.place == key and not found.dead:
            kill_officer(table, officer)


def kill_officer(table: T, officer: str) -> None:
    """[7.6] An officer is killed; his place is taken at the beginning of the next phase."""
    found = table.state.ship.officers[officer]
    if not found.dead:
        found.dead = True
        table.say("7.6", "The {} is killed.", (OFFICERS | CHIEF_NAMES)[officer].lower())


def kill_man(table: T, rule: str, section: Section, *, free: bool, saved: bool = True) -> bool:
    """[7.7.J, 7.7.K] A man of a repair party is killed: a free one, or the one who was at work; or the sick bay saves him.

    Whether he was killed.
    """
    ship = table.state.ship
    if saved and table.state.plan.advanced and ship.works("sick-bay"):
        if die(table, rule, f"saved-{section}") >= table.data.damage.saves.on:
            table.say("7.6", "A man of the {} party is wounded, and saved.", section)
            if not free:
                ship.men[section] += 1
            return False
    if free:
        if not _free(table, section):
            return False
        ship.men[section] -= 1
    table.say(rule, "A man of the {} party is killed.", section)
    return True


def _free(table: T, section: Section) -> bool:
    """A man who is at no work; where there is none, one is called away from where most of them are."""
    ship = table.state.ship
    if ship.men[section]:
        return True
    rooms = [room for key, room in ship.rooms.items() if table.data.rooms[key].section == section and room.men]
    if not rooms:
        return False
    most = max(rooms, key=lambda room: room.men)
    most.men -= 1
    ship.men[section] += 1
    return True


def killed(table: T, section: Section) -> None:
    """[7.3.V] An officer or a man is killed, by the table."""
    roll = look(table, table.data.tables.killed, f"killed-{section}")
    table.say("7.3.V", "Casualties: {}.", roll)
    if roll.cell.startswith("crew-"):
        for _ in range(int(roll.cell.removeprefix("crew-"))):
            kill_man(table, "7.3.V", section, free=True)
    elif roll.cell == "repair-chief":
        _new_chief(table, section)
    elif _wounded(table, roll.cell):
        table.say("7.6", "The {} is only wounded.", OFFICERS[roll.cell].lower())
    else:
        kill_officer(table, roll.cell)


def _wounded(table: T, officer: str) -> bool:
    """[7.3.V] In the wardroom, if it is whole, an officer may be saved."""
    ship = table.state.ship
    if ship.officers[officer].dead or not table.state.plan.advanced or not ship.works("wardroom"):
        return False
    return die(table, "7.6", f"wounded-{officer}") >= table.data.damage.saves.on


def _new_chief(table: T, section: Section) -> None:
    """[7.6.D] A man of the party becomes its chief, with a value of his own."""
    ship, chief = table.state.ship, CHIEFS[section]
    ship.officers[chief].value = chit(table, "7.6.D", chief)
    promoted = _free(table, section)
    ship.men[section] -= promoted
    table.say("7.6.D", "{} falls; another takes over, with {:+d}.", CHIEF_NAMES[chief], ship.officers[chief].value)


def men_of_spaces(table: T, section: Section) -> None:
    """[7.7.K, 7.9.G] When a secondary compartment is hit, those who work in that section's may be killed."""
    ship, figures = table.state.ship, table.data.damage.secondary_crew
    for key, space in ship.spaces.items():
        if not space.man or table.data.secondary[key].section != section:
            continue
        if die(table, "7.7.K", f"man-{key}") >= figures.killed_on:
            space.man = False
            kill_man(table, "7.7.K", section, free=False)


def succession(table: T) -> None:
    """[7.6] Dead officers are replaced: one by the chain of command, several by chits."""
    ship = table.state.ship
    dead = [officer for officer in COMMANDS if ship.officers[officer].dead]
    if not dead or ship.lost:
        return
    if len(dead) == 1 and table.state.rulings.succession == "chain":
        _move_up(table, dead[0])
    else:
        for officer in dead:
            ship.officers[officer].value = chit(table, "7.6.C", officer)
            table.say("7.6.C", "A new {}: {:+d}.", OFFICERS[officer].lower(), ship.officers[officer].value)
    for officer in dead:
        ship.officers[officer].dead = False
        ship.officers[officer].place = START[officer]


START = {
    "captain": "bridge",
    "executive": "bridge",
    "engineer": "forward-engine-room",
    "gunnery": "cic",
    "damage-control": "cic",
    "chief": "radio",
}
"""[2.0.B] Where they are at first, and whoever takes their place."""


def _move_up(table: T, gone: str) -> None:
    """[7.6.B] Everybody below moves up by one; a chief becomes chief petty officer, and a man becomes chief."""
    ship, at = table.state.ship, COMMANDS.index(gone)
    for officer, below in zip(COMMANDS[at:], COMMANDS[at + 1 :], strict=False):
        ship.officers[officer].value = ship.officers[below].value
    last = COMMANDS[-1]
    ship.officers[last].value = chit(table, "7.6.B", last)
    section = min(SECTIONS, key=lambda one: (ship.officers[CHIEFS[one]].value, -ship.men[one]))
    table.say(
        "7.6.B",
        "Those below the {} move up; the new chief petty officer has {:+d}.",
        OFFICERS[gone].lower(),
        ship.officers[last].value,
    )
    _new_chief(table, section)

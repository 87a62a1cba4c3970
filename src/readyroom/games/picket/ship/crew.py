"""[7.6, 7.7.J, 7.7.K] Officers, chiefs and men: casualties and replacements."""

from __future__ import annotations

import msgspec

from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import count_noun
from readyroom.games.picket.figures.common import SECTIONS, Section
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.rolls import draw_chits, roll_die, roll_on_table
from readyroom.games.picket.state import CAPTAIN, CHIEF_NAMES, CHIEFS, NAMES, OFFICERS, START, Fallen, T, title_of
from readyroom.games.picket.text import section_key

COMMANDS = tuple(OFFICERS)
"""[7.6.B] The chain of command, from the top."""
LAST = COMMANDS[-1]


def section_of_gear(data: Data, key: str) -> Section:
    """[7.7.B] Return the section whose men may work at a director or a radar."""
    return (data.directors.get(key) or data.radars[key]).section


def name_of(table: T, key: str) -> str:
    """Return the name of what is hit or worked at, that of a secondary compartment in lower case."""
    name = table.data.part_names.get(key) or key.replace("-", " ")
    if key not in table.data.secondary:
        return name
    return " ".join(word if word.isupper() else word.lower() for word in name.split())  # CPO stays


def at_work(table: T, section: Section) -> list[str]:
    """[7.7.B] Return the places where the men of a party work, once for each man."""
    ship, data = table.state.ship, table.data
    keys = list[str]()
    for key, room in ship.rooms.items():
        keys += [key] * (room.men if data.rooms[key].section == section else 0)
    keys += [key for key, gear in ship.gear.items() if gear.man and section_of_gear(data, key) == section]
    keys += [key for key, space in ship.spaces.items() if space.man and data.secondary[key].section == section]
    for key, mount in ship.mounts.items():
        keys += [key] * (mount.men if data.mounts[key].section == section else 0)
    return keys


def take_off_job(table: T, key: str) -> None:
    """Take one man off a job."""
    ship = table.state.ship
    if key in ship.rooms:
        ship.rooms[key].men -= 1
        ship.rooms[key].held = ship.rooms[key].held and bool(ship.rooms[key].men)
    elif key in ship.gear:
        ship.gear[key].man = False
    elif key in ship.spaces:
        ship.spaces[key].man = False
    else:
        ship.mounts[key].men -= 1


def any_man(table: T, rule: str, section: Section) -> Choice[bool]:
    """[7.3.V, 7.6.D] Take a man of the party: a free one, else one from a job of the captain's choice.

    Whether there was one.
    """
    ship, working = table.state.ship, list(dict.fromkeys(at_work(table, section)))
    if ship.men[section]:
        ship.men[section] -= 1
        return True
    if not working:
        return False
    chosen = working[0]
    if len(working) > 1:
        options = [Option(f"from-{key}", name_of(table, key), key) for key in working]
        question = f"The {section} party loses a man, and all of its men are at work. Which job does the man leave?"
        chosen = (yield from table.choose(CAPTAIN, rule, question, options, piece_key=section)).value
    take_off_job(table, chosen)
    return True


def _space_key(table: T, space: str, section: Section) -> str:
    """Return the key of a secondary compartment; by the basic rules, which do not show them, that of a section."""
    return space if table.state.plan.advanced else section_key(section)


def _saved(table: T, rule: str, section: Section) -> bool:
    """[7.3.V, 7.7.K] Return whether an intact sick bay saves a man."""
    if not table.state.ship.works("sick-bay"):
        return False
    least = table.data.damage.saves.on
    rolled = roll_die(table, rule, f"saved-{section}", goal=f"saved on {least} or more")
    saved = rolled >= least
    action = "saves a wounded man" if saved else "cannot save a man"
    target = _space_key(table, "sick-bay", section)
    table.log_line(rule, "The sick bay {} of the {} party.", action, section, rolled, target=target, is_miss=True)
    return saved


def kill_in_room(table: T, key: str) -> None:
    """[7.2.F, 7.7.J, 7.8.2.K] Kill everyone in a compartment that is hit (P30)."""
    ship, section = table.state.ship, table.data.rooms[key].section
    room = ship.rooms[key]
    room.held = False
    while room.men:
        room.men -= 1
        table.log_line("7.7.J", "A man of the {} party is killed.", section, target=room)
    for officer in OFFICERS:
        if ship.officers[officer].place == key:
            kill_officer(table, officer, f"{'on' if key == 'bridge' else 'in'} the {table.data.rooms[key].name}")


def kill_at(table: T, rule: str, key: str, section: Section) -> None:
    """[7.2.F, 7.10.E, 7.11.D] Kill all who work at a gun or equipment that is hit."""
    for _ in range(at_work(table, section).count(key)):
        take_off_job(table, key)
        table.log_line(rule, "A man of the {} party is killed.", section, target=key)


def kill_officer(table: T, officer: str, cause: str) -> None:
    """[7.6.A] Kill an officer or a chief; the post is filled at the beginning of the next phase."""
    state, victim = table.state, table.state.ship.officers[officer]
    if not victim.dead:
        victim.dead = True
        state.tally.fallen.append(Fallen(state.at.turn, state.watch, state.ship.name, officer, victim.value, cause))
        moment = "The captain is killed" if officer == "captain" else ""
        table.log_line(
            "7.6", "The {} is killed {}.", title_of(state.plan, officer), cause, target=victim, moment=moment
        )


class MenHit(msgspec.Struct, frozen=True):
    """[7.3.V] Some men of the section's party are hit."""

    number: int


class OfficerHit(msgspec.Struct, frozen=True):
    """[7.3.V] An officer is hit, or, without a name, the section's repair chief."""

    officer: str = ""


CASUALTIES: dict[str, MenHit | OfficerHit] = {
    **{officer: OfficerHit(officer) for officer in OFFICERS},
    "repair-chief": OfficerHit(),
    "crew-1": MenHit(1),
    "crew-2": MenHit(2),
}
"""[7.3.V] The results of Table 13."""


def killed(table: T, section: Section) -> Steps:
    """[7.3.V] Roll for the officer or men who are hit; each who is not saved is killed."""
    roll = roll_on_table(table, table.data.tables.killed, f"killed-{section}")
    line = "Splinters hit {} in the {} section."
    match CASUALTIES[roll.cell]:
        case MenHit(number):
            who = "a man" if number == 1 else f"{number} men"
            table.log_line("7.3.V", line, who, section, roll, target=section_key(section), is_miss=True)
            for _ in range(number):
                there = table.state.ship.men[section] or at_work(table, section)
                if there and not _saved(table, "7.3.V", section) and (yield from any_man(table, "7.3.V", section)):
                    text = "A man of the {} party is killed."
                    table.log_line("7.3.V", text, section, target=section_key(section))
        case OfficerHit(""):
            table.log_line("7.3.V", line, "the repair chief", section, roll, target=CHIEFS[section], is_miss=True)
            kill_officer(table, CHIEFS[section], _among(section))
        case OfficerHit(officer):
            table.log_line(
                "7.3.V", line, f"the {OFFICERS[officer].lower()}", section, roll, target=officer, is_miss=True
            )
            if not _wounded(table, officer):
                kill_officer(table, officer, _among(section))


def _among(section: Section) -> str:
    return f"among the casualties {'aft' if section == 'aft' else f'in the {section} section'}"


def _wounded(table: T, officer: str) -> bool:
    """[7.3.V] Return whether an intact wardroom saves an officer."""
    ship = table.state.ship
    if ship.officers[officer].dead or not ship.works("wardroom"):
        return False
    least = table.data.damage.saves.on
    rolled = roll_die(table, "7.3.V", f"wounded-{officer}", goal=f"saved on {least} or more")
    saved = rolled >= least
    verb = "saves" if saved else "cannot save"
    facts = (verb, OFFICERS[officer].lower(), rolled)
    table.log_line("7.3.V", "The wardroom {} the {}.", *facts, target=officer, is_miss=True)
    return saved


def men_of_section(table: T, section: Section) -> None:
    """[7.7.K, 7.9.G] Roll for each man at work in the section of a secondary compartment that is hit."""
    for key in at_work(table, section):
        least = table.data.damage.secondary_crew.killed_on
        rolled = roll_die(table, "7.7.K", f"man-{key}", goal=f"hurt on {least} or more")
        if rolled < least:
            table.log_line("7.7.K", "A man of the {} party escapes unhurt.", section, rolled, target=key)
            continue
        if not _saved(table, "7.7.K", section):
            take_off_job(table, key)
            table.log_line("7.7.K", "A man of the {} party is killed.", section, rolled, target=key)


def succession(table: T) -> Steps:
    """[7.6] Replace the dead at the beginning of a phase: one by the chain of command, several by chits (P31)."""
    ship = table.state.ship
    if ship.lost:
        return
    dead = [officer for officer in COMMANDS if ship.officers[officer].dead]
    fallen = [section for section in SECTIONS if ship.officers[CHIEFS[section]].dead]
    drawn = dead
    if len(dead) == 1 and table.state.rulings.succession == "chain":
        fallen += yield from _move_up(table, dead[0])
        drawn = [LAST]
    yield from _new_values(table, drawn, fallen)
    for officer in dead:
        new = ship.officers[officer]
        new.place, new.dead, new.assigned, new.held = new.post or START[officer], False, False, False


def _move_up(table: T, gone: str) -> Choice[list[Section]]:
    """[7.6.B] Move everyone below up one post; return the section whose chief becomes chief petty officer."""
    ship, at = table.state.ship, COMMANDS.index(gone)
    for officer, below in zip(COMMANDS[at:], COMMANDS[at + 1 :], strict=False):
        ship.officers[officer].value = ship.officers[below].value
    table.log_line("7.6.B", "The officers below the {} move up one post.", OFFICERS[gone].lower(), target=gone)
    able = [section for section in SECTIONS if not ship.officers[CHIEFS[section]].dead]
    able.sort(key=lambda section: ship.officers[CHIEFS[section]].value)
    if not able:
        return []
    options = []
    for section in able:
        chief, free = CHIEFS[section], count_noun(ship.men[section], "man", "men")
        text = f"{CHIEF_NAMES[chief]} ({signed(ship.officers[chief].value)}), {free} free"
        options.append(Option(chief, text, section))
    chosen = yield from table.choose(CAPTAIN, "7.6.B", "Which repair chief becomes chief petty officer?", options)
    return [chosen.value]


def _new_values(table: T, drawn: list[str], fallen: list[Section]) -> Steps:
    """[7.6.C, 7.6.D, 7.6.E] Draw chits for new officers and chiefs; a man of the party becomes its chief."""
    ship = table.state.ship
    everybody = [*drawn, *(CHIEFS[section] for section in fallen)]
    for who, value in zip(everybody, draw_chits(table, "7.6.C", everybody), strict=True):
        ship.officers[who].value, ship.officers[who].dead = value, False
        table.log_line("7.6.C", "The new {} has value {}.", NAMES[who].lower(), signed(value), target=who)
    for section in fallen:
        if (yield from any_man(table, "7.6.D", section)):
            table.log_line("7.6.D", "A man of the {} party is now its chief.", section, target=CHIEFS[section])

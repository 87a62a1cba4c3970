"""[7.7] All hands, and who works where: officers and the men of the repair parties."""

from __future__ import annotations

from collections.abc import Container, Sequence

from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.decisions import BudgetGroup, Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket.figures.common import SECTIONS, Section
from readyroom.games.picket.rolls import table_check
from readyroom.games.picket.ship.crew import at_work, name_of, section_of_gear, take_off_job
from readyroom.games.picket.ship.damage import ABANDONED, sink
from readyroom.games.picket.ship.repair_checks import (
    ENGINEERS,
    compartment_check,
    equipment_check,
    gun_check,
    list_damaged_compartments,
    list_damaged_guns,
    repaired_to,
)
from readyroom.games.picket.state import CAPTAIN, DAMAGED, OFFICERS, START, Mount, PrimaryCompartment, T

# -- all hands -------------------------------------------------------------------------------------------------------


def count_damaged(table: T) -> tuple[int, int]:
    """[7.7.L] Return the number of damaged or destroyed compartments, and of all in this game (P37)."""
    ship = table.state.ship
    damaged = [not compartment.whole for compartment in ship.rooms.values()]
    if table.state.plan.advanced:
        damaged += [not compartment.whole for compartment in ship.spaces.values()]
    return sum(damaged), len(damaged)


def is_half_damaged(table: T) -> bool:
    """[7.7.L] Return whether half of all compartments are damaged or destroyed."""
    damaged, count = count_damaged(table)
    return table.data.repair.all_hands.divisor * damaged >= count


def call_all_hands(table: T) -> Steps:
    """[7.7.L, 7.7.N] Let the captain call all hands once a phase while half the ship is damaged."""
    ship, raid = table.state.ship, table.state.raid
    if ship.all_hands:
        yield from call_off_all_hands(table)
        return
    if raid.declared or not is_half_damaged(table):
        return
    check = table_check("7.7.L", "all hands", table.data.tables.all_hands, ship.value("captain"))
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
    text = "succeeds" if roll else "fails"
    table.log_line("7.7.L", "The call for all hands {}.", text, roll, target="captain")
    if not roll:
        options = [Option("fight-on", "fight on"), Option("abandon", "abandon ship: the Japanese win")]
        chosen = yield from table.choose(CAPTAIN, "7.7.N", "The call has failed. Fight on, or abandon ship?", options)
        if chosen.key == "abandon":
            sink(table, "7.7.N", ABANDONED)


def call_off_all_hands(table: T) -> Steps:
    """[7.7.O] Let the guns be manned again after the next wave, or with less damage."""
    ship = table.state.ship
    if is_half_damaged(table) and not ship.attacked:
        return
    options = [
        Option("go-on", "keep all hands at damage control: no gun fires"),
        Option("call-off", "send them back: the guns are manned again"),
    ]
    question = "All hands are at damage control. Send them back to the guns?"
    chosen = yield from table.choose(CAPTAIN, "7.7.O", question, options)
    ship.all_hands = chosen.key == "go-on"


# -- officers and men ------------------------------------------------------------------------------------------------


def assign_officers(table: T) -> Steps:
    """[2.0.D, 7.7.D, 7.7.G, 7.8.2.G] Assign the executive, engineering and damage control officers (P32).

    An officer whose compartment is not repaired from the phase before must stay there.
    """
    ship = table.state.ship
    rooms = list_damaged_compartments(table)
    broken: list[PrimaryCompartment | Mount] = [*rooms, *list_damaged_guns(table)]
    hurt = {compartment.key for compartment in rooms}
    if not broken:
        return
    for key, rule, able in (
        ("executive", "7.7.E", broken),
        ("engineer", "7.7.F", [compartment for compartment in rooms if compartment.key in ENGINEERS]),
    ):
        officer = ship.officers[key]
        if officer.dead or not able or (officer.held and officer.place in hurt):
            continue
        options = [
            *(Option(f"to-{place}", text, place) for place, text in _describe_hits(table, able).items()),
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
    yield from _move_other_officers(table)


def _describe_hits(table: T, places: Sequence[PrimaryCompartment | Mount]) -> dict[str, str]:
    return {one.key: f"{name_of(table, one.key)}, {count_noun(one.hits, 'hit')}" for one in places}


def _move_other_officers(table: T) -> Steps:
    """[2.0.D, P57] Let the gunnery officer and the chief petty officer move to another compartment."""
    ship, rooms = table.state.ship, table.data.rooms
    groups = []
    for key in ("gunnery", "chief"):
        officer = ship.officers[key]
        able = [place for place in rooms if place != officer.place and not ship.rooms[place].destroyed]
        options = [
            Option(f"{key}-{place}", f"{OFFICERS[key]} to the {rooms[place].name}", (key, place)) for place in able
        ]
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
        key, place = option.value
        ship.officers[key].place = place
        who, name = OFFICERS[key].lower(), table.data.rooms[place].name
        table.log_line("2.0.D", "The {} moves to the {}.", KeyedText(who, key), name, target=place)


def recall_men(table: T) -> None:
    """[7.8.2.F, 7.8.2.G, 7.9.F] Take men off their jobs, so that they can be assigned again between waves.

    Men at secondary compartments stay, and so do those who stayed in a primary one from the phase before.
    """
    ship = table.state.ship
    for section in SECTIONS:
        for key in at_work(table, section):
            if not (key in ship.spaces or (key in ship.rooms and ship.rooms[key].held)):
                take_off_job(table, key)
                ship.men[section] += 1


def assign_men(table: T) -> Steps:
    """[7.7.A, 7.7.B, 7.7.C, 7.8.2.F, 7.8.2.G, 7.9.D, 7.9.E, 11.5.B] Assign the free men of the three parties.

    Up to three may work in a compartment.
    """
    ship = table.state.ship
    most = dict[str, int]()
    for section in SECTIONS:
        chosen = yield from table.choose_some(
            CAPTAIN,
            "7.7",
            f"Where {_describe_men(ship.men[section])} of the {section} party work?",
            _list_jobs(table, section, most),
            at_most=ship.men[section],
            limit=lambda option: most[option.key],
            select_all_default=True,
            piece_key=section,
        )
        for option in chosen:
            _put_to_work(table, option.value, section)


def _describe_men(number: int) -> str:
    """Return a number of men as a question has it: "do the 3 men", "does the one man"."""
    return "does the one man" if number == 1 else f"do the {number} men"


def _list_jobs(table: T, section: Section, most: dict[str, int], tried: Container[str] = ()) -> list[Option]:
    """[7.7.B, 7.7.C, 7.10.A, 7.11.A] Return the jobs of the men of a section; put the vacancies of each in `most`.

    A job that has its men is among them with no vacancies, and is not offered.
    """
    ship, data = table.state.ship, table.data
    men_allowed, one = data.ship.crew.in_a_room, data.ship.crew.at_equipment
    options = list[Option]()

    def add(key: str, vacancies: int, hint: OptionInfo | None = None) -> None:
        if key not in tried:
            most[f"at-{key}"], name = vacancies, name_of(table, key)
            options.append(Option(f"at-{key}", capitalize_first(name), key, hint))

    for compartment in list_damaged_compartments(table, section):
        text = f"{count_noun(compartment.hits, 'hit')}; success with one more man"
        add(
            compartment.key,
            men_allowed - compartment.men,
            OptionInfo(text, float(compartment_check(table, compartment, more=1).odds())),
        )
    for key, gear in ship.gear.items():
        if gear.hits == DAMAGED and section_of_gear(data, key) == section:
            add(key, one - gear.man, OptionInfo("success", float(equipment_check(table, key).odds())))
    for key, secondary in ship.spaces.items():
        if data.secondary[key].section == section and secondary.boxes == DAMAGED and not secondary.tried:
            add(key, one - secondary.man, OptionInfo("success", repaired_to(table, key) / 6))
    for mount in list_damaged_guns(table, section):
        text = f"{count_noun(mount.hits, 'hit')}; success with one more man"
        add(mount.key, men_allowed - mount.men, OptionInfo(text, float(gun_check(table, mount, more=1).odds())))
    return options


def _put_to_work(table: T, key: str, section: Section) -> None:
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


# -- after a repair --------------------------------------------------------------------------------------------------


def reassign_men(table: T, section: Section, done: str, men: int, tried: set[str]) -> Steps:
    """[7.8.2.F] Let men who are finished move to something of their section not yet attempted."""
    most = dict[str, int]()
    table.state.ship.men[section] += men
    chosen = yield from table.choose_some(
        CAPTAIN,
        "7.8.2.F",
        f"{name_of(table, done)} is repaired. Where {_describe_men(men)} who repaired it work next?",
        _list_jobs(table, section, most, tried),
        at_most=men,
        limit=lambda option: most[option.key],
        piece_key=done,
    )
    for option in chosen:
        _put_to_work(table, option.value, section)


def reassign_officers(table: T, done: str, tried: set[str]) -> Steps:
    """[7.8.2.F, 11.5.B] Let an officer whose work is finished move on, or return to post."""
    for key in ("executive", "engineer"):
        officer = table.state.ship.officers[key]
        if not officer.assigned or officer.place != done:
            continue
        places: list[PrimaryCompartment | Mount] = [*list_damaged_compartments(table)]
        if key == "executive":
            places += list_damaged_guns(table)
        else:
            places = [place for place in places if place.key in ENGINEERS]
        able = _describe_hits(table, [place for place in places if place.key not in tried])
        options = [Option(f"to-{place}", text, place) for place, text in able.items()]
        options.append(Option("stay", "stays in place", done))
        post = officer.post or START[key]
        if post not in (done, *able):
            options.append(Option(f"to-{post}", f"returns to post: {name_of(table, post)}", post))
        title = f"{OFFICERS[key].lower()} ({signed(officer.value)})"
        question = f"{name_of(table, done)} is repaired. Where does the {title} go next?"
        chosen = yield from table.choose(CAPTAIN, "7.8.2.F", question, options, piece_key=key)
        officer.place, officer.held, officer.assigned = chosen.value, False, chosen.value in (done, *able)

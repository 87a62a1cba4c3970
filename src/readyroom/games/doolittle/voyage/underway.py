"""[12.5] The underway phase: the force moves west, perhaps twice, and looks for the other force."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check, Modifiers, Roll, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.secrecy import RISK, add_risk
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.formation import arrange_ships
from readyroom.games.doolittle.voyage.general_quarters import assign_recon
from readyroom.games.doolittle.voyage.launch import turn_about
from readyroom.games.doolittle.voyage.ships import (
    HANGAR,
    PORT,
    area_name,
    following_area,
    in_contact,
    recon_area,
    recon_card,
    recon_in_use,
    ships_afloat,
    slow_ships,
    turn_name,
    weather_at,
    weather_here,
)
from readyroom.games.doolittle.voyage.state import AWAY
from readyroom.games.doolittle.voyage.weather import enter_area

GO, STAY = "go", "stay"


def underway(table: T) -> Steps:
    """[12.5, 12.5.1, 12.5.2, DR118] Look for the other force, try to move, and perhaps make a raid move."""
    sea = table.state.sea
    yield from _offer_rendezvous(table)
    if not (yield from _move(table, raid=False)):
        return
    looked = yield from _offer_rendezvous(table)
    if not (yield from _offer_raid_move(table)):
        return
    if not (yield from _move(table, raid=True)):
        if not sea.fueled:
            yield from turn_about(table, "the raid move has failed on low fuel")
        return
    if not looked:
        yield from _offer_rendezvous(table)


def underway_check(table: T) -> Check:
    """[12.5.1, DR52] Return the dice to move, by the table of the area in which the force is and by its weather."""
    data, area = table.data, table.state.sea.area
    column = data.sea.area[area].table if area else data.sea.areas.port_table
    least = data.sea.moves[column].move[weather_here(table)]
    return Check("12.5.1", "getting under way", dice=data.naval.underway.dice, at_least=least)


def _move(table: T, *, raid: bool) -> Choice[bool]:
    """[12.5.1, 12.5.2] Try to move; a fueled force that fails may force it; return whether it has moved."""
    sea = table.state.sea
    target = following_area(table.data, sea.area)
    if not target:
        return False
    roll = table.roll(underway_check(table), sea.area or PORT)
    rule = "12.5.2" if raid else "12.5.1"
    text = "gets under way" if roll else "makes no progress"
    table.log_line(rule, "The task force {}.", text, roll, target="task-force")
    if not roll and not (yield from _offer_forced_move(table, target, rule)):
        return False
    sea.area = target
    name = KeyedText(area_name(table.data, target), "task-force")
    table.log_line(rule, "The force is at {}.", name, target=target)
    yield from enter_area(table)
    return True


def _offer_forced_move(table: T, target: str, rule: str) -> Choice[bool]:
    """[12.5.1] Choose whether a fueled force moves anyway and is then low on fuel."""
    sea = table.state.sea
    if not sea.fueled:
        return False
    text, note = f"force the move to {area_name(table.data, target)}", OptionInfo("the force becomes low on fuel")
    options = [Option(STAY, "stay here"), Option("force", text, info=note)]
    question = "The force makes no progress. Press on anyway?"
    chosen = yield from table.choose(table.state.captain, rule, question, options)
    if chosen.key == STAY:
        return False
    sea.fueled = False
    table.log_line(rule, "The force presses on at full power and is low on fuel.", target="task-force")
    return True


def may_raid(table: T) -> bool:
    """[12.5.2, 10.1.2] Return whether a raid move may be tried: west of the date line, without slow ships."""
    data, area = table.data, table.state.sea.area
    west = area == data.sea.areas.west_of_line or data.sea.west_of(area, data.sea.areas.west_of_line)
    return west and not slow_ships(table) and bool(following_area(data, area))


def _offer_raid_move(table: T) -> Choice[bool]:
    """[12.5.2] Choose whether the force tries a raid move."""
    if not may_raid(table):
        return False
    sea, chance = table.state.sea, float(underway_check(table).odds())
    note = "gets there" if sea.fueled else "gets there; otherwise the force turns back"
    options = [Option(STAY, "no raid move"), Option(GO, "raid move", info=OptionInfo(note, chance))]
    question = f"Make a raid move to {area_name(table.data, following_area(table.data, sea.area))}?"
    chosen = yield from table.choose(table.state.captain, "12.5.2", question, options)
    return bool(chosen.key == GO)


def rendezvous_modifiers(table: T) -> Modifiers:
    """[12.5.3, DR130] Return the modifiers of a rendezvous: turn, recon, submarines, storm, delay, flags."""
    state, sea = table.state, table.state.sea
    plan, figures = state.orders, table.data.naval.rendezvous
    recon = sum(recon_area(state, one) == sea.area for one in recon_in_use(state))
    boats = sum(in_contact(state, one.key) and one.area == sea.area for one in sea.submarines.values())
    stormy = weather_at(state, table.data, sea.area) == "storm"
    names = [
        ("planned turn", figures.planned_turn if turn_name(table.data, sea.turn) == plan.rendezvous_turn else 0),
        ("recon", figures.recon * recon),
        ("submarines", figures.submarine * boats),
        ("storm", figures.storm if stormy else 0),
        ("red flags", figures.red_flags * len(sea.flags)),
        ("delay", figures.delayed if plan.delayed else 0),
    ]
    return nonzero_modifiers(names)


def rendezvous_check(table: T) -> Check:
    """[9.1.1, 12.5.3] Return the check of a rendezvous; the planned area gives one more die."""
    sea, figures = table.state.sea, table.data.naval.rendezvous
    planned = sea.area == table.state.orders.rendezvous_area
    dice = figures.planned_dice if planned else figures.dice
    least = table.data.sea.area[sea.area].rendezvous
    return Check("12.5.3", "rendezvous", dice=dice, at_least=least, modifiers=rendezvous_modifiers(table))


def _offer_rendezvous(table: T) -> Choice[bool]:
    """[12.5.3] Choose whether to look for the other force here; once in each area, until it is found."""
    sea = table.state.sea
    if sea.met or not sea.area:
        return False
    check, costs = rendezvous_check(table), table.data.naval.rendezvous.failed_risk
    note = f"the forces meet; otherwise risk +{costs}, or radio silence is broken"
    look = Option("look", "look for the other force", info=OptionInfo(note, float(check.odds())))
    question = f"Look for the other force at {area_name(table.data, sea.area)}?"
    chosen = yield from table.choose(
        table.state.captain, "12.5.3", question, [Option("wait", "do not look here"), look]
    )
    if chosen.key == "wait":
        return False
    yield from rendezvous(table)
    return True


def rendezvous(table: T) -> Steps:
    """[12.5.3] Make a rendezvous check: the forces meet, radio silence is broken, or the risk grows."""
    sea, figures = table.state.sea, table.data.naval.rendezvous
    roll = table.roll(rendezvous_check(table), sea.area)
    text = "meet" if roll else "fail to meet"
    where = area_name(table.data, sea.area)
    table.log_line("12.5.3", "The two forces {} at {}.", text, where, roll, target=sea.area)
    table.state.put_back(*sea.flags)
    sea.flags = []
    spoken = 0 if roll else (yield from _break_silence(table, roll))
    risk = spoken if roll or spoken else figures.failed_risk
    if risk:
        add_risk(table, risk)
        table.log_line("12.5.3", "The risk is {}.", table.state.security.risk, target=RISK)
    if roll or spoken:
        yield from _join_forces(table)


def _break_silence(table: T, roll: Roll) -> Choice[int]:
    """[12.5.3] Choose by how much radio silence is broken: enough to meet, or not at all."""
    figures = table.data.naval.rendezvous
    assert roll.check.at_least is not None
    short = roll.check.at_least - roll.total
    options = [Option("keep", "keep silence", 0, OptionInfo(f"risk +{figures.failed_risk}"))]
    options += [
        Option(f"silence-{more}", f"break silence by {more}", more, OptionInfo(f"risk +{more}"))
        for more in range(short, figures.silence_most + 1)
    ]
    question = f"The roll is {short} short of a rendezvous. Break radio silence?"
    chosen = yield from table.choose(table.state.captain, "12.5.3", question, options)
    if chosen.value:
        table.log_line("12.5.3", "Radio silence is broken.", target="task-force")
    return int(chosen.value)


def _join_forces(table: T) -> Steps:
    """[12.5.3, 10.2.1, 10.2.2] Join the forces: ships and recon, or recon alone without the Enterprise.

    All ships take their places, repaired ones among them [12.1.6, DR128].
    """
    state, sea = table.state, table.state.sea
    plan = state.orders
    sea.met, plan.delayed = True, False
    state.facts["rendezvous"] = 1
    state.add_to_story("rendezvous", "enterprise" if plan.enterprise else "", sea.area)
    text = "The Enterprise and her ships join." if plan.enterprise else "The other ships join without the Enterprise."
    joined = []
    for recon in sea.recon.values():
        if recon.place == AWAY and (plan.enterprise or not recon_card(table.data, recon).enterprise):
            recon.place = HANGAR
            joined.append(recon)
    where, moment = area_name(table.data, sea.area), "The forces meet"
    table.reveal("12.5.3", "The forces meet at {}. {}", where, text, target=sea.area, moment=moment)
    if plan.enterprise:
        for ship in sea.ships.values():
            if ship.group == AWAY:
                ship.group = ""
        yield from arrange_ships(table, ships_afloat(state), "12.5.3")
    yield from assign_recon(table, joined, "12.5.3", ahead=False)

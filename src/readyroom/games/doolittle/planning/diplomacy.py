"""[13.2] Diplomacy: who is asked each month, with what modifiers, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from readyroom.engine.rules.checks import Check, Modifiers, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.figures.planning import DIPLOMATS, NAVY, Diplomat
from readyroom.games.doolittle.names import name_of
from readyroom.games.doolittle.planning import blotter, china, incident_effects
from readyroom.games.doolittle.planning.blotter import refusal_words
from readyroom.games.doolittle.state import T

URGENT, ASK, WAIT = "urgent", "ask", "wait"
RULES: dict[Diplomat, str] = {"thompson": "13.2.2", "stilwell": "13.2.3", "nimitz": "13.2.5"}
LAST = MONTHS[-1]


def hold_talks(table: T) -> Steps:
    """[13.1.3, 13.2, 13.2.3, 13.3.4, 13.4.10, 13.5.4, DR148] Hold the talks of the month, in the captain's order.

    The captain chooses the order, and may prepare sites in China between talks; a talk may be skipped.
    """
    rows, waiting = table.data.planning.calendar.row, [one for one in DIPLOMATS if may_ask(table, one)]
    while waiting:
        options = [Option(f"next-{one}", f"{rows[one].name} on {rows[one].asks}", one) for one in waiting]
        if china.may_supply(table.state):
            options.append(Option("sites", "prepare landing sites in China"))
        chosen = options[0]
        if len(options) > 1:
            chosen = yield from table.choose(table.state.captain, "13.2", "What do you do next?", options)
        if chosen.value is None:
            yield from china.supply_china(table)
        else:
            waiting.remove(chosen.value)
            yield from _hold_talk(table, chosen.value)
    if table.state.notes.month == LAST:
        yield from _end_navy_talks(table)


def may_ask(table: T, diplomat: Diplomat) -> bool:
    """[13.1.3, 13.2, 15.1.2] Return whether a diplomat may hold a talk this month; incidents may prevent it."""
    notes = table.state.notes
    placed, row = notes.calendar.get(diplomat), table.data.planning.calendar.row[diplomat]
    if placed is None or MONTHS.index(placed) > MONTHS.index(notes.month) or notes.month not in row.needs:
        return False
    return diplomat not in table.state.talks.granted and not incident_effects.forbids(table.state, diplomat)


def talk_check(table: T, diplomat: Diplomat, more: Sequence[str] = ()) -> Check:
    """[13.2.1, DR73, DR74] Return the check of this month, with all markers of the row, and those placed now."""
    figures, talked = table.data.planning.diplomacy, table.state.talks
    row, month = table.data.planning.calendar.row[diplomat], table.state.notes.month
    briefed = {*talked.briefed, *more}
    urgent = talked.urgent.get(diplomat, 0) + (URGENT in more)
    leader = row.leader.lower()
    modifiers: Modifiers = [
        (f"{row.name} briefed", figures.briefed * (diplomat in briefed)),
        (f"{row.leader} briefed", figures.briefed * (leader in briefed)),
        ("urgent", figures.urgent * urgent),
        ("Doolittle", figures.doolittle * blotter.has_doolittle(table.state, "january")),
        (f"{row.leader} has refused", row.denied * (diplomat in talked.denied)),
        *incident_effects.navy_modifiers(table, diplomat),
    ]
    name = f"talk of {row.name}"
    return Check("13.2.1", name, dice=figures.dice, at_least=row.needs[month], modifiers=nonzero_modifiers(modifiers))


def _hold_talk(table: T, diplomat: Diplomat) -> Steps:
    """[13.2, 13.2.1] Choose whether the diplomat is sent and which markers are placed first, for good; then roll."""
    row = table.data.planning.calendar.row[diplomat]
    options = [_talk_option(table, diplomat, some) for some in _marker_combinations(table, diplomat)]
    options.append(Option(f"{diplomat}-{WAIT}", "Wait", None, OptionInfo("no talk this month")))
    question = f"{row.name} on {row.asks}: ask this month?"
    chosen = yield from table.choose(table.state.captain, "13.2.1", question, options)
    if chosen.value is None:
        return
    urgent = table.state.talks.urgent
    for marker in chosen.value:
        if marker == URGENT:
            urgent[diplomat] = urgent.get(diplomat, 0) + 1
            table.log_line("13.2.1", "The talk is marked urgent.", target=diplomat)
        else:
            brief(table, marker)
    roll = table.roll(talk_check(table, diplomat), diplomat)
    text = "gets" if roll else "does not get"
    table.log_line(RULES[diplomat], "{} asks for {} and {} it.", row.name, row.asks, text, roll, target=diplomat)
    (_grant if roll else _deny)(table, diplomat)


def _marker_combinations(table: T, diplomat: Diplomat) -> list[tuple[str, ...]]:
    """[13.2.1, DR138] Return all combinations of markers that may be placed now: briefings, and an urgent marker."""
    row = table.data.planning.calendar.row[diplomat]
    able = [one for one in (diplomat, row.leader.lower()) if one and one not in table.state.talks.briefed]
    able += [URGENT] * bool(table.data.planning.diplomacy.urgent_a_check)
    return [some for number in range(len(able) + 1) for some in combinations(able, number)]


def _talk_option(table: T, diplomat: Diplomat, some: tuple[str, ...]) -> Option:
    """[13.2.1] Return a way to ask, with its chance and what it adds to the risk."""
    names = [f"{one.capitalize()} briefed" if one != URGENT else "marked urgent" for one in some]
    text = f"Ask, with {', '.join(names)}" if names else "Ask"
    check = talk_check(table, diplomat, some)
    costs = [f"risk +{risk_of_markers(table, some)}"] if some else []
    note = "; ".join(filter(None, [check.arithmetic(), *costs, refusal_words(table.state, table.data, diplomat, some)]))
    key = "-".join((diplomat, ASK, *(one for one in some if one != diplomat), *(["briefed"] * (diplomat in some))))
    return Option(key, text, some, OptionInfo(note, float(check.odds())))


def risk_of_markers(table: T, some: Sequence[str]) -> int:
    """[13.5.6] Return the risk of markers: each one that is placed, the leader's own among them."""
    leaders = _leaders(table)
    fresh = [one for one in some if one in leaders and one not in table.state.talks.leaders]
    return table.data.embarkation.risk.marker * (len(some) + len(fresh))


def _leaders(table: T) -> set[str]:
    rows = table.data.planning.calendar.row.values()
    return {row.leader.lower() for row in rows if row.leader}


def brief(table: T, who: str) -> None:
    """[13.2.1] Brief a person, for good; a leader's marker goes onto the calendar."""
    talked = table.state.talks
    talked.briefed.append(who)
    if who in _leaders(table) and who not in talked.leaders:
        talked.leaders.append(who)
    rows = table.data.planning.calendar.row
    target = next((key for key, row in rows.items() if who in (key, row.leader.lower())), "")
    table.log_line("13.2.1", "{} is briefed.", who.capitalize(), target=target)


def _grant(table: T, diplomat: Diplomat) -> None:
    """[13.2.2, 13.2.3, 13.2.5] Record a yes."""
    state = table.state
    state.talks.granted.append(diplomat)
    if diplomat in state.talks.denied:
        state.talks.denied.remove(diplomat)
    row = table.data.planning.calendar.row[diplomat]
    table.log_line(RULES[diplomat], "{} secures {}.", row.name, row.asks, target=diplomat)
    state.add_to_story("granted", diplomat)
    if diplomat == NAVY:
        _roll_submarines(table, granted=True)


def _deny(table: T, diplomat: Diplomat) -> None:
    """[13.2.2, 13.2.3, 13.2.5] Record a no; the leader's marker is placed on the row and modifies later talks."""
    state = table.state
    state.add_to_story("denied", diplomat)
    if diplomat == NAVY:
        _roll_submarines(table, granted=False)
        return
    row = table.data.planning.calendar.row[diplomat]
    if diplomat not in state.talks.denied:
        state.talks.denied.append(diplomat)
    if row.leader.lower() not in state.talks.leaders:
        state.talks.leaders.append(row.leader.lower())
    text = "{} refuses: until this changes, later talks have −{}."
    table.log_line(RULES[diplomat], text, row.leader, -row.denied, target=diplomat)


def _roll_submarines(table: T, *, granted: bool) -> None:
    """[13.2.5] Roll how many submarines the Navy gives."""
    figures = table.data.planning.joint
    face = table.roll_dice("13.2.5", "submarines")[0]
    even, odd = figures.denied_even, figures.denied_odd
    if granted:
        even, odd = figures.granted_even, figures.granted_odd
    number = table.state.talks.submarines = odd if face % 2 else even
    text = "The Enterprise joins the force." if granted else "The Enterprise does not join."
    table.log_line("13.2.5", "{} Submarines: {} ({} roll, {}).", text, number, "odd" if face % 2 else "even", face)


def _end_navy_talks(table: T) -> Steps:
    """[13.2.5, 13.5.1] End the talks with the Navy: no talk counts as a no, and surplus submarines are recalled."""
    state, plan = table.state, table.state.orders
    if not state.talks.submarines:
        _roll_submarines(table, granted=False)
    plan.enterprise = NAVY in state.talks.granted
    many = len(plan.submarines) - state.talks.submarines
    if many <= 0:
        return
    options = []
    for key, area in plan.submarines.items():
        text = f"the {name_of(table.data, key)} from {table.data.sea.area[area].name}"
        options.append(Option(f"recall-{key}", text, key))
    question = f"The Navy allows {state.talks.submarines}. Which {'is' if many == 1 else f'{many} are'} recalled?"
    chosen = yield from table.choose_some(table.state.captain, "13.5.1", question, options, at_least=many, at_most=many)
    for option in chosen:
        del plan.submarines[option.value]
        table.log_line("13.5.1", "Recalled: {}.", option.text, target="naval-plan")

"""[13.2] Diplomacy: who is asked each month, with what modifiers, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from readyroom.engine.rules.checks import Check, Modifiers, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.figures.planning import DIPLOMATS, NAVY, Diplomat
from readyroom.games.doolittle.planning import blotter, china, incident_effects
from readyroom.games.doolittle.planning.blotter import refusal_words
from readyroom.games.doolittle.state import T

URGENT, ASK, WAIT = "urgent", "ask", "wait"
SITES = "sites"
RULES: dict[Diplomat, str] = {"thompson": "13.2.2", "stilwell": "13.2.3", "nimitz": "13.2.5"}
LAST = MONTHS[-1]


def hold_talks(table: T) -> Steps:
    """[13.1.3, 13.2, 13.3.4, 13.4.10, 13.5.4, DR148] Hold the talks of the month, in the captain's order.

    The captain chooses the order, and may prepare sites in China between talks; a talk may be skipped.
    """
    waiting = [diplomat for diplomat in DIPLOMATS if may_ask(table, diplomat)]
    while waiting:
        matter = yield from _choose_next_matter(table, waiting)
        if matter == SITES:
            yield from china.supply_china(table)
        else:
            waiting.remove(matter)
            yield from _hold_talk(table, matter)
    if table.state.notes.month == LAST:
        yield from _end_navy_talks(table)


def may_ask(table: T, diplomat: Diplomat) -> bool:
    """[13.1.3, 13.2, 15.1.2] Return whether a diplomat may hold a talk this month.

    Incidents may prevent it.
    """
    notes = table.state.notes
    placed, row = notes.calendar.get(diplomat), table.data.planning.calendar.row[diplomat]
    if placed is None or MONTHS.index(placed) > MONTHS.index(notes.month) or notes.month not in row.needs:
        return False
    return diplomat not in table.state.talks.granted and not incident_effects.forbids(table.state, diplomat)


# -- one talk --------------------------------------------------------------------------------------------------------


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


def _choose_next_matter(table: T, waiting: Sequence[Diplomat]) -> Choice[Any]:
    """[13.2, 13.2.3, DR148] Choose which diplomacy check comes next, or the sites in China."""
    rows = table.data.planning.calendar.row
    options = [Option(f"next-{one}", f"{rows[one].name} on {rows[one].asks}", one) for one in waiting]
    if china.may_supply(table.state):
        options.append(Option(SITES, "prepare landing sites in China", SITES))
    if len(options) == 1:
        return waiting[0]
    chosen = yield from table.choose(table.state.captain, "13.2", "Which talk is next?", options)
    return chosen.value


def _hold_talk(table: T, diplomat: Diplomat) -> Steps:
    """[13.2, 13.2.1] Choose whether the diplomat is sent and which markers are placed first; then roll."""
    row = table.data.planning.calendar.row[diplomat]
    options = [_talk_option(table, diplomat, some) for some in _marker_combinations(table, diplomat)]
    options.append(Option(f"{diplomat}-{WAIT}", "Wait", None, OptionInfo("no talk this month")))
    question = f"{row.name} on {row.asks}: ask this month?"
    chosen = yield from table.choose(table.state.captain, "13.2.1", question, options)
    if chosen.value is None:
        return
    _place_markers(table, diplomat, chosen.value)
    roll = table.roll(talk_check(table, diplomat), diplomat)
    text = "gets" if roll else "does not get"
    table.log_line(RULES[diplomat], "{} asks for {} and {} it.", row.name, row.asks, text, roll)
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


def _place_markers(table: T, diplomat: Diplomat, some: Sequence[str]) -> None:
    """[13.2, 13.2.1] Place markers on the row; they stay there."""
    for one in some:
        if one == URGENT:
            urgent = table.state.talks.urgent
            urgent[diplomat] = urgent.get(diplomat, 0) + 1
            table.log_line("13.2.1", "The matter is marked urgent.")
        else:
            brief(table, one)


def brief(table: T, who: str) -> None:
    """[13.2.1] Brief a person, for good; a leader's marker goes onto the calendar."""
    talked = table.state.talks
    talked.briefed.append(who)
    if who in _leaders(table) and who not in talked.leaders:
        talked.leaders.append(who)
    table.log_line("13.2.1", "{} is briefed.", who.capitalize())


# -- results ---------------------------------------------------------------------------------------------------------


def _grant(table: T, diplomat: Diplomat) -> None:
    """[13.2.2, 13.2.3, 13.2.5] Record a yes."""
    state = table.state
    state.talks.granted.append(diplomat)
    if diplomat in state.talks.denied:
        state.talks.denied.remove(diplomat)
    row = table.data.planning.calendar.row[diplomat]
    table.log_line(RULES[diplomat], "{} succeeds: {}.", row.name, row.asks)
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
    leader = table.data.planning.calendar.row[diplomat].leader.lower()
    if diplomat not in state.talks.denied:
        state.talks.denied.append(diplomat)
    if leader not in state.talks.leaders:
        state.talks.leaders.append(leader)
    row = table.data.planning.calendar.row[diplomat]
    table.log_line(
        RULES[diplomat], "{} refuses: while this lasts, every further talk loses {}.", row.leader, -row.denied
    )


def _roll_submarines(table: T, *, granted: bool) -> None:
    """[13.2.5] Roll how many submarines the Navy gives."""
    figures = table.data.planning.joint
    face = table.roll_dice("13.2.5", "submarines")[0]
    odd = face % 2
    if granted:
        number = figures.granted_odd if odd else figures.granted_even
    else:
        number = figures.denied_odd if odd else figures.denied_even
    table.state.talks.submarines = number
    text = "The Enterprise joins the force." if granted else "The Enterprise does not join."
    table.log_line("13.2.5", "{} Submarines: {} ({} roll, {}).", text, number, "odd" if odd else "even", face)


def _end_navy_talks(table: T) -> Steps:
    """[13.2.5, 13.5.1] End the talks with the Navy: no talk counts as a no, and surplus submarines are recalled."""
    state, plan = table.state, table.state.orders
    if not state.talks.submarines:
        _roll_submarines(table, granted=False)
    plan.enterprise = NAVY in state.talks.granted
    many = len(plan.submarines) - state.talks.submarines
    if many <= 0:
        return
    cards = {card.key: card for card in table.data.ships.submarines.submarine}
    options = [
        Option(f"recall-{key}", f"the {cards[key].name} from {table.data.sea.area[area].name}", key)
        for key, area in plan.submarines.items()
    ]
    question = f"The Navy allows {state.talks.submarines}. Which {'is' if many == 1 else f'{many} are'} recalled?"
    chosen = yield from table.choose_some(table.state.captain, "13.5.1", question, options, at_least=many, at_most=many)
    for option in chosen:
        del plan.submarines[option.value]
        table.log_line("13.5.1", "Recalled: {}.", option.text)

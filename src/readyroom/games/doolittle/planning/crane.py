"""[13.5.3] The crane at Alameda: bombers come aboard, are repaired, and get their elite crewmen."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.bombers import bomber_options, repair_bomber
from readyroom.games.doolittle.names import pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber, EliteMan
from readyroom.games.doolittle.planning import accidents, blotter, incident_effects, transit
from readyroom.games.doolittle.planning.april import delay_chance
from readyroom.games.doolittle.secrecy import add_risk
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import bombers_on_deck

BY_HAND = "by-hand"


def crane(table: T) -> Steps:
    """[13.5.3] Play the crane: diligence, loading, repairs and elite crewmen."""
    yield from operate_crane(table)
    yield from choose_aboard(table)
    if table.state.squad:
        yield from repair_bombers(table)
        yield from assign_crewmen(table)


def operate_crane(table: T) -> Steps:
    """[13.5.3] Choose the diligence and roll for the crane: damage, a transit hazard, or risk."""
    notes, figures = table.state.notes, table.data.embarkation
    steps = range(figures.crane.diligence_most + 1)
    options = [Option(f"diligence-{step}", str(step), step, _diligence_hint(table, step)) for step in steps]
    chosen = yield from table.choose(table.state.captain, "13.5.3", "How diligent is the crane's crew?", options)
    notes.diligence = chosen.value
    modifiers = [("diligence", notes.diligence)] if notes.diligence else []
    result = table.roll_on_chart(figures.crane_chart, "result", "crane", modifiers)
    number = int(figures.crane_chart.cell(result.total, "number"))
    texts = {"damage": f"{number} damaged", "hazard": "a transit hazard", "risk": f"risk +{number}"}
    table.log_line("13.5.3", "The crane: {}.", texts.get(result.cell, "nothing happens"), result, target="crane")
    if result.cell == "damage":
        yield from accidents.damage_bombers(table, number, "13.5.3", "the crane", separate=True)
    elif result.cell == "hazard":
        yield from transit.hazards(table, number, "13.5.3")
    elif result.cell == "risk":
        add_risk(table, number)


def _diligence_hint(table: T, diligence: int) -> OptionInfo:
    """[13.5.3, 13.5.5] Return what diligence is worth at the crane, and what it costs in time."""
    odds = table.data.embarkation.crane_chart.odds("result", [("diligence", diligence)])
    texts = [f"{what} {percent(chance)}" for what, chance in odds.items() if what != "none"]
    late = percent(delay_chance(table, diligence=diligence, repairs=0))
    return OptionInfo(f"{', '.join(texts) or 'nothing happens'}; chance of a delay without repairs {late}")


def choose_aboard(table: T) -> Steps:
    """[13.4.9, 13.5.3, DR125] Choose which bombers go aboard, two at least and as many as training allows.

    The others leave the squadron, and their markers go back.
    """
    state, least = table.state, table.data.planning.selection.least
    options = bomber_options(table.data, "aboard", bombers_on_deck(state), lambda one: _condition(table, one))
    room = blotter.deck_capacity(state, table.data)
    most = min(room, len(options))
    chosen: Sequence[Option] = []
    if most >= least:
        question = f"Which bombers go aboard? There is room for {room}."
        chosen = yield from table.choose_some(
            state.captain, "13.5.3", question, options, at_least=least, at_most=most, select_all_default=True
        )
    keys = {option.value.key for option in chosen}
    for bomber in [one for one in state.squad.values() if one.key not in keys]:
        state.put_back(*bomber.markers)
        bomber.markers = []
        state.notes.hangar[bomber.key] = state.squad.pop(bomber.key)
    if keys:
        table.log_line("13.5.3", "{} bombers are aboard.", len(keys), target="squadron")
        state.add_to_story("aboard", str(len(keys)))
    else:
        text, moment = "No flight of bombers can go aboard: there will be no raid.", "There will be no raid"
        table.reveal("13.4.9", text, target="squadron", moment=moment)
        state.call_off()
        state.add_to_story("called-off", "13.4.9")


def _condition(table: T, bomber: Bomber) -> OptionInfo | None:
    texts = ["damaged"] if bomber.hits else []
    texts += [table.data.embarkation.cup.markers[marker.key].title.lower() for marker in bomber.markers]
    return OptionInfo(", ".join(texts)) if texts else None


def repair_bombers(table: T) -> Steps:
    """[13.4.9, 13.5.3, DR125] Choose what is repaired, damage or transit hazards; each repair takes time."""
    options = [option for bomber in table.state.squad.values() for option in _repair_options(table, bomber)]
    steps = [percent(delay_chance(table, repairs=number)) for number in range(len(options) + 1)]
    question = f"What do you repair? Chance of a delay after 0, 1, 2 … repairs: {', '.join(steps)}."
    chosen = yield from table.choose_some(table.state.captain, "13.5.3", question, options)
    for option in chosen:
        repair_bomber(table, "13.5.3", *option.value)
    table.state.notes.repairs = len(chosen)


def _repair_options(table: T, bomber: Bomber) -> list[Option]:
    """[13.5.3] Return what can be repaired on a bomber: all damage at once, and each hazard."""
    name = pilot_name(table.data, bomber.key)
    options = [Option(f"mend-{bomber.key}", f"{name}: damage", (bomber, None))] if bomber.hits else []
    for marker in bomber.markers:
        title = table.data.embarkation.cup.markers[marker.key].title.lower()
        options.append(Option(f"mend-{bomber.key}-{marker.key}", f"{name}: {title}", (bomber, marker)))
    return options


def assign_crewmen(table: T) -> Steps:
    """[2.3, 13.5.3, 15.1.2.B] Assign elite crewmen to bombers, one each: to their own, or one by one."""
    notes = table.state.notes
    men = [man for man in notes.aside if not incident_effects.is_grounded(table, man.key)]
    if not men:
        return
    if len(men) > 1:
        options = [Option("home", "Each to their own bomber, or to the next free one"), Option(BY_HAND, "One by one")]
        question = f"{len(men)} elite crewmen, one to a bomber at most: how are they assigned?"
        chosen = yield from table.choose(table.state.captain, "13.5.3", question, options)
        if chosen.key != BY_HAND:
            _assign_home(table, men)
            return
    yield from _assign_by_hand(table, men)


def _free_bombers(table: T) -> list[Bomber]:
    return [bomber for bomber in table.state.squad.values() if bomber.elite is None]


def _assign_home(table: T, men: Sequence[EliteMan]) -> None:
    """[2.3] Assign crewmen to their own bombers if those are there, else to free ones."""
    left = []
    for man in men:
        bomber = table.state.squad.get(table.data.bombers.crewmen[man.key].home)
        if bomber is None or bomber.elite is not None:
            left.append(man)
        else:
            _board(table, man, bomber)
    for man, bomber in zip(left, _free_bombers(table), strict=False):
        _board(table, man, bomber)


def _assign_by_hand(table: T, men: Sequence[EliteMan]) -> Steps:
    """[2.3] Choose a bomber for each crewman, who may also stay ashore."""
    for man in men:
        card = table.data.bombers.crewmen[man.key]
        benefit = table.data.bombers.benefits[card.benefit]
        options = bomber_options(table.data, man.key, _free_bombers(table), lambda one: _condition(table, one))
        options.append(Option(f"{man.key}-ashore", "Stays ashore"))
        question = f"{card.name}, {card.role} ({benefit.title.lower()}): which bomber?"
        chosen = yield from table.choose(table.state.captain, "2.3", question, options)
        if chosen.value is not None:
            _board(table, man, chosen.value)


def _board(table: T, man: EliteMan, bomber: Bomber) -> None:
    """[2.3] Attach an elite crewman to a bomber, for good."""
    table.state.notes.aside.remove(man)
    bomber.elite = man
    name = table.data.bombers.crewmen[man.key].name
    who = KeyedText(name, man.key)
    table.log_line("2.3", "{} flies with {}.", who, pilot(table.data, bomber.key), target=bomber)

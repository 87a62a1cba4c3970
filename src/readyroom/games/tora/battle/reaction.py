"""[5.2, 5.3, 5.4] When the Americans may act: alert, turn, and how far the Japanese have come."""

from __future__ import annotations

from readyroom.engine.rules.table import Steps
from readyroom.engine.text import join_list
from readyroom.games.tora.battle.day import put_up_patrol, raise_levels
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, USA, Category, Data
from readyroom.games.tora.state import ALERTS, T, Tora, quadrant, ring

DIRECTIONS = {"NE": "northeast", "NW": "northwest", "SE": "southeast", "SW": "southwest"}
WATERS = {"1": "the harbor, {} of Ford Island", "2": "the {} of Oahu", "3": "the sea {} of Oahu"}
"""Descriptions of the zones of each ring."""


def describe_zone(key: str) -> str:
    """Return where a zone is.

    >>> describe_zone("3NW")
    'the sea northwest of Oahu'
    """
    return WATERS[key[0]].format(DIRECTIONS[key[1:]])


def may_react(table: T, category: Category) -> bool:
    """[5.2] Return whether a category may act now."""
    return reacts(table.state, table.data, category)


def reacts(state: Tora, data: Data, category: Category) -> bool:
    """[5.2, 5.3] A category acts once turn plus level is five (four if warned), or Japan reaches the level's ring."""
    usa, sums = state.usa, data.planning.reaction
    level = usa.alert(category)
    return state.at.turn + level >= (sums.detected_sum if usa.detected else sums.sum) or usa.contact <= level


def hides_reaction(table: T) -> bool:
    """[T36] Return whether the enemy cannot know yet which Americans may act."""
    state, planning = table.state, table.data.planning
    early = state.at.turn + planning.alert.base < planning.reaction.sum
    return early and state.rulings.questions == "always"


def begin_turn(table: T) -> Steps:
    """[5.2, 5.4] Raise every level on turns 7 and 13; then check the position of the Japanese (T3)."""
    turn = table.state.at.turn
    if turn in table.data.planning.reaction.rises:
        yield from _rise(table)
    if table.state.rulings.zone_trigger == "start":
        note_contact(table)
    if turn == 1 and table.state.usa.detected:
        _log_sighting(table)
    if table.log is not None and turn <= table.data.planning.reaction.sum - table.data.planning.alert.base:
        awake = [CATEGORY_TITLES[category] for category in CATEGORIES if may_react(table, category)]
        acting = f"American {join_list(awake)}" if awake else "No American units"
        when = "at the start of this turn" if table.state.rulings.zone_trigger == "immediate" else "this turn"
        surprise = "Complete surprise" if turn == 1 and not awake and not table.state.usa.detected else ""
        readers = table.state.readers(USA)
        table.log_line("5.2", "{} may act {}.", acting, when, audience=readers, target=ALERTS, moment=surprise)


def _log_sighting(table: T) -> None:
    """[5.3, 5.8, 5.9] Report which search detected the first wave, and where."""
    state, plan = table.state, table.state.usa.plan
    assert plan is not None
    sectors = {quadrant(sector) for wave in state.japan.waves for sector in wave.sectors}
    searches = [("Patrol planes sight", plan.patrol[state.day - 1])]
    searches += [("The radar detects", plan.radar[state.day - 1])] if state.usa.radar_works else []
    readers, moment = state.readers(USA), "Surprise is lost"
    for who, sector in searches:
        if sector in sectors:
            template, direction = "{} aircraft to the {}.", DIRECTIONS[sector]
            table.log_line("5.3", template, who, direction, audience=readers, target=f"3{sector}", moment=moment)
            moment = ""


def _rise(table: T) -> Steps:
    """[5.4] Raise alert levels; as an option put up a CAP at fields that reach alert 3 (T4)."""
    usa, top = table.state.usa, table.data.planning.alert.top
    before = usa.alert("airfield")
    raise_levels(table)
    usa.risen += 1
    template, levels = "Alert levels rise: airfields {}, ships {}, batteries {}.", map(usa.alert, CATEGORIES)
    table.log_line("5.4", template, *levels, audience=table.state.readers(USA), target=ALERTS)
    if before < usa.alert("airfield") == top and table.state.rulings.late_patrol == "yes":
        yield from put_up_patrol(table)


def note_contact(table: T) -> None:
    """[5.2] Record the innermost ring that Japan has reached."""
    usa, zones = table.state.usa, table.state.zones
    usa.contact = min([usa.contact, *(ring(zone) for zone, over in zones.items() if over.japan)])


def note_entry(table: T) -> None:
    """[5.2] As an option aircraft alert the defenders as soon as they enter a zone (T3)."""
    if table.state.rulings.zone_trigger != "immediate":
        return
    before = [category for category in CATEGORIES if may_react(table, category)]
    note_contact(table)
    awake = [CATEGORY_TITLES[each] for each in CATEGORIES if each not in before and may_react(table, each)]
    if awake:
        readers = table.state.readers(USA)
        table.log_line("5.2", "American {} may act now.", join_list(awake), audience=readers, target=ALERTS)

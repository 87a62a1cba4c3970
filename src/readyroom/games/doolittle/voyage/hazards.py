"""[12.6] The hazards phase: what patrols meet, drawn unseen, shared out, and resolved one by one.

An airstrike interrupts the phase, which then continues with what is left: areas in the queue, hazards on patrols.
"""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.doolittle.figures.naval import SeaAreaCard
from readyroom.games.doolittle.names import expand_icons
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.secrecy import icon_hint
from readyroom.games.doolittle.sharing import Sharing, Taker, share_front
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.hazard_effects import count_signals, finish, hazard_card, resolve
from readyroom.games.doolittle.voyage.launch import emergency_hint, end_voyage, launch_after_planes, launch_bombers
from readyroom.games.doolittle.voyage.ships import (
    TASK_FORCE,
    area_name,
    can_launch,
    may_launch,
    patrol_name,
    patrols,
    recon_area,
    weather_at,
)

RESOLVE = "resolve"


def hazards(table: T) -> Steps:
    """[12.6] Resolve the hazards of each sea area with patrols; an airstrike interrupts the phase."""
    state, sea = table.state, table.state.sea
    if sea.resumed:
        sea.resumed = False
        yield from launch_after_planes(table)
        yield from finish(table)
        _check_deck(table)
    else:
        sea.met_with.clear()
        sea.queue = list(table.data.sea.order)
    while area := (yield from _next_area(table)):
        if not sea.drawn:
            sea.drawn = True
            _draw(table, table.data.sea.area[area])
            yield from _share(table, area)
        yield from _resolve_all(table)
        if state.strike is not None:
            sea.resumed = True
            return
        if not sea.over:
            sea.queue.pop(0)
            sea.drawn = False


def _next_area(table: T) -> Choice[str]:
    """[12.6] Choose the sea area whose hazards come next, and put it first in the queue; empty if none is left."""
    state, sea = table.state, table.state.sea
    if not sea.drawn:
        sea.queue = [area for area in sea.queue if patrols(state, area)]
    if sea.drawn or len(sea.queue) < 2:
        return sea.queue[0] if sea.queue else ""
    options = [Option(f"area-{area}", area_name(table.data, area), area) for area in sea.queue]
    chosen = yield from table.choose(state.captain, "12.6", "Which sea area's hazards are resolved next?", options)
    sea.queue.remove(chosen.value)
    sea.queue.insert(0, chosen.value)
    return str(chosen.value)


def _check_deck(table: T) -> None:
    """[12.0.1] End the voyage if the Hornet can launch no bomber any more."""
    if not table.state.sea.over and not can_launch(table):
        end_voyage(table, "the Hornet can no longer launch bombers")


def draw_counts(table: T, area: SeaAreaCard) -> Iterator[tuple[str, int]]:
    """[12.6.2] Yield how many markers an area draws of which cup, by weather, failed tests, alert and signals."""
    security, signals = table.state.security, count_signals(table.state)
    weather = weather_at(table.state, table.data, area.key)
    for draw in area.draw:
        enough = security.failed >= draw.failed and security.alert >= draw.alert and signals >= draw.signals
        if enough and (not draw.weather or weather in draw.weather):
            yield draw.cup, {"": draw.count, "alert": security.alert, "signals": signals}[draw.each]


def _draw(table: T, area: SeaAreaCard) -> None:
    """[12.6.1, 12.6.2] Draw the hazards of an area face down; an empty cup gives none."""
    sea, drawn = table.state.sea, list[Marker]()
    for cup, wanted in draw_counts(table, area):
        for _ in range(min(wanted, len(table.state.cups[cup].contents))):
            drawn.append(table.draw(table.state.cups[cup], "12.6.2", area.key))
    sea.undealt = drawn
    if drawn:
        table.log_line("12.6.2", "{}: {} drawn.", area.name, count_noun(len(drawn), "hazard"), target=area.key)


def _share(table: T, area: str) -> Steps:
    """[12.6.3] Share the hazards evenly among the patrols of the area."""
    sea = table.state.sea
    there = patrols(table.state, area)
    sea.assigned = {key: [] for key in there}
    takers = [Taker(Option(f"to-{key}", patrol_name(table.data, key), key), sea.assigned[key]) for key in there]
    sharing = Sharing("12.6.3", table.state.captain, sea.undealt, takers)
    for cup in dict.fromkeys(marker.cup for marker in sea.undealt):
        identical = [marker for marker in sea.undealt if marker.cup == cup]
        yield from share_front(table, sharing, f"{area_name(table.data, area)}, hazards of cup {cup}", identical)


def _resolve_all(table: T) -> Steps:
    """[12.6.4, 12.6.5] Resolve all hazards of the area's patrols, until the bombers are launched or planes come."""
    sea = table.state.sea
    while any(sea.assigned.values()) and table.state.strike is None:
        _give_to_force(table)
        patrol, marker = yield from _choose_next(table)
        if not (yield from _reveal(table, patrol, marker)):
            yield from resolve(table, patrol, marker)
            if table.state.strike is None:
                _check_deck(table)


def _give_to_force(table: T) -> None:
    """[12.6.3, DR50] Give hazards of recon that is back in the hangar to the force."""
    sea = table.state.sea
    for key in [key for key in sea.assigned if key in sea.recon and not recon_area(table.state, sea.recon[key])]:
        sea.assigned.setdefault(TASK_FORCE, []).extend(sea.assigned.pop(key))


def _choose_next(table: T) -> Choice[tuple[str, Marker]]:
    """[12.6.4] Choose which hazard is turned over next if patrols or fronts differ."""
    sea = table.state.sea
    result = {(key, marker.cup): marker for key, markers in sea.assigned.items() for marker in reversed(markers)}
    options = [
        Option(f"turn-{key}-{cup}", f"on {patrol_name(table.data, key)}, cup {cup}", (key, marker))
        for (key, cup), marker in result.items()
    ]
    if len(options) == 1:
        return options[0].value  # type: ignore[no-any-return]
    question = f"{area_name(table.data, sea.queue[0])}: which hazard is turned over next?"
    chosen = yield from table.choose(table.state.captain, "12.6.4", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _reveal(table: T, patrol: str, marker: Marker) -> Choice[bool]:
    """[12.6.4, DR54] Turn a hazard over and choose whether the bombers launch first; return whether they have."""
    sea, card = table.state.sea, hazard_card(table, marker)
    title, name = _hazard_title(table, marker), patrol_name(table.data, patrol)
    marker.shown = True
    sea.met_with.append(title)
    moment = "Sighted by a picket boat" if patrol == TASK_FORCE and card.kind == "boat" else ""
    text, who = "{} on {}.", KeyedText(name, patrol)
    table.reveal("12.6.4", text, describe(table, marker), who, target=patrol, moment=moment)
    if not may_launch(table):
        return False
    options = [
        Option(RESOLVE, "resolve the hazard"),
        Option("launch", "launch the bombers", info=emergency_hint(table)),
    ]
    effect, icon = table.data.sea_hazards.kinds.kind[card.kind].text, icon_hint(table.data, card.icon)
    effect += f" ({capitalize_first(icon)}.)" if icon else ""
    question = f"{title} on {name}. {effect} Launch the bombers first?"
    chosen = yield from table.choose(table.state.captain, "12.6.4", question, options, piece_key=marker.key)
    if chosen.key == RESOLVE:
        return False
    yield from launch_bombers(table, planned=False)
    return sea.over


def describe(table: T, marker: Marker) -> str:
    """[6.3.1, 12.6.6] Return a sea hazard as text, with its icon and the alert from which that brings an airstrike."""
    return expand_icons(table.data, _hazard_title(table, marker))


def _hazard_title(table: T, marker: Marker) -> str:
    card = hazard_card(table, marker)
    title = table.data.sea_hazards.kinds.kind[card.kind].title
    return f"{title} ({card.icon})" if card.icon else title

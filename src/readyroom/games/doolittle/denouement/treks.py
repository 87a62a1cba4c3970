"""[14.4.2, 14.4.3] The way to Chungking: bombers fly and crews walk, until all have arrived or are captured."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.denouement.crews import (
    active_crews,
    crew_key,
    crew_name,
    crew_names,
    crew_text,
    health_info,
    record_fate,
    roll_for_crews,
    search_for_crews,
)
from readyroom.games.doolittle.denouement.fields import (
    bombers_at,
    chance_to_goal,
    fly_route,
    overhaul,
    overhaul_candidates,
    wreck,
)
from readyroom.games.doolittle.denouement.landing import CHINA
from readyroom.games.doolittle.figures.ending import Route
from readyroom.games.doolittle.names import pilot_name, place_name
from readyroom.games.doolittle.pieces import Bomber, Crew
from readyroom.games.doolittle.rolls import FaceCheck
from readyroom.games.doolittle.state import T, seat_of

CHIANG, SHANGHAI = "chiang", "shanghai"


def transport(table: T) -> Steps:
    """[14.4, 14.4.2] Let groups and parties set out one after the other, until no crew is left on the way."""
    goal = table.data.denouement.routes.goal
    _wreck_abandoned(table)
    while options := _groups_to_move(table):
        chosen = yield from table.choose(table.state.captain, "14.4.2", "Which crew or bomber sets out next?", options)
        if chosen.key.startswith("mend-"):
            overhaul(table, chosen.value)
        elif isinstance(chosen.value, Bomber):
            yield from fly_route(table, chosen.value)
        else:
            yield from _move_party(table, chosen.value)
        for crew in active_crews(table.state, goal):
            record_fate(table, crew, goal)
            who, where = crew_text(table, [crew]), place_name(table.data, goal)
            moment = f"{crew_name(table, crew)} is safe in {where}"
            table.log_line("14.4.2", "{} reaches {}.", who, where, target=crew_key(crew), moment=moment)
        _wreck_abandoned(table)


def _groups_to_move(table: T) -> list[Option]:
    """[14.4.1 to 14.4.3] Return the bombers that may be overhauled or fly on, and the places with crews to walk."""
    sites = table.data.flight.sites_in(CHINA)
    options = [option for site in sites for option in overhaul_candidates(table, site)]
    for site in sites:
        for bomber in bombers_at(table.state, site.key):
            info = OptionInfo("to Chungking by the best route, with all available fuel", chance_to_goal(table, bomber))
            text = f"{pilot_name(table.data, bomber.key)} flies from {site.name}"
            options.append(Option(f"fly-{bomber.key}", text, bomber, info))
    for where in (*(site.key for site in sites), table.data.denouement.routes.on_foot):
        if crews := active_crews(table.state, where):
            text = f"{capitalize_first(crew_names(table, crews))} may walk from {place_name(table.data, where)}"
            options.append(Option(f"walk-{where}", text, where))
    return options


def _wreck_abandoned(table: T) -> None:
    """[14.4.2] Wreck each bomber at a field that has no crew left to fly it."""
    for site in table.data.flight.sites_in(CHINA):
        if not active_crews(table.state, site.key):
            for bomber in bombers_at(table.state, site.key):
                wreck(table, bomber, "no crew is left to fly it")


def trek_check(table: T, route: Route) -> FaceCheck:
    """[14.4.3, DR95, 15.1.2.H] Return the check of a party on foot."""
    state, figures = table.state, table.data.denouement.routes
    chits = state.blotter.chits if state.blotter is not None else []
    shanghai = sum(chit.startswith(SHANGHAI) for chit in chits)
    modifiers: Modifiers = [
        ("alert", figures.alert * state.security.alert),
        ("Japanese attacks", figures.attacked if state.sky.taken else 0),
        ("Chiang briefed", figures.chiang_briefed if CHIANG in state.talks.briefed else 0),
        ("Shanghai", figures.shanghai if shanghai >= figures.shanghai_chits else 0),
    ]
    net, dice = nonzero_modifiers(modifiers), figures.dice
    return FaceCheck("14.4.3", "trek", dice=dice, at_least=route.trek, modifiers=net, success="gets there")


def _move_party(table: T, where: str) -> Steps:
    """[14.4.3, 14.4.4] Move a party on foot; if its roll fails it is searched for. Free crews arrive."""
    party = yield from _choose_party(table, where)
    route = yield from _choose_route(table, where, party)
    roll = yield from roll_for_crews(table, trek_check(table, route), party[0].key, party)
    start, end = place_name(table.data, where), place_name(table.data, route.end)
    text = "is safe for" if roll else "draws a Japanese search for"
    if roll:
        _arrive(party, route.end)
    template, who = "The walk from {} to {} {} {}.", crew_text(table, party)
    table.log_line("14.4.3", template, start, end, text, who, roll, target=route.end)
    if not roll:
        yield from search_for_crews(table, party, where)
        _arrive(party, route.end)


def _arrive(party: Sequence[Crew], end: str) -> None:
    """[14.4.3] Move crews that are free to the end of their route."""
    for crew in party:
        if not crew.fate:
            crew.where = end


def _choose_party(table: T, where: str) -> Choice[list[Crew]]:
    """[14.4.2, 14.4.3] Choose the crews that walk together; crews may combine or split freely."""
    crews = active_crews(table.state, where)
    seat = seat_of(table.state, crews[0].key)
    options = [Option(f"go-{crew.key}", crew_name(table, crew), crew, health_info(table, crew)) for crew in crews]
    question = f"Which crews walk together from {place_name(table.data, where)}?"
    chosen = yield from table.choose_some(seat, "14.4.2", question, options, at_least=1, select_all_default=True)
    return [option.value for option in chosen]


def _choose_route(table: T, where: str, party: Sequence[Crew]) -> Choice[Route]:
    """[14.4.3] Choose where the party goes; each option shows the chance to avoid a search."""
    options = []
    for one in [route for route in table.data.denouement.routes.route if route.start == where]:
        info = OptionInfo("on foot", float(trek_check(table, one).odds()))
        options.append(Option(f"to-{one.end}", place_name(table.data, one.end), one, info))
    question = f"Where does the party go from {place_name(table.data, where)}?"
    seat = seat_of(table.state, party[0].key)
    return (yield from table.choose(seat, "14.4.3", question, options)).value  # type: ignore[no-any-return]

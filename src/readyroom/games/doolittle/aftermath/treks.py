"""[14.4.2, 14.4.3] The way to Chungking: bombers fly and crews walk, until all have arrived or are captured."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.checks import Modifiers, nonzero_modifiers
from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.aftermath.crews import ends, health, name, names, rolled, search, still
from readyroom.games.doolittle.aftermath.fields import chance_to_goal, hop, overhaul, standing, to_overhaul, wreck
from readyroom.games.doolittle.aftermath.landing import CHINA
from readyroom.games.doolittle.bombers import pilot_of
from readyroom.games.doolittle.figures.ending import Route
from readyroom.games.doolittle.names import place
from readyroom.games.doolittle.pieces import Bomber, Crew
from readyroom.games.doolittle.rolls import FaceCheck
from readyroom.games.doolittle.state import T, seat_of

CHIANG, SHANGHAI = "chiang", "shanghai"


def transport(table: T) -> Steps:
    """[14.4, 14.4.2] Let groups and parties set out one after the other, until no crew is left on the way."""
    _left_behind(table)
    while options := _setting_out(table):
        chosen = yield from table.choose(table.state.captain, "14.4.2", "Which crew or bomber sets out next?", options)
        if chosen.key.startswith("mend-"):
            overhaul(table, chosen.value)
        elif isinstance(chosen.value, Bomber):
            yield from hop(table, chosen.value)
        else:
            yield from _trek(table, chosen.value)
        _arrivals(table)
        _left_behind(table)


def _setting_out(table: T) -> list[Option]:
    """[14.4.1 to 14.4.3] Return the bombers that may be overhauled or fly on, and the places with crews to walk."""
    state = table.state
    options = [option for site in table.data.flight.sites_in(CHINA) for option in to_overhaul(table, site)]
    for site in table.data.flight.sites_in(CHINA):
        for bomber in standing(state, site.key):
            note = OptionInfo("to Chungking by the best route, with all available fuel", chance_to_goal(table, bomber))
            options.append(
                Option(f"fly-{bomber.key}", f"{pilot_of(table, bomber)} flies from {site.name}", bomber, note)
            )
    for where in (*(site.key for site in table.data.flight.sites_in(CHINA)), table.data.denouement.routes.on_foot):
        crews = still(state, where)
        if crews:
            text = f"{capitalize_first(names(table, crews))} may walk from {place(table.data, where)}"
            options.append(Option(f"walk-{where}", text, where))
    return options


def _left_behind(table: T) -> None:
    """[14.4.2] Wreck each bomber at a field that has no crew left to fly it."""
    for site in table.data.flight.sites_in(CHINA):
        if not still(table.state, site.key):
            for bomber in standing(table.state, site.key):
                wreck(table, bomber, "no crew is left to fly it")


def _arrivals(table: T) -> None:
    """[14.4.2] End the trek of crews that have reached the goal."""
    goal = table.data.denouement.routes.goal
    for crew in still(table.state, goal):
        table.log_line("14.4.2", "{} reaches {}.", name(table, crew), place(table.data, goal))
        ends(table, crew, goal)


# -- on foot ---------------------------------------------------------------------------------------------------------


def trek_check(table: T, route: Route) -> FaceCheck:
    """[14.4.3, DR95] Return the check of a party on foot."""
    state, figures = table.state, table.data.denouement.routes
    chits = state.blotter.chits if state.blotter is not None else []
    modifiers: Modifiers = [
        ("alert", figures.alert * state.security.alert),
        ("Japanese attacks", figures.attacked if state.sky.taken else 0),
        ("Chiang briefed", figures.chiang_briefed if CHIANG in state.talks.briefed else 0),
        ("Shanghai", figures.shanghai if _chits(chits) >= figures.shanghai_chits else 0),
    ]
    return FaceCheck(
        "14.4.3",
        "trek",
        dice=figures.dice,
        at_least=route.trek,
        modifiers=nonzero_modifiers(modifiers),
        success="gets there",
    )


def _chits(chits: Sequence[str]) -> int:
    """[15.1.2.H] Return the number of Shanghai chits held."""
    return sum(chit.startswith(SHANGHAI) for chit in chits)


def _trek(table: T, where: str) -> Steps:
    """[14.4.3, 14.4.4] Move a party on foot; if its roll fails it is searched for. Free crews arrive."""
    party = yield from _party(table, where)
    route = yield from _choose_route(table, where, party)
    roll = yield from rolled(table, trek_check(table, route), party[0].key, party)
    start, end = place(table.data, where), place(table.data, route.end)
    text = "is safe for" if roll else "draws a Japanese search for"
    table.log_line("14.4.3", "The walk from {} to {} {} {}.", start, end, text, names(table, party), roll)
    if not roll:
        yield from search(table, party, where)
    for crew in party:
        if not crew.fate:
            crew.where = route.end


def _party(table: T, where: str) -> Choice[list[Crew]]:
    """[14.4.2, 14.4.3] Choose the crews that walk together; crews may combine or split freely."""
    crews = still(table.state, where)
    seat = seat_of(table.state, crews[0].key)
    options = [Option(f"go-{crew.key}", name(table, crew), crew, health(table, crew)) for crew in crews]
    question = f"Which crews walk together from {place(table.data, where)}?"
    chosen = yield from table.choose_some(seat, "14.4.2", question, options, at_least=1, select_all_default=True)
    return [option.value for option in chosen]


def _choose_route(table: T, where: str, party: Sequence[Crew]) -> Choice[Route]:
    """[14.4.3] Choose where the party goes; each option shows the chance to avoid a search."""
    routes = [one for one in table.data.denouement.routes.route if one.start == where]
    options = [
        Option(
            f"to-{one.end}",
            place(table.data, one.end),
            one,
            OptionInfo("on foot", float(trek_check(table, one).odds())),
        )
        for one in routes
    ]
    question = f"Where does the party go from {place(table.data, where)}?"
    seat = seat_of(table.state, party[0].key)
    chosen = yield from table.choose(seat, "14.4.3", question, options)
    return chosen.value  # type: ignore[no-any-return]

"""[14.4.1, 14.4.3] Fields in China: repairs, and bombers that fly from field to field."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import icepool

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.bombers import clear_hazards, has_benefit, repair_bomber, repair_options, use_crewman
from readyroom.games.doolittle.denouement.crews import (
    active_crews,
    crew_name,
    crew_text,
    ditched_check,
    health_info,
)
from readyroom.games.doolittle.denouement.landing import CHINA
from readyroom.games.doolittle.figures.ending import Route
from readyroom.games.doolittle.figures.flight import SiteCard
from readyroom.games.doolittle.flight.flights import DITCH, FUMES, check_bomber_on_fumes, dry_tank_dice, fumes_column
from readyroom.games.doolittle.names import pilot, pilot_name, place_name
from readyroom.games.doolittle.pieces import Bomber, Crew, EliteMan, Marker
from readyroom.games.doolittle.state import Doolittle, Flight, T, ask, seat_of

LANDED = "landed"


def bombers_at(state: Doolittle, site: str) -> list[Bomber]:
    """[14.4.1] Return the bombers at a field."""
    return [bomber for bomber in state.squad.values() if bomber.fate == LANDED and bomber.where == site]


def capable(table: T) -> Steps:
    """[14.4, 14.4.1] Repair what can be repaired at each field; a bomber that cannot fly is destroyed by its crew."""
    for site in table.data.flight.sites_in(CHINA):
        if bombers_at(table.state, site.key):
            yield from _offer_copilot_repairs(table, site)
            yield from _use_groundcrews(table, site)
            for bomber in bombers_at(table.state, site.key):
                if bomber.hits:
                    wreck(table, bomber, "it cannot fly")


def wreck(table: T, bomber: Bomber, why: str) -> None:
    """[14.4.1, 14.4.2] Destroy a bomber that is left behind; its fuel remains at the field."""
    stock = table.state.sky.stock
    if bomber.fuel:
        stock[bomber.where] = stock.get(bomber.where, 0) + bomber.fuel
        bomber.fuel = 0
    bomber.fate = "wrecked"
    text, name = "The crew burns {}'s bomber: {}.", pilot(table.data, bomber.key)
    table.log_line("14.4.1", text, name, why, target=bomber.where)
    table.state.add_to_story("wrecked", bomber.key, bomber.where)
    clear_hazards(table, bomber)


# -- repairs ---------------------------------------------------------------------------------------------------------


def _offer_copilot_repairs(table: T, site: SiteCard) -> Steps:
    """[2.3.2, 14.4.1, DR97] Let each copilot at the field repair a bomber there once, even with severe damage."""
    crews = active_crews(table.state, site.key)
    able = [(crew, man) for crew in crews for man in crew.elites if has_benefit(table.data, man, "repair")]
    for crew, man in able:
        options = list[Option]()
        for bomber in bombers_at(table.state, site.key):
            hazards = [(marker, _hazard_title(table, marker)) for marker in bomber.markers]
            options += repair_options(table, bomber, hazards)
        if options:
            options.insert(0, Option("wait", "nothing"))
            question = f"What does {table.data.bombers.crewmen[man.key].name} repair at {site.name}?"
            seat = seat_of(table.state, crew.key)
            chosen = yield from table.choose(seat, "2.3.2", question, options, piece_key=man.key)
            if chosen.key != "wait":
                use_crewman(table, man)
                repair_bomber(table, "2.3.2", *chosen.value)


def _hazard_title(table: T, marker: Marker) -> str:
    """[8.3.7, 13.5.2] Return the name of a bomber's hazard, from the flight, from the way to the coast, or from sea."""
    way, crossing = table.data.flight_hazards, table.data.embarkation.cup.markers
    if marker.key in way.markers:
        return way.markers[marker.key].name or way.kinds.kind[way.markers[marker.key].kind].title
    return crossing[marker.key].title if marker.key in crossing else marker.cup


def repairs_left(table: T, site: str) -> int:
    """[14.4.1] Return how many bombers the groundcrews at a field can still repair."""
    state = table.state
    crews = state.sky.groundcrews.get(site, 0)
    return crews * table.data.denouement.groundcrew.bombers - state.denouement.repairs.get(site, 0)


def _use_groundcrews(table: T, site: SiteCard) -> Steps:
    """[14.4.1] Let groundcrews repair bombers, except those with severe damage."""
    able_to = [one for one in bombers_at(table.state, site.key) if one.hits <= 1 and (one.hits or one.markers)]
    options = [Option(f"mend-{one.key}", pilot_name(table.data, one.key), one) for one in able_to]
    most = max(0, repairs_left(table, site.key))
    question = f"Which bombers does the groundcrew at {site.name} repair?"
    seat = table.state.captain
    chosen = yield from table.choose_some(seat, "14.4.1", question, options, at_most=most, select_all_default=True)
    for option in chosen:
        overhaul(table, option.value)


def overhaul(table: T, bomber: Bomber) -> None:
    """[14.4.1] Remove all damage and hazard markers from a bomber."""
    state = table.state
    state.denouement.repairs[bomber.where] = state.denouement.repairs.get(bomber.where, 0) + 1
    bomber.hits = 0
    state.put_back(*bomber.markers)
    bomber.markers = []
    table.log_line("14.4.1", "The groundcrew repairs {}'s bomber.", pilot(table.data, bomber.key), target=bomber)


# -- bombers fly on ----------------------------------------------------------------------------------------------------


ENOUGH = "enough"


def routes_from(table: T, site: str) -> list[Route]:
    """[14.4.3, 13.2.4, DR120] Return the routes that a bomber can take from a field, except to a lost site."""
    lost, routes = table.state.sky.taken, table.data.denouement.routes.route
    return [one for one in routes if one.start == site and one.fuel is not None and one.end not in lost]


def fly_route(table: T, bomber: Bomber) -> Steps:
    """[14.4.3, DR107] Fly a bomber along a route: choose crews and fuel, then pay; if it ditches, check its crews."""
    route = yield from _choose_route(table, bomber)
    aboard = yield from _choose_crews(table, bomber)
    yield from _choose_fuel(table, bomber, route)
    who, end = pilot(table.data, bomber.key), place_name(table.data, route.end)
    table.log_line("14.4.3", "{}'s bomber carries {} to {}.", who, crew_text(table, aboard), end, target=route.end)
    yield from _pay_for_route(table, bomber, route, aboard)
    zone = _make_flight(table, route.start).zone
    for crew in aboard:
        crew.where = zone if bomber.fate == "ditched" else route.end
    if bomber.fate == "ditched":
        for crew in aboard:
            yield from ditched_check(table, crew, zone)
        return
    bomber.where = route.end
    if route.end == table.data.denouement.routes.goal:
        bomber.fate = "saved"
        table.state.add_to_story("saved", bomber.key, route.end)


def _choose_route(table: T, bomber: Bomber) -> Choice[Route]:
    """[14.4.3] Choose a route; each option has the chance to arrive with all the fuel of the field."""
    pool = fuel_at(table, bomber.where)
    options = [
        Option(f"to-{one.end}", place_name(table.data, one.end), one, _route_prospect(table, bomber, one, pool))
        for one in routes_from(table, bomber.where)
    ]
    question = f"Where does {pilot_name(table.data, bomber.key)} fly from {place_name(table.data, bomber.where)}?"
    return (yield from ask(table, bomber, "14.4.3", question, options)).value  # type: ignore[no-any-return]


def _choose_crews(table: T, bomber: Bomber) -> Choice[list[Crew]]:
    """[14.4.1] Choose the crews that fly in a bomber: its own first if it is there, then others."""
    aboard = list[Crew]()
    while True:
        free = [crew for crew in active_crews(table.state, bomber.where) if crew not in aboard]
        room = [crew for crew in free if _crew_fits(table, aboard, crew)]
        room.sort(key=lambda crew: crew.key != bomber.key)
        options = [Option(f"with-{crew.key}", crew_name(table, crew), crew, health_info(table, crew)) for crew in room]
        if not options:
            return aboard
        if aboard:
            options.insert(0, Option(ENOUGH, "No more crews"))
        question = f"Which {'other ' if aboard else ''}crew flies with {pilot_name(table.data, bomber.key)}?"
        chosen = yield from ask(table, bomber, "14.4.1", question, options)
        if chosen.key == ENOUGH:
            return aboard
        aboard.append(chosen.value)


def _crew_fits(table: T, aboard: Sequence[Crew], crew: Crew) -> bool:
    """[14.4.1] Return whether a crew fits aboard: two crews, or three if all of them are wounded."""
    figures = table.data.bombers.crew
    wounded = not any(one.fit for one in (*aboard, crew))
    return len(aboard) < (figures.carries_wounded if wounded else figures.carries)


def fuel_at(table: T, site: str) -> int:
    """[14.4.1, 14.4.3] Return all fuel at a field, in store and in bombers."""
    return table.state.sky.stock.get(site, 0) + sum(bomber.fuel for bomber in bombers_at(table.state, site))


def _choose_fuel(table: T, bomber: Bomber, route: Route) -> Steps:
    """[14.4.1, 14.4.3] Choose how much fuel of the field and of other bombers a bomber takes along (7.2.2)."""
    single = len(bombers_at(table.state, bomber.where)) == 1
    most = max(bomber.fuel, min(fuel_at(table, bomber.where), table.state.ratings.fuel))
    amounts = range(bomber.fuel if single else 0, most + 1)
    options = [
        Option(f"fuel-{amount}", f"{amount} fuel", amount, _route_prospect(table, bomber, route, amount))
        for amount in amounts
    ]
    pilot, end = pilot_name(table.data, bomber.key), place_name(table.data, route.end)
    question = f"How much fuel does {pilot} take to {end}?"
    _fill_tanks(table, bomber, (yield from ask(table, bomber, "14.4.1", question, options)).value)


def _fill_tanks(table: T, bomber: Bomber, amount: int) -> None:
    """[14.4.1, 7.2.4, DR89] Fill a bomber from the field, then from other tanks; it is then no longer on fumes.

    What a bomber leaves behind waits at the field.
    """
    stock, site = table.state.sky.stock, bomber.where
    wanted = amount - bomber.fuel
    bomber.fuel = amount
    if wanted > 0:
        bomber.fumes = 0
    drawn = min(wanted, stock.get(site, 0))
    stock[site] = stock.get(site, 0) - drawn
    for other in bombers_at(table.state, site):
        if other is not bomber:
            more = min(other.fuel, wanted - drawn)
            other.fuel -= more
            drawn += more


def _make_flight(table: T, site: str) -> Flight:
    """[14.4.3, DR104] Return a hop as a flight, low and without fuel, in the weather of the place where it begins."""
    box = table.data.denouement.routes.weather_box[site]
    zone = next(zone for zone, wind in table.data.flight.wind_of.items() if wind.key == box)
    return Flight("hop", [], zone, 0)


def _pay_for_route(table: T, bomber: Bomber, route: Route, aboard: Sequence[Crew]) -> Steps:
    """[14.4.3, 7.2.4, 14.4.1] Pay the fuel of a route; check on fumes for each fuel that is missing.

    Of the elite crewmen aboard only one may help with them.
    """
    assert route.fuel is not None
    spent = min(route.fuel, bomber.fuel)
    bomber.fuel -= spent
    short = route.fuel - spent
    if not short:
        return
    helper = yield from _choose_helper(table, bomber, aboard)
    if helper is not None:
        home, man = helper
        home.elites.remove(man)
        bomber.elite = man
    for _ in range(short):
        if bomber.fate != "ditched":
            yield from check_bomber_on_fumes(table, _make_flight(table, route.start), bomber)
    if helper is not None:
        bomber.elite = None
        home.elites.append(man)


def _choose_helper(table: T, bomber: Bomber, aboard: Sequence[Crew]) -> Choice[tuple[Crew, EliteMan] | None]:
    """[14.4.1, 2.3.4, 2.3.7] Choose the one elite crewman aboard who may help on dry tanks, with his crew."""
    options = []
    for crew, man in ((one, man) for one in aboard for man in one.elites):
        if has_benefit(table.data, man, "fuel-conservation") or has_benefit(table.data, man, "re-roll"):
            card = table.data.bombers.crewmen[man.key]
            benefit = table.data.bombers.benefits[card.benefit].title.lower()
            options.append(Option(f"man-{man.key}", f"{card.name}: {benefit}", (crew, man)))
    if not options:
        return None
    question = f"Which elite crewman helps {pilot_name(table.data, bomber.key)} on empty tanks?"
    return (yield from ask(table, bomber, "2.3", question, options)).value  # type: ignore[no-any-return]


def overhaul_candidates(table: T, site: SiteCard) -> list[Option]:
    """[14.4.1] Return the bombers at a site with attached hazards that its groundcrews can still take off."""
    text = f"the groundcrew at {site.name} overhauls {{}}'s bomber"
    able = [one for one in bombers_at(table.state, site.key) if one.markers and repairs_left(table, site.key) > 0]
    return [Option(f"mend-{one.key}", text.format(pilot_name(table.data, one.key)), one) for one in able]


def _route_prospect(table: T, bomber: Bomber, route: Route, fuel: int) -> OptionInfo:
    """[14.4.3] Return the cost of a route and the chance to arrive with this fuel, without elite crewmen."""
    assert route.fuel is not None
    dry = dry_tank_dice(table, bomber)
    if fuel > bomber.fuel:
        dry -= table.data.flying.fumes.marker * bomber.fumes
    chance = _chance_to_pass(table, _make_flight(table, route.start), dry, max(0, route.fuel - fuel))
    return OptionInfo(f"takes {route.fuel} fuel", float(chance))


def chance_to_goal(table: T, bomber: Bomber) -> float:
    """[14.4.3] Return the chance to fly to the goal by the best way, on all the fuel that there is at the fields."""
    return float(_chance_from(table, bomber, bomber.where, fuel_at(table, bomber.where)))


def _chance_from(table: T, bomber: Bomber, where: str, fuel: int) -> Fraction:
    """[14.4.3] Return the chance to fly to the goal from a place by the best way on this fuel."""
    dry, best = dry_tank_dice(table, bomber), Fraction(0)
    for route in routes_from(table, where):
        assert route.fuel is not None
        chance = _chance_to_pass(table, _make_flight(table, where), dry, max(0, route.fuel - fuel))
        if route.end != table.data.denouement.routes.goal:
            left = max(0, fuel - route.fuel) + fuel_at(table, route.end)
            chance *= _chance_from(table, bomber, route.end, left)
        best = max(best, chance)
    return best


def _chance_to_pass(table: T, flight: Flight, dry: int, checks: int) -> Fraction:
    """[7.2.4] Return the exact chance to pass some checks on fumes in a row; each marker adds a die."""
    if not checks:
        return Fraction(1)
    figures, chart = table.data.flying.fumes, table.data.flying.fumes_chart
    chance = Fraction(0)
    for total, share in _lowest(figures.dice + dry, figures.keep).items():
        cell = chart.cell(total, fumes_column(table, flight))
        if cell != DITCH:
            more = figures.marker if cell == FUMES else 0
            chance += share * _chance_to_pass(table, flight, dry + more, checks - 1)
    return chance


@lru_cache(maxsize=64)
def _lowest(dice: int, keep: int) -> dict[int, Fraction]:
    pool = icepool.d6.pool(dice).lowest(keep).sum()
    return {int(total): Fraction(ways, pool.denominator()) for total, ways in pool.items()}

"""[SW.4, SW.6] Building: factors and research points, each nation with its own resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import msgspec

from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import capitalize_first, count_noun, join_items, join_list
from readyroom.games.strategic.tables.named import Named
from readyroom.games.strategic.war import hints
from readyroom.games.strategic.war.pieces import counter, track_place
from readyroom.games.strategic.war.places import (
    CAMPAIGNS,
    COUNTRIES,
    POWERS,
    SEAS,
    SIDE,
    Country,
    airfields,
    bombing,
    fleets,
    hunted,
    in_sea,
    projects,
    year,
)
from readyroom.games.strategic.war.state import T, War
from readyroom.games.strategic.war.submarines import factors

HOME = "home"
ITEMS = {
    "submarine": "Submarines: ships sunk a turn",
    "escort": "Escorts: submarines sunk a turn",
    "carrier": "Escort carriers: submarines' net",
    "merchant": "Merchant ships: how many are there",
    "bomber": "Bombers: points for a raid",
    "interceptor": "Interceptors: bombers stopped",
}
"""What can be built, except research; and what the note of each option says."""
KINDS = {item: item for item in ITEMS} | {"carrier": "escort carrier"}
"""The same before "factor" in a sentence."""
PROJECTS = {
    "torpedo": "Torpedoes",
    "asw": "Anti-sub",
    "air-range": "Air range",
    "radar": "Radar",
    "air-defense": "Air defense",
    "bombers": "Bomber type",
}
"""Short titles of the projects, for sheets."""
EFFECTS = {
    "torpedo": "better rolls of own submarines",
    "asw": "worse rolls of enemy submarines",
    "air-range": "aircraft reach farther; better rolls at sea",
    "radar": "enemy raids are intercepted better",
    "air-defense": "worse rolls of enemy bombers",
    "bombers": "bombers can be built; then better rolls of bombers",
}
"""What each level of a project does."""
STUDIES = {
    **{project: name.lower() for project, name in PROJECTS.items()},
    "asw": "anti-submarine warfare",
    "bombers": "strategic bombers",
}
"""The same in a sentence."""
COLUMNS = {"atlantic": "Atlantic", "indian": "Indian", "pacific": "Pacific", HOME: "Home"}
SHARED = "Atlantic, home"
"""One column for a nation that has both: three columns fit on a small screen."""
AFLOAT = ("escort", "carrier", "merchant")


class Build(msgspec.Struct, frozen=True):
    """A factor in a box, or a research point, that a nation may build."""

    item: str
    nation: str
    sea: str | None = None
    fleet: str | None = None
    area: str | None = None
    project: str = ""

    @property
    def place(self) -> str:
        """The key of the counter or research track that it adds to."""
        if self.project:
            return track_place(self.nation, self.project)
        return self.fleet or counter(self.item, self.sea or self.area or "")


def build(table: T, side: str, nation: str) -> Choice[list[Build]]:
    """[SW.4, SW.6] Ask what a nation builds with its resources."""
    money = table.state.war.powers[nation].money
    options = buildable(table, nation)
    cheapest = min((option.cost for option in options), default=0)
    room = {option.key: _room(table, option, money) for option in options}
    built = yield from table.choose_some(
        side,
        "SW.4",
        f"What {'do' if nation == 'allies' else 'does'} {POWERS[nation]} build with {money} resources?",
        options,
        at_most=money // cheapest if cheapest else None,
        cost=lambda option: option.cost,
        budget=money,
        unit="resource",
        limit=lambda option: room[option.key],
        info=lambda option: build_hint(table, option.value),
        unavailable=lambda: _cannot_build(table, nation),
        piece_key=f"build-{nation}",
    )
    return [option.value for option in built]


def _room(table: T, option: Option, money: int) -> int:
    """Return how often an option may be built: what can be paid for, and useful research."""
    most = money // option.cost if option.cost else 1
    item: Build = option.value
    return min(most, useful(table, item.nation, item.project)) if item.item == "research" else most


def useful(table: T, nation: str, project: str) -> int:
    """[SW.6, W4] Return how many more points can improve a project's roll."""
    power = table.state.war.powers[nation]
    return table.data.war.research.at_least - 1 - power.points.get(project, 0)


def buildable(table: T, nation: str) -> list[Option]:
    """[SW.4] Return all a nation may build, as a sheet with items in rows and places in columns.

    Ships are ordered so that the columns run from west to east.
    """
    boats, ships = list(_boats(table, nation)), list(_surface_ships(table, nation))
    afloat = [*ships, *boats] if nation == "allies" else [*boats, *ships]
    return [*afloat, *_aircraft(table, nation), *_studies(table, nation)]


def _option(table: T, build: Build, where: str, place: str) -> Option:
    price: int = getattr(table.data.war.prices, build.item)
    cell = (ITEMS[build.item], _column(table, build.nation, where))
    return Option(f"{build.item}-{where}", f"{factors(1, KINDS[build.item])}, {place}", build, cost=price, cell=cell)


def _column(table: T, nation: str, where: str) -> str:
    """Return the column of a box; Atlantic and home share one, for small screens."""
    shared = nation != "japan" and table.state.war.fought("german-atlantic")
    return SHARED if shared and where in ("atlantic", HOME) else COLUMNS[where]


def _boats(table: T, nation: str) -> Iterator[Option]:
    war = table.state.war
    for campaign in fleets(war, nation):
        where = "pacific" if campaign.sea == "japan" else campaign.sea
        yield _option(table, Build("submarine", nation, fleet=campaign.fleet), where, COLUMNS[where])


def _surface_ships(table: T, nation: str) -> Iterator[Option]:
    for item, sea in product(AFLOAT, hunted(table.state.war, nation)):
        yield _option(table, Build(item, nation, sea=sea), HOME if sea == "japan" else sea, SEAS[sea])


def _aircraft(table: T, nation: str) -> Iterator[Option]:
    war = table.state.war
    for country in bombing(war, nation):
        if not _no_bombers(table, nation, country):
            where = "pacific" if country.by == "pacific" else HOME
            yield _option(table, Build("bomber", nation, area=country.area), where, f"against {country.title}")
    for area in airfields(war, nation):
        yield _option(table, Build("interceptor", nation, area=area), HOME, COUNTRIES[area].title)


def _studies(table: T, nation: str) -> Iterator[Option]:
    for project in projects(table.state.war, nation):
        if not _is_complete(table, nation, project) and useful(table, nation, project) > 0:
            build = Build("research", nation, project=project)
            price, cell = (
                table.data.war.prices.research,
                (f"{PROJECTS[project]}: {EFFECTS[project]}", _column(table, nation, HOME)),
            )
            yield Option(f"research-{project}", f"1 research point, {STUDIES[project]}", build, cost=price, cell=cell)


def _is_complete(table: T, nation: str, project: str) -> bool:
    """[SW.6] Return whether a project is at its highest level."""
    return table.state.war.powers[nation].levels.get(project, 0) >= table.data.war.research.most


def _no_bombers(table: T, nation: str, country: Country) -> str:
    """[SW.4, SW.10] Return why a nation may not build bombers against a country; empty if it may."""
    war, figures = table.state.war, table.data.war
    if country.by == "pacific" and year(war, table.state.at.turn) < figures.ranges.pacific_from:
        return f"No Pacific base is within bomber range before {figures.ranges.pacific_from}."
    if war.level(nation, "bombers") < figures.research.buildable:
        return "Research strategic bombers first."
    return ""


def _cannot_build(table: T, nation: str) -> Iterator[Unavailable]:
    war = table.state.war
    for country in bombing(war, nation):
        reason = _no_bombers(table, nation, country)
        if reason:
            where, rule = ("pacific", "SW.10") if country.by == "pacific" else (HOME, "SW.4")
            yield Unavailable(f"bomber-{where}", f"bombers against {country.title}", rule, reason)
    for project in projects(war, nation):
        name, reason = STUDIES[project], ""
        if _is_complete(table, nation, project):
            reason = f"Research on {name} is at level {table.data.war.research.most}, the highest."
        elif useful(table, nation, project) <= 0:
            reason = f"The next level of {name} is already certain."
        if reason:
            yield Unavailable(f"research-{project}", f"research on {name}", "SW.6", reason)


def build_hint(table: T, build: Build) -> OptionInfo | None:
    """Return the expected effect of a build."""
    state, data = table.state, table.data
    if build.fleet is not None:
        return hints.submarine(state, data, build.fleet)
    if build.item == "research":
        return hints.research(state, data, build.nation, build.project)
    if build.sea is not None:
        hint = {"merchant": hints.merchant, "carrier": hints.carrier, "escort": hints.escort}[build.item]
        return hint(state, data, build.nation, build.sea)
    assert build.area is not None
    if build.item == "bomber":
        return hints.bomber(state, data, COUNTRIES[build.area])
    return hints.interceptor(state, data, build.area)


def place(table: T, nation: str, builds: Counter[Build]) -> None:
    """[SW.4] Place what a nation has built at once and publicly; research stays secret. What is placed is removed."""
    power, prices = table.state.war.powers[nation], table.data.war.prices
    who, allied = capitalize_first(POWERS[nation]), nation == "allies"
    mine = [build for build in builds if build.nation == nation]
    spent, built = 0, dict[str, list[Named]]()
    for build in (build for build in mine if build.item != "research"):
        count = builds.pop(build)
        spent += count * getattr(prices, build.item)
        where = _place(table.state.war, build, count)
        built.setdefault(where, []).append(Named(build.place, factors(count, KINDS[build.item])))
    power.money -= spent
    if built:
        places = [f"{join_list(['{}'] * len(names))} {where}" for where, names in built.items()]
        template = f"{{}} {{}} {join_items(places)} ({count_noun(spent, 'resource')})."
        named = [name for names in built.values() for name in names]
        table.log_line("SW.4", template, who, "build" if allied else "builds", *named, target=named[0].key)
    for build in (build for build in mine if build.item == "research"):
        count = builds.pop(build)
        power.money -= count * prices.research
        points = power.points[build.project] = power.points.get(build.project, 0) + count
        facts = (who, "spend" if allied else "spends", count_noun(count, "research point"), STUDIES[build.project])
        goal = f"{points} so far, and a die must bring them to {table.data.war.research.at_least}"
        table.log_line("SW.6", "{} {} {} on {}: {}.", *facts, goal, audience=(SIDE[nation],), target=build.place)


def _place(war: War, build: Build, count: int) -> str:
    """Put factors into their box; return where that is."""
    if build.fleet is not None:
        war.submarines[build.fleet].ready += count
        return in_sea(CAMPAIGNS[build.fleet].sea)
    if build.sea is not None:
        war.oceans[build.sea].add(build.item, count)
        return in_sea(build.sea)
    assert build.area is not None
    if build.item == "bomber":
        war.bombers[build.area].ready += count
        return f"against {COUNTRIES[build.area].title}"
    war.interceptors[build.area] += count
    return f"in {COUNTRIES[build.area].title}"

"""[SW.4, SW.6] Building: factors in their boxes, and points of research, each nation out of its own purse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from readyroom.engine.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.table import Choice
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.state import T
from readyroom.games.strategic.war import hints
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
    projects,
    year,
)
from readyroom.games.strategic.war.state import War
from readyroom.games.strategic.war.submarines import factors

HOME = "home"
ITEMS = {
    "submarine": "Submarines",
    "escort": "Escorts",
    "carrier": "Carriers",
    "merchant": "Merchants",
    "bomber": "Bombers",
    "interceptor": "Interceptors",
}
"""What can be built, besides research."""
ONE = {
    "submarine": "a factor of submarines",
    "escort": "a factor of escorts",
    "carrier": "an escort carrier",
    "merchant": "a factor of merchant ships",
    "bomber": "a factor of bombers",
    "interceptor": "a factor of interceptors",
}
PLURAL = {item: name.lower() for item, name in ITEMS.items()}
PLURAL |= {"carrier": "escort carriers", "merchant": "merchant ships"}
"""The same in a sentence."""
PROJECTS = {
    "torpedo": "Torpedoes",
    "asw": "Anti-sub",
    "air-range": "Air range",
    "radar": "Radar",
    "air-defense": "Air defense",
    "bombers": "Bomber type",
}
"""The projects as a sheet has them, where there is little room."""
STUDIES = {
    **{project: name.lower() for project, name in PROJECTS.items()},
    "asw": "anti-submarine warfare",
    "bombers": "strategic bombers",
}
"""The same in a sentence."""
COLUMNS = {"atlantic": "Atlantic", "indian": "Indian", "pacific": "Pacific", HOME: "Home"}
SHARED = "Atlantic, home"
"""The column of whoever has both: a sheet of three columns fits on a small screen."""
AFLOAT = ("escort", "carrier", "merchant")


class Build(msgspec.Struct, frozen=True):
    """A thing that a nation may build: a factor in a box, or a point of research."""

    item: str
    nation: str
    sea: str | None = None
    fleet: str | None = None
    area: str | None = None
    project: str = ""


def build(table: T, side: str, nation: str) -> Choice[list[Build]]:
    """[SW.4, SW.6] A nation spends what it has on factors and on points of research."""
    money = table.state.war.powers[nation].money
    options = buildable(table, nation)
    room = {option.key: _room(table, option, money) for option in options}
    built = yield from table.choose_some(
        side,
        "SW.4",
        f"What {'do' if nation == 'allies' else 'does'} {POWERS[nation]} build with {money} resource points?",
        options,
        at_most=_most(options, money),
        cost=lambda option: option.cost,
        budget=money,
        limit=lambda option: room[option.key],
        info=lambda option: build_hint(table, option.value),
        unavailable=lambda: _not_built(table, nation),
        piece_key=f"build-{nation}",
    )
    return [option.value for option in built]


def _most(options: Sequence[Option], money: int) -> int | None:
    """How many of the cheapest things can be paid for; what costs nothing has no limit."""
    cheapest = min((option.cost for option in options), default=0)
    return money // cheapest if cheapest else None


def _room(table: T, option: Option, money: int) -> int:
    """How often something may be built: as often as it can be paid, and research no more than can help."""
    most = money // option.cost if option.cost else 1
    told: Build = option.value
    if told.item != "research":
        return most
    return min(most, useful(table, told.nation, told.project))


def useful(table: T, nation: str, project: str) -> int:
    """[SW.6, W4] How many points more a project can use: with a level sure, further ones are of no use."""
    power = table.state.war.powers[nation]
    return table.data.war.research.at_least - 1 - power.points.get(project, 0)


def buildable(table: T, nation: str) -> list[Option]:
    """[SW.4] All that a nation may build, as a sheet: what in the rows, where in the columns."""
    return [*_ships(table, nation), *_aircraft(table, nation), *_studies(table, nation)]


def _option(table: T, told: Build, where: str, place: str) -> Option:
    price: int = getattr(table.data.war.prices, told.item)
    text = f"{ONE[told.item]}, {place}"
    return Option(
        f"{told.item}-{where}", text, told, cost=price, cell=(ITEMS[told.item], _column(table, told.nation, where))
    )


def _column(table: T, nation: str, where: str) -> str:
    """The column of a box: who has both the Atlantic and a home has them in one, for small screens."""
    shared = nation != "japan" and table.state.war.fought("german-atlantic")
    return SHARED if shared and where in ("atlantic", HOME) else COLUMNS[where]


def _ships(table: T, nation: str) -> Iterator[Option]:
    """Ships, those first that are hunted in the Atlantic, so that the columns go from west to east."""
    boats, guards = list(_boats(table, nation)), list(_guards(table, nation))
    yield from guards + boats if nation == "allies" else boats + guards


def _boats(table: T, nation: str) -> Iterator[Option]:
    war = table.state.war
    for campaign in fleets(war, nation):
        where = "pacific" if campaign.sea == "japan" else campaign.sea
        yield _option(table, Build("submarine", nation, fleet=campaign.fleet), where, COLUMNS[where])


def _guards(table: T, nation: str) -> Iterator[Option]:
    for item in AFLOAT:
        for sea in hunted(table.state.war, nation):
            where = HOME if sea == "japan" else sea
            yield _option(table, Build(item, nation, sea=sea), where, SEAS[sea])


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
        if not _known(table, nation, project) and useful(table, nation, project) > 0:
            text = f"a point of research, {study(project)}"
            told = Build("research", nation, project=project)
            price = table.data.war.prices.research
            yield Option(
                f"research-{project}", text, told, cost=price, cell=(PROJECTS[project], _column(table, nation, HOME))
            )


def _known(table: T, nation: str, project: str) -> bool:
    """[SW.6] Whether there is no further level of a project."""
    return table.state.war.powers[nation].levels.get(project, 0) >= table.data.war.research.most


def _no_bombers(table: T, nation: str, country: Country) -> str:
    """[SW.4, SW.10] Why a nation may not build bombers against a country; empty if it may."""
    war, told = table.state.war, table.data.war
    if country.by == "pacific" and year(war, table.state.at.turn) < told.ranges.pacific_from:
        return f"No base in the Pacific is near enough before {told.ranges.pacific_from}."
    if war.level(nation, "bombers") < told.research.buildable:
        return "Strategic bombers have to be developed first: research bombers."
    return ""


def _not_built(table: T, nation: str) -> Iterator[Unavailable]:
    war, told = table.state.war, table.data.war
    for country in bombing(war, nation):
        reason = _no_bombers(table, nation, country)
        if reason:
            where = "pacific" if country.by == "pacific" else HOME
            rule = "SW.10" if country.by == "pacific" else "SW.4"
            yield Unavailable(f"bomber-{where}", f"bombers against {country.title}", rule, reason)
    for project in projects(war, nation):
        name = study(project)
        if _known(table, nation, project):
            reason = f"There is no level after the third, and {POWERS[nation]} has {told.research.most} of {name}."
            yield Unavailable(f"research-{project}", f"research on {name}", "SW.6", reason)
        elif useful(table, nation, project) <= 0:
            reason = f"The next level of {name} is sure already: no throw can fail."
            yield Unavailable(f"research-{project}", f"research on {name}", "SW.6", reason)


def build_hint(table: T, told: Build) -> OptionInfo | None:
    """What a thing that is built would bring."""
    state, data = table.state, table.data
    if told.fleet is not None:
        return hints.submarine(state, data, told.fleet)
    if told.item == "research":
        return hints.research(state, data, told.nation, told.project)
    if told.sea is not None and told.item == "merchant":
        return hints.merchant(state, data, told.nation, told.sea)
    if told.sea is not None and told.item == "carrier":
        return hints.carrier(state, data, told.nation, told.sea)
    if told.sea is not None:
        return hints.guard(state, data, told.nation, told.sea, escorts=1)
    assert told.area is not None
    if told.item == "bomber":
        return hints.bomber(state, data, COUNTRIES[told.area])
    return hints.interceptor(state, data, told.area)


def study(project: str) -> str:
    """A project as a sentence has it."""
    return STUDIES[project]


def place(table: T, told: Build, count: int) -> None:
    """[SW.4] What was built is there at once, and everybody sees it; what is studied stays secret."""
    power = table.state.war.powers[told.nation]
    power.money -= count * getattr(table.data.war.prices, told.item)
    who = capitalize_first(POWERS[told.nation])
    verb = "build" if told.nation == "allies" else "builds"
    if told.item == "research":
        power.points[told.project] = power.points.get(told.project, 0) + count
        points = "1 point" if count == 1 else f"{count} points"
        table.log_line(
            "SW.6", "{} {} {} of research: {}.", who, verb, points, study(told.project), audience=(SIDE[told.nation],)
        )
        return
    where = _place(table.state.war, told, count)
    table.log_line("SW.4", "{} {} {} of {}, {}.", who, verb, factors(count), PLURAL[told.item], where)


def _place(war: War, told: Build, count: int) -> str:
    """Put it into its box; what the box is called."""
    if told.fleet is not None:
        war.submarines[told.fleet].ready += count
        return CAMPAIGNS[told.fleet].title
    if told.sea is not None:
        war.oceans[told.sea].add(told.item, count)
        return SEAS[told.sea]
    assert told.area is not None
    if told.item == "bomber":
        war.bombers[told.area].ready += count
        return f"against {COUNTRIES[told.area].title}"
    war.interceptors[told.area] += count
    return COUNTRIES[told.area].title

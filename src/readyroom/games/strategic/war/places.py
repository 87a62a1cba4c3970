"""[SW.2] The boxes of the war: five submarine campaigns and three bombed countries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from readyroom.games.strategic.tables.figures import Scope
from readyroom.games.strategic.tables.war_opening import Quarter
from readyroom.games.strategic.war.state import War

Theater = Literal["ultra", "magic"]

ULTRA: Theater = "ultra"
MAGIC: Theater = "magic"
THEATERS: Mapping[Theater, str] = {"ultra": "Ultra", "magic": "Magic"}
"""The two theaters of codebreaking: Europe and the Pacific."""


@dataclass(frozen=True)
class Campaign:
    """[24.62.1] A nation's submarines in an ocean; `scope` is the table of modifiers, `by` the boats' nationality."""

    fleet: str
    title: str
    nation: str
    defender: str
    sea: str
    scope: Scope
    by: Literal["german", "japanese", "american"]
    theater: Theater


@dataclass(frozen=True)
class Country:
    """[24.62.8] A bombed country; `escorts` is the area whose interceptors escort the bombers."""

    area: str
    title: str
    attacker: str
    defender: str
    by: Literal["europe", "pacific"]
    theater: Theater
    escorts: str | None


CAMPAIGNS: Mapping[str, Campaign] = {
    each.fleet: each
    for each in (
        Campaign("german-atlantic", "Atlantic", "germany", "allies", "atlantic", "atlantic", "german", ULTRA),
        Campaign("german-indian", "Indian Ocean, German", "germany", "allies", "indian", "indian", "german", ULTRA),
        Campaign("japanese-indian", "Indian Ocean, Japanese", "japan", "allies", "indian", "indian", "japanese", MAGIC),
        Campaign("japanese-pacific", "Pacific, Japanese", "japan", "allies", "pacific", "pacific", "japanese", MAGIC),
        Campaign("american", "Pacific, American", "allies", "japan", "japan", "pacific", "american", MAGIC),
    )
}
COUNTRIES: Mapping[str, Country] = {
    each.area: each
    for each in (
        Country("germany", "Germany", "allies", "germany", "europe", ULTRA, "britain"),
        Country("japan", "Japan", "allies", "japan", "pacific", MAGIC, None),
        Country("britain", "Britain", "germany", "allies", "europe", ULTRA, "germany"),
    )
}
SEAS: Mapping[str, str] = {
    "atlantic": "Atlantic",
    "indian": "Indian Ocean",
    "pacific": "Pacific",
    "japan": "Japan's waters",
}
POWERS: Mapping[str, str] = {"germany": "Germany", "japan": "Japan", "allies": "the Allies"}
SIDE: Mapping[str, str] = {"germany": "axis", "japan": "axis", "allies": "allies"}
ENEMY: Mapping[str, str] = {"axis": "allies", "allies": "axis"}
SEASONS: tuple[Quarter, ...] = ("spring", "summer", "fall", "winter")


def theater(each: str) -> Theater:
    """Return the theater of a round."""
    return CAMPAIGNS[each].theater if each in CAMPAIGNS else COUNTRIES[each].theater


def title(each: str) -> str:
    """Return the title of a round."""
    return CAMPAIGNS[each].title if each in CAMPAIGNS else f"raids on {COUNTRIES[each].title}"


def in_sea(sea: str) -> str:
    """Return a phrase such as "in the Atlantic"."""
    return f"in {SEAS[sea]}" if sea == "japan" else f"in the {SEAS[sea]}"


def year(war: War, turn: int) -> int:
    """Return the calendar year of a turn."""
    return war.year + (SEASONS.index(war.quarter) + turn - 1) // len(SEASONS)


def season(war: War, turn: int) -> Quarter:
    """Return the season of a turn."""
    return SEASONS[(SEASONS.index(war.quarter) + turn - 1) % len(SEASONS)]


def quarter(war: War, turn: int) -> str:
    """[SW.1] Return the date of a turn, such as Spring 1942."""
    return f"{season(war, turn).title()} {year(war, turn)}"


def nations(war: War, side: str) -> list[str]:
    """Return the nations of a side with submarines, hunted ships, bombers, or a bombed country in the scenario."""
    own = [nation for nation in SIDE if SIDE[nation] == side]
    return [nation for nation in own if any(of(war, nation) for of in (fleets, hunted, bombing, bombed))]


def fleets(war: War, nation: str) -> list[Campaign]:
    """Return the campaigns of a nation in the scenario."""
    return [each for each in CAMPAIGNS.values() if each.nation == nation and each.fleet in war.rounds]


def hunted(war: War, nation: str) -> list[str]:
    """Return the oceans in which a nation's shipping is hunted."""
    seas = [each.sea for each in CAMPAIGNS.values() if each.defender == nation and each.fleet in war.rounds]
    return list(dict.fromkeys(seas))


def bombing(war: War, nation: str) -> list[Country]:
    """Return the countries a nation bombs."""
    return [each for each in COUNTRIES.values() if each.attacker == nation and each.area in war.rounds]


def bombed(war: War, nation: str) -> list[Country]:
    """Return the bombed countries of a nation."""
    return [each for each in COUNTRIES.values() if each.defender == nation and each.area in war.rounds]


def airfields(war: War, nation: str) -> list[str]:
    """Return where a nation has interceptors: where it is bombed, and where its bombers start."""
    areas = [each.area for each in bombed(war, nation)]
    areas += [each.escorts for each in bombing(war, nation) if each.escorts is not None]
    return list(dict.fromkeys(areas))


def projects(war: War, nation: str) -> list[str]:
    """[SW.6] Return the projects of use to a nation."""
    projects = []
    if fleets(war, nation):
        projects.append("torpedo")
    if hunted(war, nation):
        projects.append("asw")
    if fleets(war, nation) or hunted(war, nation) or bombing(war, nation):
        projects.append("air-range")
    if bombed(war, nation):
        projects += ["radar", "air-defense"]
    if bombing(war, nation):
        projects.append("bombers")
    return projects


def theaters(rounds: Iterable[str]) -> list[Theater]:
    """Return the theaters of a scenario's rounds."""
    return list(dict.fromkeys(sorted((theater(each) for each in rounds), key=list(THEATERS).index)))

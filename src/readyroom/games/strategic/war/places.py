"""[SW.2] The boxes of the war and who meets whom in each: five submarine campaigns and three bombed countries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from readyroom.games.strategic.figures import Scope
from readyroom.games.strategic.war.opening import Quarter
from readyroom.games.strategic.war.state import War

Theater = Literal["ultra", "magic"]

ULTRA: Theater = "ultra"
MAGIC: Theater = "magic"
THEATERS: Mapping[Theater, str] = {"ultra": "Ultra", "magic": "Magic"}
"""The two theaters of codebreaking: Europe, and the Pacific."""


@dataclass(frozen=True)
class Campaign:
    """[24.62.1] A nation's submarines in an ocean; `scope` is its table of modifiers, `by` whose boats they are."""

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
    """[24.62.8] A country that is bombed, by whom, in which theater; whose interceptors escort the bombers."""

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
    """In which theater a round is fought, and so which cards serve it."""
    return CAMPAIGNS[each].theater if each in CAMPAIGNS else COUNTRIES[each].theater


def title(each: str) -> str:
    """What a round is called."""
    return CAMPAIGNS[each].title if each in CAMPAIGNS else f"raids on {COUNTRIES[each].title}"


def year(war: War, turn: int) -> int:
    """The calendar year of a turn."""
    return war.year + (SEASONS.index(war.quarter) + turn - 1) // len(SEASONS)


def season(war: War, turn: int) -> Quarter:
    """The quarter of the year of a turn."""
    return SEASONS[(SEASONS.index(war.quarter) + turn - 1) % len(SEASONS)]


def quarter(war: War, turn: int) -> str:
    """[SW.1] A turn as a date, such as Spring 1942."""
    return f"{season(war, turn).title()} {year(war, turn)}"


def nations(war: War, side: str) -> list[str]:
    """The nations of a side that have a part in the rounds of the scenario."""
    return [
        nation
        for nation, belongs in SIDE.items()
        if belongs == side and (fleets(war, nation) or concerned(war, nation))
    ]


def fleets(war: War, nation: str) -> list[Campaign]:
    """The submarine campaigns of a nation that are played."""
    return [each for each in CAMPAIGNS.values() if each.nation == nation and each.fleet in war.rounds]


def hunted(war: War, nation: str) -> list[str]:
    """The oceans in which a nation's shipping is hunted."""
    found = [each.sea for each in CAMPAIGNS.values() if each.defender == nation and each.fleet in war.rounds]
    return list(dict.fromkeys(found))


def bombing(war: War, nation: str) -> list[Country]:
    """The countries that a nation bombs."""
    return [each for each in COUNTRIES.values() if each.attacker == nation and each.area in war.rounds]


def bombed(war: War, nation: str) -> list[Country]:
    """The countries of a nation that are bombed."""
    return [each for each in COUNTRIES.values() if each.defender == nation and each.area in war.rounds]


def concerned(war: War, nation: str) -> bool:
    """Whether a nation has ships that are hunted, bombers, or something that is bombed."""
    return bool(hunted(war, nation) or bombing(war, nation) or bombed(war, nation))


def airfields(war: War, nation: str) -> list[str]:
    """Where a nation has interceptors: where it is bombed, and where they escort its own bombers."""
    found = [each.area for each in bombed(war, nation)]
    found += [each.escorts for each in bombing(war, nation) if each.escorts is not None]
    return list(dict.fromkeys(found))


def projects(war: War, nation: str) -> list[str]:
    """[SW.6] What it makes sense to a nation to study."""
    found = []
    if fleets(war, nation):
        found.append("torpedo")
    if hunted(war, nation):
        found.append("asw")
    if fleets(war, nation) or hunted(war, nation) or bombing(war, nation):
        found.append("air-range")
    if bombed(war, nation):
        found += ["radar", "air-defense"]
    if bombing(war, nation):
        found.append("bombers")
    return found


def theaters(war: War) -> list[Theater]:
    """The theaters in which anything is fought."""
    return list(dict.fromkeys(sorted((theater(each) for each in war.rounds), key=list(THEATERS).index)))

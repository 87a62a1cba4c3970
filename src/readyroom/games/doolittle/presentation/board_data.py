"""What the board shows, in words and figures for a reader: the same for the terminal and for the drawn board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.engine.game import MatchView, View
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation import flight_map
from readyroom.games.doolittle.presentation import target as scene_target
from readyroom.games.doolittle.presentation.flight_map import Way
from readyroom.games.doolittle.presentation.squadron import Plane, plane, signed
from readyroom.games.doolittle.presentation.target import City, Raid

HOMEWARD = "homeward"
"""[14.3] The phase in which ships sail home."""
LIGHTS = {"day": "by day", "night": "by night"}


@dataclass(frozen=True, slots=True)
class Security:
    """[6.1] The security track."""

    alert: int
    most: int
    failed: int
    risk: int
    value: int

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What it says."""
        return [
            ("Alert", f"{self.alert} of {self.most}"),
            ("Failed tests", str(self.failed)),
            ("Risk", str(self.risk)),
            ("Secrecy value", f"{self.value} dice"),
        ]


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that the board shows."""

    title: str
    phase: str
    points: int
    security: Security
    ratings: View
    squad: Sequence[Plane]
    city: City | None
    raid: Raid | None
    way: Way | None
    over: bool
    segment: str
    month: str
    blotter: View | None
    ending: View | None
    voyage: View | None
    strike: View | None
    tale: View | None
    line: Sequence[Sequence[str]]
    leader: str = ""

    @property
    def counts(self) -> bool:
        """Whether points are shown: in the campaign at its end, and nowhere before bombers fly."""
        return self.over or (self.blotter is None and not self.at_sea)

    @property
    def skills(self) -> str:
        """[4.4, 4.5.1, 4.8.1, 4.9.3] The ratings of the bombers, over a city by its light."""
        ratings, light = self.ratings, self.city.light if self.city else ""
        way = " / ".join(signed(ratings["navigation"][one]) for one in ([light] if light else LIGHTS))
        evasion = ratings["evasion"] + (ratings["night_evasion"] if light == "night" else 0)
        elite = f" (elite pilots +{ratings['elite_evasion']})" if ratings["elite_evasion"] else ""
        when = "" if light else " (day / night)"
        parts = [f"Gunnery {count(ratings['gunnery'], 'die').replace('dies', 'dice')}", f"evasion {evasion}{elite}"]
        return ", ".join([*parts, f"navigation {way}{when}", f"bombing {signed(ratings['bombing'])}"])

    @property
    def high(self) -> str:
        """[3.3.1, 4.4] What the bombers of flights that are high cannot do over a city; nothing where none is high."""
        if self.way is None or not any(flight.high for flight in self.way.flights if flight.flies):
            return ""
        return f"High: no evasion over a city, {'boxes by day only' if self.ratings['norden'] else 'no target boxes'}"

    @property
    def at_sea(self) -> bool:
        """[9.0, 11.0, 14.3] Whether the ships are what continues: on the voyage, under attack, on their way home."""
        if self.voyage is None:
            return False
        return self.segment == "naval" or self.strike is not None or self.phase == HOMEWARD

    @property
    def on_the_roads(self) -> bool:
        """[14.0] Whether it is about the crews on the ground."""
        return self.ending is not None and not self.at_sea

    def _sailing(self, voyage: View) -> list[str]:
        """[9.2, 12.0] The turn of the voyage, and where the force is."""
        turns = voyage["turns"]
        area = next((one["name"] for one in voyage["areas"] if one["key"] == voyage["area"]), "in port")
        return [turns[min(voyage["turn"], len(turns)) - 1], area, "fueled" if voyage["fueled"] else "low on fuel"]

    @property
    def mission(self) -> Sequence[Plane]:
        """The bombers of the attack that continues; all of them where there are no flights."""
        if self.raid is None or not self.raid.flight:
            return self.squad
        return [plane for plane in self.squad if plane.flight == self.raid.flight]

    @property
    def lines(self) -> list[str]:
        """Where the raid is, and who leads several captains, in a few words each."""
        return [*self._where(), *([f"{self.leader} leads"] if self.leader else [])]

    def _where(self) -> list[str]:
        names = [self.title]
        if self.segment == "planning":
            return [*names, f"{self.month} 1942"]
        if self.at_sea and self.voyage is not None:
            return [*names, *self._sailing(self.voyage)]
        if self.city is not None:
            names.append(f"{self.city.title} {LIGHTS[self.city.light]}")
        if self.raid is not None:
            names.append(f"attack turn {max(1, self.raid.turn)} of {self.raid.turns}")
            names += [self.raid.closed_reason] if self.raid.closed_reason else []
        elif self.on_the_roads:
            names.append("on the ways home")
        elif self.way is not None:
            names += [f"flight turn {self.way.turn}", self.way.description]
        return names


def scene(view: MatchView[Any]) -> Scene:
    """What a captain sees."""
    table = view.table
    raid, targets = table["raid"], table["targets"]
    city = raid["city"] if raid else table["card"]
    names = _names(targets)
    squad = [plane(one, number, names) for number, one in enumerate(table["squad"], start=1)]
    security = table["security"]
    return Scene(
        title=table["title"],
        leader=table["leader"],
        phase=view.phase,
        points=table["points"],
        security=Security(
            security["alert"], security["alert_max"], security["failed"], security["risk"], security["value"]
        ),
        ratings=table["ratings"],
        squad=squad,
        city=scene_target.city(city, targets[city], squad) if city else None,
        raid=scene_target.raid(raid),
        way=flight_map.way(table["air"], {each.key: each for each in squad}),
        over=view.outcome is not None,
        segment=table["segment"],
        month=_month(table, over=view.outcome is not None),
        blotter=table["blotter"],
        ending=table["ending"],
        voyage=table["voyage"],
        strike=table["strike"],
        tale=table["tale"] if view.outcome is not None else None,
        line=table["line"],
    )


def _month(table: View, *, over: bool) -> str:
    """The month on the time line: January to April, May on the roads of China, June when all is said."""
    if over and table["ending"] is not None:
        return "June"
    if table["segment"] == "planning" and table["blotter"] is not None:
        return str(table["blotter"]["month"]).capitalize()
    return "May" if table["segment"] == "denouement" else "April"


def _names(targets: Mapping[str, View]) -> dict[str, str]:
    """Areas and boxes by their names."""
    names = {}
    for target in targets.values():
        for area in target["areas"]:
            names[area["key"]] = area["name"]
            names |= {box["key"]: box["name"] for box in area["boxes"]}
    return names

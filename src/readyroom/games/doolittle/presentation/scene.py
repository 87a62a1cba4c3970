"""What the terminal and the drawn board derive from a captain's view: numbered bombers, flights, and headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import asdict

from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.attack.view import AttackView, TargetView
from readyroom.games.doolittle.flight.view import FlightView
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.piece_views import BomberView
from readyroom.games.doolittle.view import DoolittleView, TaleView
from readyroom.games.doolittle.voyage.view import VoyageView

HOMEWARD = "homeward"
"""[14.3] The phase in which ships sail home."""
LIGHTS = {"day": "by day", "night": "by night"}
FATES = {"ditched": "came down", "destroyed": "crew dead", "wrecked": "burned"}
"""What the fate of a bomber is called, where that is not its key."""


class Plane(BomberView, frozen=True, kw_only=True):
    """[2.1] A bomber with its number in the squadron and the text of where it is, or what became of it."""

    number: int
    status: str

    @property
    def title(self) -> str:
        """The bomber in a sentence."""
        texts = [f"Bomber {self.number}, {self.pilot}", "bombs aboard" if self.loaded else "bombs gone"]
        texts += ["damaged"] if self.hits and not self.fate else []
        texts += [self.status, self.elite.title if self.elite else ""]
        texts += [count_text(self.fumes, "marker") + " of fumes"] if self.fumes else []
        texts += [marker.summary for marker in self.hazards]
        return "; ".join(filter(None, texts))


class Flight(FlightView, frozen=True, kw_only=True):
    """[7.1] A flight with its bombers, and the fuel that it starts with."""

    planes: Sequence[Plane]
    full: int

    @property
    def name(self) -> str:
        """Its name; a lone bomber has that of the flight that it comes from."""
        number, _, lone = self.key.removeprefix("flight-").partition("-")
        return f"Lone bomber of flight {number}" if lone or self.alone else f"Flight {number}"

    @property
    def short(self) -> str:
        """Its number, with a letter for a lone bomber."""
        number, _, lone = self.key.removeprefix("flight-").partition("-")
        return f"{number}{chr(96 + int(lone)) if lone.isdecimal() else '*' if lone else ''}"

    @property
    def landed(self) -> str:
        """Where it has landed."""
        return self.site_name if self.site else ""

    @property
    def height(self) -> str:
        """[7.1.3] Its altitude."""
        return "high" if self.high else "low"

    @property
    def flying(self) -> list[Plane]:
        """Its bombers in the air."""
        return [plane for plane in self.planes if not plane.fate]

    @property
    def flies(self) -> bool:
        """Whether any of its bombers is in the air."""
        return not self.landed and bool(self.flying)

    @property
    def title(self) -> str:
        """The flight in a sentence."""
        where = f"landed at {self.landed}" if self.landed else f"zone {self.zone[1:]}"
        bombers = f"{count_text(len(self.flying), 'bomber')}, {sum(plane.loaded for plane in self.flying)} loaded"
        hazards = f"; {count_text(len(self.assigned), 'hazard')} to share out" if self.assigned else ""
        return f"{self.name}: {bombers}; {where}, {self.height}, fuel {self.fuel}{hazards}"


@dataclass(frozen=True)
class Scene:
    """A captain's view, with its bombers and flights as they are drawn."""

    view: MatchView[DoolittleView]
    squad: Sequence[Plane]
    flights: Sequence[Flight]

    @property
    def table(self) -> DoolittleView:
        """The view of the game."""
        return self.view.table

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.view.outcome is not None

    @property
    def raid(self) -> AttackView | None:
        """[4.0] The attack in progress."""
        return self.table.raid

    @property
    def city_key(self) -> str:
        """The city that is attacked, or that the scenario is about."""
        return self.raid.city if self.raid else self.table.card

    @property
    def city(self) -> TargetView | None:
        """[3.0] The target map of that city."""
        return self.table.targets[self.city_key] if self.city_key else None

    @property
    def raiders(self) -> Flight | None:
        """[4.0] The flight that attacks; none in an attack scenario."""
        return next((one for one in self.flights if self.raid and one.key == self.raid.flight), None)

    @property
    def mission(self) -> Sequence[Plane]:
        """The bombers of the attack in progress; all of them where there are no flights."""
        if self.raid is None or not self.raid.flight:
            return self.squad
        return [plane for plane in self.squad if plane.flight == self.raid.flight]

    @property
    def tale(self) -> TaleView | None:
        """[1.9] The pages at the end, once the match is over."""
        return self.table.tale if self.over else None

    @property
    def counts(self) -> bool:
        """Whether points are shown: in the campaign at its end, and nowhere before bombers fly."""
        return self.over or (self.table.blotter is None and self.at_sea is None)

    @property
    def skills(self) -> str:
        """[4.4, 4.5.1, 4.8.1, 4.9.3] The ratings of the bombers, over a city by its light."""
        ratings, light = self.table.ratings, self.city.light if self.city else ""
        way = " / ".join(signed(ratings.navigation[one]) for one in ([light] if light else LIGHTS))
        evasion = ratings.evasion + (ratings.night_evasion if light == "night" else 0)
        elite = f" (elite pilots +{ratings.elite_evasion})" if ratings.elite_evasion else ""
        when = "" if light else " (day / night)"
        parts = [f"Gunnery {dice_text(ratings.gunnery)}", f"evasion {evasion}{elite}"]
        return ", ".join([*parts, f"navigation {way}{when}", f"bombing {signed(ratings.bombing)}"])

    @property
    def high(self) -> str:
        """[3.3.1, 4.4] What the bombers of flights that are high cannot do over a city; nothing where none is high."""
        if not any(flight.high for flight in self.flights if flight.flies):
            return ""
        boxes = "boxes by day only" if self.table.ratings.norden else "no target boxes"
        return f"High: no evasion over a city, {boxes}"

    @property
    def at_sea(self) -> VoyageView | None:
        """[9.0, 11.0, 14.3] The voyage while it is about ships: as they sail, under attack, on their way home."""
        afloat = self.table.segment == "naval" or self.table.strike is not None or self.view.phase == HOMEWARD
        return self.table.voyage if afloat else None

    @property
    def on_the_roads(self) -> bool:
        """[14.0] Whether it is about the crews on the ground."""
        return self.table.ending is not None and self.at_sea is None

    @property
    def month(self) -> str:
        """The month on the time line: January to April, May on the roads of China, June at the end."""
        if self.over and self.table.ending is not None:
            return "June"
        if self.table.segment == "planning" and self.table.blotter is not None:
            return self.table.blotter.month.capitalize()
        return "May" if self.table.segment == "denouement" else "April"

    @property
    def lines(self) -> list[str]:
        """The title, where the raid is, and who leads several captains."""
        return [self.table.title, *self._where(), *([f"{self.table.leader} leads"] if self.table.leader else [])]

    def _where(self) -> list[str]:
        """Return where the raid is."""
        city, raid, air, voyage = self.city, self.raid, self.table.air, self.at_sea
        if self.table.segment == "planning":
            return [f"{self.month} 1942"]
        if voyage is not None:
            area = next((one.name for one in voyage.areas if one.key == voyage.area), "in port")
            return [voyage.turns[min(voyage.turn, len(voyage.turns)) - 1], area, voyage.fuel]
        texts = [f"{city.title} {LIGHTS[city.light]}"] if city else []
        if raid is not None:
            texts.append(f"attack turn {max(1, raid.turn)} of {raid.turns}")
            return [*texts, raid.closed_reason] if raid.closed_reason else texts
        if self.on_the_roads:
            return [*texts, "on the way home"]
        return [*texts, f"flight turn {air.turn}", air.description] if air else texts


def scene(view: MatchView[DoolittleView]) -> Scene:
    """Return what the boards show of a view."""
    table = view.table
    places = {area.key: area.name for target in table.targets.values() for area in target.areas}
    places |= {box.key: box.name for target in table.targets.values() for area in target.areas for box in area.boxes}
    squad = {
        one.key: Plane(**asdict(one), number=number, status=_status_text(one, places))
        for number, one in enumerate(table.squad, start=1)
    }
    flights = list[Flight]()
    if table.air is not None:
        for flight in table.air.flights:
            planes = [squad[key] for key in flight.members]
            flights.append(Flight(**asdict(flight), planes=planes, full=table.air.fuel))
    return Scene(view, list(squad.values()), flights)


def _status_text(bomber: BomberView, places: Mapping[str, str]) -> str:
    """Return where a bomber is, or what became of it."""
    if bomber.fate:
        where = f", {bomber.where}" if bomber.where and bomber.fate not in ("home", "destroyed") else ""
        return f"{FATES.get(bomber.fate, bomber.fate)}{where}"
    if bomber.area:
        return places.get(bomber.box or bomber.area, bomber.area)
    if bomber.enters:
        return f"{'late, ' if bomber.delayed else ''}enters on turn {bomber.enters}"
    return f"at {bomber.site}" if bomber.site else bomber.base or "in the air"


def dice_text(number: int) -> str:
    """Return a number of dice in words.

    >>> dice_text(1), dice_text(3)
    ('1 die', '3 dice')
    """
    return f"{number} {'die' if number == 1 else 'dice'}"

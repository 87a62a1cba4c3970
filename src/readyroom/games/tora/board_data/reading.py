"""Reads a view: aircraft, fields, guns and ships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from readyroom.engine.game import MatchView, View
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data.pieces import (
    UNKNOWN,
    Art,
    Field,
    Scene,
    Ship,
    Target,
    Unit,
    Zone,
    in_the_making,
    on_the_sheets,
    printed,
)
from readyroom.games.tora.board_data.side_panels import LOADS, japan_panel, luck_deck, turns, usa_panel
from readyroom.games.tora.figures import JAPAN, SIDE_ADJECTIVES, SIDES, USA, SideName
from readyroom.games.tora.harbor import Moored, dock_of, torpedo_patches, zone_of
from readyroom.games.tora.plan import ORDNANCE_TITLES, Berth, Ordnance

TYPE_LETTERS = {"p40": "40", "p36": "36", "p26": "26", "f4f": "4F", "f2a": "2A"}
"""Letters that distinguish American fighters, in addition to their shape."""
COMPASS = {"NW": "north-west", "NE": "north-east", "SE": "south-east", "SW": "south-west"}
WATERS = {
    "1": "the harbor, {} of Ford Island",
    "2": "the {} of Oahu",
    "3": "the sea {} of Oahu",
}
"""Descriptions of the zones of each ring."""
KINDS = {
    "CV": "aircraft carrier",
    "BB": "battleship",
    "CL": "light cruiser",
    "AG": "old battleship, now a target",
    "AO": "oiler",
    "AV": "seaplane tender",
    "AR": "repair ship",
}


def scene(view: MatchView[Any]) -> Scene:
    """Return what a view shows."""
    return _Reader(view).scene()


class _Reader:
    """Reads a view and collects the looks of its units."""

    def __init__(self, view: MatchView[Any]) -> None:
        self.view = view
        self.table: View = view.table
        self.sides: dict[SideName, View] = {side: self.table[side] for side in SIDES}
        self.day: int = self.table["day"] or 0
        self.turn: int = view.turn
        self.order = {each.key: at for at, each in enumerate(printed().air.type)}
        self.arts: dict[str, Art] = {}

    def scene(self) -> Scene:
        """Return the whole scene."""
        return Scene(
            title=self.view.scenario,
            lines=self._lines(),
            zones={key: self._zone(key, over) for key, over in self.table["zones"].items()},
            fields=self._fields(),
            ships=self._ships(),
            batteries=[self._battery(each) for each in self.table["usa"]["batteries"]],
            yard=[self._token(each) for each in self.table["usa"]["yard"]],
            panels=[japan_panel(self.view, self.day), usa_panel(self.view, self.day)],
            turns=list(turns(self.view)),
            luck=luck_deck(self.table["luck"]),
            adrift_title="At sea" if self.day else "No berth yet" if self.sides[USA]["own"] else "Berth hidden",
            arts=self.arts,
        )

    def _lines(self) -> list[str]:
        """Return the lines under the title: the day, and the turn or outcome."""
        calendar = printed().planning.calendar
        when = f"{self.day} {calendar.month} {calendar.year}" if self.day else f"{calendar.month} {calendar.year}"
        stage = f"turn {self.turn}" if self.turn else "before the attack" if self.day else "planning in secret"
        outcome = self.view.outcome
        return [when, outcome.title if outcome else stage]

    # -- in the air --------------------------------------------------------------------------------------------------

    def _zone(self, key: str, over: Mapping[SideName, Sequence[View]]) -> Zone:
        ring, quadrant = key[0], key[1:]
        where = WATERS[ring].format(COMPASS[quadrant])
        units = {side: self._crowd(side, over[side], key) for side in SIDES}
        expected = [] if self.day else self._expected(key)
        if expected:
            units[JAPAN] = expected
            return Zone(key, f"Zone {key}, {where}; {len(expected)} units enter here with wave 1 (planned)", units)
        parts = [
            f"{SIDE_ADJECTIVES[side]}: {count_noun(len(over[side]), 'unit')}, {_planes(over[side])} aircraft"
            for side in SIDES
            if over[side]
        ]
        return Zone(key, "; ".join([f"Zone {key}, {where}", *(parts or ["no aircraft"])]), units)

    def _expected(self, key: str) -> list[Unit]:
        """Return the planned units of the first wave in a zone, if visible; they have no keys yet."""
        plan, types = on_the_sheets(self.view, JAPAN), printed().air.types
        incoming: list[Unit] = []
        for group in plan["wave"][0].get("group", ()) if plan and plan["wave"] else ():
            if group["sector"] == key:
                type_, letters = group["type"], LOADS.get(group.get("ordnance", "none"), "")
                art = self._art(JAPAN, type_, types[type_].strength, letters)
                incoming += [Unit("", art, types[type_].name)] * group["units"]
        return incoming

    def _crowd(self, side: SideName, units: Sequence[View], zone: str) -> list[Unit]:
        """Return the units of one place by type and ordnance, the strongest first."""
        ordered = sorted(units, key=lambda u: (self.order[u["type"]], str(u["ordnance"]), -u["strength"]))
        return [self.unit(side, unit, f"over {zone}", f"{zone}:{unit['type']}:{unit['ordnance']}") for unit in ordered]

    def unit(self, side: SideName, unit: View, where: str, group: str = "") -> Unit:
        """Return an air unit with its look and description."""
        type_, strength = unit["type"], unit["strength"]
        printed_type = printed().air.types[type_]
        acted = self.turn > 0 and unit["acted"] == self.turn
        parts = [f"{unit['name']}: {printed_type.name}, strength {strength} of {printed_type.strength}"]
        parts += filter(None, (_carries(unit), where, "has acted this turn" if acted else ""))
        return Unit(unit["key"], self._art(side, type_, strength, _letters(unit)), ", ".join(parts), acted, group)

    def _art(self, side: SideName, type_: str, strength: int, letters: str) -> str:
        mark = {UNKNOWN: "x"}.get(letters, letters.lower())
        art = "-".join(part for part in ("pc", type_, str(strength), mark) if part)
        full = printed().air.types[type_].strength
        return self.arts.setdefault(art, Art(art, side, type_, strength, max(full, strength), letters)).id

    # -- on the ground -----------------------------------------------------------------------------------------------

    def _fields(self) -> list[Field]:
        return [self._field(each) for each in self.table["usa"]["fields"]]

    def _field(self, each: View) -> Field:
        paper = () if self.day else self._parked_on_paper()
        planned = bool(paper)
        if planned:
            stacks = self._on_paper(each["key"], paper)
        else:
            stacks = [
                [self.unit(USA, unit, _parked(each["name"], at, len(stack))) for at, unit in enumerate(stack)]
                for stack in each["stacks"]
            ]
        count = sum(map(len, stacks))
        service = printed().places.fields[each["key"]].service
        parts = f"{each['name']}, {service} airfield in {each['zone']}: {count} units on {each['places']} places"
        if planned:
            parts += " (planned)"
        return Field(each["key"], each["name"], each["zone"], parts, each["places"], stacks, planned)

    def _parked_on_paper(self) -> Sequence[View]:
        """Return a plan's deployment; a locked plan without one means the default."""
        plan = on_the_sheets(self.view, USA)
        if plan is None:
            return ()
        default = (
            [] if in_the_making(self.view, USA) else [_entry(each) for each in printed().planning.deployment.parked]
        )
        return plan.get("parked") or default

    def _on_paper(self, key: str, parked: Sequence[View]) -> list[list[Unit]]:
        """Return the planned stacks of a field; they have no keys yet."""
        types, stacks = printed().air.types, list[list[Unit]]()
        for entry in (entry for entry in parked if entry["field"] == key):
            layers = [type_ for type_ in (entry.get("under"), entry["top"]) if type_]
            for _ in range(entry.get("places", 1)):
                stacks.append([
                    Unit("", self._art(USA, each, types[each].strength, TYPE_LETTERS[each]), types[each].name)
                    for each in layers
                ])  # fmt: skip
        return stacks

    def _battery(self, each: View) -> Target:
        hits, strength = each["hits"], each["strength"]
        state = "silenced" if hits >= strength else f"{hits} of {strength} hits"
        title = f"{each['name']}, shore battery in {each['zone']}: {state}"
        return Target(each["key"], each["name"], title, hits, strength)

    def _token(self, each: View) -> Target:
        number, hits, capacity = each["key"].removeprefix("yard-"), each["hits"], each["capacity"]
        state = "destroyed" if hits >= capacity else f"{hits} of {capacity} hits"
        return Target(each["key"], number, f"Navy Yard {number}, in 2SE: {state}", hits, capacity)

    # -- ships -------------------------------------------------------------------------------------------------------

    def _ships(self) -> list[Ship]:
        ships, berths = self.table["usa"]["ships"], self._berths()
        moored = [
            Moored(_Hull(each), berths[each["key"]], each["sunk"]) for each in ships if each["key"] in berths
        ]  # fmt: skip
        return [self._ship(each, berths.get(each["key"]), moored) for each in ships]

    def _berths(self) -> dict[str, Berth]:
        """Return ships' berths, or planned berths."""
        plan = on_the_sheets(self.view, USA)
        if not self.day and plan is not None:
            own = {key: Berth(**berth) for key, berth in plan.get("berths", {}).items()}
            return own or ({} if in_the_making(self.view, USA) else dict(printed().places.anchorage.berths))
        ships = self.table["usa"]["ships"]
        return {each["key"]: Berth(**each["berth"]) for each in ships if each["berth"] is not None}

    def _ship(self, each: View, berth: Berth | None, moored: Sequence[Moored]) -> Ship:
        planned = berth is not None and not self.day
        state = "sunk" if each["sunk"] else "damaged" if each["damaged"] else "hurt" if each["hits"] else "whole"
        return Ship(
            key=each["key"],
            name=each["name"],
            kind=each["kind"],
            length=each["length"],
            hits=each["hits"],
            strength=each["strength"],
            state=state,
            title=self._ship_title(each, berth, state),
            berth=berth,
            zone=zone_of(printed().places.harbor, berth, each["length"]) if berth else "",
            planned=planned,
            runs=() if each["sunk"] or planned else self._runs(each["key"], moored),
        )

    def _ship_title(self, each: View, berth: Berth | None, state: str) -> str:
        parts = [f"{each['name']}: {KINDS.get(each['kind'], each['kind'])}"]
        parts += [f"{each['hits']} of {each['strength']} hits"] if each["hits"] else [f"strength {each['strength']}"]
        parts += [state] if state in ("damaged", "sunk") else []
        if berth is None:
            parts.append("at sea" if self.day else "no berth yet" if self.sides[USA]["own"] else "berth hidden")
        elif berth.dock:
            parts.append("in dry dock, where torpedoes cannot reach her")
        else:
            parts.append(f"in {each['zone']}" if each["zone"] else "planned berth")
        return ", ".join(parts)

    def _runs(self, key: str, moored: Sequence[Moored]) -> Sequence[Sequence[tuple[int, int]]]:
        """[11.4] Return the patches of open water next to a ship."""
        ship = next((each for each in moored if each.hull.key == key), None)
        if ship is None:
            return ()
        shield = self.table["rulings"]["wrecks"] == "shield"
        return torpedo_patches(printed().places.harbor, ship, moored, shield)


class _Hull:
    """A ship of a view as the harbor knows ships."""

    def __init__(self, each: View) -> None:
        self.key: str = each["key"]
        self.name: str = each["name"]
        self.kind: str = each["kind"]
        self.length: int = each["length"]


def _entry(each: Any) -> View:
    return {"field": each.field, "top": each.top, "under": each.under, "places": each.places}


def _parked(field: str, at: int, height: int) -> str:
    if height == 1:
        return f"parked at {field}"
    return f"parked at {field}, {'on top of another' if at == height - 1 else 'under another'}"


def _planes(units: Iterable[View]) -> int:
    return sum(int(unit["strength"]) for unit in units)


def _letters(unit: View) -> str:
    if unit["type"] in TYPE_LETTERS:
        return TYPE_LETTERS[unit["type"]]
    return UNKNOWN if unit["ordnance"] is None else LOADS.get(unit["ordnance"], "")


def _carries(unit: View) -> str:
    """Describe a bomber's ordnance."""
    if not printed().air.types[unit["type"]].ordnance:
        return ""
    if unit["ordnance"] is None:
        return "ordnance unknown"
    return ORDNANCE_TITLES[Ordnance(unit["ordnance"])]


def dock() -> Berth | None:
    """Return the dry dock."""
    return dock_of(printed().places)

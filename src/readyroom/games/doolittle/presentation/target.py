"""[3.0, 4.0] The city that is attacked, in words and figures for a reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readyroom.engine.game import View
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation.squadron import Hazard, Plane, hazard, signed


@dataclass(frozen=True, slots=True)
class Box:
    """[3.3] A target box."""

    key: str
    name: str
    approach: int
    detonation: int
    blast: int
    hazards: Sequence[Hazard]
    title: str


@dataclass(frozen=True, slots=True)
class Area:
    """[3.2] An area of a target map."""

    key: str
    name: str
    limit: int
    perimeter: bool
    counted: bool
    blast: int
    hazards: Sequence[Hazard]
    boxes: Sequence[Box]
    planes: Sequence[Plane]
    title: str


@dataclass(frozen=True, slots=True)
class City:
    """[3.0] A target map."""

    key: str
    title: str
    light: str
    dark: bool
    tally: int
    draws: tuple[int, int]
    steps: Sequence[int]
    left: tuple[int, int]
    met: Sequence[str]
    areas: Sequence[Area]

    @property
    def adds(self) -> int:
        """[3.4] What the tally adds to the hazards of an area."""
        return self.steps[min(self.tally, len(self.steps) - 1)]

    def drawn(self, alert: int) -> str:
        """[4.2.2] How many hazards an area draws: for its bombers, the alert, and the bombs released so far."""
        bomber, level = self.draws
        more = self.adds + level * alert
        text = f"{bomber} per bomber{f' {signed(more)}' if more else ''}"
        parts = f"{self.tally} released: hazards {signed(self.adds)}, alert {signed(level * alert)}"
        return f"{parts}; each area draws {text}, up to its limit"


@dataclass(frozen=True, slots=True)
class Raid:
    """[4.0] The attack that continues."""

    turn: int
    turns: int
    high: bool
    boxes: bool
    flight: str
    entry: str
    phases: Sequence[tuple[str, str]]

    @property
    def closed_reason(self) -> str:
        """[3.3.1, 4.4] What the bombers may not do at this height, with the bombsight that they have."""
        if self.high:
            return f"high altitude: no evasion{'' if self.boxes else ', no target boxes'}"
        return "" if self.boxes else "no target boxes without the Mark Twain bombsight"


def _box(data: View) -> Box:
    hazards = [hazard(one) for one in data["markers"]]
    texts = [f"{data['name']}: approach {data['approach']}, hit {data['detonation']}"]
    texts += [f"blast {data['blast']}, it burns"] if data["blast"] else []
    texts += [one.title.split(".")[0] for one in hazards]
    title = "; ".join(texts)
    return Box(data["key"], data["name"], data["approach"], data["detonation"], data["blast"], hazards, title)


def _area(data: View, squad: Sequence[Plane]) -> Area:
    planes = [plane for plane in squad if plane.area == data["key"]]
    hazards = [hazard(one) for one in data["markers"]]
    texts = [f"{data['name']}{', on the edge' if data['perimeter'] else ''}"]
    texts += [f"at most {count(data['limit'], 'new hazard')} a turn"]
    texts += [] if data["counted"] else ["half: hits in its boxes score as in an area"]
    texts += [f"blast {data['blast']}"] if data["blast"] else []
    texts += [", ".join(plane.pilot for plane in planes)] if planes else []
    boxes = [_box(one) for one in data["boxes"]]
    return Area(
        data["key"],
        data["name"],
        data["limit"],
        data["perimeter"],
        data["counted"],
        data["blast"],
        hazards,
        boxes,
        planes,
        "; ".join(texts),
    )


def city(key: str, data: View, squad: Sequence[Plane]) -> City:
    """[3.0] A target map's position."""
    areas = [_area(one, squad) for one in data["areas"]]
    left = (data["cup"], data["reserve"])
    often = sorted(data["met"].items(), key=lambda one: (-one[1], one[0]))
    met = [text.replace(",", "") + (f" ×{number}" if number > 1 else "") for text, number in often]
    bomber, alert = data["draws"]
    return City(
        *(key, data["title"], data["light"], data["dark"], data["tally"], (bomber, alert), data["steps"]),
        *(left, met, areas),
    )


def raid(data: View | None) -> Raid | None:
    """[4.0] The attack that continues, if there is one."""
    if data is None:
        return None
    phases = [(key, title) for key, title in data["phases"]]
    high, boxes = data["high"], data["boxes"]
    return Raid(data["turn"], data["turns"], high, boxes, data["flight"], data["entry"], phases)

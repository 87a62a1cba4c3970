"""[3.0, 4.0] The city that is attacked, in words and figures for a reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation.squadron import Hazard, Plane, Shown, hazard, signed


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
        words = f"{bomber} per bomber{f' {signed(more)}' if more else ''}"
        parts = f"{self.tally} released: hazards {signed(self.adds)}, alert {signed(level * alert)}"
        return f"{parts}; each area draws {words}, up to its limit"


@dataclass(frozen=True, slots=True)
class Raid:
    """[4.0] The attack that goes on."""

    turn: int
    turns: int
    high: bool
    boxes: bool
    flight: str
    entry: str
    phases: Sequence[tuple[str, str]]

    @property
    def barred(self) -> str:
        """[3.3.1, 4.4] What the bombers may not do at this height, with the bombsight that they have."""
        if self.high:
            return f"high altitude: no evasion{'' if self.boxes else ', no target boxes'}"
        return "" if self.boxes else "no target boxes without the Mark Twain bombsight"


def _box(found: Shown) -> Box:
    hazards = [hazard(one) for one in found["markers"]]
    words = [f"{found['name']}: approach {found['approach']}, hit {found['detonation']}"]
    words += [f"blast {found['blast']}, it burns"] if found["blast"] else []
    words += [one.title.split(".")[0] for one in hazards]
    title = "; ".join(words)
    return Box(found["key"], found["name"], found["approach"], found["detonation"], found["blast"], hazards, title)


def _area(found: Shown, squad: Sequence[Plane]) -> Area:
    planes = [plane for plane in squad if plane.area == found["key"]]
    hazards = [hazard(one) for one in found["markers"]]
    words = [f"{found['name']}{', on the edge' if found['perimeter'] else ''}"]
    words += [f"at most {count(found['limit'], 'new hazard')} a turn"]
    words += [] if found["counted"] else ["half: hits in its boxes score as in an area"]
    words += [f"blast {found['blast']}"] if found["blast"] else []
    words += [", ".join(plane.pilot for plane in planes)] if planes else []
    boxes = [_box(one) for one in found["boxes"]]
    return Area(
        found["key"],
        found["name"],
        found["limit"],
        found["perimeter"],
        found["counted"],
        found["blast"],
        hazards,
        boxes,
        planes,
        "; ".join(words),
    )


def city(key: str, found: Shown, squad: Sequence[Plane]) -> City:
    """[3.0] A target map as it lies."""
    areas = [_area(one, squad) for one in found["areas"]]
    left = (found["cup"], found["reserve"])
    often = sorted(found["met"].items(), key=lambda one: (-one[1], one[0]))
    met = [words.replace(",", "") + (f" ×{number}" if number > 1 else "") for words, number in often]
    bomber, alert = found["draws"]
    return City(
        *(key, found["title"], found["light"], found["dark"], found["tally"], (bomber, alert), found["steps"]),
        *(left, met, areas),
    )


def raid(found: Shown | None) -> Raid | None:
    """[4.0] The attack that goes on, if there is one."""
    if found is None:
        return None
    phases = [(key, title) for key, title in found["phases"]]
    high, boxes = found["high"], found["boxes"]
    return Raid(found["turn"], found["turns"], high, boxes, found["flight"], found["entry"], phases)

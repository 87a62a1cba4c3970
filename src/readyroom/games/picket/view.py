"""[1.0] What the captain sees: everything but the order of the pool.

The names of the fields, or those given with `field`, are the keys of the JSON that programs read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

import msgspec
from msgspec import field
from msgspec.structs import asdict

from readyroom.engine.data import ready
from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import Modifiers
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket.combat.attack import column, dice_modifiers, shifts
from readyroom.games.picket.ending.victory import needs, score
from readyroom.games.picket.figures.common import HEIGHTS, Section, section_of
from readyroom.games.picket.figures.damage import TrackLoss
from readyroom.games.picket.figures.data import Data, Kikusui
from readyroom.games.picket.ship.view import ShipView, ship_view
from readyroom.games.picket.state import (
    HOURS,
    Counter,
    Picket,
    ShipLog,
    Struck,
    last_turn,
)
from readyroom.games.picket.text import a, weapon_name

HAPPENS = {
    "deck-fire": "fire on deck",
    "water-line": "a water line",
    "crew": "casualties",
    "random": "random damage",
    "keel": "her back is strained",
    "near-miss": "a near miss",
    "dud": "a dud",
    "team-lost": "the direction team",
    "support-lost": "a gunboat",
    "flood-1": "flood −1",
}
"""[7.3] Results other than things that are hit."""


class SeaView(msgspec.Struct, frozen=True):
    """[4.0 to 6.6] Station, weather and support, and the column of the attack table."""

    station: int
    weather: str
    team: bool
    surface: int
    land_radars: Sequence[str]
    air: Mapping[str, int]
    markers: int
    column: int
    shifts: Modifiers
    dice: Modifiers
    storm: str
    kikusui: Sequence[Kikusui]


class PlaneView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """[6.6] An attacker; `plane` is its type."""

    key: str
    plane: str = ""
    weapon: str = ""
    bearing: int = -1
    height: str = ""
    section: str = ""
    hits: int = 0
    fate: str = ""
    away: bool = False
    name: str
    engines: int

    @property
    def where(self) -> str:
        """Return the position as text."""
        if self.weapon:
            return f"at the {self.section} section" if self.section else "not yet seen"
        return f"{self.bearing:03d} degrees, {HEIGHTS[self.height]}"  # type: ignore[index]

    @property
    def title(self) -> str:
        """Return the full description."""
        armed = f" with {a(weapon_name(self.weapon))}" if self.weapon else ""
        state = {"flamed": ", going down in flames", "destroyed": ", destroyed"}.get(self.fate, "")
        hits = f", {count_noun(self.hits, 'hit')}" if self.hits else ""
        return f"{self.name}{armed}, {self.where}{hits}{state}"

    @property
    def label(self) -> str:
        """Return the drawn label followed by the full description."""
        return f"{self.name} {self.height or self.section}".strip() + self.title.removeprefix(self.name)


class WaveView(msgspec.Struct, frozen=True):
    """[6.6.L] A wave: its regular planes, and its special attackers."""

    planes: Sequence[PlaneView]
    specials: Sequence[PlaneView]

    @property
    def slots(self) -> list[PlaneView]:
        """[6.6] Return the regular planes by bearing, the highest first, with those that are no longer in sight."""
        order = ["", *HEIGHTS]
        return sorted(self.planes, key=lambda one: (one.bearing, order.index(one.height)))

    @property
    def ordered(self) -> list[PlaneView]:
        """[6.6] Return the regular planes in sight by bearing, the highest first."""
        return [plane for plane in self.slots if not plane.away]

    @property
    def everything(self) -> list[PlaneView]:
        """Return all planes in sight, the special attackers last."""
        return [*self.ordered, *(plane for plane in self.specials if not plane.away)]


class RaidView(msgspec.Struct, frozen=True):
    """[6.6] The attack of a phase; `wave` counts from 1."""

    wave: int
    waves: Sequence[WaveView]
    maneuvered: bool | None
    struck: int
    surface: int

    @property
    def now(self) -> WaveView:
        """[6.6.L] Return the current wave; it is empty after the last one."""
        return self.waves[self.wave - 1] if self.wave <= len(self.waves) else WaveView([], [])

    @property
    def to_come(self) -> list[tuple[int, WaveView]]:
        """[6.6.G] Return the waves after the current one with their numbers."""
        return list(enumerate(self.waves, start=1))[self.wave :]


class HitView(Struck, frozen=True, kw_only=True):
    """[1.5] A hit with the plane's name and its effects as text."""

    name: str
    effects: Sequence[str] = field(name="told")

    @property
    def weapon(self) -> str:
        """Return what a special attacker carried, else an empty text."""
        return self.plane.partition(" ")[2]

    @property
    def section(self) -> Section:
        """[7.1.C] Return the section of the bearing; a special attacker names its own."""
        return self.height if self.bearing < 0 else section_of(self.bearing)  # type: ignore[return-value]

    @property
    def title(self) -> str:
        """Return what hit, where, when, and with what effect."""
        where = f"at the {self.section} section" if self.bearing < 0 else f"from {self.bearing:03d} {self.height}"
        what = f"{weapon_name(self.weapon)} of {a(self.name)}" if self.weapon else self.name
        text = f"{what}{' alongside' if self.near else ''} {where}, {self.watch}: {self.effect}"
        return capitalize_first(text)

    @property
    def effect(self) -> str:
        """Return the effects as one text."""
        return ", ".join(self.effects) or "nothing more"


class CalendarView(msgspec.Struct, frozen=True):
    """[1.6] The time record: first and last day, land radars and great raids by their dates."""

    first: str
    last: str
    land_radar: Sequence[tuple[str, str]]
    kikusui: Sequence[tuple[int, str, str]]


class PoolView(msgspec.Struct, frozen=True):
    """[2.0.E] The number of planes in the cup, and of those set aside."""

    planes: int
    aside: int


class CruiseView(msgspec.Struct, frozen=True):
    """[1.1 to 1.7] The ship, the sea, the planes, and a copy of the ship's log."""

    title: str
    advanced: bool
    campaign: bool
    date: str
    watch: str
    hours: str
    turns: int
    score: int
    needs: str
    ship: ShipView
    sea: SeaView
    raid: RaidView
    tally: ShipLog
    hits: Sequence[HitView]
    ace_kills: int
    hits_to_flame: int
    calendar: CalendarView
    pool: PoolView


CaptainView: TypeAlias = MatchView[CruiseView]


def view(state: Picket, data: Data, seat: str | None) -> CruiseView:
    """[1.1 to 1.7] Return what the captain, and any spectator, sees."""
    return CruiseView(
        title=state.plan.title,
        advanced=state.plan.advanced,
        campaign=state.plan.campaign,
        date=state.day.isoformat(),
        watch=state.watch,
        hours=HOURS[state.watch],
        turns=last_turn(state),
        score=score(state, data),
        needs=needs(state.plan, data),
        ship=ship_view(state, data),
        sea=_sea(state, data),
        raid=_raid(state, data),
        tally=msgspec.convert(msgspec.to_builtins(state.tally), ready(ShipLog)),
        hits=[_hit(data, one) for one in state.tally.hits],
        ace_kills=data.duty.fire.ace_kills,
        hits_to_flame=data.duty.planes.hits_to_flame,
        calendar=CalendarView(
            state.plan.first,
            state.plan.last,
            [(radar.name, radar.since) for radar in data.calendar.land_radar],
            [(raid.number, raid.since, raid.to) for raid in state.plan.raids_of(data.calendar)],
        ),
        pool=PoolView(sum(not one.ends for one in state.pool.cup.contents), len(state.pool.aside)),
    )


def _sea(state: Picket, data: Data) -> SeaView:
    sea = state.sea
    return SeaView(
        station=sea.station,
        weather=sea.weather,
        team=state.ship.team,
        surface=state.ship.surface,
        land_radars=list(sea.land_radars),
        air=dict(sea.air),
        markers=sea.markers,
        column=column(state, data),
        shifts=shifts(state, data),
        dice=[(name, value) for name, value in dice_modifiers(state, data) if value],
        storm=sea.storm,
        kikusui=state.plan.raids_of(data.calendar),
    )


def _raid(state: Picket, data: Data) -> RaidView:
    raid = state.raid
    waves = [
        WaveView([_plane(data, plane) for plane in wave.planes], [_plane(data, plane) for plane in wave.specials])
        for wave in raid.waves
    ]
    return RaidView(raid.wave + 1, waves, raid.maneuvered, raid.struck, raid.surface)


def _plane(data: Data, plane: Counter) -> PlaneView:
    card = data.cards[plane.plane]
    return PlaneView(**asdict(plane), name=card.name, engines=card.engines)


def _hit(data: Data, hit: Struck) -> HitView:
    name = data.cards[hit.plane.partition(" ")[0]].name
    return HitView(**asdict(hit), name=name, effects=[describe_result(data, code) for code in hit.what])


def describe_result(data: Data, code: str) -> str:
    """[7.3] Return the name of a damage table result."""
    result = data.damage_results.get(code)
    if isinstance(result, TrackLoss):
        return f"{result.track} −{result.points}"
    return data.part_names.get(code) or HAPPENS.get(code, code.replace("-", " "))


def resample(state: Picket, data: Data, seat: str, random: Random) -> Picket:
    """[1.0] Return the state; nothing is hidden but future dice."""
    return state

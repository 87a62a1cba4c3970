"""What each seat sees, from an allow-list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from readyroom.games.tora.battle.losses import american_losses, japanese_losses
from readyroom.games.tora.battle.reaction import reacts
from readyroom.games.tora.figures import CATEGORIES, JAPAN, USA, Category, Data, SideName
from readyroom.games.tora.harbor import ShipAtBerth, zone_of
from readyroom.games.tora.plans.data import AmericanPlan, Berth, JapanesePlan, Ordnance
from readyroom.games.tora.state import AirUnit, Levels, Rulings, Ship, Tora, sees

P = TypeVar("P")


class UnitView(msgspec.Struct, frozen=True, gc=False):
    """An air unit; its ordnance is None if it is hidden [7.4]."""

    key: str
    name: str
    type: str
    strength: int
    acted: int
    ordnance: Ordnance | None


class ZoneView(msgspec.Struct, frozen=True):
    """The aircraft over a zone."""

    japan: tuple[UnitView, ...]
    usa: tuple[UnitView, ...]

    def of(self, side: SideName) -> tuple[UnitView, ...]:
        """Return the aircraft of one side."""
        return self.japan if side == JAPAN else self.usa


class ShipView(msgspec.Struct, frozen=True):
    """A ship; a seat that does not see condition ZEBRA is shown the strength without it [5.6]."""

    key: str
    name: str
    kind: str
    capital: bool
    length: int
    strength: int
    hits: int
    sunk: bool
    damaged: bool
    berth: Berth | None
    zone: str | None

    @property
    def state(self) -> str:
        """One of whole, hurt, damaged and sunk."""
        return "sunk" if self.sunk else "damaged" if self.damaged else "hurt" if self.hits else "whole"


class FieldView(msgspec.Struct, frozen=True):
    """An airfield; the lowest unit of a stack is first."""

    key: str
    name: str
    zone: str
    places: int
    stacks: tuple[tuple[UnitView, ...], ...]

    @property
    def units(self) -> list[UnitView]:
        """All units on it."""
        return [unit for stack in self.stacks for unit in stack]


class BatteryView(msgspec.Struct, frozen=True):
    """A shore battery."""

    key: str
    name: str
    zone: str
    strength: int
    hits: int


class TokenView(msgspec.Struct, frozen=True):
    """A token of the Navy Yard."""

    key: str
    capacity: int
    hits: int


class WaveView(msgspec.Struct, frozen=True):
    """A wave about to enter, with its units by sector."""

    number: int
    turn: int
    sectors: dict[str, tuple[UnitView, ...]]


class SideView(msgspec.Struct, Generic[P], frozen=True):
    """What both sides have; `own` marks the seat's side. Only the side itself sees the plan.

    `sealed` has an entry for each locked plan: its fingerprint, empty for the enemy.
    """

    own: bool
    seats: tuple[str, ...]
    commands: dict[str, str]
    plan: P | None
    sealed: tuple[str, ...]
    lost: tuple[UnitView, ...]
    aircraft_lost: int


class AmericaView(SideView[AmericanPlan], frozen=True):
    """The American side; `levels`, `radar_works` and `awake` are None for the enemy."""

    ships: tuple[ShipView, ...]
    fields: tuple[FieldView, ...]
    batteries: tuple[BatteryView, ...]
    yard: tuple[TokenView, ...]
    levels: Levels | None
    radar_works: bool | None
    awake: tuple[Category, ...] | None
    message: str | None

    @property
    def ships_at_berths(self) -> list[ShipAtBerth]:
        """The ships that have a berth."""
        return [ShipAtBerth(ship, ship.berth, ship.sunk) for ship in self.ships if ship.berth]


class JapanView(SideView[JapanesePlan], frozen=True):
    """The Japanese side; `off`, `carriers` and `waves` are None for the enemy."""

    entered: int
    off: bool | None
    carriers: tuple[UnitView, ...] | None
    waves: tuple[WaveView, ...] | None


class LuckView(msgspec.Struct, frozen=True):
    """The luck deck: the cards drawn, and how many are left."""

    drawn: tuple[str, ...]
    left: int


class ToraView(msgspec.Struct, frozen=True):
    """The whole game as a seat sees it."""

    rulings: Rulings
    day: int | None
    zones: dict[str, ZoneView]
    usa: AmericaView
    japan: JapanView
    luck: LuckView

    @property
    def sees_all(self) -> bool:
        """Whether it is the view of a seat that sees everything of both sides, as the umpire's."""
        return self.japan.waves is not None and not self.japan.own

    def side(self, name: SideName) -> AmericaView | JapanView:
        """Return one side."""
        return self.japan if name == JAPAN else self.usa


def view(state: Tora, data: Data, seat: str | None) -> ToraView:
    """[2, 7.4] Return a seat's view: the map and its own side's plan; of the enemy's only whether it is locked.

    Ordnance is hidden until used. A spectator sees what both sides see.
    """
    usa, japan = sees(state, USA, seat), sees(state, JAPAN, seat)
    return ToraView(
        rulings=state.rulings,
        day=state.day or None,
        zones={
            zone: ZoneView(_units(_standing(over.japan), japan), _units(_standing(over.usa), usa))
            for zone, over in state.zones.items()
        },
        usa=_usa(state, data, seat, usa),
        japan=_japan(state, data, seat, japan),
        luck=LuckView(tuple(card.key for card in state.drawn), len(state.luck.contents)),
    )


def _usa(state: Tora, data: Data, seat: str | None, whole: bool) -> AmericaView:
    usa = state.usa
    return AmericaView(
        own=seat in usa.seats,
        seats=usa.seats,
        commands=dict(usa.commands),
        plan=usa.plan if whole else None,
        sealed=tuple(sealed.fingerprint if whole else "" for sealed in usa.sealed),
        lost=_units([*usa.lost, *_fallen(over.usa for over in state.zones.values())], whole),
        aircraft_lost=american_losses(state, data),
        ships=tuple(_ship(state, data, ship, whole) for ship in usa.ships),
        fields=tuple(
            FieldView(each.key, each.name, each.zone, each.places, tuple(_units(stack, whole) for stack in each.stacks))
            for each in usa.fields
        ),
        batteries=tuple(
            BatteryView(each.key, each.name, each.zone, each.strength, each.hits) for each in usa.batteries
        ),
        yard=tuple(TokenView(token.key, token.capacity, token.hits) for token in usa.yard),
        levels=usa.levels if whole else None,
        radar_works=usa.radar_works if whole else None,
        awake=tuple(each for each in CATEGORIES if reacts(state, data, each)) if whole and usa.levels else None,
        message=state.japan.message or None,
    )


def _japan(state: Tora, data: Data, seat: str | None, whole: bool) -> JapanView:
    japan = state.japan
    return JapanView(
        own=seat in japan.seats,
        seats=japan.seats,
        commands=dict(japan.commands),
        plan=japan.plan if whole else None,
        sealed=tuple(sealed.fingerprint if whole else "" for sealed in japan.sealed),
        lost=_units([*japan.lost, *_fallen(over.japan for over in state.zones.values())], whole),
        aircraft_lost=japanese_losses(state, data),
        entered=japan.entered if whole else japan.entered - japan.skipped,
        off=japan.off if whole else None,
        carriers=_units(japan.carriers, whole) if whole else None,
        waves=tuple(
            WaveView(wave.number, wave.turn, {sector: _units(units, whole) for sector, units in wave.sectors.items()})
            for wave in japan.waves
        )
        if whole
        else None,
    )


def _standing(units: Iterable[AirUnit]) -> list[AirUnit]:
    """[3.1] Return the units in the air that are not destroyed; those are removed after the attacks in their zone."""
    return [unit for unit in units if unit.strength]


def _fallen(crowds: Iterable[Iterable[AirUnit]]) -> list[AirUnit]:
    """[3.1] Return the destroyed units that are not removed yet."""
    return [unit for units in crowds for unit in units if not unit.strength]


def _units(units: Iterable[AirUnit], whole: bool) -> tuple[UnitView, ...]:
    """[7.4, 11.6] Ordnance is hidden from the enemy; that it is used up can be seen."""
    return tuple(
        UnitView(
            key=unit.key,
            name=unit.name,
            type=unit.type,
            strength=unit.strength,
            acted=unit.acted,
            ordnance=unit.ordnance if whole or unit.ordnance is Ordnance.NONE else None,
        )
        for unit in units
    )


def _ship(state: Tora, data: Data, ship: Ship, whole: bool) -> ShipView:
    """[5.6] The enemy does not see condition ZEBRA and is shown the strength without it."""
    plain = data.ships.preset[state.rulings.preset].strength[ship.kind]
    return ShipView(
        key=ship.key,
        name=ship.name,
        kind=ship.kind,
        capital=ship.capital,
        length=ship.length,
        strength=ship.strength if whole else plain,
        hits=ship.hits,
        sunk=ship.sunk,
        damaged=state.damaged(ship),
        berth=ship.berth,
        zone=zone_of(data.places.harbor, ship.berth, ship.length) if ship.berth else None,
    )

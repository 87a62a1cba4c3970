"""[9.0] The voyage and the deck as a captain sees them: all but the backs of hazards that no one has turned over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import astuple

from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.figures.common import WEATHERS, Weather
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.naval import SeaAreaCard
from readyroom.games.doolittle.names import expand_icons
from readyroom.games.doolittle.piece_views import MarkerView, markers
from readyroom.games.doolittle.planning.view import PlanView, plan_view
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.formation import room_left
from readyroom.games.doolittle.voyage.ships import (
    PORT,
    bombers_on_deck,
    box_of,
    card_of,
    following_area,
    is_slow,
    patrol_name,
    patrols,
    recon_area,
    recon_card,
    ships_afloat,
    weather_at,
)
from readyroom.games.doolittle.voyage.state import FIRST_FORCE, Recon, Ship

sea_markers = partial(markers, fronts=False)
SeaDraw = tuple[str, int, str, Sequence[str], int, int, int]
"""[12.6.2] A hazard draw: cup, number, for each what, weather, and from which failed tests, alert and signals."""


class SeaAreaView(msgspec.Struct, frozen=True, kw_only=True):
    """[9.1, 9.3, 12.6.2] A sea area: its numbers, its weather, what it draws, and who is there; or the port."""

    key: str
    name: str
    box: str = ""
    table: str = ""
    rendezvous: int = 0
    west: bool = False
    weather: Weather | Literal[""]
    move: Mapping[Weather, int] = {}
    draws: Sequence[SeaDraw] = ()
    patrols: Sequence[str] = ()
    signals: Sequence[MarkerView] = ()
    groups: Sequence[str] = ()


class SpaceView(msgspec.Struct, frozen=True, kw_only=True):
    """[9.5.1] A space of the layout: its room, the room that is left (None: unlimited), and its ships."""

    key: str
    name: str
    room: int | None
    left: int | None
    adjacent: Sequence[str]
    ships: Sequence[str]


class ShipView(msgspec.Struct, frozen=True, kw_only=True):
    """[10.1] A ship with its markers."""

    key: str
    name: str
    hull_number: str
    type: str
    force: str
    size: int
    flak: int
    reaction: int
    hull: int
    refuel: int
    space: str
    group: str
    hits: int
    sunk: bool
    slow: bool
    markers: Sequence[MarkerView]


class ReconView(msgspec.Struct, frozen=True, kw_only=True):
    """[10.2] A recon marker: its dice against boats, its place, and its sea area if it is on patrol."""

    key: str
    name: str
    ship: str
    dice: int
    strikes: bool
    patrols: bool
    place: str
    area: str
    markers: Sequence[MarkerView]

    @property
    def sails(self) -> bool:
        """Whether it is with the force."""
        return self.place not in ("away", "gone")


class SubmarineView(msgspec.Struct, frozen=True, kw_only=True):
    """[12.1.3] A submarine that takes part."""

    key: str
    name: str
    area: str
    contact: bool
    lost: bool


class PatrolView(msgspec.Struct, frozen=True, kw_only=True):
    """[12.6.3] The hazards assigned to a patrol."""

    patrol: str
    name: str
    markers: Sequence[MarkerView]


class SeaHazardsView(msgspec.Struct, frozen=True, kw_only=True):
    """[12.6.2, 12.6.3] The area whose hazards are resolved, those not yet assigned, and those of each patrol."""

    area: str
    undealt: Sequence[MarkerView]
    assigned: Sequence[PatrolView]


class DeckView(msgspec.Struct, frozen=True, kw_only=True):
    """[12.3] The bombers on the deck, those that are to take off now, and those that have."""

    aboard: Sequence[str]
    planned: bool
    going: bool
    strike: bool
    flights: Sequence[Sequence[str]]
    gone: Sequence[Sequence[str]]
    burned: bool
    wrecked: bool


class LaunchView(msgspec.Struct, frozen=True, kw_only=True):
    """[12.0.1] The launch: where, how and when."""

    area: str
    how: str
    turn: int


class ArrowView(msgspec.Struct, frozen=True, kw_only=True):
    """[11.4.1, 12.6.6.E] An arrow by which planes or torpedoes come: of what, on which face, by which spaces."""

    kind: str
    face: str
    spaces: Sequence[str]


class VoyageView(msgspec.Struct, frozen=True, kw_only=True):
    """[9.0] The naval map, the layout, and the deck."""

    turn: int
    turns: Sequence[str]
    phases: Sequence[tuple[str, str]]
    area: str
    ahead: str
    fueled: bool
    met: bool
    force: str
    over: bool
    plan: PlanView | None
    port_weather: Weather | Literal[""]
    areas: Sequence[SeaAreaView]
    layout: Sequence[SpaceView]
    ships: Sequence[ShipView]
    recon: Sequence[ReconView]
    submarines: Sequence[SubmarineView]
    flags: Sequence[MarkerView]
    penalties: Sequence[str]
    muffled: int
    hazards: SeaHazardsView
    met_with: Sequence[str]
    deck: DeckView
    launched: LaunchView | None
    arrows: Sequence[ArrowView]

    @property
    def fuel(self) -> str:
        """[9.2] The fuel of the task force."""
        return "fueled" if self.fueled else "low on fuel"


def voyage_view(state: Doolittle, data: Data) -> VoyageView | None:
    """[9.0] Return the voyage; None where no ships sail."""
    if state.voyage is None or not state.voyage.begun:
        return None
    sea, layout = state.voyage, data.ships.layout
    places = {ship.key: ship.space for ship in ships_afloat(state)}
    boats = {card.key: card.name for card in data.ships.submarines.submarine}
    joined = sea.met and state.plan is not None and state.plan.enterprise
    arrows = (("torpedo", layout.torpedo), ("dive", layout.dive), ("i-boat", layout.i_boat))
    return VoyageView(
        turn=sea.turn,
        turns=list(data.sea.turns.turn),
        phases=[(phase.key, phase.title) for phase in data.naval.phases.phase],
        area=sea.area,
        ahead=following_area(data, sea.area),
        fueled=sea.fueled,
        met=sea.met,
        force=next(one.force for one in data.ships.fleet.ship if (one.force != FIRST_FORCE) == joined),
        over=sea.over,
        plan=plan_view(state.plan, submarines=False),
        port_weather=sea.weather.get(PORT, ""),
        areas=[_area_view(state, data, area) for area in data.sea.areas.area],
        layout=[
            SpaceView(
                key=space.key,
                name=space.name,
                room=space.room,
                left=room_left(data, places, space),
                adjacent=list(space.adjacent),
                ships=[key for key, where in places.items() if where == space.key],
            )
            for space in layout.space
        ],
        ships=[_ship_view(data, ship) for ship in sea.ships.values()],
        recon=[_recon_view(state, data, recon) for recon in sea.recon.values()],
        submarines=[
            SubmarineView(key=boat.key, name=boats[boat.key], area=boat.area, contact=boat.contact, lost=boat.lost)
            for boat in sea.submarines.values()
            if boat.area
        ],
        flags=sea_markers(data, sea.flags, "flags", known=True),
        penalties=_penalties(state, data),
        muffled=sea.muffled,
        hazards=_hazards_view(state, data),
        met_with=[expand_icons(data, text) for text in sea.met_with],
        deck=_deck_view(state),
        launched=msgspec.convert(state.launched, LaunchView | None, from_attributes=True),
        arrows=[
            ArrowView(kind=kind, face=face, spaces=list(spaces))
            for kind, by_face in arrows
            for face, spaces in by_face.items()
        ],
    )


def _penalties(state: Doolittle, data: Data) -> list[str]:
    """[12.5.3] Return the markers on the task force that make a rendezvous harder."""
    figures = data.naval.rendezvous
    penalties = [f"red flags (rendezvous {signed(figures.red_flags)})"] if state.sea.flags else []
    late = state.plan is not None and state.plan.delayed and not state.sea.met
    return [*penalties, *([f"delayed (rendezvous {signed(figures.delayed)})"] if late else [])]


def _area_view(state: Doolittle, data: Data, card: SeaAreaCard) -> SeaAreaView:
    """[9.1, 9.3, 12.6.2] Return a sea area with its contents."""
    return SeaAreaView(
        key=card.key,
        name=card.name,
        box=box_of(data, card.key),
        table=card.table,
        rendezvous=card.rendezvous,
        west=card.key == data.sea.areas.west_of_line or data.sea.west_of(card.key, data.sea.areas.west_of_line),
        weather=weather_at(state, data, card.key) or "",
        move=dict(data.sea.moves[card.table].move),
        draws=[astuple(draw) for draw in card.draw],
        patrols=patrols(state, card.key),
        signals=sea_markers(data, state.sea.signals.get(card.key, ()), f"signals-{card.key}", known=True),
        groups=[group for group, area in state.sea.groups.items() if area == card.key],
    )


def draw_words(draws: Sequence[SeaDraw]) -> str:
    """[12.6.2] Describe the hazards drawn in a sea area.

    >>> draw_words([("east", 2, "", ["calm", "gusty", "gale"], 0, 0, 0), ("east", 1, "", [], 1, 0, 0)])
    '2 east, no storm; 1 east, from 1 failed test'
    >>> draw_words([("west", 0, "alert", [], 0, 0, 0), ("west", 1, "", ["calm", "gusty"], 0, 0, 0)])
    '1 west per alert level; 1 west in calm, gusty'
    """
    return "; ".join(_draw(*draw) for draw in draws)


def _draw(cup: str, number: int, each: str, weather: Sequence[str], failed: int, alert: int, signals: int) -> str:
    per = {"alert": " per alert level", "signals": " per enemy signal"}.get(each, "")
    text = f"{number or 1} {cup}{per}"
    if weather:
        text += f", no {WEATHERS[-1]}" if len(weather) == len(WEATHERS) - 1 else f" in {', '.join(weather)}"
    text += f", from {failed} failed test{'s' if failed > 1 else ''}" if failed else ""
    text += f", from alert {alert}" if alert else ""
    return text + (f", from {signals} signal{'s' if signals > 1 else ''}" if signals else "")


def _ship_view(data: Data, ship: Ship) -> ShipView:
    """[10.1] Return a ship."""
    card = card_of(data, ship)
    return ShipView(
        key=ship.key,
        name=card.name,
        hull_number=card.hull_number,
        type=card.type,
        force=card.force,
        size=card.size,
        flak=card.flak_damaged if ship.hits else card.flak,
        reaction=card.reaction,
        hull=card.hull,
        refuel=card.refuel,
        space=ship.space,
        group=ship.group,
        hits=ship.hits,
        sunk=ship.sunk,
        slow=is_slow(data, ship),
        markers=sea_markers(data, ship.markers, f"{ship.key}-on", known=True),
    )


def _recon_view(state: Doolittle, data: Data, recon: Recon) -> ReconView:
    """[10.2] Return a recon marker."""
    card = recon_card(data, recon)
    return ReconView(
        key=recon.key,
        name=card.name,
        ship=card.ship or card.type or "",
        dice=card.boat_dice,
        strikes=card.strikes,
        patrols=card.patrols,
        place=recon.place,
        area=recon_area(state, recon),
        markers=sea_markers(data, recon.markers, f"{recon.key}-on", known=True),
    )


def _hazards_view(state: Doolittle, data: Data) -> SeaHazardsView:
    """[12.6.2, 12.6.3] Return the hazards of this phase."""
    sea = state.sea
    held = sea.assigned if sea.drawn else {}
    return SeaHazardsView(
        area=sea.queue[0] if sea.queue else "",
        undealt=sea_markers(data, sea.undealt, "undealt"),
        assigned=[
            PatrolView(patrol=key, name=patrol_name(data, key), markers=sea_markers(data, markers, f"{key}-at"))
            for key, markers in held.items()
        ],
    )


def _deck_view(state: Doolittle) -> DeckView:
    """[12.3] Return the deck."""
    deck = state.deck
    return DeckView(
        aboard=[bomber.key for bomber in bombers_on_deck(state)],
        planned=deck.planned if deck else False,
        going=deck is not None,
        strike=deck.strike if deck else False,
        flights=[list(flight) for flight in deck.flights] if deck else [],
        gone=[list(off.members) for off in deck.gone] if deck else [],
        burned=state.sea.burned == state.sea.turn,
        wrecked=state.sea.wrecked,
    )

"""[9.0] What a captain sees of the voyage and of the deck: all but the backs of hazards that no one has turned over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readyroom.engine.game import View
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.naval import SeaAreaCard
from readyroom.games.doolittle.names import icon, with_icons
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.presentation.map_catalogue import arrows
from readyroom.games.doolittle.presentation.sea import draw_rows
from readyroom.games.doolittle.presentation.squadron import signed
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.formation import room_left
from readyroom.games.doolittle.voyage.general_quarters import FIRST_FORCE
from readyroom.games.doolittle.voyage.ships import (
    PORT,
    aboard,
    afloat,
    box_of,
    card_of,
    following_area,
    is_slow,
    patrol_name,
    patrols,
    recon_area,
    recon_card,
    weather_at,
)
from readyroom.games.doolittle.voyage.state import Recon, Ship


def voyage(state: Doolittle, data: Data) -> View | None:
    """[9.0] The naval map, the layout, and the deck; none where no ships sail."""
    if state.voyage is None or not state.voyage.begun:
        return None
    sea = state.voyage
    return {
        "turn": sea.turn,
        "turns": list(data.sea.turns.turn),
        "phases": [[phase.key, phase.title] for phase in data.naval.phases.phase],
        "area": sea.area,
        "ahead": following_area(data, sea.area),
        "fueled": sea.fueled,
        "met": sea.met,
        "force": next(_other_force(data)) if sea.met and state.plan and state.plan.enterprise else FIRST_FORCE,
        "over": sea.over,
        "plan": _plan(state),
        "port_weather": sea.weather.get(PORT, ""),
        "areas": [_area(state, data, area) for area in data.sea.areas.area],
        "layout": _layout(state, data),
        "ships": [_ship(data, ship) for ship in sea.ships.values()],
        "recon": [_recon(state, data, recon) for recon in sea.recon.values()],
        "submarines": _submarines(state, data),
        "flags": known_markers(data, sea.flags, "flags"),
        "penalties": _penalties(state, data),
        "muffled": sea.muffled,
        "hazards": _hazards(state, data),
        "met_with": [with_icons(data, text) for text in sea.met_with],
        "deck": _deck(state),
        "launched": _launched(state),
        "arrows": arrows(data),
    }


def _other_force(data: Data) -> Iterator[str]:
    return (ship.force for ship in data.ships.fleet.ship if ship.force != FIRST_FORCE)


def _plan(state: Doolittle) -> View | None:
    """[13.5.1] The naval plan."""
    if state.plan is None:
        return None
    return {
        "rendezvous_area": state.plan.rendezvous_area,
        "rendezvous_turn": state.plan.rendezvous_turn,
        "launch_area": state.plan.launch_area,
        "enterprise": state.plan.enterprise,
        "delayed": state.plan.delayed,
    }


def _penalties(state: Doolittle, data: Data) -> list[str]:
    """[12.5.3] The markers on the task force that make a rendezvous harder."""
    figures = data.naval.rendezvous
    penalties = [f"red flags (rendezvous {signed(figures.red_flags)})"] if state.sea.flags else []
    late = state.plan is not None and state.plan.delayed and not state.sea.met
    return [*penalties, *([f"delayed (rendezvous {signed(figures.delayed)})"] if late else [])]


def _area(state: Doolittle, data: Data, card: SeaAreaCard) -> View:
    """[9.1, 9.3, 12.6.2] A sea area: its numbers, its weather, what it draws, who is there."""
    weather = weather_at(state, data, card.key)
    return {
        "key": card.key,
        "name": card.name,
        "box": box_of(data, card.key),
        "table": card.table,
        "rendezvous": card.rendezvous,
        "west": card.key == data.sea.areas.west_of_line or data.sea.west_of(card.key, data.sea.areas.west_of_line),
        "weather": weather or "",
        "move": dict(data.sea.moves[card.table].move),
        "draws": draw_rows(card),
        "patrols": patrols(state, card.key),
        "signals": known_markers(data, state.sea.signals.get(card.key, ()), f"signals-{card.key}"),
        "groups": [group for group, area in state.sea.groups.items() if area == card.key],
    }


# -- ships -----------------------------------------------------------------------------------------------------------


def _layout(state: Doolittle, data: Data) -> list[View]:
    """[9.5.1] The spaces of the layout, and the room that is left in each (None: endless)."""
    places = {ship.key: ship.space for ship in afloat(state)}
    return [
        {
            "key": space.key,
            "name": space.name,
            "room": space.room,
            "left": room_left(data, places, space),
            "adjacent": list(space.adjacent),
            "ships": [key for key, where in places.items() if where == space.key],
        }
        for space in data.ships.layout.space
    ]


def _ship(data: Data, ship: Ship) -> View:
    """[10.1] A ship."""
    card = card_of(data, ship)
    return {
        "key": ship.key,
        "name": card.name,
        "hull_number": card.hull_number,
        "type": card.type,
        "force": card.force,
        "size": card.size,
        "flak": card.flak_damaged if ship.hits else card.flak,
        "reaction": card.reaction,
        "hull": card.hull,
        "refuel": card.refuel,
        "space": ship.space,
        "group": ship.group,
        "hits": ship.hits,
        "sunk": ship.sunk,
        "slow": is_slow(data, ship),
        "markers": known_markers(data, ship.markers, f"{ship.key}-on"),
    }


def _recon(state: Doolittle, data: Data, recon: Recon) -> View:
    """[10.2] A recon marker: its place, and its sea area if it is out there."""
    card = recon_card(data, recon)
    return {
        "key": recon.key,
        "name": card.name,
        "ship": card.ship or card.type or "",
        "dice": card.boat_dice,
        "strikes": card.strikes,
        "patrols": card.patrols,
        "place": recon.place,
        "area": recon_area(state, recon),
        "markers": known_markers(data, recon.markers, f"{recon.key}-on"),
    }


def _submarines(state: Doolittle, data: Data) -> list[View]:
    """[12.1.3] The submarines that take part."""
    names = {card.key: card.name for card in data.ships.submarines.submarine}
    return [
        {"key": boat.key, "name": names[boat.key], "area": boat.area, "contact": boat.contact, "lost": boat.lost}
        for boat in state.sea.submarines.values()
        if boat.area
    ]


# -- hazards and the deck --------------------------------------------------------------------------------------------


def _hazards(state: Doolittle, data: Data) -> View:
    """[12.6.2, 12.6.3] The area whose hazards are looked into, and what each patrol has got, by its front alone."""
    sea = state.sea
    held = sea.assigned if sea.drawn else {}
    return {
        "area": sea.queue[0] if sea.queue else "",
        "undealt": _markers(data, sea.undealt, "undealt"),
        "assigned": [
            {"patrol": key, "name": patrol_name(data, key), "markers": _markers(data, markers, f"{key}-at")}
            for key, markers in held.items()
        ],
    }


def _deck(state: Doolittle) -> View:
    """[12.3] Who is on the deck, who is to go, who has gone."""
    deck = state.deck
    return {
        "aboard": [bomber.key for bomber in aboard(state)],
        "planned": deck.planned if deck else False,
        "going": deck is not None,
        "strike": deck.strike if deck else False,
        "flights": [list(flight) for flight in deck.flights] if deck else [],
        "gone": [list(off.members) for off in deck.gone] if deck else [],
        "burned": state.sea.burned == state.sea.turn,
        "wrecked": state.sea.wrecked,
    }


def _launched(state: Doolittle) -> View | None:
    if state.launched is None:
        return None
    return {"area": state.launched.area, "how": state.launched.how, "turn": state.launched.turn}


def known_markers(data: Data, markers: Sequence[Marker], where: str) -> list[View]:
    """Markers that everybody has seen."""
    return [{"at": f"{where}-{at}", "cup": one.cup, **known(data, one)} for at, one in enumerate(markers, start=1)]


def _markers(data: Data, markers: Sequence[Marker], where: str) -> list[View]:
    """[12.6.2] Markers by their fronts, and what they are once they are turned over."""
    return [
        {"at": f"{where}-{at}", "cup": one.cup, **(known(data, one) if one.shown else {})}
        for at, one in enumerate(markers, start=1)
    ]


def known(data: Data, marker: Marker) -> View:
    """[12.6.6, 13.5.2] What a sea or transit hazard is."""
    sea: Any = data.sea_hazards.markers.get(marker.key)
    if sea is not None:
        kind = data.sea_hazards.kinds.kind[sea.kind]
        return {
            "key": marker.key,
            "kind": sea.kind,
            "name": kind.title,
            "text": kind.text,
            "icon": sea.icon,
            "threshold": icon(data, sea.icon),
            "recovery": sea.recovery,
        }
    transit: Any = data.embarkation.cup.markers.get(marker.key)
    if transit is not None:
        adds = {"gunnery": transit.gunnery} if transit.gunnery else {}
        return {"key": marker.key, "kind": transit.kind, "name": transit.title, "text": transit.text, "adds": adds}
    return {"key": marker.key, "kind": marker.cup, "name": marker.cup, "text": ""}


def unseen(state: Doolittle) -> Iterator[Marker]:
    """[12.6.2] The sea hazards on patrols whose backs no one knows."""
    if state.voyage is not None:
        for markers in (state.voyage.undealt, *state.voyage.assigned.values()):
            yield from (marker for marker in markers if not marker.shown)

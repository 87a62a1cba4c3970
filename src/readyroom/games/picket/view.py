"""[1.0] What the captain sees: everything but the order of the pool."""

from __future__ import annotations

from random import Random

import msgspec

from readyroom.engine.game import View
from readyroom.games.picket import guns
from readyroom.games.picket.attack import column, dice_modifiers, shifts
from readyroom.games.picket.figures import Data
from readyroom.games.picket.figures_common import BEARINGS
from readyroom.games.picket.state import HOURS, NAMES, Counter, Picket, Struck, last_turn
from readyroom.games.picket.victory import needs, score

LOSSES = {"ammo": "ammunition"}
"""[7.3] Tracks that a result of the damage tables has a shorter name for."""
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
}
"""[7.3] Results other than things that are hit."""


def view(state: Picket, data: Data, seat: str | None) -> View:
    """[1.1 to 1.7] Return the ship, the sea, the planes, and the ship's log."""
    return {
        "title": state.plan.title,
        "advanced": state.plan.advanced,
        "campaign": state.plan.campaign,
        "date": state.day.isoformat(),
        "watch": state.watch,
        "hours": HOURS[state.watch],
        "turns": last_turn(state),
        "score": score(state, data),
        "needs": needs(state.plan, data),
        "ship": _ship(state, data),
        "sea": _sea(state, data),
        "raid": _raid(state, data),
        "tally": msgspec.to_builtins(state.tally),
        "hits": [_struck(data, one) for one in state.tally.hits],
        "ace_kills": data.duty.fire.ace_kills,
        "calendar": _calendar(state, data),
        "pool": {"planes": sum(not one.ends for one in state.pool.cup.contents), "aside": len(state.pool.aside)},
    }


def _ship(state: Picket, data: Data) -> View:
    ship = state.ship
    tracks = {name: getattr(ship, name) for name in ("hull", "maneuver", "ammunition", "fuel", "flood")}
    return {
        "name": ship.name,
        "tracks": tracks,
        "full": data.ship.tracks.full,
        "deck_fires": data.ship.tracks.deck_fires,
        "water_lines_full": data.ship.tracks.water_lines,
        "morale_most": data.ship.tracks.morale,
        "barred": {str(bearing): sorted(guns.masked_heights(state, data, bearing)) for bearing in BEARINGS},
        "lost": ship.lost,
        "leaves": ship.leaves,
        "yellow": data.ship.tracks.yellow,
        "red": data.ship.tracks.red,
        "morale": ship.morale,
        "list": ship.heel,
        "trim": ship.trim,
        "fires": dict(ship.fires),
        "water_lines": ship.water_lines,
        "all_hands": ship.all_hands,
        "rooms": [_room(state, data, key) for key in ship.rooms],
        "spaces": [_space(state, data, key) for key in ship.spaces] if state.plan.advanced else [],
        "mounts": [_mount(state, data, key) for key in ship.mounts],
        "gear": [_gear(state, data, key) for key in ship.gear],
        "officers": [_officer(state, key) for key in ship.officers],
        "men": dict(ship.men),
    }


def _room(state: Picket, data: Data, key: str) -> View:
    room, card = state.ship.rooms[key], data.rooms[key]
    return {
        "key": key,
        "name": card.name,
        "section": card.section,
        "boxes": card.boxes,
        "floods": card.floods,
        "hits": room.hits,
        "destroyed": room.destroyed,
        "flooded": room.flooded,
        "men": room.men,
        "held": room.held,
    }


def _space(state: Picket, data: Data, key: str) -> View:
    space, card = state.ship.spaces[key], data.secondary[key]
    return {
        "key": key,
        "name": card.name,
        "section": card.section,
        "floods": card.floods,
        "boxes": space.boxes,
        "flooded": space.flooded,
        "man": space.man,
    }


def _mount(state: Picket, data: Data, key: str) -> View:
    mount, card = state.ship.mounts[key], data.mounts[key]
    return {
        "key": key,
        "name": card.name,
        "kind": card.kind,
        "section": card.section,
        "boxes": card.boxes,
        "arc": list(card.arc),
        "hits": mount.hits,
        "kills": mount.kills,
        "works": guns.works(state, data, key),
        "directed": guns.directed(state, data, key),
        "ace": guns.is_ace(state, data, mount),
        "men": mount.men,
    }


def _gear(state: Picket, data: Data, key: str) -> View:
    gear = state.ship.gear[key]
    card = data.directors.get(key) or data.radars[key]
    return {"key": key, "name": card.name, "section": card.section, "hits": gear.hits, "man": gear.man}


def _officer(state: Picket, key: str) -> View:
    officer = state.ship.officers[key]
    return {"key": key, "name": NAMES[key], "value": officer.value, "place": officer.place, "dead": officer.dead}


def _sea(state: Picket, data: Data) -> View:
    return {
        "station": state.sea.station,
        "weather": state.sea.weather,
        "team": state.ship.team,
        "surface": state.ship.surface,
        "land_radars": list(state.sea.land_radars),
        "air": dict(state.sea.air),
        "markers": state.sea.markers,
        "column": column(state, data),
        "shifts": [[name, value] for name, value in shifts(state, data)],
        "dice": [[name, value] for name, value in dice_modifiers(state, data) if value],
        "storm": state.sea.storm,
        "kikusui": [msgspec.to_builtins(raid) for raid in data.calendar.kikusui],
    }


def _raid(state: Picket, data: Data) -> View:
    raid = state.raid
    return {
        "wave": raid.wave + 1,
        "waves": [
            {
                "planes": [_plane(data, plane) for plane in wave.planes],
                "specials": [_plane(data, plane) for plane in wave.specials],
            }
            for wave in raid.waves
        ],
        "maneuvered": raid.maneuvered,
        "struck": raid.struck,
        "surface": raid.surface,
    }


def _plane(data: Data, plane: Counter) -> View:
    card = data.cards[plane.plane]
    return {**msgspec.to_builtins(plane), "key": plane.key, "name": card.name, "engines": card.engines}


def _struck(data: Data, hit: Struck) -> View:
    """[1.5] Return a hit with the plane's name and its effects as text."""
    name = data.cards[hit.plane.partition(" ")[0]].name
    return {**msgspec.to_builtins(hit), "name": name, "told": [describe_result(data, code) for code in hit.what]}


def describe_result(data: Data, code: str) -> str:
    """[7.3] Return the name of a damage table result."""
    if code in data.mounts:
        return f"{data.mounts[code].kind} mount {data.mounts[code].name}"
    for cards in (data.rooms, data.secondary, data.directors, data.radars):
        if code in cards:
            return str(cards[code].name)
    what, _, number = code.rpartition("-")
    if number.isdecimal():
        return f"{LOSSES.get(what, what.replace('-', ' '))} −{number}"
    return HAPPENS.get(code, code.replace("-", " "))


def _calendar(state: Picket, data: Data) -> View:
    """[1.6] Return the time record: first and last day, and marked dates."""
    return {
        "first": state.plan.first,
        "last": state.plan.last,
        "land_radar": [[radar.name, radar.since] for radar in data.calendar.land_radar],
        "kikusui": [[raid.number, raid.since, raid.to] for raid in data.calendar.kikusui],
    }


def resample(state: Picket, data: Data, seat: str, random: Random) -> Picket:
    """[1.0] Return the state; nothing is hidden but future dice."""
    return state

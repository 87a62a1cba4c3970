"""The calculator's questions of the present decision."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.forms import FilledQuery
from readyroom.engine.text import capitalize_first
from readyroom.games.picket.combat import guns
from readyroom.games.picket.combat.fire import Lead, Mark, describe_plane
from readyroom.games.picket.combat.odds import Shot
from readyroom.games.picket.combat.strike import condition, rooms_hit
from readyroom.games.picket.presentation.questions import WHAT
from readyroom.games.picket.ship.repair_checks import ENGINEERS
from readyroom.games.picket.state import CHIEFS, Counter, PrimaryCompartment, T

Inputs = dict[str, str]


def odds_now(table: T, decision: Decision | None) -> list[FilledQuery]:
    """[6.8, 6.10, 7.1, 7.8.2] Return the odds of guns, strikes, maneuvers or repairs."""
    if decision is None:
        return []
    if decision.rule == "6.10":
        wave = table.state.wave
        return [_maneuvers_now(table), *_strikes_now(table, [*wave.planes, *wave.specials])]
    values = [option.value for option in decision.values]
    shots = [value for value in values if isinstance(value, Shot)]
    if shots:
        return [*_guns_now(table, shots), *_strikes_now(table, [shot.plane for shot in shots])]
    rooms = table.state.ship.rooms
    if decision.rule in ("7.7", "7.8.2.F"):
        at_work = [rooms[value] for value in values if value in rooms]
        return [_repair_now(table, room) for room in at_work if room.hits]
    planes = [value.plane if isinstance(value, Lead | Mark) else value for value in values]
    return _strikes_now(table, [plane for plane in planes if isinstance(plane, Counter)])


def _yes(condition: bool) -> str:
    return "yes" if condition else "no"


def _guns_now(table: T, shots: Iterable[Shot]) -> list[FilledQuery]:
    """[6.8.N] Return all equal guns that bear on each plane."""
    identical = Count[tuple[str, tuple[tuple[str, str], ...]]]()
    for shot in shots:
        inputs = _gun(table, shot)
        identical[f"{inputs['kind']} at the {describe_plane(table, shot.plane)}", tuple(inputs.items())] += 1
    return [
        FilledQuery(title, "gun", {**dict(inputs), "guns": str(count)}) for (title, inputs), count in identical.items()
    ]


def _gun(table: T, shot: Shot) -> Inputs:
    state, data, key, plane = table.state, table.data, shot.gun, shot.plane
    return {
        "kind": data.mounts[key].kind,
        "director": _yes(guns.aimed(state, data, key, slaved=shot.slaved)),
        "gunnery": str(state.ship.value("gunnery")),
        "magazine": _yes(guns.has_magazine_hit(state, data, key)),
        "ace": _yes(guns.is_ace(state, data, state.ship.mounts[key])),
        "fit": str(guns.fit(state, data, key)),
        "height": plane.height,
        "hits": str(plane.hits),
        "wood": _yes(guns.is_wooden(state, data, key, plane)),
        "morale": str(state.ship.morale if state.rulings.morale_fire == "yes" else 0),
    }


def _strikes_now(table: T, planes: Iterable[Counter]) -> list[FilledQuery]:
    """[7.1, 7.2] Return each kind of attacker that still flies."""
    evaded, attackers = _yes(bool(table.state.raid.maneuvered)), dict[str, None]()
    for plane in planes:
        if plane.weapon and not plane.fate:
            attackers[plane.weapon] = None
        elif not plane.weapon and plane.fate != "destroyed":
            attackers[condition(table, plane)] = None
    return [
        FilledQuery(f"{capitalize_first(WHAT[what])}, strikes", "strike", {"what": what, "evaded": evaded})
        for what in attackers
    ]


def _maneuvers_now(table: T) -> FilledQuery:
    ship = table.state.ship
    inputs = {
        "captain": str(ship.value("captain")),
        "engineer": str(ship.value("engineer")),
        "dead": _yes(ship.officers["captain"].dead and ship.officers["engineer"].dead),
        "bridge": _yes(not ship.works("bridge")),
        "rooms": str(rooms_hit(table)),
    }
    return FilledQuery("Emergency maneuvers", "maneuvers", inputs)


def _repair_now(table: T, room: PrimaryCompartment) -> FilledQuery:
    """[7.8.2] Return an attempt at a compartment with one more man."""
    ship, card = table.state.ship, table.data.rooms[room.key]
    control = ship.officers["damage-control"].place == card.section
    officers = [
        ship.value(officer)
        for officer in ("executive", "engineer")
        if ship.officers[officer].assigned and ship.officers[officer].place == room.key
    ]
    inputs = {
        "hits": str(room.hits),
        "men": str(min(room.men + 1, table.data.ship.crew.in_a_room)),
        "chief": str(ship.value(CHIEFS[card.section])),
        "control": str(ship.value("damage-control") if control else 0),
        "officer": str(sum(officers)),
        "morale": str(ship.morale),
        "held": _yes(room.held),
        "shop": _yes(room.key in ENGINEERS and ship.works("machine-shop")),
        "hands": _yes(bool(ship.all_hands)),
    }
    return FilledQuery(capitalize_first(card.name), "repair", inputs)

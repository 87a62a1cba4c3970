"""[1.4] What a captain sees: all but the backs of markers that no one has turned over.

Of a marker face down only its front is public: its cup, an interceptor's silhouette, the red box. Its key would
reveal it, so the view names it by its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from readyroom.engine.game import View
from readyroom.games.doolittle import names
from readyroom.games.doolittle.aftermath import view as end_view
from readyroom.games.doolittle.attack.bombing import sight
from readyroom.games.doolittle.ending import story_builder
from readyroom.games.doolittle.ending.debriefing import points
from readyroom.games.doolittle.ending.story import Story
from readyroom.games.doolittle.ending.timeline import months
from readyroom.games.doolittle.figures.attack import HazardMarker
from readyroom.games.doolittle.figures.common import Light
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.flight import Hour, zone_draw
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.planning.view import blotter
from readyroom.games.doolittle.state import (
    DEBRIEFING,
    Area,
    Box,
    Doolittle,
    Flight,
    leader_name,
    scenario_card,
    seat_of,
)
from readyroom.games.doolittle.voyage import view as sea_view
from readyroom.games.doolittle.voyage.ships import aboard

Front = tuple[str, bool, bool]


def view(state: Doolittle, data: Data, seat: str | None) -> View:
    """[1.6] The table; between the captains of a raid nothing is hidden (DR111)."""
    card = scenario_card(state, data)
    return {
        "title": card.title,
        "segment": state.segment,
        "leader": leader_name(state),
        "card": card.map or "",
        "points": points(state, data),
        "security": _security(state, data),
        "ratings": _ratings(state),
        "raid": _raid(state, data),
        "squad": [_bomber(state, data, bomber) for bomber in state.squad.values()],
        "targets": {key: _target(state, data, key) for key in state.targets},
        "air": _air(state, data),
        "voyage": sea_view.voyage(state, data),
        "ending": end_view.ending(state, data),
        "strike": end_view.strike(state, data),
        "blotter": blotter(state, data),
        "line": _line(state, data),
        "tale": story_builder.shown(state, data) if state.at.phase == DEBRIEFING and state.air is not None else None,
    }


def _line(state: Doolittle, data: Data) -> list[list[str]]:
    """[1.9] The time line so far, where the tale is longer than a day."""
    if state.voyage is None and state.ending is None:
        return []
    return story_builder.line(months(Story(state, data)))


# -- markers ---------------------------------------------------------------------------------------------------------


def front(data: Data, marker: Marker) -> Front:
    """[4.2, 4.3.1, 4.5] What is seen of a marker face down: its cup, whether it shows a fighter, and the red box."""
    card = data.hazards.markers.get(marker.key)
    if card is None:
        return (marker.cup, False, False)
    return (marker.cup, data.hazards.kinds.kind[card.kind].front == "interceptor", card.box)


def _marker(data: Data, marker: Marker, at: str, *, known: bool = False) -> View:
    """A marker at a place: all of it once it is turned over, else its front alone."""
    cup, fighter, box = front(data, marker)
    result: View = {"at": at, "cup": cup, "fighter": fighter, "box": box}
    if not (marker.shown or known):
        return result
    result["key"] = marker.key
    card: Any = data.hazards.markers.get(marker.key)
    if card is not None:
        return {**result, **_hazard(data, card)}
    way: Any = data.flight_hazards.markers.get(marker.key)
    if way is not None:
        kind = data.flight_hazards.kinds.kind[way.kind]
        name = way.name or kind.title
        return {**result, "kind": way.kind, "name": name, "text": kind.text, "icon": way.icon, **_adds(way)}
    return {**result, **sea_view.known(data, marker)}


def _adds(card: Any) -> View:
    """[8.3.7] What a flight hazard takes off, in words."""
    named = (("gunnery", card.gunnery), ("detonation", card.detonation), ("landing", card.landing))
    return {"adds": {what: value for what, value in named if value}}


def _hazard(data: Data, card: HazardMarker) -> View:
    """[4.6.3] A hazard face up."""
    kind = data.hazards.kinds.kind[card.kind]
    named = (("approach", card.approach), ("detonation", card.detonation))
    return {
        "kind": card.kind,
        "name": kind.title,
        "text": kind.text,
        "range": [card.low, card.high] if card.high else [],
        "adds": {what: value for what, value in named if value},
        "stay": card.stay,
    }


def _markers(data: Data, markers: Sequence[Marker], where: str, *, known: bool = False) -> list[View]:
    return [_marker(data, marker, f"{where}-{at}", known=known) for at, marker in enumerate(markers, start=1)]


# -- the squadron ----------------------------------------------------------------------------------------------------


def _bomber(state: Doolittle, data: Data, bomber: Bomber) -> View:
    """[2.1, 2.3] A bomber with all its hazards."""
    card, flight = data.bombers.cards[bomber.key], state.flight_of(bomber.key)
    return {
        "key": bomber.key,
        "pilot": card.pilot,
        "serial": card.serial,
        "nickname": card.nickname,
        "loaded": bomber.loaded,
        "hits": bomber.hits,
        "steps": list(getattr(data.bombers.armour, state.armour)),
        "elite": _elite(data, bomber),
        "attached": _markers(data, bomber.markers, f"{bomber.key}-on", known=True),
        "assigned": _markers(data, bomber.assigned, f"{bomber.key}-at"),
        "fumes": bomber.fumes,
        "area": bomber.area if bomber.flies else "",
        "box": bomber.box if bomber.flies else "",
        "enters": bomber.enters if bomber.flies else 0,
        "delayed": bomber.delayed,
        "fate": bomber.fate,
        "where": _place(data, bomber.where),
        "at": bomber.where,
        "fuel": bomber.fuel,
        "flight": flight.key if flight else "",
        "site": _place(data, flight.site) if flight else "",
        "base": _base(state, bomber),
        "seat": seat_of(state, bomber.key),
    }


def _base(state: Doolittle, bomber: Bomber) -> str:
    """[12.3, 13.1.2] Where a bomber is that has not taken off."""
    if state.segment == "planning":
        return "with the squadron"
    if state.voyage is None or state.flight_of(bomber.key) is not None:
        return ""
    return "on deck" if bomber in aboard(state) else "taking off"


def _elite(data: Data, bomber: Bomber) -> View | None:
    """[2.3] The elite crewman of a bomber, his benefit, and whether he has used it."""
    if bomber.elite is None:
        return None
    card = data.bombers.crewmen[bomber.elite.key]
    benefit = data.bombers.benefits[card.benefit]
    return {
        "name": card.name,
        "role": card.role,
        "benefit": benefit.title,
        "text": benefit.text,
        "once": benefit.once,
        "used": bomber.elite.used,
    }


def _place(data: Data, key: str) -> str:
    """What a place is called where a bomber came down."""
    if key in data.flight.site:
        return data.flight.site[key].name
    zone = next((zone.name for zone in data.flight.zones.zone if zone.key == key), "")
    areas = (area.name for maps in data.targets.maps.values() for area in maps.area if area.key == key)
    return zone or next(areas, "") or names.places(data).get(key, key)


def _ratings(state: Doolittle) -> View:
    """[4.4, 4.5.1, 4.8.1, 8.2.4] What all bombers are good for."""
    ratings = state.ratings
    return {
        "gunnery": ratings.gunnery,
        "evasion": ratings.evasion,
        "night_evasion": ratings.night_evasion,
        "elite_evasion": ratings.elite_evasion,
        "norden": ratings.norden,
        "navigation": dict(ratings.navigation),
        "bombing": ratings.bombing,
        "guzzle": ratings.guzzle,
    }


# -- the targets -----------------------------------------------------------------------------------------------------


def _security(state: Doolittle, data: Data) -> View:
    """[6.1] The security track."""
    security, track = state.security, data.security.track
    return {
        "alert": security.alert,
        "alert_max": track.alert_max,
        "failed": security.failed,
        "failed_max": track.failed_max,
        "risk": security.risk,
        "value": security.value,
        "least": data.security.alert_by_failed.at(min(security.failed, track.failed_max)),
    }


def _raid(state: Doolittle, data: Data) -> View | None:
    """[4.0] The attack that continues, and the phases of its turn."""
    if state.raid is None:
        return None
    raid = state.raid
    return {
        "city": raid.city,
        "light": raid.light,
        "flight": raid.flight,
        "high": raid.high,
        "boxes": sight(state),
        "turn": raid.turn,
        "turns": data.attack.turns.last,
        "entry": raid.entry,
        "met": list(raid.met),
        "phases": [[phase.key, phase.title] for phase in data.attack.phases.phase],
    }


def _light(state: Doolittle, data: Data, city: str) -> Light:
    """[3.1, 3.1.1] The light of a map: that of the raid, of the scenario, or of the hour."""
    if state.raid is not None and state.raid.city == city:
        return state.raid.light
    card = scenario_card(state, data)
    if state.air is not None:
        return data.flight.clock.box[state.air.hour % len(data.flight.clock.box)].light
    variant = card.chosen_variant(state.rulings.variant)
    return (variant and variant.light) or card.light or "day"


def _target(state: Doolittle, data: Data, city: str) -> View:
    """[3.0] A target map with its contents."""
    target, maps = state.targets[city], data.targets.maps[city]
    return {
        "title": maps.title,
        "light": _light(state, data, city),
        "tally": target.tally,
        "draws": [data.attack.draws.bomber, data.attack.draws.alert],
        "steps": [data.attack.detonations.at(value) for value in range(_last_step(data) + 1)],
        "dark": target.dark,
        "cup": _left(state, maps.cups[_light(state, data, city)]),
        "reserve": _left(state, data.hazards.reserve.cup),
        "met": dict(target.met),
        "areas": [_area(state, data, city, key) for key in maps.areas],
    }


def _left(state: Doolittle, cup: str) -> int:
    """[4.2.1] How many markers are left in a cup."""
    return len(state.cups[cup].contents) if cup in state.cups else 0


def _last_step(data: Data) -> int:
    """[3.4] The tally from which the track says the same for ever."""
    least, most = data.attack.detonations.reach
    rows = data.attack.detonations
    return next((value for value in range(least, most + 1) if rows.at(value) == rows.at(most)), most)


def _area(state: Doolittle, data: Data, city: str, key: str) -> View:
    """[3.2] An area: its figures, its blast, and the markers that no one has."""
    card, area = data.targets.maps[city].areas[key], state.targets[city].areas[key]
    light = _light(state, data, city)
    return {
        "key": key,
        "name": card.name,
        "limit": card.hazards_max,
        "perimeter": card.perimeter,
        "adjacent": list(card.adjacent),
        "blast": area.blast,
        "counted": key in (scenario_card(state, data).counted_areas or (key,)),
        "markers": _markers(data, area.markers, key),
        "boxes": [_box(data, city, one, box, light) for one, box in area.boxes.items()],
    }


def _box(data: Data, city: str, key: str, box: Box, light: Light) -> View:
    """[3.3] A target box by this light: its numbers, its blast, and what waits in it."""
    card = data.targets.maps[city].boxes[key]
    return {
        "key": key,
        "name": card.name,
        "approach": card.approach(light),
        "detonation": card.blast(light),
        "carrier": card.carrier,
        "blast": box.blast,
        "markers": _markers(data, box.markers, key),
    }


# -- the way there and on --------------------------------------------------------------------------------------------


def _air(state: Doolittle, data: Data) -> View | None:
    """[5.0] The flight map."""
    if state.air is None:
        return None
    sky, figures = state.air, data.flight
    hours = figures.clock.box
    china = (sky.hour - figures.clock.china_boxes_earlier) % len(hours)
    return {
        "turn": sky.turn,
        "hour": sky.hour % len(hours),
        "china": china,
        "clock": [[hour.label, hour.light] for hour in hours],
        "phases": [[phase.key, phase.title] for phase in data.flying.phases.phase],
        "zones": [_zone(state, data, zone, hours[china], hours[sky.hour % len(hours)]) for zone in figures.order],
        "winds": [_wind(state, data, key) for key in (box.key for box in figures.winds.box)],
        "flights": [_flight(state, data, flight) for flight in sky.flights],
        "cities": [_city(state, data, key) for key in state.targets],
        "sites": [_site(state, data, key) for key in figures.site],
        "queue": list(sky.queue),
        "met": list(sky.met),
        "planned": sky.planned,
        "fuel": state.ratings.fuel,
    }


def _zone(state: Doolittle, data: Data, key: str, china: Hour, japan: Hour) -> View:
    """[5.1, 5.2.2, 8.3.2] A zone: its name, its light, its draws, its contents."""
    card = next(zone for zone in data.flight.zones.zone if zone.key == key)
    late = data.flight.in_china_time(key)
    return {
        "key": key,
        "name": card.name,
        "light": (china if late else japan).light,
        "china": late,
        "japan": key == data.flight.zones.japan,
        "draws": [list(zone_draw(draw)) for draw in card.draw],
        "markers": _markers(data, state.sky.zones.get(key, ()), key),
    }


def _wind(state: Doolittle, data: Data, key: str) -> View:
    """[5.3] A wind box: its zones, its wind and its weather, as far as they are known."""
    box = next(box for box in data.flight.winds.box if box.key == key)
    wind = state.sky.winds.get(key)
    title = data.flying.effects.wind[wind].title if wind else ""
    weather = state.sky.weather.get(key, "")
    return {"key": key, "zones": list(box.zones), "wind": wind or "", "title": title, "weather": weather}


def _flight(state: Doolittle, data: Data, flight: Flight) -> View:
    """[7.1] A flight."""
    return {
        "key": flight.key,
        "members": list(flight.members),
        "zone": flight.zone,
        "fuel": flight.fuel,
        "high": flight.high,
        "alone": flight.alone,
        "site": flight.site,
        "site_name": data.flight.site[flight.site].name if flight.site in data.flight.site else flight.site,
        "light": flight.light,
        "weather": flight.weather,
        "waits": flight.waits,
        "acts": flight.key in state.sky.queue,
        "assigned": _markers(data, flight.assigned, flight.key),
    }


def _city(state: Doolittle, data: Data, key: str) -> View:
    """[5.4] A city box: the numbers to find it, the blast on its map, its lights."""
    card, target = data.flight.city[key], state.targets[key]
    blast = sum(area.blast + sum(box.blast for box in area.boxes.values()) for area in target.areas.values())
    return {
        "key": key,
        "name": card.name,
        "day": card.day,
        "night": card.night,
        "blast": blast,
        "dark": target.dark,
        "contact": state.sky.contacts.get(key, 0),
    }


def _site(state: Doolittle, data: Data, key: str) -> View:
    """[5.5] A landing site: its numbers, its zones, and its beacon."""
    card = data.flight.site[key]
    return {
        "key": key,
        "name": card.name,
        "country": card.country,
        "day": card.day,
        "night": card.night,
        "landing": card.landing,
        "zones": list(card.zones),
        "fuel_from": list(card.fuel_from),
        "fuel": data.flight.sites.fuel,
        "beacon": state.sky.beacons.get(key),
        "stock": state.sky.stock.get(key, 0),
    }


# -- what no one has seen --------------------------------------------------------------------------------------------


def unseen(state: Doolittle) -> Iterator[Marker]:
    """Every marker whose back no one knows: in the cups, and face down over targets, on bombers and in zones."""
    for cup in state.cups.values():
        yield from cup.contents
    for target in state.targets.values():
        for area in target.areas.values():
            yield from _face_down(area)
    for bomber in state.squad.values():
        yield from (marker for marker in bomber.assigned if not marker.shown)
    yield from sea_view.unseen(state)
    if state.air is not None:
        lying = (*state.air.zones.values(), *(flight.assigned for flight in state.air.flights))
        for markers in lying:
            yield from (marker for marker in markers if not marker.shown)


def _face_down(area: Area) -> Iterator[Marker]:
    yield from (marker for marker in area.markers if not marker.shown)
    for box in area.boxes.values():
        yield from (marker for marker in box.markers if not marker.shown)


def resample(state: Doolittle, data: Data, seat: str, random: Random) -> Doolittle:
    """[4.2] Deal what no one has seen again, front by front, among its places and the cups. The state is changed."""
    fronts: dict[Front, list[Marker]] = {}
    for marker in unseen(state):
        fronts.setdefault(front(data, marker), []).append(marker)
    for identical in fronts.values():
        keys = [marker.key for marker in identical]
        random.shuffle(keys)
        for marker, key in zip(identical, keys, strict=True):
            marker.key = key
    return state

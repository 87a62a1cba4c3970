"""[11.0, 14.0] An airstrike and the end of a raid as a captain sees them: nothing is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from readyroom.games.doolittle import names
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.piece_views import EliteView, elite_view
from readyroom.games.doolittle.pieces import Crew
from readyroom.games.doolittle.state import Doolittle


class CrewView(msgspec.Struct, frozen=True, kw_only=True):
    """[14.0.1] A crew: where it is, its health, its elite crewmen, and its fate."""

    key: str
    pilot: str
    where: str
    place: str
    fit: bool
    elites: Sequence[EliteView]
    fate: str

    @property
    def health(self) -> str:
        """[14.0.1] Whether the crew is fit or wounded."""
        return "fit" if self.fit else "wounded"


class BaseView(msgspec.Struct, frozen=True, kw_only=True):
    """[14.4.1] A field in China: its fuel, its bombers, and how many of them its groundcrews (`hands`) can repair."""

    key: str
    name: str
    stock: int = 0
    groundcrews: int = 0
    hands: int = 0
    bombers: Sequence[str] = ()


class RouteView(msgspec.Struct, frozen=True, kw_only=True):
    """[14.4.3] A route of the transport table: its fuel by air (None: not by air), and its number on foot."""

    start: str
    end: str
    from_: str = msgspec.field(name="from")
    to: str
    fuel: int | None
    trek: int


class DenouementView(msgspec.Struct, frozen=True, kw_only=True):
    """[14.0] The denouement: crews, fields, routes, and the groups of ships that have still to sail home."""

    crews: Sequence[CrewView]
    fields: Sequence[BaseView]
    homeward: Sequence[str]
    soviet: str
    checks: Mapping[str, int]
    routes: Sequence[RouteView]


class StrikeView(msgspec.Struct, frozen=True, kw_only=True):
    """[11.0] An airstrike; `reach` says whether the bombers can reach Japan from there."""

    found: str
    group: str
    area: str
    reach: bool
    navy: Sequence[str]
    waves: Sequence[Sequence[str]]


def denouement_view(state: Doolittle, data: Data) -> DenouementView | None:
    """[14.0] Return the denouement, once it has begun."""
    if state.ending is None:
        return None
    return DenouementView(
        crews=[_crew_view(data, crew) for crew in state.crews],
        fields=[_field_view(state, data, site.key) for site in data.flight.sites_in("china")],
        homeward=list(state.ending.homeward),
        soviet=state.ending.soviet,
        checks=dict(state.ending.checks),
        routes=_route_views(data),
    )


def _crew_view(data: Data, crew: Crew) -> CrewView:
    """[14.0.1] Return a crew."""
    return CrewView(
        key=crew.key,
        pilot=data.bombers.cards[crew.key].pilot,
        where=crew.where,
        place=names.place_names(data).get(crew.where, ""),
        fit=crew.fit,
        elites=[msgspec.structs.replace(elite_view(data, man.key), key=man.key, used=man.used) for man in crew.elites],
        fate=crew.fate,
    )


def _field_view(state: Doolittle, data: Data, key: str) -> BaseView:
    """[14.4.1] Return a field in China."""
    crews = state.sky.groundcrews.get(key, 0)
    return BaseView(
        key=key,
        name=data.flight.site[key].name,
        stock=state.sky.stock.get(key, 0),
        groundcrews=crews,
        hands=crews * data.denouement.groundcrew.bombers - state.denouement.repairs.get(key, 0),
        bombers=[one.key for one in state.squad.values() if one.fate == "landed" and one.where == key],
    )


def _route_views(data: Data) -> list[RouteView]:
    """[14.4.3] Return the routes of the transport table."""
    places = names.place_names(data)
    return [
        RouteView(
            start=one.start, end=one.end, from_=places[one.start], to=places[one.end], fuel=one.fuel, trek=one.trek
        )
        for one in data.denouement.routes.route
    ]


def strike_view(state: Doolittle, data: Data) -> StrikeView | None:
    """[11.0] Return the airstrike in progress, if there is one."""
    if state.strike is None:
        return None
    now = state.strike
    area = state.sea.groups.get(now.group, state.sea.area)
    return StrikeView(
        found=now.found,
        group=now.group,
        area=area,
        reach=bool(area) and data.sea.west_of(area, data.flight.launch.west_of),
        navy=list(now.navy),
        waves=[list(wave) for wave in now.waves],
    )

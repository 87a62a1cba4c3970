"""[1.4] What a captain sees: all but the backs of markers that no one has turned over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from readyroom.games.doolittle.attack.view import AttackView, TargetView, attack_view, target_view
from readyroom.games.doolittle.denouement.view import DenouementView, StrikeView, denouement_view, strike_view
from readyroom.games.doolittle.ending.debriefing import points, points_by_name
from readyroom.games.doolittle.ending.story import Entry, Story
from readyroom.games.doolittle.ending.story_builder import build_tale
from readyroom.games.doolittle.ending.timeline import events_by_month
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.flight.view import AirView, air_view
from readyroom.games.doolittle.piece_views import BomberView, Front, bomber_view, public_front, unseen
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.planning.view import BlotterView, blotter_view
from readyroom.games.doolittle.state import DEBRIEFING, Doolittle, leader_name, scenario_card
from readyroom.games.doolittle.voyage.view import VoyageView, voyage_view

Line = tuple[str, str, str]
"""[1.9] An entry of the time line: the month, the day as far as it is known, and what happened."""


class SecurityView(msgspec.Struct, frozen=True, kw_only=True):
    """[6.1] The security track; `least` is the alert that the failed tests bring at least."""

    alert: int
    alert_max: int
    failed: int
    failed_max: int
    risk: int
    value: int
    least: int

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The names of the figures, and the figures."""
        return [
            ("Alert", f"{self.alert} of {self.alert_max}"),
            ("Failed tests", str(self.failed)),
            ("Risk", str(self.risk)),
            ("Secrecy value", f"{self.value} dice"),
        ]


class RatingsView(msgspec.Struct, frozen=True, kw_only=True):
    """[4.4, 4.5.1, 4.8.1, 8.2.4] The ratings of all bombers."""

    gunnery: int
    evasion: int
    night_evasion: int
    elite_evasion: int
    norden: bool
    navigation: dict[str, int]
    bombing: int
    guzzle: int


class PageView(msgspec.Struct, frozen=True, kw_only=True):
    """[1.9] A page at the end of a raid."""

    key: str
    heading: str
    paragraphs: Sequence[str]
    signed: str


class TaleView(msgspec.Struct, frozen=True, kw_only=True):
    """[1.9] The front page of a newspaper of this name, a letter, a report, and the time line."""

    name: str
    pages: Sequence[PageView]
    line: Sequence[Line]


class DoolittleView(msgspec.Struct, frozen=True, kw_only=True):
    """[1.6] The table: `leader` names the captain who leads if that changes, `card` the city of an attack scenario."""

    title: str
    segment: str
    leader: str
    card: str
    points: int
    points_by_name: Mapping[str, int]
    security: SecurityView
    ratings: RatingsView
    raid: AttackView | None
    squad: Sequence[BomberView]
    targets: Mapping[str, TargetView]
    air: AirView | None
    voyage: VoyageView | None
    ending: DenouementView | None
    strike: StrikeView | None
    blotter: BlotterView | None
    line: Sequence[Line]
    tale: TaleView | None

    @property
    def attack(self) -> AttackView:
        """[4.0] The attack in progress, where there is one."""
        assert self.raid is not None
        return self.raid

    @property
    def notes(self) -> BlotterView:
        """[13.0.1] The blotter, which there is in the campaign."""
        assert self.blotter is not None
        return self.blotter

    @property
    def sky(self) -> AirView:
        """[5.0] The flight map, where there is one."""
        assert self.air is not None
        return self.air

    @property
    def sea(self) -> VoyageView:
        """[9.0] The voyage, where ships sail."""
        assert self.voyage is not None
        return self.voyage

    def bomber(self, key: str) -> BomberView:
        """[2.1] Return a bomber."""
        return next(bomber for bomber in self.squad if bomber.key == key)


def view(state: Doolittle, data: Data, seat: str | None) -> DoolittleView:
    """[1.6] Return the table; between the captains of a raid nothing is hidden (DR111)."""
    card, security, track = scenario_card(state, data), state.security, data.security.track
    return DoolittleView(
        title=card.title,
        segment=state.segment,
        leader=leader_name(state),
        card=card.map or "",
        points=points(state, data),
        points_by_name=points_by_name(state, data),
        security=SecurityView(
            alert=security.alert,
            alert_max=track.alert_max,
            failed=security.failed,
            failed_max=track.failed_max,
            risk=security.risk,
            value=security.value,
            least=data.security.alert_by_failed.at(min(security.failed, track.failed_max)),
        ),
        ratings=msgspec.convert(state.ratings, RatingsView, from_attributes=True),
        raid=attack_view(state, data),
        squad=[bomber_view(state, data, bomber) for bomber in state.squad.values()],
        targets={key: target_view(state, data, key) for key in state.targets},
        air=air_view(state, data),
        voyage=voyage_view(state, data),
        ending=denouement_view(state, data),
        strike=strike_view(state, data),
        blotter=blotter_view(state, data),
        line=_line(events_by_month(Story(state, data))) if state.voyage is not None or state.ending is not None else [],
        tale=_tale(state, data) if state.at.phase == DEBRIEFING and state.air is not None else None,
    )


def _line(entries: Sequence[Entry]) -> list[Line]:
    """[1.9] Return the time line; only a raid of more than a day has one."""
    return [(entry.month, entry.day, entry.sentence.text) for entry in entries]


def _tale(state: Doolittle, data: Data) -> TaleView:
    """[1.9] Return what happened, as it is printed at the end."""
    result = build_tale(state, data)
    pages = [
        PageView(
            key=page.key,
            heading=page.heading.text,
            paragraphs=[" ".join(one.text for one in paragraph) for paragraph in page.paragraphs],
            signed=page.signed,
        )
        for page in result.pages
    ]
    return TaleView(name=data.debriefing.tales.paper["name"], pages=pages, line=_line(result.line))


def resample(state: Doolittle, data: Data, seat: str, random: Random) -> Doolittle:
    """[4.2] Shuffle what no one has seen, front by front, among its places and the cups. The state is changed."""
    fronts: dict[Front, list[Marker]] = {}
    for marker in unseen(state):
        fronts.setdefault(public_front(data, marker), []).append(marker)
    for identical in fronts.values():
        keys = [marker.key for marker in identical]
        random.shuffle(keys)
        for marker, key in zip(identical, keys, strict=True):
            marker.key = key
    return state

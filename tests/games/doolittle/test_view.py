"""Tests of the captain's view: a face-down marker shows only its front."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.doolittle.helpers import DATA, aloft, at_hour, raiders, windy
from tests.games.doolittle.voyage_helpers import at_sea

from readyroom import Match
from readyroom.engine.rules.state import iter_pieces
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.denouement.state import DenouementState
from readyroom.games.doolittle.piece_views import public_front, unseen
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import CAPTAIN, Doolittle, Raid
from readyroom.games.doolittle.view import DoolittleView, resample, view

SCENARIOS = [scenario.key for scenario in GAME.rules.scenarios(DATA)]


def along(scenario: str, seed: str = "seen", steps: int = 90) -> list[Match[Any, Any]]:
    """Return one match after each of its random answers."""
    match, random = Match(GAME, scenario, seed=seed), Random(seed)
    matches = [match]
    for _ in range(steps):
        if not match.pending:
            break
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(random))
        matches.append(match)
    return matches


def played(scenario: str, steps: int) -> Doolittle:
    """Return the state after this number of random answers."""
    state: Doolittle = along(scenario, f"{scenario} {steps}", steps)[-1].state
    return state


def copied(state: Doolittle) -> Doolittle:
    """Return a copy of the state."""
    return GAME.decode(GAME.encode(state))


def over_tokyo() -> tuple[Doolittle, Bomber, Marker]:
    """Return a bomber over Tokyo East with a face-down hazard."""
    state = raiders("capital", "evade")
    bomber = state.squad["b01"]
    bomber.area, bomber.enters = "tokyo-east", 0
    marker = state.cups["tokyo-day"].contents.pop()
    bomber.assigned.append(marker)
    return state, bomber, marker


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("steps", [0, 7, 19, 42, 80])
def test_resampled_state_has_same_view(scenario: str, steps: int) -> None:
    state = played(scenario, steps)
    before = msgspec.json.encode(view(state, DATA, CAPTAIN))
    random = Random(steps)
    for _ in range(3):
        other = resample(copied(state), DATA, CAPTAIN, random)
        assert msgspec.json.encode(view(other, DATA, CAPTAIN)) == before
        assert msgspec.json.encode(view(other, DATA, None)) == before
        assert sorted(piece.key for piece in iter_pieces(other)) == sorted(piece.key for piece in iter_pieces(state))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_view_has_no_keys_of_hidden_markers(scenario: str) -> None:
    for steps in (5, 30, 65):
        state = played(scenario, steps)
        text = msgspec.json.encode(view(state, DATA, CAPTAIN)).decode()
        hidden = [marker.key for marker in unseen(state)]
        assert hidden
        assert not [key for key in hidden if f'"{key}"' in text]


def test_hidden_marker_shows_only_its_front() -> None:
    state, bomber, marker = over_tokyo()
    data = view(state, DATA, CAPTAIN).bomber(bomber.key).assigned
    assert set(msgspec.to_builtins(data[0])) == {"at", "cup", "fighter", "box"}
    marker.shown = True
    data = view(state, DATA, CAPTAIN).bomber(bomber.key).assigned
    assert data[0].kind == DATA.hazards.markers[marker.key].kind


def test_resampling_changes_hidden_marker() -> None:
    state, _, marker = over_tokyo()
    identical = [one.key for one in unseen(state) if public_front(DATA, one) == public_front(DATA, marker)]
    keys = {resample(copied(state), DATA, CAPTAIN, Random(at)).squad["b01"].assigned[0].key for at in range(40)}
    assert len(keys) > 3
    assert keys <= set(identical)


def test_resampling_keeps_revealed_markers() -> None:
    state, bomber, marker = over_tokyo()
    marker.shown = True
    hanging = state.cups["tokyo-day"].contents.pop()
    bomber.markers.append(hanging)
    for at in range(10):
        other = resample(copied(state), DATA, CAPTAIN, Random(at)).squad["b01"]
        assert other.assigned[0].key == marker.key
        assert other.markers[0].key == hanging.key


def test_marker_fronts_distinguish_boxes_and_fighters() -> None:
    fronts = {public_front(DATA, Marker(key=key)) for key in DATA.hazards.markers if key.startswith("tokyo-day")}
    assert fronts == {("tokyo-day", False, False), ("tokyo-day", True, False), ("tokyo-day", False, True)}
    for key, card in DATA.hazards.markers.items():
        _, fighter, box = public_front(DATA, Marker(key=key))
        assert fighter == (card.kind in ("interceptor", "break-off"))
        assert box == card.box


def test_target_map_has_light_of_raid() -> None:
    by_day = view(raiders("capital"), DATA, CAPTAIN).targets["tokyo"]
    by_night = view(raiders("capital", variant="printed"), DATA, None).targets["tokyo"]
    assert by_day.light == by_night.light == "day"
    night = view(raiders("night"), DATA, CAPTAIN).targets["tokyo"]
    box = {box.key: box for area in night.areas for box in area.boxes}["steel-mill"]
    assert (box.approach, box.detonation) == (8, 9)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_view_survives_json_round_trip(scenario: str) -> None:
    seen = view(played(scenario, 42), DATA, CAPTAIN)
    text = msgspec.json.encode(seen)
    assert msgspec.json.encode(msgspec.json.decode(text, type=DoolittleView)) == text


def test_view_is_same_for_all_seats_and_spectators() -> None:
    state = raiders("early", players=2)
    assert view(state, DATA, None) == view(state, DATA, "captain-1") == view(state, DATA, "captain-2")


# -- what stands on the table ----------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "3.1", "3.1.1", "5.2")
@pytest.mark.parametrize(("hour", "light"), [("0800", "day"), ("2200", "night")])
def test_target_map_in_flight_has_light_of_hour(hour: str, light: str) -> None:
    data = view(at_hour(raiders("early"), hour), DATA, None).targets
    assert {target.light for target in data.values()} == {light}


@pytest.mark.rule("doolittle", "3.1", "1.2")
@pytest.mark.parametrize(
    ("scenario", "options", "light"),
    [
        ("nagoya", {}, "day"),
        ("nagoya", {"variant": "variant"}, "night"),
        ("capital", {"variant": "variant"}, "day"),
        ("night", {}, "night"),
        ("night", {"variant": "variant"}, "night"),
    ],
)
def test_target_map_after_raid_has_light_of_scenario(scenario: str, options: dict[str, Any], light: str) -> None:
    state = raiders(scenario, **options)
    state.raid = None
    assert {target.light for target in view(state, DATA, None).targets.values()} == {light}


@pytest.mark.rule("doolittle", "3.1", "4.0")
def test_target_map_of_raid_has_own_light_and_others_of_hour() -> None:
    state = at_hour(raiders("early"), "0800")
    state.raid = Raid("nagoya", "night", "flight-1")
    data = view(state, DATA, None).targets
    assert {city: target.light for city, target in data.items()} == {
        "tokyo": "day",
        "nagoya": "night",
        "osaka-kobe": "day",
    }


@pytest.mark.rule("doolittle", "1.2")
def test_target_map_marks_uncounted_areas() -> None:
    counted = {
        scenario: {area.key for area in view(raiders(scenario), DATA, None).targets["tokyo"].areas if area.counted}
        for scenario in ("bay", "capital")
    }
    assert counted["bay"] == set(DATA.scenarios["bay"].counted_areas)
    assert counted["capital"] == set(DATA.targets.maps["tokyo"].areas)


def test_board_opens_with_target_map_only_in_attack() -> None:
    assert [view(raiders(scenario), DATA, None).card for scenario in ("capital", "early")] == ["tokyo", ""]


@pytest.mark.rule("doolittle", "4.6.3", "8.3.7")
def test_revealed_hazard_shows_only_its_modifiers() -> None:
    state, bomber, _ = over_tokyo()
    haze = next(key for key, card in DATA.hazards.markers.items() if card.approach and not card.detonation)
    bomber.assigned[:] = [Marker(key=haze, shown=True)]
    data = view(state, DATA, CAPTAIN).squad[0].assigned
    assert data[0].adds == {"approach": DATA.hazards.markers[haze].approach}


@pytest.mark.rule("doolittle", "5.3")
def test_known_wind_shows_name_and_weather() -> None:
    data = {one.key: one for one in view(windy(raiders("early"), "Z6", "headwind", "storm"), DATA, None).sky.winds}
    wind = data[DATA.flight.wind_of["Z6"].key]
    assert (wind.wind, wind.title, wind.weather) == (
        "headwind",
        DATA.flying.effects.wind["headwind"].title,
        "storm",
    )


@pytest.mark.rule("doolittle", "5.5", "7.1")
def test_flight_at_found_site_shows_site_name() -> None:
    state = raiders("early")
    flight = aloft(state, "b01", "b02", zone="Z9")
    assert [one.site for one in view(state, DATA, None).squad] == ["", ""]
    flight.site = "lishui"
    data = view(state, DATA, None)
    assert data.sky.flights[0].site_name == "Lishui"
    assert [one.site for one in data.squad] == ["Lishui", "Lishui"]


@pytest.mark.rule("doolittle", "1.9")
def test_time_line_is_shown_after_more_than_a_day() -> None:
    state = raiders("early")
    assert view(state, DATA, None).line == []
    state.ending = DenouementState()
    assert view(state, DATA, None).line
    state = at_sea()
    state.add_to_story("rendezvous", "enterprise", "midway")
    assert view(state, DATA, None).line


@pytest.mark.rule("doolittle", "14.4.1")
def test_field_shows_only_intact_landed_bombers() -> None:
    state = raiders("early", ending="told")
    state.segment, state.ending = "denouement", DenouementState()
    for key, fate in (("b01", "landed"), ("b02", "wrecked"), ("b03", "crashed")):
        state.squad[key].fate, state.squad[key].where = fate, "kian"  # type: ignore[assignment]
    ending = view(state, DATA, None).ending
    assert ending is not None
    fields = {field.key: field.bombers for field in ending.fields}
    assert (fields["kian"], fields["lishui"]) == (["b01"], [])


@pytest.mark.rule("doolittle", "8.1.4", "4.9")
@pytest.mark.parametrize("boxed", [True, False])
def test_city_burns_after_any_hit(*, boxed: bool) -> None:
    city = raiders("early").targets["tokyo"]
    assert not city.burns
    area = city.areas["tokyo-bay-south"]
    (next(iter(area.boxes.values())) if boxed else area).blast = 1
    assert city.burns

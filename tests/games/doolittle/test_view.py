"""What a captain sees, and that a marker face down shows its front and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.doolittle.helpers import DATA, raiders

from readyroom import Match
from readyroom.engine.state import pieces
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import CAPTAIN, Doolittle
from readyroom.games.doolittle.view import front, resample, unseen, view

SCENARIOS = [scenario.key for scenario in GAME.scenarios(DATA)]


def along(scenario: str, seed: str = "seen", steps: int = 90) -> list[Match[Any, Any]]:
    """One match, given again after each random answer."""
    match, random = Match(GAME, scenario, seed=seed), Random(seed)
    found = [match]
    for _ in range(steps):
        if not match.pending:
            break
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(random))
        found.append(match)
    return found


def played(scenario: str, steps: int) -> Doolittle:
    """The state after so many random answers."""
    state: Doolittle = along(scenario, f"{scenario} {steps}", steps)[-1].state
    return state


def copied(state: Doolittle) -> Doolittle:
    """The same state once more."""
    return GAME.decode(GAME.encode(state))


def over_tokyo() -> tuple[Doolittle, Bomber, Marker]:
    """A bomber over Tokyo East with a hazard that nobody has turned over."""
    state = raiders("capital", "evade")
    bomber = state.squad["b01"]
    bomber.area, bomber.enters = "tokyo-east", 0
    marker = state.cups["tokyo-day"].contents.pop()
    bomber.assigned.append(marker)
    return state, bomber, marker


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("steps", [0, 7, 19, 42, 80])
def test_what_is_dealt_anew_looks_the_same(scenario: str, steps: int) -> None:
    state = played(scenario, steps)
    before = msgspec.json.encode(view(state, DATA, CAPTAIN))
    random = Random(steps)
    for _ in range(3):
        other = resample(copied(state), DATA, CAPTAIN, random)
        assert msgspec.json.encode(view(other, DATA, CAPTAIN)) == before
        assert msgspec.json.encode(view(other, DATA, None)) == before
        assert sorted(piece.key for piece in pieces(other)) == sorted(piece.key for piece in pieces(state))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_key_of_a_hidden_marker_is_told(scenario: str) -> None:
    for steps in (5, 30, 65):
        state = played(scenario, steps)
        text = msgspec.json.encode(view(state, DATA, CAPTAIN)).decode()
        hidden = [marker.key for marker in unseen(state)]
        assert hidden
        assert not [key for key in hidden if f'"{key}"' in text]


def test_a_hidden_marker_shows_its_front() -> None:
    state, bomber, marker = over_tokyo()
    shown = next(one for one in view(state, DATA, CAPTAIN)["squad"] if one["key"] == bomber.key)["assigned"]
    assert set(shown[0]) == {"at", "cup", "fighter", "box"}
    marker.shown = True
    shown = next(one for one in view(state, DATA, CAPTAIN)["squad"] if one["key"] == bomber.key)["assigned"]
    assert shown[0]["kind"] == DATA.hazards.markers[marker.key].kind


def test_resampling_deals_a_hidden_marker_another_face() -> None:
    state, _, marker = over_tokyo()
    alike = [one.key for one in unseen(state) if front(DATA, one) == front(DATA, marker)]
    keys = {resample(copied(state), DATA, CAPTAIN, Random(at)).squad["b01"].assigned[0].key for at in range(40)}
    assert len(keys) > 3
    assert keys <= set(alike)


def test_resampling_keeps_what_was_turned_over() -> None:
    state, bomber, marker = over_tokyo()
    marker.shown = True
    hanging = state.cups["tokyo-day"].contents.pop()
    bomber.markers.append(hanging)
    for at in range(10):
        other = resample(copied(state), DATA, CAPTAIN, Random(at)).squad["b01"]
        assert other.assigned[0].key == marker.key
        assert other.markers[0].key == hanging.key


def test_the_red_box_and_a_fighter_are_fronts_of_their_own() -> None:
    fronts = {front(DATA, Marker(key=key)) for key in DATA.hazards.markers if key.startswith("tokyo-day")}
    assert fronts == {("tokyo-day", False, False), ("tokyo-day", True, False), ("tokyo-day", False, True)}
    for key, card in DATA.hazards.markers.items():
        _, fighter, box = front(DATA, Marker(key=key))
        assert fighter == (card.kind in ("interceptor", "break-off"))
        assert box == card.box


def test_a_map_is_shown_by_the_light_of_the_raid() -> None:
    by_day = view(raiders("capital"), DATA, CAPTAIN)["targets"]["tokyo"]
    by_night = view(raiders("capital", variant="printed"), DATA, None)["targets"]["tokyo"]
    assert by_day["light"] == by_night["light"] == "day"
    night = view(raiders("night"), DATA, CAPTAIN)["targets"]["tokyo"]
    box = {box["key"]: box for area in night["areas"] for box in area["boxes"]}["steel-mill"]
    assert (box["approach"], box["detonation"]) == (8, 9)


def test_nobody_is_kept_from_seeing_what_the_captain_sees() -> None:
    state = raiders("early", players=2)
    assert view(state, DATA, None) == view(state, DATA, "captain-1") == view(state, DATA, "captain-2")

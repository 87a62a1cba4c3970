"""Tests of the terminal board, and of what both boards show."""

from __future__ import annotations

from random import Random

import pytest
from rich.console import Console
from tests.games.doolittle.end_helpers import over
from tests.games.doolittle.helpers import DATA, aloft, man, raiders
from tests.games.doolittle.voyage_helpers import at_sea
from tests.views import view_of

from readyroom import Match
from readyroom.engine.game import MatchView
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.flight.view import draw_words
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.presentation.board import board
from readyroom.games.doolittle.presentation.scene import Scene, scene
from readyroom.games.doolittle.secrecy import icon_hint
from readyroom.games.doolittle.state import CAPTAIN, Doolittle, Raid
from readyroom.games.doolittle.view import DoolittleView
from readyroom.games.doolittle.voyage.state import Strike

SCENARIOS = [scenario.key for scenario in GAME.rules.scenarios(DATA)]


def seen(state: Doolittle) -> MatchView[DoolittleView]:
    """Return a captain's view of a state without a match."""
    return view_of(GAME, state, CAPTAIN)


def drawn(view: MatchView[DoolittleView], width: int = 80) -> list[str]:
    """Return the lines of the board."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(board(view))
    return [line.rstrip() for line in capture.get().splitlines()]


def over_tokyo() -> Doolittle:
    """Return two bombers over Tokyo East, one damaged and unloaded, and a burning target."""
    state = raiders("capital", "approach", 2)
    state.raid = Raid("tokyo", "day", turn=2)
    for key in ("b01", "b02"):
        state.squad[key].area, state.squad[key].enters = "tokyo-east", 0
    state.squad["b02"].loaded, state.squad["b02"].hits = False, 1
    state.targets["tokyo"].areas["tokyo-east"].boxes["nippon-electric"].blast = 2
    state.targets["tokyo"].tally = 3
    return state


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 160])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_board_is_at_most_eighty_columns_wide(width: int, scenario: str) -> None:
    match, random = Match(GAME, scenario, seed=f"width {scenario}"), Random(1)
    for at in range(60):
        for seat, decision in match.pending.items():
            if at % 6 == 0:
                lines = drawn(match.view(CAPTAIN), width)
                assert max(map(len, lines)) <= min(width, 80), "\n".join(lines)
            match.decide(seat, decision.sample(random))
        if not match.pending:
            break


def test_target_map_in_words() -> None:
    text = "\n".join(drawn(seen(over_tokyo())))
    assert "Tokyo by day · attack turn 2 of 9" in text
    assert "8/8 ✹2 Nippon Electric" in text
    assert "▲ Doolittle" in text
    assert "△ Hoover!" in text
    assert "3 released: hazards +1, alert 0; each area draws 1 per bomber +1" in text


def test_flight_map_in_words() -> None:
    state = raiders("early")
    aloft(state, "b01", "b02", zone="Z5", fuel=6, high=True)
    state.sky.zones["Z5"].append(Marker(key="I-01", shown=True))
    text = " ".join(" ".join(drawn(seen(state))).split())
    assert "0800 in Japan, 0600 in China" in text
    assert "1 ▲▲ 6" in text
    assert "risk 20 against 5 dice, 4 failed tests" in text


def test_legend_is_shown_in_the_first_turn_only() -> None:
    assert "fighter's front" in " ".join(drawn(seen(raiders("capital", turn=1))))
    state = raiders("capital", turn=2)
    assert state.raid is not None
    state.raid.turn = 2
    assert "fighter's front" not in " ".join(drawn(seen(state)))


# -- the scene -------------------------------------------------------------------------------------------------------


def scene_of(state: Doolittle) -> Scene:
    """Return what the board shows of a state."""
    return scene(seen(state))


def test_bomber_shows_all_its_details() -> None:
    state = over_tokyo()
    marker = Marker(key="tokyo-day-01")
    state.squad["b02"].assigned.append(marker)
    plane = next(one for one in scene_of(state).squad if one.key == "b02")
    assert plane.title == "Bomber 2, Hoover; bombs gone; damaged; Tokyo East; A face-down hazard"
    marker.shown = True
    plane = next(one for one in scene_of(state).squad if one.key == "b02")
    assert plane.hazards[0].short == "5–6"
    assert "Flak, hits on 5 to 6" in plane.title


@pytest.mark.rule("doolittle", "2.3", "7.2.4")
def test_bomber_shows_its_elite_crewman_and_fumes() -> None:
    state = over_tokyo()
    man(state, "b02", "re-roll")
    state.squad["b02"].fumes = 2
    plane = scene_of(state).squad[1]
    assert plane.elite is not None
    assert plane.title == f"Bomber 2, Hoover; bombs gone; damaged; Tokyo East; {plane.elite.title}; 2 markers of fumes"
    assert scene_of(state).squad[0].title == "Bomber 1, Doolittle; bombs aboard; Tokyo East"


@pytest.mark.rule("doolittle", "8.3.2")
def test_zone_shows_its_hazards_in_a_few_words() -> None:
    draws = [("I", 2, False, 0, False), ("alert", 1, True, 2, False), ("II", 0, False, 1, True)]
    assert draw_words(draws) == "2 I; 1 alert per flight, from alert 2; II: half the alert level, from alert 1"


@pytest.mark.rule("doolittle", "9.0")
def test_sea_before_the_force_sails_is_not_shown() -> None:
    state = raiders("carrier", "general-quarters")
    assert scene_of(state).at_sea is None
    assert scene_of(at_sea()).at_sea is not None
    assert scene_of(at_sea("hawaii")).lines[-2:] == [DATA.sea.area["hawaii"].name, "fueled"]


@pytest.mark.rule("doolittle", "11.0", "14.3.2")
def test_sea_is_shown_while_ships_sail_home_or_are_attacked() -> None:
    for phase, struck, sea in (("homeward", False, True), ("strike-navy", True, True), ("fields", False, False)):
        state = over(phase)
        state.strike = Strike("task-force") if struck else None
        assert (scene_of(state).at_sea is not None, scene_of(state).on_the_roads) == (sea, not sea)
    assert not scene_of(raiders("early")).on_the_roads


def test_lost_bomber_shows_its_fate() -> None:
    state = over_tokyo()
    bomber = state.squad["b01"]
    bomber.fate, bomber.where, bomber.area = "destroyed", "tokyo-east", ""
    plane = scene_of(state).squad[0]
    assert (plane.status, plane.lost) == ("crew dead", True)


def test_raid_bombers_are_those_of_its_flight() -> None:
    state = raiders("early", "airspeed")
    state.raid = Raid("nagoya", "day", flight="flight-2", turn=1)
    scene = scene_of(state)
    assert [plane.key for plane in scene.mission] == ["b05", "b06", "b07"]
    assert scene.city is not None
    assert scene.city.title == "Nagoya"


def test_beacon_unknown_has_no_number() -> None:
    state = raiders("early", variant="variant")
    state.sky.beacons["lishui"] = 4
    sites = {site.key: site for site in scene_of(state).table.sky.sites}
    assert "beacon 4" in sites["lishui"].title
    assert "beacon not yet heard" in sites["kweilin"].title
    assert not sites["vladivostok"].has_beacon


def test_flight_shows_the_zone_ahead() -> None:
    state = raiders("early")
    aloft(state, "b01", zone="Z5", other=["b02"])
    assert scene_of(state).table.sky.ahead == {"flight-1": "Z6", "flight-2": "Z6"}
    state.sky.flights[0].zone = "Z12"
    assert "flight-1" not in scene_of(state).table.sky.ahead


@pytest.mark.rule("doolittle", "8.3.3")
def test_unassigned_hazards_are_not_vessels() -> None:
    state = raiders("early")
    hidden = state.cups["II"].contents.pop()
    state.sky.zones["Z6"].append(hidden)
    zone = next(one for one in scene_of(state).table.sky.zones if one.key == "Z6")
    assert (len(zone.vessels), len(zone.waiting)) == (0, 1)
    assert "1 hazard face down, to be assigned" in zone.title


@pytest.mark.rule("doolittle", "6.3.1")
def test_icons_of_secrecy_tests_have_their_thresholds() -> None:
    assert icon_hint(DATA, "circle") == (
        "circle: if the test fails, an airstrike from alert 3, else alert +1 on the task force"
    )
    assert icon_hint(DATA, "square").startswith("square: if the test fails, an airstrike from alert 2")
    assert icon_hint(DATA, "line") == "line: if the test fails, an airstrike"
    assert icon_hint(DATA, "triangle") == "triangle: if the test fails, nothing more"


@pytest.mark.rule("doolittle", "3.2.1", "4.4")
def test_board_shows_what_high_bombers_cannot_do() -> None:
    state = raiders("early")
    state.raid = Raid("tokyo", "night", "flight-1", high=True)
    lines = scene(seen(state)).lines
    assert "high altitude: no evasion, no target boxes" in lines


@pytest.mark.rule("doolittle", "12.0")
def test_bombers_on_the_carrier_are_on_deck() -> None:
    state = raiders("carrier")
    squad = scene(seen(state)).squad
    assert {plane.status for plane in squad} == {"on deck"}

"""Tests of the terminal board, and of values that both boards show."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
import pytest
from rich.console import Console
from tests.games.picket.helpers import play

from readyroom import Match
from readyroom.engine.game import MatchView
from readyroom.engine.rules.state import At
from readyroom.games.picket import GAME
from readyroom.games.picket.presentation.board import board
from readyroom.games.picket.presentation.board_data import current_watch, days, support_text, top_lines
from readyroom.games.picket.state import CAPTAIN, Counter, Struck, Wave
from readyroom.games.picket.view import CaptainView, CruiseView
from readyroom.web import board_svg

SCENARIOS = [scenario.key for scenario in GAME.rules.scenarios(GAME.data)]


def board_lines(match: Match[Any, Any], width: int = 80) -> list[str]:
    """Return the board's lines."""
    return board_lines_of(match.view(CAPTAIN), width)


def board_lines_of(view: CaptainView, width: int = 80) -> list[str]:
    """Return the lines of a view's board."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(board(view))
    return [line.rstrip() for line in capture.get().splitlines()]


def evans() -> Match[Any, Any]:
    """Return a one-day match with the advanced rules."""
    return Match(GAME, "evans", seed="told")


@pytest.mark.parametrize("width", [60, 80, 160])
@pytest.mark.parametrize("scenario", ["first-watch", "evans", "okinawa"])
def test_board_is_at_most_80_columns(width: int, scenario: str) -> None:
    match, random = Match(GAME, scenario, seed=f"width {scenario}"), Random(1)
    for at in range(120):
        for seat, decision in match.pending.items():
            if at % 6 == 0:
                lines = board_lines(match, width)
                assert max(map(len, lines)) <= min(width, 80), "\n".join(lines)
            match.decide(seat, decision.sample(random))
        if not match.pending:
            break


def test_view_is_equal_after_json() -> None:
    match = play("evans")
    view = match.view(CAPTAIN)
    decoded = msgspec.json.decode(msgspec.json.encode(view), type=MatchView[CruiseView])
    assert msgspec.json.encode(decoded) == msgspec.json.encode(view)
    assert board_lines(match) == board_lines_of(decoded)


def test_tracks_use_shape_and_colour() -> None:
    match = evans()
    match.state.ship.hull, match.state.ship.fuel = 3, 6
    text = "\n".join(board_lines(match))
    assert "Hull       ◆◆◆·······  3 red" in text
    assert "Fuel       ▲▲▲▲▲▲····  6 yellow" in text
    assert "Maneuver   ■■■■■■■■■■ 10 green" in text


def test_attackers_listed_by_bearing_and_height() -> None:
    match = evans()
    planes = [
        Counter(key="val-1", plane="val", bearing=315, height="L", fate="flamed", hits=3),
        Counter(key="zero-1", plane="zero", bearing=315, height="H", hits=2),
        Counter(key="kate-1", plane="kate", bearing=90, height="M", fate="destroyed"),
    ]
    special = Counter(key="betty-ohka-1", plane="betty", weapon="ohka", section="aft")
    match.state.raid.waves = [Wave(planes, [special]), Wave([Counter(key="jake-1", plane="jake")], [])]
    match.state.raid.waves[1].planes[0].bearing, match.state.raid.waves[1].planes[0].height = 0, "H"
    lines = board_lines(match)
    assert any(line.strip().startswith("315 port bow") and "Zero ••" in line and "Val •••✹" in line for line in lines)
    assert any("090 starboard beam" in line and "Kate destroyed" in line for line in lines)
    assert "Special attacker: Betty with Ohka, at the aft section" in lines
    assert "Wave 2 to come: Jake" in lines
    assert [plane.key for plane in match.view(CAPTAIN).table.raid.now.ordered] == ["kate-1", "zero-1", "val-1"]


def test_damage_listed_with_men_at_work() -> None:
    match = evans()
    ship = match.state.ship
    ship.rooms["cic"].hits, ship.rooms["cic"].men = 2, 3
    ship.rooms["aft-fuel"].destroyed = ship.rooms["aft-fuel"].flooded = True
    ship.spaces["galley"].boxes = 1
    ship.gear["mk37"].hits, ship.mounts["gun-3"].hits, ship.mounts["gun-f"].hits = 1, 1, 1
    ship.mounts["gun-a"].kills, ship.fires["aft"] = 2, 2
    ship.officers["captain"].dead, ship.tilt["port"], ship.water_lines = True, 2, 1
    text = "\n".join(board_lines(match))
    for words in (
        "Combat Information Center  forward  ■■□   fire, 3 at work",
        "■■■■  destroyed, flooded",
        "Galley",
        "Mark 37 director damaged",
        "×F",
        "A✈2",
        "Fire on the aft deck ▲▲·",
        "CO killed",
        "List 2 to port",
        "water lines ■□□",
    ):
        assert words in text, text
    assert "3*" in text


@pytest.mark.rule("picket", "7.3.A")
@pytest.mark.parametrize(
    ("hits", "destroyed", "flooded", "burns"),
    [(0, False, False, False), (1, False, False, True), (2, False, True, False), (0, True, False, False)],
)
def test_fire_shown_on_hit_dry_compartments_only(hits: int, destroyed: bool, flooded: bool, burns: bool) -> None:
    match = evans()
    room = match.state.ship.rooms["magazine-1"]
    room.hits, room.destroyed, room.flooded = hits, destroyed, flooded
    assert {room.key: room.burns for room in match.view(CAPTAIN).table.ship.rooms}["magazine-1"] is burns


def test_attack_column_shows_shifts_and_dice() -> None:
    match = evans()
    match.state.sea.station = 1
    text = " ".join(board_lines(match))
    assert "Attack column" in text
    assert "ship's radar +1" in text
    assert "station 1 −2" in text


@pytest.mark.parametrize(
    ("air", "markers", "surface", "team", "words"),
    [
        ({}, 0, 0, False, "no air support; no gunboats; no direction team"),
        ({"carrier": -2}, 0, 1, False, "air support from carriers, 0 markers; 1 gunboat; no direction team"),
        ({"carrier": 0, "land": 1}, 1, 2, True, "air support from carriers and from land, 1 marker; 2 gunboats;"),
        ({}, 3, 0, True, "air support, 3 markers; no gunboats; a direction team"),
    ],
)
def test_board_shows_support(air: dict[str, int], markers: int, surface: int, team: bool, words: str) -> None:
    match = evans()
    match.state.sea.air, match.state.sea.markers = air, markers
    match.state.ship.surface, match.state.ship.team = surface, team
    assert support_text(match.view(CAPTAIN).table).startswith(words)


def test_campaign_board_shows_day_and_next_raid() -> None:
    lines = board_lines(Match(GAME, "okinawa", seed="told"))
    assert any("Great raid 1 begins on 6 April." in line for line in lines)


def test_lost_ship_is_shown() -> None:
    match = evans()
    match.state.ship.lost = "broken in two"
    lines = board_lines(match)
    assert "Broken in two." in lines
    assert lines[0].startswith(f"{match.state.ship.name} · lost · ")
    assert "Hull       ··········  0 red" in "\n".join(lines)
    page = str(board_svg.draw(GAME, match.view(CAPTAIN)))
    assert page.count("Lost · ") == 2
    assert not re.search("Hull: 10|Afloat: 10|anchorage", page)


def test_hits_of_turn_shown_with_effects() -> None:
    match = evans()
    at = match.state.at.turn
    match.state.tally.hits = [
        Struck(at, "morning", "zero", 45, "H", ["gun-1", "hull-2", "deck-fire"]),
        Struck(at, "morning", "betty ohka", -1, "midship", ["galley"]),
        Struck(at, "night", "zero", 180, "M", ["rudder"], near=True),
        Struck(at + 1, "morning", "val", 0, "L", ["bridge"]),
    ]
    bursts = [hit for hit in match.view(CAPTAIN).table.hits if hit.turn == at]
    assert [burst.section for burst in bursts] == ["forward", "midship", "aft"]
    assert bursts[2].title == "Zero alongside from 180 M, night: Rudder"
    assert bursts[0].title == "Zero from 045 H, morning: 5-inch mount 1, hull −2, fire on deck"
    assert bursts[1].title == "Ohka of a Betty at the midship section, morning: Galley"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_shows_ship(scenario: str) -> None:
    table = Match(GAME, scenario, seed="shown").view(CAPTAIN).table
    assert len(table.ship.rooms) == 24
    assert len(table.ship.spaces) == (30 if table.advanced else 0)
    assert bool(days(table)) is table.campaign


def test_guns_shown_by_kind() -> None:
    lines = [line.split() for line in board_lines(evans())]
    assert ["5-inch", "1", "2", "3", "4", "5"] in lines
    assert ["40mm", "A", "B", "C", "D", "E"] in lines


def test_watch_is_hidden_outside_phases() -> None:
    match = evans()
    assert match.state.at.phase == "crew"
    assert current_watch(match.view(CAPTAIN)) == ""
    match.state.at = type(match.state.at)(1, "night-fire-1")
    assert "night, 2000 to 0400" in top_lines(match.view(CAPTAIN))


@pytest.mark.parametrize(
    ("scenario", "turn", "words"),
    [
        ("okinawa", 1, "Day 1 of 91, score 0. Great raid 1 begins on 6 April."),
        ("okinawa", 14, "Day 14 of 91, score 0. Great raid 1 is on."),
        ("april", 30, "Day 30 of 30, score 0."),
    ],
)
def test_campaign_board_shows_current_or_next_raid(scenario: str, turn: int, words: str) -> None:
    match = Match(GAME, scenario, seed="told")
    match.state.at = At(turn, "morning-fire-1")
    assert words in board_lines(match)
    assert any(line.startswith("Tracks are") for line in board_lines(match)) is (turn == 1)


def test_quiet_day_shows_no_planes_and_no_damage() -> None:
    match = evans()
    lines = board_lines(match)
    assert "No planes in sight." in lines
    assert "No damage." in lines
    assert not any("Emergency maneuvers" in line for line in lines)
    match.state.raid.waves = [Wave([Counter(key="zero-1", plane="zero", bearing=0, height="H")], [])]
    match.state.ship.fires["aft"] = 1
    lines = board_lines(match)
    assert "No planes in sight." not in lines
    assert "No damage." not in lines


@pytest.mark.parametrize(("maneuvered", "words"), [(True, "succeeded"), (False, "failed")])
def test_emergency_maneuvers_are_shown(maneuvered: bool, words: str) -> None:
    match = evans()
    match.state.raid.maneuvered = maneuvered
    assert f"Emergency maneuvers {words}." in board_lines(match)


def test_silent_and_destroyed_guns_and_men_are_shown() -> None:
    match = evans()
    ship = match.state.ship
    ship.rooms["magazine-1"].destroyed, ship.mounts["gun-2"].hits = True, 3
    ship.gear["radar-sg"].hits, ship.men["aft"] = 2, 7
    ship.officers["captain"].value, ship.officers["gunnery"].dead = 2, True
    text = " ".join(board_lines(match))
    for words in ("5-inch (1)  ×2  3  4  5", "! SG radar destroyed", "aft 7.", "CO +2 Bridge", "GUN killed;"):
        assert words in text, text

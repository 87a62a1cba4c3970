"""[1.5] Tests of the report of a cruise, and the statistics for studies."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.games.picket.helpers import picket, table

from readyroom import Match
from readyroom.engine.report import report
from readyroom.engine.rules.state import At
from readyroom.games.picket import GAME
from readyroom.games.picket.ending.report import Played, compared, compared_figures, counts, epilogue, played, sketch
from readyroom.games.picket.presentation.hit_map import marks
from readyroom.games.picket.ship.crew import kill_in_room
from readyroom.games.picket.state import CAPTAIN, Fallen, Struck, Tour
from readyroom.games.picket.view import view


@pytest.fixture
def cruise() -> Any:
    """Return the state of a campaign."""
    return Match(GAME, "okinawa", seed="log").state


def test_report_lists_tours_with_end(cruise: Any) -> None:
    cruise.tally.tours = [
        Tour("Bush (DD-529)", 1, 1, last=9, planes=12, shot=9, struck=2, end="sunk"),
        Tour("Evans (DD-552)", 15, 12, last=20, end="fuel"),
        Tour("Luce (DD-522)", 7, 30, planes=1, shot=1),
    ]
    cruise.at = At(30, "night-end")
    cruise.tally.lost = ["Bush (DD-529): broken in two"]
    entries = epilogue(cruise, GAME.data)
    assert entries[0] == (
        "Bush (DD-529), station 1, 24 March to 1 April: 9 of 12 planes shot down, struck twice; sunk (broken in two)."
    )
    assert entries[1].endswith("no attacks; relieved for lack of fuel.")
    assert entries[2] == "Luce (DD-522), station 7, 22 April: 1 of 1 plane shot down; still on station at the end."


def test_resumed_ship_sunk_only_in_last_tour(cruise: Any) -> None:
    cruise.tally.tours = [
        Tour("Luce (DD-522)", 7, 1, last=3, end="fuel"),
        Tour("Luce (DD-522)", 9, 5, last=6, end="sunk"),
    ]
    cruise.tally.lost = ["Luce (DD-522): blown up"]
    entries = epilogue(cruise, GAME.data)
    assert entries[0].endswith("no attacks; relieved for lack of fuel.")
    assert entries[1].endswith("no attacks; sunk (blown up).")


def test_quiet_cruise_reports_no_planes(cruise: Any) -> None:
    entries = epilogue(cruise, GAME.data)
    assert "No planes attacked the ship." in entries
    assert "The ship was not hit." in entries


def test_report_without_kills_names_no_gun(cruise: Any) -> None:
    cruise.tally.planes = 3
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "Planes shot down: 0 of 3." in text
    assert "By gun" not in text


def test_report_lists_planes_by_type_gun_and_aces(cruise: Any) -> None:
    tally = cruise.tally
    tally.planes, tally.shot = 10, 8
    tally.types, tally.kills = {"zero": 6, "val": 2}, {"gun-3": 5, "gun-a": 1}
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "Planes shot down: 8 of 10 (6 Zero, 2 Val)." in text
    assert "By gun: 5-inch mount 3 (5), 40mm mount A (1); supporting planes, ships and spray fire (2)." in text
    assert "Gun crews that are aces: 5-inch mount 3." in text


def test_report_lists_hits_with_direction_and_effect(cruise: Any) -> None:
    cruise.tally.hits = [
        Struck(14, "midday", "oscar", 180, "H", ["rudder", "hull-2"]),
        Struck(14, "midday", "betty ohka", -1, "forward", []),
        Struck(15, "night", "zero", 45, "L", ["chain-locker"], near=True),
    ]
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "Hit 1, 6 April, midday: an Oscar from 180 H, astern: Rudder, hull −2." in text
    assert "Hit 2, 6 April, midday: the Ohka of a Betty at the forward section: nothing more." in text
    assert "Near miss 3, 7 April, night: a Zero alongside, from 045 L, starboard bow: Chain Locker." in text
    assert "Attack directions: astern 1, starboard bow 1." in text


def test_report_summarizes_many_hits(cruise: Any) -> None:
    cruise.tally.hits = [Struck(1, "morning", "zero", 0, "L", ["bridge"])] * 15
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "And 3 more hits and near misses, all shown on the map." in text
    assert "ahead 15" in text


def test_report_lists_killed_officers(cruise: Any) -> None:
    cruise.ship.officers["gunnery"].dead = True
    cruise.tally.fallen = [Fallen(14, "midday", "Bush (DD-529)", "captain", -1, "on the Bridge")]
    entries = epilogue(cruise, GAME.data)
    assert "Captain (−1) of Bush (DD-529): killed on the Bridge, 6 April, midday." in entries
    (living,) = (line for line in entries if line.startswith("Officers of"))
    assert "gunnery" not in living
    assert "captain" in living


def test_killed_officer_is_recorded() -> None:
    state = picket(turn=14, phase="midday-strike-1")
    kill_in_room(table(state), "bridge")
    assert [(one.officer, one.cause, one.turn) for one in state.tally.fallen] == [
        ("captain", "on the Bridge", 14),
        ("executive", "on the Bridge", 14),
    ]


def test_map_numbers_hits_by_tour(cruise: Any) -> None:
    cruise.tally.tours = [Tour("Bush (DD-529)", 1, 1, last=9), Tour("Evans (DD-552)", 15, 12)]
    cruise.tally.hits = [
        Struck(1, "morning", "zero", 270, "L", ["galley"]),
        Struck(14, "midday", "val", 45, "H", ["bridge"]),
        Struck(14, "midday", "kate", 135, "M", ["steering-room"], near=True),
        Struck(15, "night", "betty ohka", -1, "aft", ["rudder"]),
    ]
    result = marks(view(cruise, GAME.data, None))
    assert [(one.label, one.side, one.hit.section, one.hit.weapon) for one in result] == [
        ("1.1", "port", "midship", ""),
        ("2.1", "starboard", "forward", ""),
        ("2.2", "starboard", "aft", ""),
        ("2.3", "deck", "aft", "ohka"),
    ]
    drawn = sketch(cruise, GAME.data).splitlines()
    assert drawn[1].split() == ["port", "1.1L"]
    assert any(line.split() == ["deck", "2.3"] for line in drawn)
    assert any(line.split() == ["stbd", "(2.2M)", "2.1H"] for line in drawn)
    assert max(map(len, drawn)) <= 78


def test_map_is_empty_without_hits(cruise: Any) -> None:
    assert sketch(cruise, GAME.data) == ""


def test_report_compares_with_simulated_cruises(monkeypatch: pytest.MonkeyPatch) -> None:
    shot = Played("Okinawa", 1000, {"shot": [(5, 400), (9, 430), (20, 170)], "fallen": [(0, 1000)]})
    monkeypatch.setattr("readyroom.games.picket.ending.report.played", lambda: {"Okinawa": shot})
    (entries,) = compared("Okinawa", {"shot": 10, "fallen": 0, "score": 3})
    assert entries == (
        "Compared with 1,000 simulated cruises of Okinawa (doctrine bot): planes shot down: 10 (83rd percentile); "
        "officers killed: 0 (50th percentile)."
    )
    assert not list(compared("My own", {"shot": 10}))


@pytest.mark.parametrize(("scenario", "score"), [("okinawa", {"score": 0}), ("evans", {})])
def test_only_campaigns_compare_score(scenario: str, score: dict[str, int]) -> None:
    state = Match(GAME, scenario, seed="log").state
    state.tally.tours = [Tour(state.ship.name, 1, 1, struck=2), Tour(state.ship.name, 1, 5, struck=1)]
    assert compared_figures(state, GAME.data) == {"shot": 0, "struck": 3, "fallen": 0} | score


def test_report_compares_with_history(cruise: Any) -> None:
    cruise.tally.tours = [Tour("Bush (DD-529)", 1, 1, last=9, end="sunk"), Tour("Evans (DD-552)", 15, 12, struck=1)]
    figures = GAME.data.history
    (last,) = (line for line in epilogue(cruise, GAME.data) if line.startswith("On the picket line"))
    assert f"{figures.sunk} of {figures.destroyers} destroyers were sunk" in last
    assert "This cruise: 1 sunk and 1 damaged in 2 tours." in last


def test_ship_lost_in_scenario_counts_as_sunk() -> None:
    state = Match(GAME, "evans", seed="log").state
    state.tally.tours, state.ship.lost = [Tour(state.ship.name, 15, 1)], "blown up"
    assert counts(state, GAME.data)["ships sunk"] == 1


def test_log_headings_show_date_and_watch() -> None:
    match, bot = Match(GAME, "first-watch", seed="24"), GAME.analysis.bots["doctrine"](CAPTAIN, Random(1))
    while match.pending:
        match.decide(CAPTAIN, bot(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    entries = report(match)
    watches = [line for line in entries.splitlines() if line.startswith("## 24 March")]
    assert watches == [
        "## 24 March",
        "## 24 March, morning watch, 0400 to 1200",
        "## 24 March, midday watch, 1200 to 2000",
        "## 24 March, night watch, 2000 to 0400",
        "## 24 March, end of the day",
    ]
    assert "### fire at wave 1" in entries
    assert "table 9-2" in entries
    assert match.log_heading(1, "before") == ("Turn 1", "before")


def test_every_scenario_has_simulated_cruises() -> None:
    laid_down = {scenario.title for scenario in GAME.rules.scenarios(GAME.data) if not scenario.content.design}
    assert set(played()) == laid_down
    for entries in played().values():
        assert entries.games >= 200
        assert all(sum(times for _, times in counts) == entries.games for counts in entries.figures.values())


@pytest.mark.parametrize("scenario", ["first-watch", "evans", "okinawa"])
def test_finished_cruise_has_epilogue_and_stats(scenario: str) -> None:
    match, bot = Match(GAME, scenario, seed="log"), GAME.analysis.bots["doctrine"](CAPTAIN, Random(1))
    while match.pending:
        match.decide(CAPTAIN, bot(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    entries, counted = (
        GAME.presentation.epilogue(match.state, GAME.data),
        GAME.analysis.match_stats(match.state, GAME.data),
    )
    assert len(entries) >= len(match.state.tally.tours) + 3
    assert all(line.endswith(".") for line in entries)
    assert 0 <= counted["planes shot down"] <= counted["planes that attacked"]
    assert counted["ships sunk"] + counted["tours with damage"] <= counted["tours"]

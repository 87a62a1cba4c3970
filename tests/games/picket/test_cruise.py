"""[1.5] The ship's log at the end of a cruise, and what a study counts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from readyroom import Match
from readyroom.games.picket import GAME
from readyroom.games.picket.cruise import counts, epilogue
from readyroom.games.picket.state import CAPTAIN, Struck, Tour


@pytest.fixture
def cruise() -> Any:
    """A campaign, to be written by hand."""
    return Match(GAME, "okinawa", seed="log").state


def test_each_tour_is_told_with_its_end(cruise: Any) -> None:
    cruise.tally.tours = [
        Tour("Bush (DD-529)", 1, 1, last=9, planes=12, shot=9, struck=2, end="sunk"),
        Tour("Evans (DD-552)", 15, 12, last=20, end="fuel"),
        Tour("Luce (DD-522)", 7, 30, planes=1, shot=1),
    ]
    cruise.tally.lost = ["Bush (DD-529): broken in two"]
    told = epilogue(cruise, GAME.data)
    assert told[0] == (
        "Bush (DD-529), station 1, 24 March to 1 April: 9 of 12 planes shot down, struck twice; sunk (broken in two)."
    )
    assert told[1].endswith("no planes came; relieved for want of fuel.")
    assert told[2].endswith("1 of 1 plane shot down; still on station at the end.")


def test_planes_are_told_by_type_and_by_gun_and_aces_are_named(cruise: Any) -> None:
    tally = cruise.tally
    tally.planes, tally.shot = 10, 8
    tally.types, tally.kills = {"zero": 6, "val": 2}, {"gun-3": 5, "gun-a": 1}
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "Planes shot down: 8 of 10 (6 Zero, 2 Val)." in text
    assert "By gun: 5-inch mount 3: 5, 40mm mount A: 1; supporting planes and ships and spray fire: 2." in text
    assert "Gun crews that are aces: 5-inch mount 3." in text


def test_hits_are_told_from_where_and_with_what_effect(cruise: Any) -> None:
    cruise.tally.hits = [
        Struck(14, "midday", "oscar", 180, "H", ["rudder", "hull-2"]),
        Struck(14, "midday", "betty ohka", -1, "forward", []),
    ]
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "6 April, midday: An Oscar from 180, astern: Rudder, hull −2." in text
    assert "6 April, midday: The ohka of a Betty at the forward section: nothing more." in text
    assert "They came from: astern 1." in text


def test_many_hits_are_summed_up(cruise: Any) -> None:
    cruise.tally.hits = [Struck(1, "morning", "zero", 0, "L", ["bridge"])] * 15
    text = "\n".join(epilogue(cruise, GAME.data))
    assert "And 3 more hits and near misses." in text
    assert "ahead 15" in text


def test_the_dead_are_named(cruise: Any) -> None:
    cruise.ship.officers["gunnery"].dead = True
    assert any(line.endswith("killed: gunnery officer.") for line in epilogue(cruise, GAME.data))


def test_history_stands_beside_it(cruise: Any) -> None:
    cruise.tally.tours = [Tour("Bush (DD-529)", 1, 1, last=9, end="sunk"), Tour("Evans (DD-552)", 15, 12, struck=1)]
    figures, last = GAME.data.history, epilogue(cruise, GAME.data)[-1]
    assert f"{figures.sunk} of {figures.destroyers} destroyers were sunk" in last
    assert "Here it was 1 sunk and 1 damaged in 2 tours." in last


def test_a_ship_that_is_lost_in_a_scenario_counts_as_sunk() -> None:
    state = Match(GAME, "evans", seed="log").state
    state.tally.tours, state.ship.lost = [Tour(state.ship.name, 15, 1)], "blown up"
    assert counts(state, GAME.data)["ships sunk"] == 1


@pytest.mark.parametrize("scenario", ["first-watch", "evans", "okinawa"])
def test_a_finished_cruise_has_its_log_and_its_counts(scenario: str) -> None:
    match, bot = Match(GAME, scenario, seed="log"), GAME.bots["doctrine"](CAPTAIN, Random(1))
    while match.pending:
        match.decide(CAPTAIN, bot(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    told, counted = GAME.epilogue(match.state, GAME.data), GAME.counts(match.state, GAME.data)
    assert len(told) >= len(match.state.tally.tours) + 3
    assert all(line.endswith(".") for line in told)
    assert 0 <= counted["planes shot down"] <= counted["planes that attacked"]
    assert counted["ships sunk"] + counted["tours with damage"] <= counted["tours"]

"""Tests of victory conditions and outcomes."""

from __future__ import annotations

import msgspec
import pytest
from tests.games.picket.helpers import DATA, picket, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket.ending import anchorage
from readyroom.games.picket.ending.victory import needs, outcome, score
from readyroom.games.picket.state import CAPTAIN
from readyroom.games.picket.view import view


@pytest.mark.rule("picket", "10", "10.A")
def test_needs_describes_victory_conditions() -> None:
    assert needs(picket("evans").plan, DATA) == (
        "To win, keep the ship afloat and on station, with a hull of at least 6 "
        "and at least 1 of every 2 planes shot down. "
        "A decisive victory takes a hull of at least 8 and at least 2 of every 3 planes shot down."
    )
    assert needs(picket("first-watch").plan, DATA) == (
        "To win, keep the ship afloat and on station, with a hull of at least 7 "
        "and at least 1 of every 2 planes shot down. "
        "A decisive victory takes a hull of at least 9 and at least 3 of every 4 planes shot down."
    )
    assert "45 is a decisive victory, 30 a marginal one, 15 a draw." in needs(picket("okinawa").plan, DATA)
    assert view(picket("evans"), DATA, CAPTAIN).needs == needs(picket("evans").plan, DATA)


@pytest.mark.rule("picket", "10.A")
@pytest.mark.parametrize(("shot", "title"), [(10, "American decisive victory"), (9, "Japanese decisive victory")])
def test_campaign_without_levels_won_at_zero(shot: int, title: str) -> None:
    state = picket(phase="anchorage")
    state.plan = msgspec.structs.replace(state.plan, levels=None)
    state.tally.shot, state.tally.withdrawals = shot, 1
    assert outcome(state, DATA).title == title
    assert "0 is a decisive victory, 0 a marginal one, 0 a draw." in needs(state.plan, DATA)


@pytest.mark.rule("picket", "10.A")
@pytest.mark.parametrize(
    ("hull", "shot", "title"),
    [
        (6, 8, "American marginal victory"),
        (5, 12, "Japanese marginal victory"),
        (10, 4, "Japanese marginal victory"),
        (8, 8, "American decisive victory"),
        (7, 12, "American marginal victory"),
        (10, 7, "American marginal victory"),
    ],
)
def test_victory_requires_hull_and_planes(hull: int, shot: int, title: str) -> None:
    state = picket("evans", "anchorage", 2)
    state.tally.planes, state.tally.shot, state.ship.hull = 12, shot, hull
    assert outcome(state, DATA).title == title


@pytest.mark.rule("picket", "10.A", "7.8.2.L", "9.E")
def test_lost_ship_counts_once_during_replacement() -> None:
    state, scores = picket("okinawa", "anchorage", 10), list[int]()
    state.ship.lost = "blown up"

    def chosen(decision: Decision) -> list[str]:
        scores.append(score(state, DATA))
        return decision.keys[:1]

    run(anchorage.anchorage(table(state, 3, *[7] * 9)), dict.fromkeys(("2.0.K", "2.0.B", "2.0.C"), chosen))
    assert set(scores) == {score(state, DATA)} == {DATA.victory.campaign.ship}

"""Tests of planning as a whole: conformance, end, views and bot."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.games.doolittle.helpers import DATA
from tests.games.doolittle.plan_helpers import CAMPAIGN, OFF, PLANNED, SAILED, planned, planner

from readyroom.engine.rules.state import iter_pieces
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.planning.blotter import CHITS
from readyroom.games.doolittle.planning.view import roster
from readyroom.games.doolittle.view import resample, view
from readyroom.games.doolittle.voyage.ships import bombers_on_deck
from readyroom.testing import Invariant, check_game


@pytest.mark.torture(3)
@pytest.mark.rule("doolittle", "13.0", "15.1")
def test_planning_passes_game_check() -> None:
    findings = check_game(PLANNED, scenarios=[CAMPAIGN], playouts=40, closely=0.1)
    assert findings.kinds <= {Invariant.BRINGS}, str(findings)  # the tutorial belongs to the whole game


@pytest.mark.rule("doolittle", "13.0", "13.5.6")
@pytest.mark.parametrize("number", range(12))
def test_planning_hands_valid_state_to_voyage(number: int) -> None:
    match = planned(f"hand over {number}", incidents="yes")
    state = match.state
    assert match.outcome
    if state.called_off:
        assert (match.outcome.title, state.agenda) == (OFF, [])
        return
    assert match.outcome.title == SAILED
    assert state.plan
    assert len(state.plan.submarines) == state.talks.submarines
    assert state.plan.enterprise == ("nimitz" in state.talks.granted)
    assert 2 <= len(bombers_on_deck(state)) <= 18
    assert not any(one.fate for one in state.squad.values())
    assert len(state.notes.hangar) + len(state.squad) == len(DATA.bombers.cards)
    assert state.security.value >= 1
    assert state.agenda == ["naval", "flight", "attack", "denouement"]
    assert not set(state.sky.taken) & set(state.sky.beacons)
    assert sum(state.sky.stock.values()) <= DATA.planning.sites.fuel_total


@pytest.mark.rule("doolittle", "13.0.1")
def test_planning_view_shows_blotter_but_hides_cups() -> None:
    state = planned("seen", "doctrine", incidents="yes").state
    data = view(state, DATA, "captain").notes
    assert [row.key for row in data.calendar] == ["thompson", "stilwell", "nimitz"]
    assert data.track.modifications == len(state.notes.modifications)
    assert data.elites.cup == len(state.notes.men.contents)
    assert not any(key in str(data.elites.aside) for key in (man.key for man in state.notes.men.contents))
    assert len(data.incidents.chits) == len(state.notes.chits)


@pytest.mark.rule("doolittle", "15.1")
def test_undrawn_chits_are_resampled_within_month() -> None:
    state = planner("january", incidents="yes")
    before = Counter(piece.key for piece in iter_pieces(state))
    other = resample(state, DATA, "captain", Random(4))
    assert Counter(piece.key for piece in iter_pieces(other)) == before
    for month in DATA.incidents.chits.months:
        cup = other.cups[f"chits-{month}"]
        assert all(marker.key.startswith(f"chits-{month}-") for marker in cup.contents)


@pytest.mark.torture(2)
@pytest.mark.rule("doolittle", "13.0")
def test_doctrine_planner_loads_many_bombers_at_low_risk() -> None:
    mine = [planned(f"doctrine {number}", "doctrine").state for number in range(20)]
    assert sum(len(bombers_on_deck(state)) for state in mine) / len(mine) > 12
    assert sum(state.security.risk for state in mine) / len(mine) < 20
    assert sum(bool(state.plan and state.plan.enterprise) for state in mine) > 14


@pytest.mark.rule("doolittle", "1.8", "13.0.1")
def test_planning_cards_are_among_charts() -> None:
    charts = {chart.id: chart for chart in GAME.presentation.charts(DATA)}
    assert {"P1", "P2", "P3", "P3-site", "P4", "P4-crane", "P4-delay", "P5"} <= set(charts)
    assert charts["P1"].rows["Nimitz: the Navy's escort"] == ["-", "7", "7", "8"]
    assert charts["P-incidents"].rows["Wake"][:4] == ["3", "1", "-", "-"]


# -- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.1.2")
def test_roster_shows_condition_of_every_bomber() -> None:
    state = planner("april", chosen=3)
    state.squad["b02"].hits = 1
    state.squad["b03"].fate = "ashore"
    del state.notes.hangar["b05"]
    view = {one.key: (one.state, one.condition) for one in roster(state, DATA)}
    assert view["b01"] == ("chosen", "ready")
    assert view["b02"] == ("chosen", "damaged")
    assert view["b03"] == ("lost", "wrecked")
    assert view["b04"] == ("hangar", "in the hangar")
    assert "b05" not in view


@pytest.mark.rule("doolittle", "13.4.4", "DR78")
@pytest.mark.parametrize("modified", [True, False])
def test_gunnery_track_in_use_is_marked(*, modified: bool) -> None:
    state = planner("march")
    state.notes.modifications = ["fifty-caliber"] if modified else []
    data = view(state, DATA, None).notes
    used = {one.key: one.used for one in data.training}
    assert (used["fifty-caliber"], used["thirty-caliber"]) == (modified, not modified)


@pytest.mark.rule("doolittle", "13.2.5", "15.1")
def test_planning_view_shows_submarine_and_chit_counts() -> None:
    state = planner("march", incidents="yes")
    state.talks.submarines = 2
    state.cups[CHITS].contents += state.cups[f"{CHITS}-january"].contents
    data = view(state, DATA, None).notes
    with_ = {row.key: row.submarines for row in data.calendar}
    assert with_ == {"nimitz": 2, "stilwell": 0, "thompson": 0}
    assert data.incidents.cup == sum(DATA.incidents.chits.months["january"].values())

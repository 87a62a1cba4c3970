"""Tests of what each seat sees, and of conformance in every scenario."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from readyroom import Match
from readyroom.engine.record.format import parse
from readyroom.engine.record.playback import play_back
from readyroom.engine.record.positions import build_index
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.state import Raid
from readyroom.games.strategic.war.view import resample, view
from readyroom.games.strategic.war.views import HandView, OrdersView
from readyroom.testing import check_game
from readyroom.web import board_svg

from .helpers import DATA, SCENARIOS, at_random, war

RULINGS = [
    {},
    {"submarine_results": "shipping", "excess": "all"},
    {"bombing_results": "points", "heavy": "twice"},
    {"codebreaking": "count", "excess": "0"},
    {"nationality": "suggested", "excess": "12"},
]


@pytest.mark.torture(3)
@pytest.mark.rule("war", "SW.14", "A1", "A2", "A4", "A13", "A14", "A21")
@pytest.mark.rule("pearl", "A14")
def test_game_conforms() -> None:
    findings = check_game(GAME, scenarios=SCENARIOS, options=RULINGS, playouts=20, closely=0.5)
    assert findings.ok, str(findings)


@pytest.mark.rule("war", "SW.14", "W1")
def test_view_shows_own_secrets_and_enemy_counts() -> None:
    state = war()
    state.war.hands["axis"]["ultra"] = ["submarine", "strategic"]
    state.war.orders["axis"].cards = ["german-atlantic"]
    state.war.orders["axis"].raids = {"britain": [Raid("london", 2)]}
    state.war.powers["germany"].points = {"radar": 2, "torpedo": 1}
    mine, yours, spectator = (view(state, DATA, seat) for seat in ("axis", "allies", None))
    assert mine.hands["axis"]["ultra"] == HandView(2, ["submarine", "strategic"])
    assert mine.powers["germany"].points == {"radar": 2, "torpedo": 1}
    assert mine.orders is not None
    assert mine.orders.cards == ["german-atlantic"]
    for other in (yours, spectator):
        assert other.hands["axis"]["ultra"] == HandView(2, None)
        assert other.powers["germany"].points is None
        assert other.powers["germany"].under_way == 3
    assert yours.orders == OrdersView()
    assert spectator.orders is None
    assert "london" not in str(yours.orders)


@pytest.mark.rule("war", "SW.1", "SW.14")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_view_shows_scenario_rounds_only(scenario: str) -> None:
    state = war(1, scenario)
    public = view(state, DATA, None)
    assert [*public.fleets, *public.countries] == state.war.rounds


@pytest.mark.rule("war", "SW.14")
def test_resample_changes_only_hidden_state() -> None:
    state = war(4, phase="war-axis-submarines")
    state.war.hands["axis"]["ultra"] = ["submarine", "submarine", "tactical"]
    state.war.powers["germany"].points = {"radar": 3, "torpedo": 2}
    seen, kinds, points, planned = view(state, DATA, "allies"), set[str](), set[str](), set[str]()
    for seed in range(30):
        other = resample(GAME.decode(GAME.encode(state)), DATA, "allies", Random(seed))
        assert view(other, DATA, "allies") == seen
        assert sum(other.war.powers["germany"].points.values()) == 5
        for round_ in other.war.orders["axis"].cards:
            assert round_ in other.war.rounds
        kinds.add(str(other.war.hands["axis"]["ultra"]))
        points.add(str(sorted(other.war.powers["germany"].points.items())))
        planned.add(str(other.war.orders["axis"].cards))
    assert len(kinds) > 5
    assert len(points) > 5
    assert len(planned) > 5


@pytest.mark.rule("war", "SW.3", "SW.6", "SW.14")
@pytest.mark.parametrize("seed", ["one", "two"])
def test_log_hides_secrets_from_enemy(seed: str) -> None:
    match: Match[Any, Any] = at_random("strategic-war", seed)
    for seat, enemy in (("axis", "allies"), ("allies", "axis")):
        lines = [line for line in match.full_log if line.audience == (enemy,)]
        assert lines
        assert not any(line.seen_by(seat) for line in lines)
        public = [line.text for line in match.full_log if line.audience is None]
        assert not any("You hold" in text or "research point" in text for text in public)


@pytest.mark.rule("war", "SW.7", "SW.14")
def test_board_shows_own_orders_while_the_enemy_plans_and_to_no_other_seat() -> None:
    boards: list[dict[str | None, str]] = []
    for builds in (["submarine-atlantic", "research-radar"], []):
        match = Match(GAME, "strategic-war", seed="orders")
        while "axis" in match.pending:
            decision = match.pending["axis"]
            keys = builds if decision.piece_key == "build-germany" else []
            if decision.piece_key == "raid-britain" and builds:
                keys = ["london", "london"]
            match.decide("axis", keys)
        assert "allies" in match.pending
        assert all("axis" not in match.view(seat).sheets for seat in ("allies", None))
        boards.append({seat: str(board_svg.draw(GAME, match.view(seat))) for seat in ("axis", "allies", None)})
    planned, empty = boards
    assert planned["axis"].count('class="sw-order') == 2 * 4, "two tags of builds, two of the raid, on each chart"
    assert "ordered: +1" in planned["axis"]
    assert "Orders: 2 bombers to London" in planned["axis"]
    assert "sw-order" not in empty["axis"]
    for other in ("allies", None):
        assert planned[other] == empty[other]


@pytest.mark.rule("war", "SW.4")
def test_board_shows_ordered_factors_until_they_are_added() -> None:
    match = Match(GAME, "atlantic", seed="orders")
    while "axis" in match.pending:
        decision = match.pending["axis"]
        match.decide("axis", ["submarine-atlantic"] * 2 if decision.piece_key == "build-germany" else [])
    while "allies" in match.pending:
        match.decide("allies", [])
    played = play_back(build_index(parse(match.record()), GAME), GAME, "axis", 0, match.revision, _boats_and_ordered)
    (built,) = [event.frame for event in played.events if "Germany builds 2" in event.line.text]
    assert built == (played.before[0] + 2, 0)


def _boats_and_ordered(match: Match[Any, Any]) -> tuple[int, int]:
    view, fleet = match.view("axis"), "german-atlantic"
    return view.table.fleets[fleet].ready, view.sheets.get("axis", {}).get("added", {}).get(fleet, 0)


@pytest.mark.rule("war", "SW.7", "SW.14")
def test_board_shows_own_orders_until_they_are_carried_out() -> None:
    match = Match(GAME, "strategic-war", seed="orders")
    match.state.war.orders["axis"].raids = {"britain": [Raid("london", 2, 1)]}
    match.state.war.orders["axis"].cards = ["german-atlantic"]
    mine, yours, spectator = (match.view(seat) for seat in ("axis", "allies", None))
    drawn = str(board_svg.draw(GAME, replace(mine, sheets={})))
    assert "Orders: card for Atlantic; 2 bombers with 1 interceptor to London" in drawn
    assert ">2+1</text>" in drawn
    assert all("sw-order" not in str(board_svg.draw(GAME, replace(view, sheets={}))) for view in (yours, spectator))

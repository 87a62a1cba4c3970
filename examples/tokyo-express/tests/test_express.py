"""Tokyo Express conforms, and each rule does what its text says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tokyo_express.view import ExpressView, OrdersView

from readyroom import Match, bots, games
from readyroom.authoring import fixed_dice
from readyroom.testing import check_game, coverage, lint
from readyroom.web.board_svg import drawing

GAME = games.load("express")
PLAN = {"2.2.1": ("oyashio", "kagero"), "2.2.2": ("naganami",), "2.2.3": ("slot",), "2.3": ("georgia",)}
"""Two with drums and one escort through the Slot; the boats lie elsewhere."""


def night(*faces: int, sky: str = "stars", **options: str) -> Match[Any, Any]:
    """Return a match with these dice and a sky without modifier, after the orders of PLAN."""
    match = Match(GAME, options=options, dice=fixed_dice(*faces, draws=[sky, "clouds", "haze", "moon"]))
    return answer(match, **PLAN)


def answer(match: Match[Any, Any], **by_rule: tuple[str, ...]) -> Match[Any, Any]:
    """Answer questions by rule until one has no answer here."""
    while asked := next((one for one in match.pending.values() if one.rule in by_rule), None):
        match.decide(asked.seat, by_rule[asked.rule])
    return match


def met(*faces: int, **options: str) -> Match[Any, Any]:
    """Return the same night with the cruisers in the Slot and Japan pressing on."""
    match = night(*faces, **options)
    match.decide("usa", "slot")
    match.decide("japan", "press")
    return match


def table(match: Match[Any, Any], seat: str | None = "usa") -> ExpressView:
    """Return what a seat sees."""
    view: ExpressView = match.view(seat).table
    return view


def orders(match: Match[Any, Any], seat: str | None = "usa") -> OrdersView:
    """Return what a seat knows of tonight's orders."""
    tonight = table(match, seat).tonight
    assert tonight is not None
    return tonight


# -- the whole -------------------------------------------------------------------------------------------------------


def test_game_conforms() -> None:
    findings = check_game(GAME)
    assert findings.ok, str(findings)


def test_source_has_no_lint_issues() -> None:
    assert lint(GAME) == []


def test_every_rule_has_code_and_test() -> None:
    assert [row["rule"] for row in coverage(GAME) if not (row["code"] and row["tests"])] == []


@pytest.mark.parametrize("scenario", ["dark-moon", "tassafaronga"])
def test_doctrine_beats_random_and_sides_are_balanced(scenario: str) -> None:
    """In a thousand matches doctrine against doctrine gave Japan 46 and 53 in a hundred; the bounds allow for sixty."""
    assert 0.3 < _won("doctrine", "doctrine", scenario) < 0.7
    assert _won("doctrine", "random", scenario) > 0.75
    assert _won("random", "doctrine", scenario) < 0.35


def _won(japan: str, usa: str, scenario: str, matches: int = 60) -> float:
    won = 0
    for number in range(matches):
        match, random = Match(GAME, scenario, seed=str(number), log=False), Random(number)
        bots.play_to_end(match, {s: bots.make_bot(GAME, n, s, random) for s, n in (("japan", japan), ("usa", usa))})
        won += match.outcome is not None and match.outcome.winner == "japan"
    return won / matches


def test_every_ship_and_place_is_on_both_charts() -> None:
    drawn = drawing(GAME, night(1).view("usa"))
    assert drawn is not None
    for key in ("naganami", "honolulu", "boats-1", "slot", "shortland"):
        assert drawn.svg.count(f'data-key="{key}"') == 2


# -- the evening -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("express", "2.1")
def test_a_sky_does_not_come_back() -> None:
    assert table(night(1)).sky == "starlight"
    assert table(night(1)).skies_left == ["a late moon", "haze", "low clouds", "rain squalls"]


@pytest.mark.rule("express", "1", "2.2.1", "2.2.2", "2.2.3", "2.3", "R1")
def test_orders_are_secret() -> None:
    match = night(1)
    ours, theirs = orders(match, "japan"), orders(match, "usa")
    assert (ours.passage, ours.loaded, ours.boats) == ("slot", ["kagero", "oyashio"], None)
    assert (theirs.passage, theirs.loaded, theirs.sailing, theirs.boats) == (None, None, None, "georgia")


@pytest.mark.rule("express", "2.2.1")
def test_unfinished_orders_are_visible_to_japan_only() -> None:
    match = Match(GAME, dice=fixed_dice(draws=["stars"]))
    match.decide("japan", ["kagero"])
    assert match.view("japan").sheets == {"japan": OrdersView(None, ["kagero"], ["kagero"])}
    assert match.view("usa").sheets == {}


@pytest.mark.rule("express", "3", "3.1")
@pytest.mark.parametrize(("face", "sky", "passage"), [(3, "stars", None), (4, "stars", "slot"), (3, "moon", "slot")])
def test_coast_watchers_report_passage(face: int, sky: str, passage: str | None) -> None:
    match = night(face, sky=sky)
    assert match.pending["usa"].rule == "3.1"
    assert orders(match).passage == passage
    assert orders(match).sailing is None


# -- the run ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("express", "5", "2.2.1")
def test_run_without_contact_lands_drums() -> None:
    match = night(1, 1)
    match.decide("usa", "harbour")
    assert table(match).landed == [8]
    assert table(match).points == 8


@pytest.mark.rule("express", "4", "4.1", "1.1")
def test_boats_meet_and_burn_a_destroyer() -> None:
    match = Match(GAME, dice=fixed_dice(1, 6, 5, 1, draws=["stars", "haze"]))
    answer(match, **{**PLAN, "2.3": ("slot",), "3.1": ("harbour",)})
    assert match.pending["usa"].rule == "4.1"
    match.decide("usa", "kagero")
    match.decide("usa", "oyashio")
    assert table(match).burnt == {"kagero": "Kagero"}
    assert table(match).landed == [4]


@pytest.mark.rule("express", "4.2")
def test_run_that_turns_away_lands_nothing() -> None:
    match = night(1, 1)
    match.decide("usa", "slot")
    match.decide("japan", "turn")
    assert table(match).landed == [0]
    assert len(table(match).ready) == 6


@pytest.mark.rule("express", "4.3", "R1")
def test_cruiser_fires_twice_with_odds_shown() -> None:
    match = met(1, 6, 6, 6)
    [hint] = {option.info for option in match.pending["usa"].options}
    assert hint is not None
    assert hint.chance == 0.5
    assert orders(match).loaded is None
    match.decide("usa", "kagero")
    match.decide("usa", "oyashio")
    assert list(table(match).burnt) == ["kagero", "oyashio", "naganami"]  # the last one is aimed at without asking


@pytest.mark.rule("express", "4.4", "1.1")
def test_japan_chooses_torpedoed_cruisers() -> None:
    match = met(1, 1, 1, 1, 1, 5, 1, 1)
    answer(match, **{"4.3": ("kagero",)})
    assert match.pending["japan"].rule == "4.4"
    match.decide("japan", ["helena"])
    assert table(match).torpedoed == {"helena": "Helena"}
    assert table(match).points == 8 + 4


@pytest.mark.rule("express", "4.5", "R2")
def test_without_radar_torpedoes_come_first() -> None:
    assert met(1).pending["usa"].rule == "4.3"
    match = met(1, 6, 6, radar="no")
    assert table(match).torpedoed == {"honolulu": "Honolulu", "helena": "Helena"}
    assert table(match).landed == [8]


@pytest.mark.rule("express", "2", "6")
def test_points_are_counted_after_last_night() -> None:
    match = Match(GAME, "tassafaronga", seed="the end")
    bots.play_to_end(match, {seat: bots.make_bot(GAME, "doctrine", seat, Random(1)) for seat in ("japan", "usa")})
    assert match.outcome is not None
    fed = match.outcome.scores["japan"] >= table(match).need
    assert match.outcome.winner == ("japan" if fed else "usa")
    assert table(match).points == match.outcome.scores["japan"]

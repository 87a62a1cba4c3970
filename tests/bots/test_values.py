"""Values and beliefs: what the games' own files promise, and what a seat gets from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from readyroom import bots, games
from readyroom.bots.analysis import AnalysisRun
from readyroom.bots.beliefs import beliefs_at
from readyroom.bots.features import tree_numbers
from readyroom.bots.fitted import applies, fitted, from_bytes, packaged
from readyroom.bots.search import Limit, Searcher
from readyroom.bots.values import values_of
from readyroom.engine.game import Game
from readyroom.engine.match import Match

AnyMatch = Match[Any, Any]
FITTED = [name for name in games.game_names() if packaged(games.load(name).package) is not None]


def mid_match(game: Game[Any, Any], seed: str, decisions: int) -> AnyMatch:
    """Return a match between default bots after some decisions."""
    match = AnyMatch(game, seed=seed)
    players = {seat.key: bots.make_bot(game, "regular", seat.key, Random(seat.key)) for seat in match.seats}
    while match.outcome is None and match.decision_count < decisions:
        for seat, decision in match.pending.items():
            match.decide(seat, players[seat](decision, match.bot_view(seat)))
    return match


def test_midway_has_values() -> None:
    assert "midway" in FITTED


@pytest.mark.parametrize("name", FITTED)
def test_file_is_of_the_installed_rules(name: str) -> None:
    game = games.load(name)
    found = packaged(game.package)
    assert found is not None
    assert applies(found.about, game), f"run `readyroom values {name} --fit`"
    match = AnyMatch(game, seed="file")
    values = values_of(game)
    assert values is not None
    assert values.of_match(match).keys() == {seat.side for seat in match.seats}
    assert all(0 <= value <= 1 for value in values.of_match(match).values())
    for seat in match.seats:
        assert 0 <= values.of_seat(match.bot_view(seat.key)) <= 1


@pytest.mark.parametrize("name", FITTED)
def test_values_are_calibrated(name: str) -> None:
    found = fitted(games.load(name))
    assert found is not None
    for check in found.about.values:
        if check.turns is None:
            assert check.brier < check.constant
            assert check.calibration < (0.1 if check.policies == "known" else 0.15), "positions of a match are alike"


def test_midway_beliefs_are_better_than_means_and_chance() -> None:
    found = fitted(games.load("midway"))
    assert found is not None
    known = [check for check in found.about.beliefs if check.policies == "known"]
    assert len(known) == 18
    for check in known:
        assert check.positions >= 500
        assert check.belief < check.mean
        assert check.belief < check.resample
        assert 0.92 <= check.covered <= 0.98


def test_other_rules_or_figures_have_no_values() -> None:
    game = games.load("midway")
    assert values_of(game) is not None
    newer = replace(game, version="6")
    assert values_of(newer) is None
    match = AnyMatch(newer, seed="newer")
    assert beliefs_at(newer, match.bot_view("japan")) is None


def test_file_keeps_everything() -> None:
    found = fitted(games.load("midway"))
    assert found is not None
    again = from_bytes(found.to_bytes())
    assert again.about == found.about
    assert all((again.arrays[name] == array).all() for name, array in found.arrays.items())


def test_value_follows_the_battle() -> None:
    game = games.load("midway")
    values = values_of(game)
    assert values is not None
    match = mid_match(game, "follow", 60)
    for carrier in match.state.usa.carriers:
        carrier.damage = match.state.sink
    assert values.of_match(match)["japan"] > 0.9
    assert values.of_match(match)["usa"] < 0.1


@pytest.mark.parametrize("decisions", [20, 50])
def test_seat_gets_the_same_whatever_is_hidden(decisions: int) -> None:
    game = games.load("midway")
    values, match = values_of(game), mid_match(game, "hidden", decisions)
    assert values is not None
    seat = next(iter(match.pending))
    other = match.imagine(seat, Random(1))
    assert other.digest() != match.digest()
    mine, theirs = (beliefs_at(game, each.bot_view(seat)) for each in (match, other))
    assert mine is not None
    assert theirs is not None
    assert mine.estimates() == theirs.estimates()
    assert values.of_seat(match.bot_view(seat)) == values.of_seat(other.bot_view(seat))
    drawn = [each.bot_view(seat).with_resample(mine.resample).imagine(Random(2)).digest() for each in (match, other)]
    assert drawn[0] == drawn[1]


def test_analysis_has_estimates_within_their_ranges() -> None:
    match = mid_match(games.load("midway"), "estimates", 40)
    run = AnalysisRun(match, next(iter(match.pending)))
    assert [*run.run(Limit(float("inf"), 1))]
    estimates = run.result().estimates
    assert len(estimates) >= 8, "the CAP may be in sight"
    assert all(0 <= each.low <= each.mean <= each.high for each in estimates)


def test_other_games_have_no_estimates() -> None:
    match = AnyMatch(games.load("picket"), "first-watch", seed="none")
    assert AnalysisRun(match, next(iter(match.pending))).result().estimates == []


def test_numbers_of_a_tree_ignore_names_and_order() -> None:
    ships = [{"key": "a", "damage": 2, "state": "afloat"}, {"key": "b", "damage": 0, "state": "sunk"}]
    assert tree_numbers({"ships": ships}) == tree_numbers({"ships": ships[::-1]})
    assert tree_numbers({"ships": ships}) != tree_numbers({"ships": ships[:1]})
    renamed = [{**ship, "key": "c"} for ship in ships]
    assert tree_numbers({"ships": renamed}) == tree_numbers({"ships": ships})


def test_search_does_not_depend_on_what_is_hidden() -> None:
    game = games.load("midway")
    match = mid_match(game, "search", 45)
    seat = next(iter(match.pending))
    answers = []
    for each in (match, match.imagine(seat, Random(3))):
        bot = Searcher(game, seat, Random(1), Limit(float("inf"), 4))
        answers.append((bot(each.pending[seat], each.bot_view(seat)), bot.memory()))
    assert answers[0] == answers[1]


def test_search_imagines_by_beliefs() -> None:
    game, dealt = games.load("midway"), list[list[int]]()
    hidden = game.analysis.hidden
    assert hidden is not None

    def deal(state: Any, data: Any, seat: str, counts: Sequence[int], random: Random) -> bool:
        dealt.append([*counts])
        return hidden.deal(state, data, seat, counts, random)

    counting = replace(game, analysis=replace(game.analysis, hidden=replace(hidden, deal=deal)))
    match = mid_match(counting, "imagines", 45)
    seat = next(iter(match.pending))
    Searcher(counting, seat, Random(1), Limit(float("inf"), 6))(match.pending[seat], match.bot_view(seat))
    assert len({tuple(counts) for counts in dealt}) > 1

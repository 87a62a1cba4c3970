"""Analysis finds known best answers, reports errors and uses only the seat's view."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Any

import pytest
from tests.toys import mines, straits
from tests.toys.tiny import ABC, T, tiny

from readyroom import bots, games
from readyroom.bots.analysis import FEWEST, AnalysisRun, DecisionAnalysis, analyze, answer_text, error_text
from readyroom.bots.search import Limit
from readyroom.engine.errors import MatchOver, NotYourDecision, UnknownSeat
from readyroom.engine.game import GameAnalysis
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Steps

NEVER = float("inf")
STRAITS = replace(straits.GAME)
STRAITS.__dict__["rulebook"] = mines.GAME.rulebook


def rounds(count: int) -> Limit:
    """Return a limit in rounds instead of seconds."""
    return Limit(NEVER, count)


def analysis_of(match: Match[Any, Any], seat: str, count: int, seed: int = 7) -> DecisionAnalysis:
    return analyze(match, seat, rounds(count), Random(seed))


def at_the_mines(seed: str = "mines") -> Match[Any, Any]:
    return Match(mines.GAME, seed=seed)


def test_selected_answer_is_tried_in_every_round() -> None:
    for keys in (("right",), ("left",)):
        run = AnalysisRun(at_the_mines(), "red", Random(7), keys)
        rollouts = sum(1 for _ in run.run(rounds(80)))
        [selected] = [rated for rated in run.result().rated if rated.is_selected]
        assert (selected.keys, selected.rollouts) == (keys, 40)
        assert rollouts <= run.most(rounds(80))


def test_selected_answer_among_many_is_added() -> None:
    match: Match[Any, Any] = Match(games.load("midway"), seed="selected")
    [seat, *_] = match.pending
    decision = match.pending[seat]
    keys = decision.sample(Random(9))
    plain, run = AnalysisRun(match, seat, Random(1)), AnalysisRun(match, seat, Random(1), keys)
    assert all(each.keys != keys for each in plain.result().rated)
    assert sum(1 for _ in run.run(rounds(4))) > 0
    assert [rated.keys for rated in run.result().rated if rated.is_selected] == [keys]


def test_analysis_finds_best_answer() -> None:
    analysis = analysis_of(at_the_mines(), "red", 600)
    assert [rated.keys for rated in analysis.rated] == [("left",), ("port",), ("right",)]
    for rated in analysis.rated:
        assert abs(rated.utility - mines.CHANCES[rated.keys[0]]) < rated.error < 0.12
    best, rated_answer, _ = analysis.rated
    assert (best.text, best.policy, rated_answer.policy) == ("the left channel", "", "doctrine")
    assert rated_answer.advantage == rated_answer.advantage_error == 0
    assert best.advantage > best.advantage_error
    assert analysis.chances
    assert (analysis.seat, analysis.rule, analysis.question) == ("red", "2", "Which way?")
    assert best.rollouts == rated_answer.rollouts == 300, "the other half ranks"
    assert analysis.rollouts >= 2 * sum(rated.rollouts for rated in analysis.rated) - 2
    assert analysis.why.startswith("In 300 rollouts the first answer wins 70 % (64–76 %)")
    assert "“stay in port” wins" in analysis.why


def test_illegal_policy_answers_are_omitted() -> None:
    names = {rated.policy for rated in analysis_of(at_the_mines(), "red", 2).rated}
    assert names == {"doctrine", "bold", ""}, "one policy's answer is illegal and another has none"


def test_errors_shrink_with_rollouts() -> None:
    few, many = (analysis_of(at_the_mines(), "red", count).rated[0].error for count in (40, 640))
    assert many < few / 3


def test_hidden_information_does_not_change_analysis() -> None:
    """The mine is left in one match and right in the other."""
    by_mine = {match.state.notes[0]: match for match in map(at_the_mines, "abcdefgh")}
    left, right = (analysis_of(by_mine[side], "red", 30) for side in ("left", "right"))
    assert left == right


def test_secret_plans_do_not_change_analysis() -> None:
    analysis = []
    for seed in range(2):
        match, random = Match[Any, Any](STRAITS, seed="straits"), Random(seed)
        while "blue" in match.pending and "red" in match.pending and match.decision_count < 3:
            match.decide("blue", match.pending["blue"].sample(random))
        analysis.append(analysis_of(match, "red", 10))
    assert analysis[0] == analysis[1]
    assert max(rated.rollouts for rated in analysis[0].rated) == 5


def test_analysis_of_secret_pearl_harbor_plan() -> None:
    match = Match[Any, Any](games.load("tora"), "sunday", seed="planning")
    before = match.digest(), match.record()
    seat = next(iter(match.pending))
    analysis = analysis_of(match, seat, 1)
    assert {"doctrine", "historical"} & {rated.policy for rated in analysis.rated}
    for rated in analysis.rated:
        assert match.pending[seat].accept(rated.keys)
    assert (match.digest(), match.record()) == before


def test_analysis_is_deterministic() -> None:
    match = at_the_mines()
    assert analyze(match, "red", rounds(40)) == analyze(match, "red", rounds(40))


def test_too_few_rollouts_give_no_rank() -> None:
    for seed in range(4):
        analysis = analysis_of(at_the_mines(), "red", FEWEST - 1, seed)
        assert [rated.policy for rated in analysis.rated] == ["doctrine", "bold", ""], (
            "the order in which they are tried"
        )
        assert not any(rated.is_ranked for rated in analysis.rated)
        assert analysis.why.startswith("There are too few rollouts to rank the answers; ")
    assert "too few rollouts" in analysis_of(at_the_mines(), "red", 1).why


def test_ranked_answers_come_first() -> None:
    ranks = [rated.is_ranked for rated in analysis_of(at_the_mines(), "red", 4 * FEWEST).rated]
    assert ranks[0]
    assert ranks == sorted(ranks, reverse=True)


@pytest.mark.slow(2)
def test_first_answer_is_not_overrated() -> None:
    """Eight answers are equally good. The highest of their figures is too high, that of the first answer is not."""
    letters = [Option(f"{n}", f"letter {n}") for n in range(8)]

    def draw(table: T) -> Steps:
        letter = (yield from table.choose("red", "2", "Which letter?", letters)).key
        wins = table.roll_dice("2", letter, 1)[0] > 3
        table.end_match(Outcome("red" if wins else "blue", "over", "It is over."))

    game = replace(tiny(draw), analysis=GameAnalysis(bots={"doctrine": mines.says("0")}))
    match = Match(mines.ruled(game), seed="letters")
    first, highest = list[float](), list[float]()
    for seed in range(24):
        rated = [each for each in analysis_of(match, "red", 4 * FEWEST, seed).rated if each.is_ranked]
        first.append(rated[0].utility)
        highest.append(max(each.utility for each in rated))
    assert abs(fmean(first) - 0.5) < 0.04
    assert fmean(highest) - 0.5 > 0.04


def test_figures_are_those_of_rounds_that_do_not_rank() -> None:
    run = AnalysisRun(at_the_mines(), "red", Random(5))
    for _ in run.run(rounds(4 * FEWEST)):
        pass
    for tried, rated in ((tried, rated) for tried in run._tried for rated in run.result().rated):
        if tried.candidate.answer == rated.keys:
            assert tried.candidate.choosing.weight in {0, len(tried.utilities) - rated.rollouts}
            assert rated.rollouts == sum(number % 2 for number in tried.utilities)


def test_progress_counts_to_the_most_rollouts() -> None:
    seen: list[tuple[int, int]] = []
    analyze(at_the_mines(), "red", rounds(5), Random(1), lambda done, most: seen.append((done, most)))
    assert [done for done, _ in seen] == list(range(1, seen[0][1] + 1))
    assert {most for _, most in seen} == {len(seen)}


@pytest.mark.parametrize(("error", "text"), [(0.0, "1 %"), (0.0032, "1 %"), (0.05, "5 %"), (0.071, "8 %")])
def test_errors_are_rounded_up(error: float, text: str) -> None:
    assert error_text(error, chances=True) == text


def test_analysis_without_time_returns_baseline() -> None:
    analysis = analyze(at_the_mines(), "red", Limit(0.0), Random(1))
    assert [(rated.keys, rated.rollouts, rated.error) for rated in analysis.rated] == [(("port",), 0, 0.5)]
    assert analysis.why == "There was no time for rollouts; the first is the default bot's answer."


def test_analysis_run_can_stop_early() -> None:
    inquiry = AnalysisRun(at_the_mines(), "red", Random(3))
    assert inquiry.result().rollouts == 0
    counts = [count for count, _ in zip(inquiry.run(rounds(100)), range(50), strict=False)]
    assert counts == list(range(1, 51))
    assert inquiry.result().rollouts >= 50


def test_why_reports_equal_answers() -> None:
    same = replace(mines.GAME, analysis=replace(mines.GAME.analysis, utility=lambda outcome, side: 0.5))
    few, many = (analysis_of(Match(mines.ruled(same), seed="same"), "red", count).why for count in (60, 160))
    assert few.endswith(", too close to call."), "too few rollouts to call them equal"
    assert many.endswith(" does about as well, within 5 points.")


def test_why_reports_insignificant_difference() -> None:
    whys = [analysis_of(at_the_mines(), "red", 2 * FEWEST + 8, seed).why for seed in range(12)]
    assert any(why.endswith("too close to call.") for why in whys)


def test_why_reports_match_statistics() -> None:
    def won(state: Any, data: Any) -> dict[str, float]:
        return {"Noise": 1.0, "Ships at sea": 3.0 if "sailed" in state.notes else 0.0}

    def sail(table: T) -> Steps:
        way = (yield from table.choose("red", "2", "Which way?", mines.WAYS)).key
        table.state.notes += ["sailed"] if way == "left" else []
        table.end_match(Outcome("red" if way == "left" else "blue", "over", "It is over."))

    game = replace(tiny(sail), analysis=GameAnalysis(bots={"doctrine": mines.says("port")}, match_stats=won))
    why = analysis_of(Match(mines.ruled(game), seed="why"), "red", 60).why
    assert "wins 0 %: Ships at sea 3.0 in a match on average, against 0.0." in why


def test_solo_game_reports_points() -> None:
    game = tiny(mines.lay, mines.sail, seats=("red",))
    rules = replace(game.rules, resample=mines.GAME.rules.resample)
    game = replace(game, rules=rules, analysis=GameAnalysis(bots=mines.BOTS))
    analysis = analysis_of(Match(mines.ruled(game), seed="alone"), "red", 2 * FEWEST)
    assert not analysis.chances
    assert re.search(r" scores \d+ of 100 \(\d+–\d+\)", analysis.why)
    assert "%" not in analysis.why


def test_game_without_bots_uses_random_policy() -> None:
    analysis = analysis_of(
        Match(mines.ruled(replace(mines.GAME, analysis=replace(mines.GAME.analysis, bots={}))), seed="chance"), "red", 3
    )
    assert {rated.policy for rated in analysis.rated} == {bots.RANDOM, ""}
    assert "the first answer is random" in analysis.why


def test_forced_decision_is_not_analyzed() -> None:
    def only(table: T) -> Steps:
        yield Decision(DecisionKind.ONE, "red", "1", "Which letter?", ABC[:1], 1, 1)

    analysis = analysis_of(Match(mines.ruled(tiny(only)), seed="forced"), "red", 50)
    assert (analysis.rollouts, analysis.rated[0].keys) == (0, ("a",))
    assert analysis.why == "It is the only legal answer."


def test_analysis_of_idle_seat_raises() -> None:
    match = at_the_mines()
    with pytest.raises(NotYourDecision):
        analyze(match, "blue", rounds(1))
    with pytest.raises(UnknownSeat):
        analyze(match, "green", rounds(1))
    match.decide("red", "port")
    with pytest.raises(MatchOver):
        analyze(match, "red", rounds(1))


def test_answer_text() -> None:
    options = [Option(f"o{n}", f"ship {n}") for n in range(7)]
    decision = Decision(DecisionKind.SOME, "red", "1", "Which?", options, 0, 9, limit=lambda option: 3)
    assert answer_text(decision, []) == "none"
    assert answer_text(decision, decision.keys) == "all"
    assert answer_text(decision, ["o1", "o2", "o1"]) == "2 × ship 1, ship 2"
    assert answer_text(decision, decision.keys[:6]) == "ship 0, ship 1, ship 2, ship 3 and 2 more"
    texts = decision.keys[:5]
    assert answer_text(decision, [*texts[1:], "o6", "o6"], texts) == "the bot’s answer without ship 0, with 2 × ship 6"
    assert answer_text(decision, texts[1:], texts) == "the bot’s answer without ship 0"
    assert answer_text(decision, texts, texts) == "ship 0, ship 1, ship 2, ship 3 and 1 more"
    assert answer_text(decision, [], texts) == "none"

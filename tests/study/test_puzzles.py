"""Tests of puzzles: the shipped ones, and the search."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from readyroom.engine.game import Scenario, load_game
from readyroom.study.puzzles import finding
from readyroom.study.puzzles.finding import LEAST_GAIN, find_puzzles, legal_answers, recheck, same
from readyroom.study.puzzles.puzzle import PuzzleSet, decode, find_puzzle, puzzle_games, puzzles_of, save
from readyroom.study.puzzles.solution import next_lines

GAMES = puzzle_games()


@pytest.mark.parametrize("game", GAMES)
def test_shipped_puzzles_are_legal_and_decided(game: str) -> None:
    known = puzzles_of(game)
    assert known
    for puzzle in known.values():
        decision = puzzle.match(log=False).pending[puzzle.spec.seat]
        _, *others = puzzle.spec.answers
        assert not decision.is_forced
        assert decision.rule == puzzle.spec.rule
        assert others
        for answer in puzzle.spec.answers:
            assert decision.accept(list(answer.keys))[0] == answer.keys
        assert all(answer.loss.high < 0 for answer in others)
        if puzzle.is_win_chance:
            assert all(answer.loss.mean <= -LEAST_GAIN for answer in others)
        if puzzle.spec.is_complete:
            assert {same(one) for one in legal_answers(decision)} == {same(one.keys) for one in puzzle.spec.answers}
        question = puzzle.question(decision)
        assert len({puzzle.answer(decision, [key]).keys for key in question.keys}) == len(puzzle.spec.answers)


def test_order_of_choices_does_not_depend_on_solution() -> None:
    puzzle = max(puzzles_of("pearl").values(), key=lambda one: len(one.spec.answers))
    decision = puzzle.match(log=False).pending[puzzle.spec.seat]
    answers = list(puzzle.spec.answers)
    Random(1).shuffle(answers)
    other = puzzle._replace(spec=replace(puzzle.spec, answers=answers))
    assert other.choices(decision) == puzzle.choices(decision)


def test_next_lines_are_those_of_the_seat() -> None:
    puzzle = next(iter(puzzles_of("pearl").values()))
    assert next_lines(puzzle) == next_lines(find_puzzle(puzzle.id))


@pytest.mark.torture(20)
def test_search_continues_where_it_stopped(tmp_path: Path) -> None:
    game, path = load_game("pearl"), tmp_path / "pearl.json.xz"

    def new() -> PuzzleSet:
        return PuzzleSet(game="pearl", version=game.version, figures=game.data_fingerprint, command="")

    whole = find_puzzles(game, new(), count=2, seed="test")
    part = find_puzzles(game, new(), count=2, seed="test", until=0.0)
    assert not part.puzzles
    save(path, part)
    assert find_puzzles(game, decode(path.read_bytes()), count=2, seed="test") == whole


def test_search_plays_its_scenarios_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = load_game("doolittle"), PuzzleSet(game="doolittle", version="", figures="", command="")
    played = list[str]()

    class Search:
        def __init__(self, game: object, known: PuzzleSet, scenario: Scenario, *rest: object) -> None:
            played.append(scenario.key)

        def run(self) -> None:
            if len(played) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(finding, "_Search", Search)
    with pytest.raises(KeyboardInterrupt):
        find_puzzles(game, found, count=1, seed="test", scenarios=["kobe", "bay"])
    assert played == ["kobe", "bay", "kobe"]


@pytest.mark.torture
@pytest.mark.parametrize("game", GAMES)
def test_fresh_dice_confirm_shipped_puzzles(game: str) -> None:
    sample = Random(game).sample(sorted(puzzles_of(game)), min(8, len(puzzles_of(game))))
    for name in sample:
        losses = recheck(find_puzzle(name), f"torture/{name}")  # not the dice of `puzzles check`
        assert all(loss.mean < 0 for loss in losses), name

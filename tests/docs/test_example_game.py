"""The example game of `docs/add-a-game.md`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cli.helpers import Shell
from tests.installed import install

from readyroom import Match, bots, games
from readyroom.engine.game import Game
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.dice import fixed_dice
from readyroom.testing import check_game
from readyroom.testing.coverage import cited_by_code

EXAMPLE = Path(__file__).parents[2] / "docs" / "example"


@pytest.fixture
def strait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game[Any, Any]:
    """Return the example game, found by the entry point in its metadata."""
    for folder in install(EXAMPLE, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    assert "strait" in games.game_names()
    return games.load("strait")


def test_games_installed_next_to_ready_room_are_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    for folder in install(EXAMPLE, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    assert "midway" in games.game_names()
    assert "strait" not in games.game_names()


def test_game_without_odds_says_so(tmp_path: Path, strait: Game[Any, Any]) -> None:
    assert Shell(tmp_path).run("odds", strait.key).out == "This game offers no odds to calculate.\n"


def played(game: Game[Any, Any], seed: str) -> Match[Any, Any]:
    """Return a finished match between two of the game's bots."""
    match, random = Match(game, seed=seed), Random(seed)
    bots.play_to_end(match, {seat.key: bots.make_bot(game, "steady", seat.key, random) for seat in match.seats})
    return match


def test_either_side_may_win(strait: Game[Any, Any]) -> None:
    winners = Counter(match.outcome.winner for seed in range(40) if (match := played(strait, str(seed))).outcome)
    assert winners["runner"] > 5
    assert winners["guard"] > 5


def test_example_record_verifies(strait: Game[Any, Any]) -> None:
    record = played(strait, "a record").record()
    assert verify(record, strait).outcome is not None


def test_record_on_architecture_page_verifies(strait: Game[Any, Any]) -> None:
    match = verify((EXAMPLE / "a-night.jsonl").read_text(), strait)
    assert match.outcome is not None
    assert match.outcome.title == "the island goes hungry"


def test_boat_is_caught_on_three_or_more(strait: Game[Any, Any]) -> None:
    match = Match(strait, dice=fixed_dice(4, draws=["rain"]))
    match.decide("runner", "crane")
    match.decide("runner", "north")
    match.decide("guard", "north")
    assert match.view("guard").table.caught == {"crane": 3}
    [line] = [line for line in match.log("guard") if line.rolls]
    assert (line.rule, line.rolls[0].result) == ("2.4", "1d6 − 1 rain ≥ 3: 3, passed")


def test_guard_does_not_see_boat(strait: Game[Any, Any]) -> None:
    views = []
    for boat in ("crane", "wren"):
        match = Match(strait, dice=fixed_dice(draws=["rain"]))
        match.decide("runner", boat)
        match.decide("runner", "north")
        match.decide("guard", "south")
        views.append(match.view("guard"))
    assert views[0] == views[1]
    assert match.view("runner").table.landed == {"wren": 1}


def test_example_game_conforms(strait: Game[Any, Any]) -> None:
    findings = check_game(strait)
    assert findings.ok, str(findings)


def test_example_code_cites_every_rule(strait: Game[Any, Any]) -> None:
    cited = {number for number, _ in cited_by_code(EXAMPLE / "lantern_strait", EXAMPLE)}
    rules = {rule.number for rule in strait.rulebook.rule} | {ruling.id for ruling in strait.rulebook.ruling}
    assert rules <= cited

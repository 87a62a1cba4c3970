"""Tests of playing with real dice whose results are typed in."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.cli.helpers import THROW, Shell, sit_down

from readyroom import bots
from readyroom.cli.play import manual_dice
from readyroom.cli.play.manual_dice import ManualDiceMatch, TypedDice
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.state import Piece

AT_TABLE = ("play", "midway", "--dice", "table")
PURPOSE = re.compile(r"^(Roll|Draw) .*for .+ \[\S+ .+, turn \d+\].*: $")
"""Each prompt names the roll's purpose and rule."""


class Player:
    """A player who types dice results, always chooses "all" and sometimes makes typing errors."""

    def __init__(self, seed: int, leaves_at: int = 0) -> None:
        self.hand, self.leaves_at = Random(seed), leaves_at
        self.rolls: list[str] = []
        self.questions = 0

    def answer(self, prompt: str) -> str:
        """Return the input for a prompt."""
        match = THROW.match(prompt)
        if match is None:
            self.questions += 1
            return "quit" if self.questions == self.leaves_at else "undo" if self.questions % 9 == 4 else "all"
        self.rolls.append(prompt)
        if len(self.rolls) % 7 == 0:
            return self.hand.choice(["x", "", "7 7 7 7", "help", "1" * (int(match[1]) + 1)])
        return " ".join(str(self.hand.randint(1, int(match[2]))) for _ in range(int(match[1])))


@pytest.mark.torture(1)
def test_full_midway_match_with_real_dice(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player quits, resumes, makes typing errors and also rolls for the bot; the record verifies."""
    first, second = Player(1, leaves_at=12), Player(2)
    sit_down(monkeypatch, first.answer)
    begun = shell.run(*AT_TABLE, "--seat", "usa=human", "--seat", "japan=doctrine")
    assert "You roll all dice, including the bots" in " ".join(begun.out.split())
    assert "Continue with: readyroom play --resume midway-1" in begun.out
    sit_down(monkeypatch, second.answer)
    ended = shell.run("play", "--resume", "midway-1")
    assert "Verify:         readyroom verify midway-1" in ended.out
    monkeypatch.undo()
    proved = shell.run("verify", "midway-1")
    assert proved.code == 0
    assert "manual dice" in proved.out
    for prompt in first.rolls + second.rolls:
        assert PURPOSE.match(prompt), prompt
    assert any("dive bombing, " in prompt and "hit on 5+, 6 rolled again" in prompt for prompt in second.rolls)
    assert any("again [12.4 Dive bombers" in prompt for prompt in second.rolls)
    assert any("repairs [15 Repair" in prompt and "needed ≥" in prompt for prompt in second.rolls)


def test_log_is_printed_before_each_roll(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(3)

    def answer(prompt: str) -> str:
        return "quit" if prompt.startswith("Roll 1d6 for Which search group") else player.answer(prompt)

    sit_down(monkeypatch, answer)
    result = shell.run(*AT_TABLE, "--seat", "usa=human", "--seat", "japan=doctrine")
    assert "Turn 3" in result.out
    assert "Take off" in result.out or "sent forward" in result.out or "search" in result.out.casefold()


def _played(name: str, monkeypatch: pytest.MonkeyPatch, seed: int) -> tuple[Match[Any, Any], list[str]]:
    """Let bots play a game with typed dice; return the match and all prompts."""
    prompts: list[str] = []
    hand = Random(seed)

    def read(prompt: str) -> str:
        prompts.append(prompt)
        throw = THROW.match(prompt)
        if throw is None:
            return "roll"
        return " ".join(str(hand.randint(1, int(throw[2]))) for _ in range(int(throw[1])))

    monkeypatch.setattr(manual_dice, "read_line", read)
    match = ManualDiceMatch(load_game(name), log=False)
    bots.play_to_end(match, {seat.key: bots.random_bot(hand) for seat in match.seats})
    return match, prompts


@pytest.mark.parametrize("name", ["midway", "tora", "war", "pearl", "picket", "doolittle"])
def test_every_game_is_played_with_real_dice_and_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, prompts = _played(name, monkeypatch, 4)
    assert match.outcome is not None
    assert all(PURPOSE.match(prompt) for prompt in prompts)
    assert verify(match.record()).digest() == match.digest()


def _typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> Callable[[], int]:
    """Type these lines; return a function that counts the remaining ones."""
    waiting = list(lines)
    monkeypatch.setattr(manual_dice, "read_line", lambda prompt: waiting.pop(0))
    return lambda: len(waiting)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("x y", "Type the faces as numbers, such as 3 3, or `help`."),
        ("3", "2 dice needed, 1 given."),
        ("3 4 5", "2 dice needed, 3 given."),
        ("3 7", "A 6-sided die has no 7."),
        ("wrong", "There is no earlier roll of this decision"),
        ("help", "a ten on a ten-sided die is 10, not 0"),
    ],
)
def test_invalid_dice_are_asked_for_again(
    line: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = _typing(monkeypatch, line, "3 4")
    assert TypedDice().roll("1|move|2|scouts|1", 2) == bytes([3, 4])
    assert left() == 0
    assert text in capsys.readouterr().out


def test_computer_rolls_uncommon_dice(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return "roll"

    monkeypatch.setattr(manual_dice, "read_line", read)
    assert 1 <= TypedDice().roll("1|muster|2|captain|1", 1, 17)[0] <= 17
    assert "draw a random number from 1 to 17, or type `roll`" in prompts[0]
    assert "Rolled: " in capsys.readouterr().out


def test_counter_is_drawn_by_key_or_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _typing(monkeypatch, "kate", "Zero-2", "val-1")
    dice = TypedDice()
    keys = ["zero-1", "zero-2", "zero-3", "zero-4", "val-1"]
    assert dice.pick("1|draw|2|wave|1", keys) == "zero-2"
    assert "'kate' is not in the cup. It contains 4 from zero-1 to zero-4, val-1." in capsys.readouterr().out
    assert dice.pick("1|draw|2|wave|2", keys) == "val-1"


def test_undone_roll_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision's other dice and its answer are unchanged."""
    hand, prompts = Random(5), list[str]()

    def read(prompt: str) -> str:
        prompts.append(prompt)
        throw = THROW.match(prompt)
        assert throw is not None
        second = len(prompts) > 20 and ", again [" not in prompt and prompts.count("wrong") == 0
        if second and match.table_dice._typed:
            prompts.append("wrong")
            return "wrong"
        return " ".join(str(hand.randint(1, int(throw[2]))) for _ in range(int(throw[1])))

    monkeypatch.setattr(manual_dice, "read_line", read)
    match = ManualDiceMatch(load_game("midway"), log=False)
    rewound: list[int] = []
    match.table_dice.rewound = lambda: rewound.append(match.decision_count)
    bots.play_to_end(match, {seat.key: bots.random_bot(hand) for seat in match.seats})
    at = prompts.index("wrong")
    purpose = prompts[at - 2].partition(" for ")[2].replace(", again", "")
    assert prompts[at + 1].endswith(purpose), "the roll before is asked for again"
    assert len(rewound) == 1
    assert verify(match.record()).digest() == match.digest()


def test_cup_of_identical_counters_is_summarized() -> None:
    named = {f"m-{number}": "Quiet" for number in range(3)} | {
        f"m-{number}": f"Searchlight {number}" for number in (7, 9)
    }
    assert manual_dice._listed(named) == "Quiet (×3), Searchlight 7, Searchlight 9"


def test_counter_without_name_is_shown_by_key() -> None:
    assert manual_dice._legend(Piece("b-12")) == "b-12"

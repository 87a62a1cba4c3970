"""Tests of complete Tora! Tora! Tora! battles in the terminal."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.cli.helpers import Shell, decided, sit_down

from readyroom.bots import make_bot
from readyroom.cli.play.session import Session
from readyroom.engine.game import Bot
from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.games.tora import GAME

DECEMBER = ("play", "tora", "--scenario", "december", "--seed", "a terminal in December")
REVEALED = re.compile(r"The (Japanese|American) plan is revealed; its fingerprint is ([0-9a-f]{32})")
PROVED = re.compile(r"The (Japanese|American) plan matches its published fingerprint ([0-9a-f]{32})")


class Typist:
    """Types prepared lines first, then a bot's answers in varying notations.

    `lines` are the prepared lines by piece key, one for each prompt. `asked` counts the bot's answers by piece key,
    and `handed` counts screen handovers.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, lines: Mapping[str, Sequence[str]]) -> None:
        self.lines = {about: list(ready) for about, ready in lines.items()}
        self.asked = Counter[str]()
        self.handed = 0
        self._open: tuple[Session, str, Decision] | None = None
        self._staff: dict[str, Bot] = {}
        put = Session.ask

        def ask(session: Session, seat: str, decision: Decision) -> None:
            self._open = session, seat, decision
            put(session, seat, decision)

        monkeypatch.setattr(Session, "ask", ask)
        sit_down(monkeypatch, self.type)

    def type(self, prompt: str) -> str:
        """Return the next line; empty for a handover prompt."""
        if prompt != "> ":
            self.handed += 1
            return ""
        assert self._open is not None
        session, seat, decision = self._open
        about = decision.piece_key.partition(":")[0]
        if self.lines.get(about):
            return self.lines[about].pop(0)
        self.asked[about] += 1
        if seat not in self._staff:
            self._staff[seat] = make_bot(GAME, "doctrine", seat, Random(seat))
        keys = self._staff[seat](decision, lambda: session.match.view(seat))
        return typed(decision, keys, self.asked.total())


def typed(decision: Decision, keys: Sequence[str], manner: int) -> str:
    """Return an answer as typed text: all, none, numbers, ranges, counts (`2x3`) or keys."""
    if not keys:
        return "none"
    if decision.kind is DecisionKind.SOME and sorted(keys) == sorted(decision.keys):
        return "all"
    numbers = sorted({decision.keys.index(key) + 1: count for key, count in Counter(keys).items()}.items())
    if any(count > 1 for _, count in numbers):
        return ",".join(f"{number}x{count}" for number, count in numbers)
    first, last = numbers[0][0], numbers[-1][0]
    in_order = [decision.keys[number - 1] for number, _ in numbers] == list(keys)
    if in_order and last - first == len(numbers) - 1 > 0:
        return f"{first}-{last}"
    return " ".join(keys if manner % 2 else [str(decision.keys.index(key) + 1) for key in keys])


def proves_both_plans(shell: Shell, out: str) -> None:
    """Check that the record verifies and both plans match their published fingerprints."""
    result = shell.run("verify", "tora-1")
    assert result.code == 0
    assert result.out.startswith("Verified: ")
    proved, revealed = (
        dict(pattern.findall(" ".join(text.split()))) for pattern, text in ((PROVED, result.out), (REVEALED, out))
    )
    assert proved == revealed
    assert proved.keys() == {"Japanese", "American"}


def plans_by(folder: Path, file: str) -> dict[str, list[str]]:
    """Return the lines that load a plan from a file when the attack day is asked."""
    return {"day": [f"paper {folder}", f"plan {folder / file}"]}


@pytest.mark.slow
def test_battle_is_played_with_plan_from_file(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typist = Typist(monkeypatch, plans_by(tmp_path / "paper", "yard-raid.toml"))
    result = shell.run(*DECEMBER, "--seat", "japan=human", "--seat", "usa=doctrine")
    assert result.code == 0
    assert re.search(r"yard-raid\.toml answered \d+ questions", result.out)
    assert not typist.asked.keys() & {"day", "waves", "turn", "wave"}, "the file has answered what is planned"
    assert typist.asked.keys() >= {"move", "attack"}
    assert typist.asked.total() > 20
    assert decided(shell.record("tora-1").read_text(), "usa") > 20
    proves_both_plans(shell, result.out)


@pytest.mark.torture(2)
def test_battle_is_repeatable(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in ("once", "again"):
        with monkeypatch.context() as hands:
            Typist(hands, plans_by(tmp_path / at, "first-day.csv"))
            assert shell.run(*DECEMBER, "--seat", "japan=human", "--seat", "usa=historical").code == 0
    first, second = (json.loads(shell.run("report", name, "--json").out) for name in ("tora-1", "tora-2"))
    assert first["lines"] == second["lines"]
    assert first["outcome"] == second["outcome"]


@pytest.mark.slow(2)
def test_two_people_plan_and_fight_at_one_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typist = Typist(monkeypatch, {"alerts": ["airfield-1x2,airfield-2x2,airfield-3x2,airfield-4", "airfield-1x3"]})
    result = shell.run(*DECEMBER, "--seat", "japan=human", "--seat", "usa=human")
    assert result.code == 0
    text = " ".join(result.out.split())
    assert "Airfields: together these cost 7 points; the budget is 6. [5.1]" in text
    assert "airfield-1 was chosen 3 times; the limit is 2. [5.1]" in text
    sheets = {"day", "waves", "wave", "alerts", "radar", "patrol", "in-port", "field", "anchorage"}
    assert typist.asked.keys() >= sheets | {"move", "attack", "launch"}
    assert typist.handed > 4
    proves_both_plans(shell, result.out)

"""The log of Picket Duty: every die that is rolled stands in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest

from readyroom.engine.dice import KeyedDice
from readyroom.engine.match import Match
from readyroom.games.picket import GAME

DRAWN = ("chit-", "name")
"""What is drawn rather than rolled: the log names what was drawn."""


@pytest.mark.parametrize("scenario", ["first-watch", "cassin-young", "pringle", "little", "lingayen"])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_die_is_in_the_log(scenario: str, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled: dict[str, dict[int, int]] = defaultdict(dict)
    throw = KeyedDice.roll

    def recorded(self: KeyedDice, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        faces = throw(self, event, count, sides, start)
        rolled[event].update(enumerate(faces, start))
        return faces

    monkeypatch.setattr(KeyedDice, "throw", recorded)
    match, random = Match(GAME, scenario, seed=seed), Random(seed)
    while match.outcome is None:
        (seat,) = match.pending
        match.decide(seat, match.pending[seat].sample(random))
    logged: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for line in match.full_log:
        for roll in line.rolls:
            logged[str(line.turn), line.phase].update(face for faces in roll.faces for face in faces)
    missing = []
    for event, faces in rolled.items():
        turn, phase, rule, subject, *_ = event.split("|")
        if not subject.startswith(DRAWN):
            need = Counter(faces.values())
            if need - logged[turn, phase]:
                missing.append((turn, phase, rule, subject, list(faces.values())))
            logged[turn, phase] -= need
    assert not missing

"""Test that the log of a match contains every die rolled."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from random import Random

import pytest

from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.dice import KeyedDice

SECRET = ("T27",)
"""Random letters of ciphers, which are not dice."""
DRAWN = ("chit-", "name")
"""Events that are drawn, not rolled: the log names what was drawn."""


MATCHES = {
    "picket": ["first-watch", "cassin-young", "pringle", "little", "lingayen"],
    "doolittle": ["capital", "early", "carrier", "campaign"],
    "midway": ["midway"],
    "tora": ["december", "sunday"],
    "war": ["strategic-war"],
    "pearl": ["air-raid"],
}


@pytest.mark.sample(14)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "scenario"), [(name, key) for name, keys in MATCHES.items() for key in keys])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_die_is_in_the_log(name: str, scenario: str, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled: dict[str, dict[int, int]] = defaultdict(dict)
    roll_dice = KeyedDice.roll

    def recorded(self: KeyedDice, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        faces = roll_dice(self, event, count, sides, start)
        rolled[event].update(enumerate(faces, start))
        return faces

    monkeypatch.setattr(KeyedDice, "roll", recorded)
    match, random = Match(load_game(name), scenario, seed=seed), Random(seed)
    while match.outcome is None:
        seat = random.choice(list(match.pending))
        match.decide(seat, match.pending[seat].sample(random))
    logged: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    texts: dict[tuple[str, str, str], str] = defaultdict(str)
    for line in match.full_log:
        at = str(line.turn), line.phase
        texts[*at, line.rule] += f" {line.text}"
        for roll in line.rolls:
            logged[at].update(face for faces in roll.faces for face in faces)
    missing = []
    for event, faces in rolled.items():
        turn, phase, rule, subject, *_ = event.split("|")
        need = Counter(faces.values())
        if rule in SECRET or subject.startswith(DRAWN) or _in_text(need, texts[turn, phase, rule]):
            continue
        if need <= logged[turn, phase]:
            logged[turn, phase] -= need
        else:
            missing.append((turn, phase, rule, subject, list(faces.values())))
    assert not missing


def _in_text(faces: Counter[int], text: str) -> bool:
    """Return whether a text contains these faces, or their sum, as numbers."""
    numbers = Counter(int(number) for number in re.findall(r"\d+", text))
    return faces <= numbers or sum(faces.elements()) in numbers

"""Every game passes the conformance kit in every scenario and option."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from readyroom import games
from readyroom.testing import Invariant, check_game, variants

GAMES = games.game_names()
MANY = defaultdict(lambda: 160, midway=400)
"""The number of playouts in the slow tests; more for the fastest game."""
QUICK = 20
"""Their number in the quick tests; at least one for each scenario and choice."""
CLOSELY = defaultdict(lambda: 0.02, tora=0.032)
"""The share of them that is checked closely; more for the game whose first ones of these end before a battle."""
PARTS = {"midway": 2, "tora": 2}
"""The parts run in parallel; each covers every choice of every option."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.sample(1)
@pytest.mark.slow(8)
@pytest.mark.parametrize("name", GAMES)
def test_game_has_no_violations(name: str) -> None:
    findings = check_game(games.load(name), playouts=QUICK, closely=CLOSELY[name])
    assert findings.ok, str(findings)
    idle = [invariant.name for invariant in Invariant if not findings.checks[invariant]]
    assert not idle, f"never checked: {', '.join(idle)}"


@pytest.mark.torture(20)
@pytest.mark.parametrize(("name", "part"), [(name, part) for name in GAMES for part in range(PARTS.get(name, 1))])
def test_game_has_no_violations_in_many_playouts(name: str, part: int) -> None:
    expected = MANY[name] // PARTS.get(name, 1)
    findings = check_game(games.load(name), playouts=expected, closely=0.1, seed=f"slow {part}")
    assert findings.ok, str(findings)
    assert findings.playouts >= expected


@pytest.mark.parametrize("name", GAMES)
def test_variants_cover_scenarios_and_choices(name: str) -> None:
    game = games.load(name)
    played = variants(game)
    for scenario in game.rules.scenarios(game.data):
        for option in game.options:
            for choice in option.choices:
                expected = {} if choice == option.default else {option.key: choice}
                assert (scenario.key, expected) in played


def _transcripts(name: str, hash_seed: str) -> str:
    code = (
        "from readyroom import games\n"
        "from readyroom.testing import transcript, variants\n"
        f"game = games.load({name!r})\n"
        "for variant in variants(game, mixed=1)[::7]:\n"
        "    print(transcript(game, *variant, seed='hashes'))\n"
    )
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout


@pytest.mark.sample(1)
@pytest.mark.slow(2)
@pytest.mark.parametrize("name", GAMES)
def test_transcript_is_equal_across_processes(name: str) -> None:
    first, second = _transcripts(name, "1"), _transcripts(name, "4242")
    assert first
    assert first == second

"""Conformance tests of the attack scenarios, with every choice of every option."""

from __future__ import annotations

import pytest

from readyroom.games.doolittle import GAME
from readyroom.testing import Invariant, check_game

ATTACKS = [key for key, card in GAME.data.scenarios.items() if card.map]


@pytest.mark.torture(7)
def test_attack_scenarios_conform() -> None:
    findings = check_game(GAME, scenarios=ATTACKS, playouts=150, closely=0.1)
    assert findings.ok, str(findings)
    idle = [promise.name for promise in Invariant if not findings.checks[promise]]
    assert not idle, f"never checked: {', '.join(idle)}"

"""Conformance tests of raids played to the end, with one or more captains."""

from __future__ import annotations

import pytest

from readyroom.games.doolittle import GAME
from readyroom.testing import check_game

TO_THE_END = [{"ending": "told"}, {"ending": "told", "variant": "variant", "players": "3"}]


@pytest.mark.torture(3)
def test_raids_with_a_denouement_conform() -> None:
    findings = check_game(GAME, scenarios=["early"], options=TO_THE_END, playouts=6, closely=0.2)
    assert findings.ok, str(findings)

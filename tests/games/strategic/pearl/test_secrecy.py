"""Tests of what each side must not learn, and conformance in every scenario."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.games.strategic.pearl.helpers import DATA, Battle
from tests.games.strategic.pearl.test_files import SCENARIOS

from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.pearl.knowledge import where
from readyroom.testing import check_game

OPTIONS = [
    {},
    {"edition": "classic", "guns": "none", "final_die": "none"},
    {"nationality": "suggested", "surprise_bonus": "twice", "disarray": "guns", "critical": "4"},
]


@pytest.mark.torture
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_game_conforms(scenario: str) -> None:
    findings = check_game(GAME, scenarios=[scenario], options=OPTIONS, playouts=12)
    assert findings.ok, str(findings)


@pytest.mark.rule("pearl", "PH.3", "51.31.2")
def test_japan_view_hides_forces_at_sea() -> None:
    battle = Battle(magic=(1, 2)).force("tf8", "Auto").force("tf12", "Pearl", seen=True)
    battle.raid.die = 3
    view = battle.view("japan")
    assert [force.place for force in view.forces] == [None, "Pearl"]
    assert view.magic.played == {"japan": 1, "usa": None}
    assert view.forces[0].intercepts is None
    assert battle.view(None).magic.played == {"japan": None, "usa": None}
    assert battle.view("usa").forces[0].place == "Auto"
    assert battle.view("usa").magic.played == {"japan": None, "usa": 2}
    assert [battle.view(seat).own for seat in ("japan", "usa", None)] == ["japan", "usa", None]
    assert view.kept is None, "the cards kept give away the cards played"


@pytest.mark.rule("pearl", "PH.3", "51.31.2", "P1")
def test_resample_places_hidden_forces_by_odds() -> None:
    places: Counter[str] = Counter()
    number = 3000
    for seed in range(number):
        battle = Battle(magic=(0, 0)).force("tf8", "Pacific").force("tf12", "Pacific")
        battle.raid.die = 1  # of the columns 34-35 and 36-37 only the first gives level 7 with it
        GAME.rules.resample(battle.state, DATA, "japan", Random(seed))
        places.update(force.place for force in battle.raid.forces)
        assert battle.raid.magic["japan"] == 0
    assert "Pearl" not in places
    odds = where(DATA.surprise["current"], 3)
    share = float(odds["Pacific"] / (1 - odds["Pearl"]))
    assert places["Pacific"] / (2 * number) == pytest.approx(share, abs=4 * (share * (1 - share) / (2 * number)) ** 0.5)


@pytest.mark.rule("pearl", "PH.3")
def test_resample_keeps_own_magic_and_guesses_enemys() -> None:
    seen: Counter[int] = Counter()
    for seed in range(200):
        battle = Battle(magic=(1, 0)).force("tf8", "3").force("tf12", "Auto")
        battle.raid.die = 3
        GAME.rules.resample(battle.state, DATA, "usa", Random(seed))
        assert [force.place for force in battle.raid.forces] == ["3", "Auto"]
        assert battle.raid.magic["usa"] == 0
        seen[battle.raid.magic["japan"]] += 1
    assert set(seen) == {0, 1}, "35 and 34 are one column, 33 is another"


@pytest.mark.rule("pearl", "PH.2", "PH.3")
@pytest.mark.parametrize("over", [False, True])
def test_resample_changes_nothing_before_magic_or_after_end(over: bool) -> None:
    battle = Battle(magic=(0, 3)).force("tf8", "3").force("tf12", "Pacific")
    battle.raid.magic, battle.raid.die, battle.raid.over = (battle.raid.magic, 3, True) if over else ({}, 0, False)
    whole = GAME.encode(battle.state)
    assert GAME.encode(GAME.rules.resample(battle.state, DATA, "japan", Random(1))) == whole


@pytest.mark.rule("pearl", "51.31.3", "PH.3")
def test_searched_unseen_force_is_not_automatic() -> None:
    for seed in range(100):
        battle = Battle(magic=(0, 3)).force("tf8", "Pacific").force("tf12", "4")
        battle.raid.die, battle.raid.stays, battle.raid.searched = 3, True, True
        GAME.rules.resample(battle.state, DATA, "japan", Random(seed))
        assert not {force.place for force in battle.raid.forces} & {"Auto", "Pearl"}

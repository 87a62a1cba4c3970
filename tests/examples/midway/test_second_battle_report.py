"""The second battle report, replayed with fixed dice: an American victory.

The report sinks the Akagi twice; the second ship must be the Hiryu, since only the Kaga remains afterwards.
"""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, Played, nothing, reply

from readyroom.games.midway.state import SideName


def attack(battle: Battle, side: SideName, target: str, *keys: str, hits: int) -> Played:
    """Return the dice of a wave of dive bombers that suffers no losses and scores this many hits."""
    carrier = battle.carrier(target)
    bombs = sum(squadron.strength for squadron in map(battle.squadron, keys))
    dice = [1] * carrier.antiaircraft + [5] * hits + [1] * (bombs - hits)
    battle.put("ready", *keys)
    return battle.play("attack", side, reply("12.1", carrier.name, *keys), dice=dice, otherwise=nothing)


def dive(carrier: str, *numbers: int) -> list[str]:
    return [f"{carrier}-db-{n}" for n in numbers]


def closely_fought(battle: Battle) -> Battle:
    """Play strikes by both sides, until only the Kaga and the Yorktown are afloat."""
    attack(battle, "usa", "soryu", *dive("yorktown", 1, 2, 3, 4), hits=8)
    attack(battle, "japan", "hornet", *dive("hiryu", 1, 2, 3), hits=7)
    attack(battle, "usa", "akagi", *dive("yorktown", 5, 6, 7, 8), hits=7)
    attack(battle, "usa", "akagi", *dive("enterprise", 1, 2), hits=4)
    attack(battle, "usa", "soryu", *dive("enterprise", 3, 4), hits=2)
    attack(battle, "japan", "hornet", *dive("hiryu", 4), hits=3)
    attack(battle, "japan", "enterprise", *dive("kaga", 1, 2, 3), hits=11)
    attack(battle, "usa", "hiryu", *dive("yorktown", 1, 2, 3, 4), hits=12)
    attack(battle, "usa", "kaga", *dive("yorktown", 5, 6), hits=6)
    return battle


KATES, VALS = ["kaga-tb-1", "kaga-tb-2"], ["kaga-db-4", "kaga-db-5"]
STRIKE = [*KATES, *VALS]


def last_strikes(battle: Battle) -> tuple[Played, Played]:
    """Launch the Kaga's bombers; the Americans attack while these form up, and sink her."""
    battle.turn, battle.state.found = 14, True
    battle.damage(yorktown=8).put("deck kaga", *STRIKE)
    launch = battle.play("launch", "japan", reply("13.1", "launch", *STRIKE))
    battle.turn = 15
    battle.put("moving", *dive("yorktown", 7, 8))
    battle.play("move", "japan", reply("10.2", "advance"), otherwise=nothing)
    battle.play("move", "usa", reply("10.2", "advance", *dive("yorktown", 7, 8)), otherwise=nothing)
    sinking = attack(battle, "usa", "kaga", *dive("yorktown", 7, 8), hits=4)
    return launch, sinking


def desperate_fury(battle: Battle) -> Played:
    """Attack the Yorktown with Kates and Vals: heavy fire, no torpedo hit, a single bomb hit."""
    battle.turn = 16
    assert battle.play("land", "japan", otherwise=nothing).asked == []
    assert battle.play("move", "japan").asked == [], "no choice: they must advance"
    assert battle.lying("japan", "ready") == STRIKE
    return battle.play(
        "attack",
        "japan",
        reply("12.3", "hits", *["kaga-db-4"] * 5, "kaga-tb-1"),
        dice=[*[6] * 6, *[1] * 6, *(5, 4, 3, 2, 1), *[5] * 9],
    )


@pytest.fixture
def battle() -> Battle:
    return closely_fought(Battle().settle())


@pytest.mark.rule("midway", "3", "16.1", "16.2", "12")
def test_successive_strikes_leave_kaga_and_yorktown(battle: Battle) -> None:
    damage = {carrier.key: carrier.damage for side in battle.sides for carrier in side.carriers}
    assert damage == {
        "soryu": 10,
        "akagi": 10,
        "hiryu": 10,
        "kaga": 6,
        "hornet": 10,
        "enterprise": 10,
        "yorktown": 0,
    }
    assert battle.play("end", None).outcome is None


@pytest.mark.rule("midway", "3", "13.1", "16.2", "M10")
def test_kaga_bombers_launched_before_sinking_fly_on(battle: Battle) -> None:
    last_strikes(battle)
    assert battle.carrier("kaga").damage == 10
    assert battle.lying("japan", "moving") == STRIKE
    assert battle.play("end", None).outcome is None, "the last strike is still to be flown"


@pytest.mark.rule("midway", "3", "10.2", "12.1", "M15")
def test_last_strike_without_carrier_must_attack_yorktown(battle: Battle) -> None:
    last_strikes(battle)
    played = desperate_fury(battle)
    assert "Yorktown" in played.log_text("12.2")[0]
    assert battle.carrier("yorktown").damage == 9, "only one bomb hit the Yorktown"
    assert battle.lying("japan", "ready") == []


@pytest.mark.rule("midway", "3", "15", "16.1")
def test_crew_puts_out_fires_and_saves_ship(battle: Battle) -> None:
    last_strikes(battle)
    desperate_fury(battle)
    battle.play("repair", "usa", dice=[4])
    assert battle.carrier("yorktown").damage == 8


@pytest.mark.rule("midway", "3", "9.3", "M11", "18.1", "18.2")
def test_battle_without_landing_deck_ends_in_american_victory(battle: Battle) -> None:
    last_strikes(battle)
    desperate_fury(battle)
    battle.play("repair", "usa", dice=[4])
    outcome = battle.play("end", None).outcome
    assert outcome is not None
    assert outcome.winner == "usa"
    assert outcome.scores == {"japan": 10 + 10 + 4, "usa": 40}
    survivors = [key for key in STRIKE if key != "kaga-db-4"]
    assert {battle.where(key) for key in survivors} == {"lost"}
